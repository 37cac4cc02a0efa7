import type { Page } from '../api/contract';
import type { PageRequest, Purpose } from './job';
import type { Violation } from './pagedList';

/** The limit of rows (Look Up: URLs) per request, unless a user sets Page Size. */
export const DEFAULT_PAGE_SIZE = 100;

/**
 * The page size in the contract ("Limits"), which every service accepts. It is also used after a lost response, since
 * a small page costs little if it is lost, too.
 */
export const SMALL_PAGE_SIZE = 25;

export const adviseSmallPages = (size: number): string =>
	`Set 'Page Size' under Options to ${SMALL_PAGE_SIZE}: the service may not accept ${size.toLocaleString('en')} at a time. If it refuses ${SMALL_PAGE_SIZE}, too, check the other parameters, especially 'Filters'.`;

/** Advice for an unexpected response: it has no rows, but says that more follow. */
export const CHECK_BALANCE =
	'Check your balance: the credits may have run out. If you have credits left, contact the lead service.';

/**
 * Creates a request for the largest page that starts exactly at a row.
 *
 * @example pageAt(100, 60, 'rows'); // { page: 3, size: 50, firstKey: 100, … }
 * @throws RangeError for numbers with which the search for a size would never end
 */
export function pageAt(row: number, maxSize: number, purpose: Purpose, maxResults?: number) {
	if (!Number.isInteger(row) || !Number.isInteger(maxSize) || row < 0 || maxSize < 1)
		throw new RangeError(`A page of ${maxSize} rows can't start at row ${row}`);
	let size = maxSize;
	while (row % size !== 0) size--;
	return { purpose, page: row / size + 1, size, firstKey: row, maxResults } as const;
}

/**
 * Returns `per_page` if it is smaller than the requested size. A last page can have fewer rows than that (contract,
 * search rule 1).
 */
export function reportedSizeOf(
	{ size }: PageRequest,
	{ perPage = size }: Page,
): number | undefined {
	return perPage < size ? perPage : undefined;
}

/** Returns how a response contradicts its request; undefined if it doesn't. */
export function findViolation(request: PageRequest, response: Page): Violation | undefined {
	const { page, size, urls } = request;
	const { rows, perPage = size, nextPage, hasMore } = response;
	if (response.violation !== undefined) return { text: response.violation };
	// A lookup may return two rows for one profile.
	if (rows.length > (urls ? 2 * size : size))
		return tooManyRowsViolation(
			`it sent ${rows.length} rows instead of the requested ${size}`,
			rows.length,
		);
	// A lookup has a single page, so its `per_page` may be the service's own limit.
	if (perPage > size && !urls)
		return tooManyRowsViolation(
			`it sent a page of ${perPage} rows instead of the requested ${size}`,
			perPage,
		);
	// The other checks are about rows.
	if (rows.length === 0) return undefined;
	if ((response.page ?? page) !== page)
		return { text: `it sent page ${response.page} instead of the requested page ${page}` };
	if (typeof nextPage === 'number' && hasMore !== false && nextPage !== page + 1)
		return { text: `it named page ${nextPage} as the next page after page ${page}` };
	return undefined;
}

export function truncationViolation(rows: number, size: number): Violation {
	return {
		text: `it sent ${rows} rows instead of the requested ${size}, although row ${rows + 1} exists`,
		advice: `Set 'Page Size' under Options to ${rows}.`,
	};
}

function tooManyRowsViolation(text: string, rows: number): Violation {
	return {
		text,
		advice: `Set 'Page Size' and 'Limit' to ${rows} or more.`,
	};
}
