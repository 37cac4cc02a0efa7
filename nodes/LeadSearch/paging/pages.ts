/** Pages of a list: in which size one begins at a row, what size an answer names, and what it contradicts. Pure. */
import type { Page } from '../api/contract';
import type { Order, Purpose } from './ledger';

/**
 * A page that begins at a row, in the largest size, at most `most`, in which one does: page n begins at
 * row (n - 1) * size.
 */
export function pageAt(row: number, most: number, purpose: Purpose): Order<number> {
	let size = most;
	while (row % size !== 0) size--;
	return { purpose, page: row / size + 1, size, first: row };
}

/** The size of a page, where a smaller one than asked for is named, which is not just its number of rows. */
export function namedSize({ size }: Order, { rows, perPage = size, hasMore }: Page) {
	const isSize = perPage > rows.length || (perPage === rows.length && hasMore === true);
	return perPage < size && isSize ? perPage : undefined;
}

/** @returns what an answer with rows contradicts that was asked for or that it says itself, for people */
export function contradictionIn({ page, size, urls }: Order, answer: Page): string | undefined {
	const { rows, perPage = size, nextPage, hasMore } = answer;
	const unit = urls ? 'URLs' : 'rows';
	if (answer.violation !== undefined) return answer.violation;
	if (!urls && rows.length > size)
		return `it sent ${rows.length} rows where ${size} were asked for`;
	// A profile may come twice, and the number of rows be named for the page size.
	if (perPage > size && !(urls && perPage === rows.length))
		return `it sent a page of ${perPage} ${unit} where ${size} were asked for`;
	if ((answer.page ?? page) !== page)
		return `it answered with page ${answer.page} where page ${page} was asked for`;
	if (typeof nextPage === 'number' && hasMore !== false && nextPage !== page + 1)
		return `it named page ${nextPage} as the one after page ${page}`;
	return undefined;
}
