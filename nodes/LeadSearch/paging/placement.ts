/** Where the rows of a page belong, as far as the page itself and the rows that are there tell. Pure. */
import type { Json, Page } from '../api/contract';
import { profileOf, type Order } from './ledger';
import { provenSize, type PageSizes } from './pageSizes';

/** What placing rows needs to know of a list. */
interface KnownRows {
	readonly sizes: PageSizes;
	/** False for a preview: it may mask fields, so that rows without a profile look alike. */
	readonly isPaid: boolean;
	rowAt(place: number): Json | undefined;
}

/** Whether a row is the one at a place: by its profile, or of paid ones without a profile to the letter. */
export function isThere(list: KnownRows, place: number, row: Json): boolean {
	const there = list.rowAt(place);
	const profile = profileOf(row);
	if (!there || profile === undefined) return list.isPaid && isSame(there, row);
	return profileOf(there) === profile;
}

/**
 * A service that serves smaller pages than asked for, and doesn't say so, begins a page earlier.
 *
 * @returns where the page certainly began, if the rows that came before show it, to the letter; whether it
 * may have begun elsewhere than asked for: earlier rows are not known, or only have the same profiles
 */
export function earlierStart(
	list: KnownRows,
	order: Order<number>,
	answer: Page,
): { start?: number; isPossible: boolean } {
	const { page, size, first } = order;
	const { rows } = answer;
	if (page === 1 || size <= provenSize(list.sizes)) return { isPossible: false };
	const named = namedSize(order, answer);
	if (named !== undefined) return { start: (page - 1) * named, isPossible: false };
	const least = Math.max(provenSize(list.sizes), rows.length);
	const starts = Array.from({ length: size - least }, (_, more) => (page - 1) * (least + more));
	const all = (start: number, fits: (place: number, row: Json) => boolean) =>
		rows.slice(0, first - start).every((row, index) => fits(start + index, row));
	const start = starts.find((from) => all(from, (place, row) => isSame(list.rowAt(place), row)));
	const isPossible = starts.some(
		(from) => !list.rowAt(from) || all(from, (place, row) => isThere(list, place, row)),
	);
	return { start, isPossible };
}

/** Whether a page that was asked for after the last one is answered by the last one, which says so. */
export function isLastPage(list: KnownRows, order: Order<number>, answer: Page): boolean {
	const { rows, page = order.page } = answer;
	if (page >= order.page || rows.length > order.size) return false;
	const start = startOfOther(list, order, answer);
	// In a size that is not certain, nothing speaks against it.
	if (start === undefined) return true;
	const fits = (row: Json, index: number) =>
		!list.isPaid || !list.rowAt(start + index) || isThere(list, start + index, row);
	// A low balance may have cut it, so that more rows of the same page are known.
	return rows.every(fits) && !list.rowAt(start + (namedSize(order, answer) ?? order.size));
}

/** @returns where a page that came in place of another begins; undefined where its size is not certain */
export function startOfOther(
	{ sizes }: KnownRows,
	order: Order<number>,
	answer: Page,
): number | undefined {
	const { rows, page = 1 } = answer;
	const named = namedSize(order, answer);
	const isServed = order.size <= provenSize(sizes) || rows.length === order.size;
	if (page === 1 || named !== undefined || isServed) return (page - 1) * (named ?? order.size);
	return undefined;
}

/** The size of a page, where a smaller one than asked for is named that is no number of rows. */
function namedSize({ size }: Order, { rows, perPage = size, hasMore }: Page): number | undefined {
	const isSize = perPage > rows.length || (perPage === rows.length && hasMore === true);
	return perPage < size && isSize ? perPage : undefined;
}

function isSame(one: Json | undefined, other: Json): boolean {
	return JSON.stringify(one) === JSON.stringify(other);
}
