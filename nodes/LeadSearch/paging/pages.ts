/** Pages: in which size one begins at a row, which size an answer names, and what it contradicts of what was asked for. */
import type { Page } from '../api/contract';
import { mayHaveBeenCharged, type Failure } from '../api/failures';
import type { Contradiction, Order, Purpose } from './ledger';

/** What an answer without rows that says that more follow may mean. */
export const CHECK_BALANCE =
	'Credits may have run out: check the balance. If there are some, contact the lead service.';

/**
 * A page that begins at a row, in the largest size, at most `most`, in which one does: page n begins at
 * row (n - 1) * size.
 */
export function pageAt(row: number, most: number, purpose: Purpose, maxResults?: number) {
	let size = most;
	while (row % size !== 0) size--;
	return { purpose, page: row / size + 1, size, first: row, maxResults } as const;
}

/**
 * The most rows or URLs to ask for from now on, everywhere in a list: half as many where an answer to more than
 * the documented number may have been charged and lost, so that they are not at stake at the next place again.
 */
export function mostAfterLoss(size: number, failure: Failure, documented: number): number {
	if (size <= documented || !mayHaveBeenCharged(failure)) return Infinity;
	return Math.max(documented, Math.floor(size / 2));
}

/** The size of a page, where a smaller one than asked for is named, which is not just its number of rows. */
export function namedSize({ size }: Order, { rows, perPage = size, hasMore }: Page) {
	const isSize = perPage > rows.length || (perPage === rows.length && hasMore === true);
	return perPage < size && isSize ? perPage : undefined;
}

/** What an answer contradicts that was asked for or that it says itself. */
export function contradictionIn(order: Order, answer: Page): Contradiction | undefined {
	const { page, size, urls } = order;
	const { rows, perPage = size, nextPage, hasMore } = answer;
	if (answer.violation !== undefined) return { text: answer.violation };
	// A profile may come twice.
	if (rows.length > (urls ? 2 * size : size))
		return moreThanAsked(`it sent ${rows.length} rows where ${size} were asked for`, rows.length);
	// A lookup has no pages, so that it may name whatever it serves at most.
	if (perPage > size && !urls)
		return moreThanAsked(`it sent a page of ${perPage} rows where ${size} were asked for`, perPage);
	// What is left says something of rows.
	if (rows.length === 0) return undefined;
	if ((answer.page ?? page) !== page)
		return { text: `it answered with page ${answer.page} where page ${page} was asked for` };
	if (typeof nextPage === 'number' && hasMore !== false && nextPage !== page + 1)
		return { text: `it named page ${nextPage} as the one after page ${page}` };
	return undefined;
}

function moreThanAsked(text: string, rows: number): Contradiction {
	return {
		text,
		advice: `Ask for ${rows} at once: set 'Page Size', and 'Limit', to ${rows} or more.`,
	};
}

/** What a page contradicts that was cut and does not say so. @param rows as many as it seems to serve at once */
export function cutTo(rows: number | 'fewer', asked: number): Contradiction {
	const most = rows === 'fewer' ? 'the most that it serves in one page' : rows;
	return {
		text: `it serves pages of ${rows} rows where ${asked} were asked for, and does not say so`,
		advice: `Set 'Page Size' to ${most}.`,
	};
}
