/** What is known of the page sizes that the service serves, in rows. */
import { ENDPOINTS, MAX_RESULTS } from '../api/contract';
import type { Order, Purpose } from './ledger';

export interface PageSizes {
	/** Certainly served: so many rows came in one page, or a smaller size was named. 0: not known. */
	served: number;
	/** Whether asking a page after the last one for its size has no more to tell. */
	isAsked: boolean;
	/** No larger one is asked for: it is refused, or served smaller. */
	most: number;
}

export const UNKNOWN_SIZES: PageSizes = { served: 0, isAsked: false, most: MAX_RESULTS };

/** The size in which a page certainly begins where it was asked for. */
export function provenSize({ served }: PageSizes): number {
	return Math.max(served, ENDPOINTS.search.documentedPageSize);
}

/** No larger size than the one that is certain is asked for from now on. */
export function keepToProven(sizes: PageSizes): void {
	sizes.isAsked = true;
	sizes.most = provenSize(sizes);
}

/** A page that begins at a row, in the largest size, at most `most`, in which one does. */
export function pageAt(row: number, most: number, purpose: Purpose): Order<number> {
	let size = most;
	while (row % size !== 0) size--;
	return { purpose, page: row / size + 1, size, first: row };
}
