/** Types of requests for pages, and of the jobs that create them. */
import type { PagedList } from './pagedList';

/**
 * Why a request is sent.
 *
 * - 'rows': for the rows of its keys.
 * - 'endCheck': to find out whether the row at `firstKey` exists. A response without rows is an answer, too. Count sends
 *   it without filters.
 * - 'alone': for one URL, to find the URL that an unmatched row belongs to, or the URL that an opaque ID is returned under.
 * - 'again': for URLs that got no row from an earlier response.
 */
export type Purpose = 'rows' | 'endCheck' | 'alone' | 'again';

/**
 * A request for one page.
 *
 * @example { purpose: 'endCheck', page: 61, size: 1, firstKey: 60, maxResults: 500 }
 * @example { purpose: 'alone', page: 1, size: 1, firstKey: anna, urls: new Set([anna]) }
 */
export interface PageRequest<Key = unknown> {
	readonly purpose: Purpose;
	/** 1-based (contract, `_page`). */
	readonly page: number;
	/** Rows per page, or URLs of a lookup (contract, `_per_page`). The budget reserves as many credits. */
	readonly size: number;
	/** The key of the first cell that is requested: the index of a row, from 0, or a URL. */
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
 * - 'limit': the job has as many rows as it wants.
 * - 'maxResults': the job has reached row 100,000, the last one that a search can return.
 * - 'refused': the service refused to continue after the last row that it returned.
 * - 'budget': the budget is exhausted.
 */
export type End = 'complete' | 'limit' | 'maxResults' | 'refused' | 'budget';

/**
 * The part of a list that a task wants. Jobs can share a list: one job at a time sends requests, and the next job finds
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
	 * The number of rows (Look Up: URLs) that the job wants; Infinity for all. Among the jobs of a list, the one with
	 * the highest number goes first, because the others mostly want a part of its rows.
	 */
	readonly keyCount: number;
	/**
	 * @param credits the credits that may still be spent
	 * @returns the next request; 'wait' if the job needs the responses of requests in flight first; or why the job sends no
	 * more requests, which is final once nothing is in flight
	 */
	next(credits: number): PageRequest | 'wait' | End;
}

/** Whether a job sends no more requests. */
export function isEnd(outcome: ReturnType<Job['next']>): outcome is End {
	return typeof outcome === 'string' && outcome !== 'wait';
}
