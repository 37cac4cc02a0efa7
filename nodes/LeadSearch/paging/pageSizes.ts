/** What is known of the page sizes that the service serves, in rows. */
import { ENDPOINTS } from '../api/contract';
import type { Order, Purpose } from './ledger';

export interface PageSizes {
	/** Certainly served: so many rows came in one page, or a smaller size was named. 0: not known. */
	served: number;
	/** Whether a page after the last one was asked for its size: its answer may only repeat what was asked for. */
	isAsked: boolean;
	/** No larger one is asked for: it is refused, or served smaller. */
	most: number;
}

export const UNKNOWN_SIZES: PageSizes = { served: 0, isAsked: false, most: 100_000 };

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
