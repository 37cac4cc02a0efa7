/** Types of requests for pages, and of the jobs that create them. */
import type { PagedList } from './pagedList';

/**
 * Why a request is sent.
 *
 * - 'rows': to get rows or profiles.
 * - 'endCheck': to find out whether the list has a row at the index `firstKey`. A response without rows means that it
 *   hasn't. Some services show only the first rows of a list in previews. To notice that, the operation Count sends an
 *   end check without filters.
 * - 'alone': to look up one URL in a request of its own, because every row of the response then belongs to that URL.
 * - 'again': to look up the URLs again for which an earlier response had no row.
 */
export type Purpose = 'rows' | 'endCheck' | 'alone' | 'again';

/**
 * A request for one page.
 *
 * @example
 * // Only the row at index 60, to find out whether the list ends after 60 rows.
 * { purpose: 'endCheck', page: 61, size: 1, firstKey: 60, maxResults: 500 }
 *
 * @example
 * // One URL in a request of its own.
 * { purpose: 'alone', page: 1, size: 1, firstKey: anna, urls: new Set([anna]) }
 */
export interface PageRequest<Key = unknown> {
	readonly purpose: Purpose;
	/** The number of the page, from 1 (contract, `_page`). */
	readonly page: number;
	/**
	 * Rows per page, or the number of URLs in a lookup (contract, `_per_page`). The budget reserves one credit for each.
	 */
	readonly size: number;
	/**
	 * The key of the first cell that is requested: the index of a row in the list, from 0, or the URL of a profile
	 * (Look Up).
	 */
	readonly firstKey: Key;
	/**
	 * The last row that the service may return, counted from the first row of the list (contract, `max_results`).
	 */
	readonly maxResults?: number;
	/** The URLs to look up. */
	readonly urls?: ReadonlySet<string>;
}

/**
 * Why a job sends no more requests.
 *
 * - 'complete': the next row doesn't exist. Look Up: the result of each URL is known.
 * - 'limit': the job has all rows that it requests.
 * - 'maxResults': the job has reached row 100,000, the last one that a search can return.
 * - 'refused': the service refused to continue after the last row that it returned.
 * - 'budget': the budget is exhausted.
 */
export type End = 'complete' | 'limit' | 'maxResults' | 'refused' | 'budget';

/**
 * The part of a list that a task requests. Jobs can share a list: one job at a time sends requests, and the next job finds
 * the rows that were received.
 *
 * @example
 * const job = new LeadJob(new LeadList(), { skip: 0, limit: 60, pageSize: 50 });
 * job.next(100); // { purpose: 'rows', page: 1, size: 50, firstKey: 0, maxResults: 60 }
 * job.next(0); // 'budget'
 */
export interface Job {
	readonly list: PagedList;
	/**
	 * The number of rows (Look Up: URLs) that the job requests; Infinity for all. If several jobs use the same list,
	 * the one with the highest number goes first, because the others mostly need a part of its rows.
	 */
	readonly keyCount: number;
	/**
	 * Decides what the job does next.
	 *
	 * @param credits the credits that may still be spent
	 * @returns the next request; 'wait' if the job needs the responses of requests in flight first; otherwise why the
	 * job sends no more requests. That reason is final once nothing is in flight
	 */
	next(credits: number): PageRequest | 'wait' | End;
}

/** Whether a job sends no more requests. */
export function isEnd(outcome: ReturnType<Job['next']>): outcome is End {
	return typeof outcome === 'string' && outcome !== 'wait';
}
