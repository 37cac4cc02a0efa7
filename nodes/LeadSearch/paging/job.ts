import type { PagedList } from './pagedList';

/**
 * - 'rows': requests a page of rows, or the profiles of URLs.
 * - 'endCheck': requests exactly the row at `firstKey`. If there is none, the list ends before it. Count sends its end
 *   check without filters, because some previews show only the first rows of any list.
 * - 'alone': looks up one URL, because every row of the response then belongs to it.
 * - 'again': looks up URLs for which an earlier response had no row.
 */
export type Purpose = 'rows' | 'endCheck' | 'alone' | 'again';

export interface PageRequest<Key = unknown> {
	readonly purpose: Purpose;
	/** Counted from 1. */
	readonly page: number;
	/** The number of rows, or of URLs in a lookup. One credit is reserved for each. */
	readonly size: number;
	/** The index of the first row, counted from 0; in a lookup, the first URL. */
	readonly firstKey: Key;
	/** The field `max_results`. It counts from the first row of the list, not of the page. */
	readonly maxResults?: number;
	readonly urls?: ReadonlySet<string>;
}

/**
 * Why a job requests nothing more. 'maxResults': it has reached row 100,000. 'refused': the service rejected the next
 * row, and nothing else showed that the list ends there.
 */
export type Outcome = 'complete' | 'limit' | 'maxResults' | 'refused' | 'budget';

/** Chooses the requests for a part of a list. Jobs can share a list, but only one of them at a time sends requests. */
export interface Job {
	readonly list: PagedList;
	/** The number of wanted rows or URLs; Infinity for all. */
	readonly keyCount: number;
	readonly pageSize: number | undefined;
	/**
	 * @param maxRows the limit of rows (Look Up: URLs) in the request
	 * @returns 'wait' if the job needs the responses of requests in flight first. An end isn't final while a request is
	 * in flight: if it fails, its rows are missing again
	 */
	next(maxRows: number): PageRequest | 'wait' | Outcome;
}

export function isOutcome(next: ReturnType<Job['next']>): next is Outcome {
	return typeof next === 'string' && next !== 'wait';
}
