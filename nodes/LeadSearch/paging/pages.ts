/** Pages of a list of leads: in which size one begins at a row, where one began, and what none may hold. Pure. */
import { ENDPOINTS, MAX_RESULTS, type Json, type Page } from '../api/contract';
import { profileOf, type Order, type Purpose } from './ledger';

/**
 * The page sizes that the service serves, in rows. Page n begins at row (n - 1) * size, so a page is where it
 * was asked for if the size was served: certainly so for page 1, in a size that is proven, and where the page
 * came whole. A smaller size that is named says where it began; a short page that names none may have been cut.
 */
export interface PageSizes {
	/** Certainly served: so many rows came in one page, or a smaller size was named. 0: not known. */
	served: number;
	/** No larger one is tried; undefined until the service was asked for its size, or showed it. */
	most?: number;
}

/** The size in which a page certainly begins where it was asked for. */
export function provenSize({ served }: PageSizes): number {
	return Math.max(served, ENDPOINTS.search.documentedPageSize);
}

/** A page that begins at a row, in the largest size, at most `most`, in which one does. */
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

/**
 * @param proven the size in which pages certainly begin where they were asked for
 * @returns the first row of a page that came; undefined for a short one that may have been cut to a smaller
 * size without a word, and so have begun earlier
 */
export function startOf(order: Order<number>, answer: Page, proven: number): number | undefined {
	const { size } = order;
	const { rows, page = order.page } = answer;
	const named = namedSize(order, answer);
	const isCertain = page === 1 || named !== undefined || size <= proven || rows.length === size;
	return isCertain ? (page - 1) * (named ?? size) : undefined;
}

/** What placing rows needs to know of a list. */
interface KnownRows {
	/** False for a preview: it may mask fields, so that rows without a profile look alike. */
	readonly isPaid: boolean;
	rowAt(place: number): Json | undefined;
}

/** Whether a row is the one at a place: by its profile, or of paid ones without a profile to the letter. */
export function isAt(list: KnownRows, place: number, row: Json): boolean {
	const there = list.rowAt(place);
	const profile = profileOf(row);
	if (!there || profile === undefined) return list.isPaid && isSame(there, row);
	return profileOf(there) === profile;
}

/**
 * Whether a page that was asked for after the last one is answered by the last one, which says so.
 *
 * @param start where that one begins; undefined where its size is not certain, so that nothing speaks against it
 */
export function isLastPage(
	order: Order<number>,
	answer: Page,
	start: number | undefined,
	list: KnownRows,
): boolean {
	const { rows, page = order.page } = answer;
	if (page >= order.page || rows.length > order.size) return false;
	if (start === undefined || order.purpose === 'size') return true;
	const isOther = (row: Json, index: number) =>
		list.isPaid && list.rowAt(start + index) && !isAt(list, start + index, row);
	// A low balance may have cut it, so that more rows of the same page are known.
	const after = start + (namedSize(order, answer) ?? order.size);
	// What is asked for may end before others that are known.
	return !rows.some(isOther) && (order.first >= MAX_RESULTS || !list.rowAt(after));
}

/** Where a short page that may have been cut began, if the rows before the one asked for show it. */
export function startByRows(
	{ page, first }: Order<number>,
	rows: Json[],
	proven: number,
	list: KnownRows,
): number | undefined {
	if (first >= MAX_RESULTS) return first;
	const earliest = (page - 1) * Math.max(proven, rows.length);
	const starts = Array.from({ length: first - earliest }, (_, index) => earliest + index);
	const find = (fits: (place: number, row: Json) => boolean) =>
		starts.find((start) =>
			rows.slice(0, first - start).every((row, index) => fits(start + index, row)),
		);
	const isThere = (place: number, row: Json) => isAt(list, place, row);
	// Where nothing costs credits, a page is taken to be where it was asked for, unless its profiles say otherwise.
	if (!list.isPaid) return find(isThere) ?? first;
	const start = find((place, row) => isSame(list.rowAt(place), row));
	if (start !== undefined) return start;
	const areKnown = starts.every((place) => list.rowAt(place));
	return areKnown && find(isThere) === undefined ? first : undefined;
}

function isSame(one: Json | undefined, other: Json): boolean {
	return one !== undefined && JSON.stringify(one) === JSON.stringify(other);
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

/** @param row the first that doesn't exist, as an answer said before or after others came */
export function leadsAfter(row: number): string {
	return `it sent no lead for row ${row + 1}, but leads after it`;
}

/** @param rows those that came of a page in a size that is not served */
export function smallerPages(rows: number): string {
	return `it serves smaller pages than it says, so that ${rows} rows of another place came`;
}
