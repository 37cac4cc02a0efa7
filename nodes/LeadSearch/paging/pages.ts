/** Pages: in which size a page begins at a row, and what an answer contradicts of the request or of itself. */
import type { Page } from '../api/contract';
import type { PageRequest, Purpose } from './job';
import type { Violation } from './ledger';

/** What an answer without rows that says that more follow may mean. */
export const CHECK_BALANCE =
	'Credits may have run out: check the balance. If there are some, contact the lead service.';

/**
 * A page that begins at a row, in the largest size, at most `most`, that allows it: page n begins at
 * row (n - 1) * size.
 *
 * @example pageAt(100, 60, 'rows'); // { page: 3, size: 50, firstKey: 100, … }
 */
export function pageAt(row: number, maxSize: number, purpose: Purpose, maxResults?: number) {
	let size = maxSize;
	while (row % size !== 0) size--;
	return { purpose, page: row / size + 1, size, firstKey: row, maxResults } as const;
}

/**
 * The size in which pages are served, where an answer names a smaller size than the request (contract, `per_page`:
 * a page size and no number of rows, as rule 1 speaks of pages "shorter than `per_page`").
 */
export function reportedSizeOf(
	{ size }: PageRequest,
	{ perPage = size }: Page,
): number | undefined {
	return perPage < size ? perPage : undefined;
}

/** What an answer contradicts of the request or of itself. */
export function findViolation(request: PageRequest, response: Page): Violation | undefined {
	const { page, size, urls } = request;
	const { rows, perPage = size, nextPage, hasMore } = response;
	if (response.violation !== undefined) return { text: response.violation };
	// A profile may come twice.
	if (rows.length > (urls ? 2 * size : size))
		return tooManyRowsViolation(
			`it sent ${rows.length} rows where ${size} were asked for`,
			rows.length,
		);
	// A lookup has no pages, so that it may name whatever it serves at most.
	if (perPage > size && !urls)
		return tooManyRowsViolation(
			`it sent a page of ${perPage} rows where ${size} were asked for`,
			perPage,
		);
	// What is left says something of rows.
	if (rows.length === 0) return undefined;
	if ((response.page ?? page) !== page)
		return { text: `it answered with page ${response.page} where page ${page} was asked for` };
	if (typeof nextPage === 'number' && hasMore !== false && nextPage !== page + 1)
		return { text: `it named page ${nextPage} as the one after page ${page}` };
	return undefined;
}

function tooManyRowsViolation(text: string, rows: number): Violation {
	return {
		text,
		advice: `Ask for ${rows} at once: set 'Page Size', and 'Limit', to ${rows} or more.`,
	};
}

/** What a page contradicts that was cut and does not say so. @param rows as many as it seems to serve at once */
export function truncationViolation(rows: number | 'fewer', size: number): Violation {
	const maxPageSize = rows === 'fewer' ? 'the most that it serves in one page' : rows;
	return {
		text: `it serves pages of ${rows} rows where ${size} were asked for, and does not say so`,
		advice: `Set 'Page Size' to ${maxPageSize}.`,
	};
}
