/** Types of requests for pages, and of the jobs that create them. */
import type { PagedList } from './pagedList';

/**
 * - 'endCheck': requests exactly the row at `firstKey`. If there is none, the list ends before it. Count sends its end
 *   check without filters, because some previews show only the first rows of any list.
 * - 'alone': looks up one URL, because every row of the response then belongs to it.
 * - 'again': looks up URLs for which an earlier response had no row.
 */
export type Purpose = 'rows' | 'endCheck' | 'alone' | 'again';

/** A request for one page, for example `{ purpose: 'endCheck', page: 61, size: 1, firstKey: 60, maxResults: 500 }`. */
export interface PageRequest<Key = unknown> {
	readonly purpose: Purpose;
	/** Counted from 1. */
	readonly page: number;
	/** The number of rows, or of URLs in a lookup. One credit is reserved for each. */
	readonly size: number;
	/** The index of the first requested row, counted from 0; in a lookup, the first URL. */
	readonly firstKey: Key;
	/** Counted from the first row of the list, not of the page. */
	readonly maxResults?: number;
	/** Undefined for a search or preview. */
	readonly urls?: ReadonlySet<string>;
}

/**
 * Why a job sends no more requests. 'maxResults': it has reached row 100,000. 'refused': the service rejected the next
 * row, although nothing else showed that the list ends there, so the list may have more rows.
 */
export type End = 'complete' | 'limit' | 'maxResults' | 'refused' | 'budget';

/**
 * Chooses the requests that fetch a part of a list. Jobs can share a list; only one of them at a time sends requests.
 *
 * @example
 * const job = new LeadJob(new LeadList(), { skip: 0, limit: 60, pageSize: 50 });
 * job.next(100); // { purpose: 'rows', page: 1, size: 50, firstKey: 0, maxResults: 60 }
 * job.next(0); // 'budget'
 */
export interface Job {
	readonly list: PagedList;
	/** The number of wanted rows or URLs; Infinity for all. The job with the highest number goes first. */
	readonly keyCount: number;
	/** The Page Size that a user has set; undefined for the default. */
	readonly pageSize: number | undefined;
	/**
	 * @param maxRows the most rows (or URLs) that the request may have: at most as many as credits are left
	 * @returns 'wait' if the job needs the responses of requests in flight first. An end isn't final while a request is in
	 * flight: if it fails, its rows are missing again
	 */
	next(maxRows: number): PageRequest | 'wait' | End;
}

export function isEnd(outcome: ReturnType<Job['next']>): outcome is End {
	return typeof outcome === 'string' && outcome !== 'wait';
}
