/** Requests for pages, and the jobs that make them. */
import type { PagedList } from './ledger';

/**
 * What a request is for: the rows of its places; 'endCheck': whether its first place holds a row, no row being an
 * answer too; 'alone': whose a profile is that came under another URL, or what an opaque id comes as; 'again': the
 * profiles for which none came.
 */
export type Purpose = 'rows' | 'endCheck' | 'alone' | 'again';

/**
 * A request for one page.
 *
 * @example { purpose: 'endCheck', page: 61, size: 1, first: 60, maxResults: 500 }
 * @example { purpose: 'alone', page: 1, size: 1, first: anna, urls: new Set([anna]) }
 */
export interface PageRequest<Key = unknown> {
	readonly purpose: Purpose;
	/** 1-based (contract, `_page`). */
	readonly page: number;
	/** Rows (look up: URLs) a page (contract, `_per_page`): the credits that it is booked for. */
	readonly size: number;
	/** Its first place: a row number from 0, or a profile's URL. */
	readonly firstKey: Key;
	/** From the first row of a list on (contract, `max_results`). */
	readonly maxResults?: number;
	/** The URLs to look up. */
	readonly urls?: ReadonlySet<string>;
}

/**
 * Why nothing more is ordered. 'complete': the service has said that the next row does not exist (look up: all URLs are
 * answered); 'limit': as many rows as wanted are in; 'maxResults': no search reaches beyond row 100,000; 'refused': the
 * service refused to go past the last row that came; 'budget': what may be spent is spent.
 */
export type End = 'complete' | 'limit' | 'maxResults' | 'refused' | 'budget';

/**
 * What is wanted of a list. Jobs may share a list: it serves a job at a time, and what has come is there for the next.
 *
 * @example
 * const job = new LeadJob(new LeadList(), { skip: 0, limit: 60, pageSize: 50 });
 * job.next(100); // { purpose: 'rows', page: 1, size: 50, first: 0, maxResults: 60 }
 * job.next(0); // 'budget'
 */
export interface Job {
	readonly list: PagedList;
	/** Rows wanted, at most. Of a list the widest job goes first: the others mostly want a part of that. */
	readonly keyCount: number;
	/**
	 * @param credits credits that may still be spent
	 * @returns what to ask for; 'wait' where that depends on answers to come; or why nothing more is requested, which
	 * is final once nothing is in flight
	 */
	next(credits: number): PageRequest | 'wait' | End;
}

/** Whether a job asks for nothing more. */
export function isEnd(outcome: ReturnType<Job['next']>): outcome is End {
	return typeof outcome === 'string' && outcome !== 'wait';
}
