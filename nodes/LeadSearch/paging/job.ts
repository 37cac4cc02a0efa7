/** Types of requests for pages, and of the jobs that create them. */
import type { PagedList } from './pagedList';

/**
 * Why a request is sent.
 *
 * - 'rows': to get rows or profiles.
 * - 'endCheck': to find out whether the list has a row at the index `firstKey`. If the response has no rows, the list
 *   ends before this index. The operation Count sends its end check without filters instead, because some services
 *   show only the first rows of any list in previews. If the list of all leads also ends at this index, the count may
 *   be truncated.
 * - 'alone': to look up one URL in a request of its own, because every row of the response then belongs to that URL.
 * - 'again': to look up URLs again, because an earlier response had no row for them.
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
 * // One URL in a request of its own. `anna` is a profile URL.
 * { purpose: 'alone', page: 1, size: 1, firstKey: anna, urls: new Set([anna]) }
 */
export interface PageRequest<Key = unknown> {
	readonly purpose: Purpose;
	/** The number of the page, from 1: the field `_page` of the request body. */
	readonly page: number;
	/**
	 * The number of rows per page, or the number of URLs in a lookup: the field `_per_page` of the request body. One
	 * credit is reserved for each row or URL.
	 */
	readonly size: number;
	/**
	 * The key of the first requested row. A key identifies a row in its list. For a search or preview, it is the
	 * row's index, from 0. For a lookup, it is the URL of the profile.
	 */
	readonly firstKey: Key;
	/**
	 * The number of the last row that the service may return, counted from the first row of the list: the field
	 * `max_results` of the request body. With 60, rows after the 60th aren't returned.
	 */
	readonly maxResults?: number;
	/** The URLs to look up. Undefined for a search or preview. */
	readonly urls?: ReadonlySet<string>;
}

/**
 * Why a job sends no more requests.
 *
 * - 'complete': the next row doesn't exist. Look Up: the result of each URL is known.
 * - 'limit': the job has all rows that it should fetch.
 * - 'maxResults': the job has reached row 100,000, the last row that a search can return.
 * - 'refused': the service rejected the request for the next row (400, 404 or 422), although nothing else showed that
 *   the list ends there. So the list may have more rows. Some services return only the first pages of a list, for
 *   example.
 * - 'budget': the budget is exhausted.
 */
export type End = 'complete' | 'limit' | 'maxResults' | 'refused' | 'budget';

/**
 * A job chooses the requests that fetch a part of a list, for example rows 0 to 59. It sends nothing itself. Jobs can
 * share a list, for example if two input items request the same search. Only one of these jobs at a time sends
 * requests. The next job requests only rows that the list doesn't have yet.
 *
 * @example
 * const job = new LeadJob(new LeadList(), { skip: 0, limit: 60, pageSize: 50 });
 * job.next(100); // { purpose: 'rows', page: 1, size: 50, firstKey: 0, maxResults: 60 }
 * job.next(0); // 'budget'
 */
export interface Job {
	readonly list: PagedList;
	/**
	 * The number of rows (Look Up: URLs) that the job should fetch; Infinity for all. Among the jobs of one list, the
	 * job with the highest number goes first, because it usually fetches the rows of the other jobs, too.
	 */
	readonly keyCount: number;
	/**
	 * Decides what the job does next.
	 *
	 * @param credits the number of credits that may still be spent
	 * @returns the next request; 'wait' if the job needs the responses of requests in flight first; otherwise why the
	 * job sends no more requests. While a request is in flight, this reason can change: if the request fails, its
	 * rows are missing again, and the job requests them again
	 */
	next(credits: number): PageRequest | 'wait' | End;
}

/** Whether the value that {@link Job.next} returned is the end of the job, and neither a request nor 'wait'. */
export function isEnd(outcome: ReturnType<Job['next']>): outcome is End {
	return typeof outcome === 'string' && outcome !== 'wait';
}
