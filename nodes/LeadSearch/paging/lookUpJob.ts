/** What input items want of profiles, and so which URLs to ask for next. */
import type { End, Job, PageRequest } from './job';
import type { ProfileList } from './profileList';

/** Profiles to fetch. */
export interface ProfileTarget {
	/** Normalised, each once. */
	urls: readonly string[];
	/** Rows wanted; Infinity for all. */
	limit: number;
	/** The most URLs in one request. */
	pageSize: number;
}

type Queue = keyof ProfileList['queues'];

const QUEUES: readonly Queue[] = ['rows', 'alone', 'again'];

/**
 * @example
 * const job = new LookUpJob(list, { urls: [anna, bob, carl], limit: Infinity, pageSize: 2 });
 * job.next(100); // { purpose: 'rows', size: 2, urls: new Set([anna, bob]), … }
 */
export class LookUpJob implements Job {
	readonly keyCount: number;
	private readonly urls: ReadonlySet<string>;

	constructor(
		readonly list: ProfileList,
		private readonly target: ProfileTarget,
	) {
		this.keyCount = target.urls.length;
		this.urls = new Set(target.urls);
		list.addUrls(target.urls);
	}

	next(credits: number): PageRequest<string> | 'wait' | End {
		const { list } = this;
		const isFirstInFlight = !list.hasResponse && list.inFlight.size > 0;
		const { limit } = this.target;
		const remainingLimit = limit - this.countRows();
		// A row without an owner takes a place of Limit, but for the request that finds its owner.
		const unmatched =
			limit < Infinity && this.canMatchUnmatchedRows ? list.unmatchedRows.length : 0;
		for (const queue of isFirstInFlight ? [] : QUEUES) {
			const maxRows = remainingLimit - list.rowsInFlight - (queue === 'alone' ? 0 : unmatched);
			const request = this.requestFor(queue, Math.min(credits, maxRows));
			if (request) return request;
		}
		if (list.inFlight.size > 0) return 'wait';
		const hasOpenUrls = QUEUES.some((queue) => this.pick(queue, 1).length > 0);
		if (!hasOpenUrls) return 'complete';
		return remainingLimit <= 0 || credits > 0 ? 'limit' : 'budget';
	}

	/** @param maxRows rows that may come */
	private requestFor(queue: Queue, maxRows: number): PageRequest<string> | undefined {
		const { list } = this;
		if (maxRows <= 0) return undefined;
		const maxSize = Math.min(maxRows, list.maxRequestSize(this.target.pageSize));
		if (queue === 'alone') return createRequest('alone', this.pick('alone', 1));
		// More may not be looked at.
		if (queue === 'again')
			return createRequest('again', this.pick('again', Math.min(maxSize, list.confirmedSize)));
		const batch = this.pick('rows', maxSize, (url) => !list.isIdRequestedAlone(url));
		if (batch.length > 0) return createRequest('rows', batch);
		// Of ids, the first that comes shows how they come.
		const isIdBehaviorKnown = list.requestsIdsAlone !== undefined || list.inFlight.size === 0;
		return isIdBehaviorKnown ? createRequest('alone', this.pick('rows', 1)) : undefined;
	}

	/** Whether rows without an owner may be of those who are wanted: whoever came beside them is asked for alone. */
	private get canMatchUnmatchedRows(): boolean {
		return this.list.inFlight.size > 0 || this.pick('alone', 1).length > 0;
	}

	/** The first few of its URLs in a queue. */
	private pick(
		queue: Queue,
		count: number,
		isEligible: (url: string) => boolean = () => true,
	): string[] {
		const chosen: string[] = [];
		for (const url of this.list.queues[queue]) {
			if (chosen.length >= count) break;
			if (this.urls.has(url) && isEligible(url)) chosen.push(url);
		}
		return chosen;
	}

	/** Rows that come out for the target. */
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
	const [first] = urls;
	if (first === undefined) return undefined;
	return { purpose, page: 1, size: urls.length, firstKey: first, urls: new Set(urls) };
}
