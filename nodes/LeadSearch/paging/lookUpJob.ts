/** Chooses the URLs to request next for the profiles that input items want. */
import type { End, Job, PageRequest } from './job';
import { DEFAULT_PAGE_SIZE } from './pages';
import { DOCUMENTED_SIZE, type ProfileList } from './profileList';

/** The profiles that a job looks up, and the limits for it. */
export interface ProfileTarget {
	/** The normalised URLs of the profiles, without duplicates. */
	urls: readonly string[];
	/** The number of rows that all jobs of a run return together at most (Limit); Infinity for all rows. */
	limit: number;
	/** The Page Size that a user has set: the most URLs in one request. */
	pageSize?: number | undefined;
	/** The jobs of the run, this one included. They share `limit`, and an earlier job's rows come first. */
	jobs?: LookUpJob[];
}

type Queue = keyof ProfileList['queues'];

const QUEUES: readonly Queue[] = ['rows', 'alone', 'again'];

/**
 * The job of a lookup: it requests the URLs of input items until the result of each URL is known.
 *
 * @example
 * const job = new LookUpJob(list, { urls: [anna, bob, carl], limit: Infinity, pageSize: 2 });
 * job.next(100); // { purpose: 'rows', size: 2, urls: new Set([anna, bob]), … }
 */
export class LookUpJob implements Job {
	readonly keyCount: number;
	readonly pageSize: number | undefined;
	private readonly urls: ReadonlySet<string>;

	constructor(
		readonly list: ProfileList,
		private readonly target: ProfileTarget,
	) {
		this.keyCount = target.urls.length;
		this.pageSize = target.pageSize;
		this.urls = new Set(target.urls);
		list.addUrls(target.urls);
		target.jobs?.push(this);
	}

	/** The number of rows that this job may return: Limit, without the rows of earlier jobs. */
	get maxRows(): number {
		const { limit, jobs = [] } = this.target;
		const earlier = jobs.slice(0, Math.max(0, jobs.indexOf(this)));
		return Math.max(
			0,
			earlier.reduce((rows, job) => rows - job.countRows(), limit),
		);
	}

	next(maxRows: number): PageRequest<string> | 'wait' | End {
		const { list } = this;
		const isFirstInFlight = !list.hasResponse && list.inFlight.size > 0;
		const { limit, jobs = [] } = this.target;
		const others = jobs.filter((job) => job !== this);
		const remainingLimit = others.reduce(
			(rows, job) => rows - job.countRows() - job.list.rowsInFlight - job.countUnmatchedRows(),
			limit - this.countRows(),
		);
		// An unmatched row counts against Limit, except for the request that finds the URL it belongs to.
		const unmatched = this.countUnmatchedRows();
		for (const queue of isFirstInFlight ? [] : QUEUES) {
			const openRows = remainingLimit - list.rowsInFlight - (queue === 'alone' ? 0 : unmatched);
			const request = this.requestFor(queue, Math.min(maxRows, openRows));
			if (request) return request;
		}
		if (list.inFlight.size > 0) return 'wait';
		const hasOpenUrls = QUEUES.some((queue) => this.pick(queue, 1).length > 0);
		if (!hasOpenUrls) return 'complete';
		return remainingLimit <= 0 || maxRows > 0 ? 'limit' : 'budget';
	}

	/**
	 * Creates the request for the next URLs of a queue; undefined if the queue has none, or if no request may be sent.
	 *
	 * @param maxRows the most rows that may be requested
	 */
	private requestFor(queue: Queue, maxRows: number): PageRequest<string> | undefined {
		const { list, pageSize = DEFAULT_PAGE_SIZE } = this;
		if (maxRows <= 0) return undefined;
		const maxSize = Math.min(maxRows, pageSize, list.pageSize ?? pageSize);
		if (queue === 'alone') return createRequest('alone', this.pick('alone', 1));
		// The service may not look at more URLs of one request.
		if (queue === 'again')
			return createRequest('again', this.pick('again', Math.min(maxSize, DOCUMENTED_SIZE)));
		return createRequest('rows', this.pick('rows', maxSize));
	}

	/**
	 * Whether an unmatched row can still turn out to belong to one of the URLs of this job. That is possible while a
	 * request is in flight, or while URLs wait in the queue `alone`.
	 */
	private get canMatchUnmatchedRows(): boolean {
		return this.list.inFlight.size > 0 || this.pick('alone', 1).length > 0;
	}

	private countUnmatchedRows(): number {
		const isLimited = this.target.limit < Infinity;
		return isLimited && this.canMatchUnmatchedRows ? this.list.unmatchedRows.length : 0;
	}

	/** Returns up to `count` URLs of this job from the start of a queue. */
	private pick(queue: Queue, count: number): string[] {
		const chosen: string[] = [];
		for (const url of this.list.queues[queue]) {
			if (chosen.length >= count) break;
			if (this.urls.has(url)) chosen.push(url);
		}
		return chosen;
	}

	/**
	 * Counts the rows of the requested URLs. If there is no limit, it returns 0, because only Limit needs this number.
	 */
	private countRows(): number {
		const { limit, urls } = this.target;
		if (limit === Infinity) return 0;
		return urls.reduce((rows, url) => rows + this.list.rowsOf(url).length, 0);
	}
}

function createRequest(
	purpose: PageRequest['purpose'],
	urls: readonly string[],
): PageRequest<string> | undefined {
	const [firstKey] = urls;
	if (firstKey === undefined) return undefined;
	return { purpose, page: 1, size: urls.length, firstKey, urls: new Set(urls) };
}
