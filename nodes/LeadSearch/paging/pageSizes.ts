/** What is known of the page sizes that the service serves, in rows. */
import { ENDPOINTS, type Json } from '../api/contract';
import type { Order } from './ledger';

export interface PageSizes {
	/** Certainly served: so many rows came in one page, or a smaller size was named. 0: not known. */
	served: number;
	/** Named by an answer without rows, which may only repeat what was asked for. */
	claimed: number;
	/** Whether a page after the last one was asked for its size. */
	isAsked: boolean;
	/** The largest that isn't refused. */
	most: number;
}

export const UNKNOWN_SIZES: PageSizes = { served: 0, claimed: 0, isAsked: false, most: 100_000 };

/** The size in which a page certainly begins where it was asked for. */
export function provenSize({ served }: PageSizes): number {
	return Math.max(served, ENDPOINTS.search.documentedPageSize);
}

/**
 * A service that serves smaller pages than asked for, and doesn't say so, begins a page earlier.
 *
 * @returns where a page may have begun: one row number for each size between the proven one and its own
 */
export function earlierStarts(sizes: PageSizes, { page, size }: Order, rows: Json[]): number[] {
	const least = Math.max(provenSize(sizes), rows.length);
	if (page === 1 || size <= least) return [];
	return Array.from({ length: size - least }, (_, more) => (page - 1) * (least + more));
}

/** The largest page size, at most `most`, that has a page which begins exactly at a row. */
export function alignedSize(row: number, most: number): number {
	let size = most;
	while (row % size !== 0) size--;
	return size;
}
