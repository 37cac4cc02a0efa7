/** Chooses the URLs to request next for the profiles that input items want. */
import type { End, Job, PageRequest } from './job';
import type { ProfileList } from './profileList';

/** The profiles that a job requests. */
export interface ProfileTarget {
	/** Normalised URLs without duplicates. */
	urls: readonly string[];
	/** The number of rows requested; Infinity for all. */
	limit: number;
	/** The limit of URLs per request. */
	pageSize: number;
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
		// An unmatched row counts against Limit, except for the request that finds the URL it belongs to.
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

	/**
	 * Creates the request for the next URLs of a queue; undefined if the queue has none.
	 *
	 * @param maxRows the most rows that the response may have
	 */
	private requestFor(queue: Queue, maxRows: number): PageRequest<string> | undefined {
		const { list } = this;
		if (maxRows <= 0) return undefined;
		const maxSize = Math.min(maxRows, list.maxRequestSize(this.target.pageSize));
		if (queue === 'alone') return createRequest('alone', this.pick('alone', 1));
		// The service may not look at more URLs of one request.
		if (queue === 'again')
			return createRequest('again', this.pick('again', Math.min(maxSize, list.confirmedSize)));
		const batch = this.pick('rows', maxSize, (url) => !list.isIdRequestedAlone(url));
		if (batch.length > 0) return createRequest('rows', batch);
		// The first opaque ID is requested alone. It shows whether IDs are returned under other URLs.
		const isIdBehaviorKnown = list.requestsIdsAlone !== undefined || list.inFlight.size === 0;
		return isIdBehaviorKnown ? createRequest('alone', this.pick('rows', 1)) : undefined;
	}

	/**
	 * Whether some URLs of this job have no answer yet: they are in flight, or wait for a request of their own. Until
	 * then, an unmatched row can still turn out to belong to one of these URLs.
	 */
	private get canMatchUnmatchedRows(): boolean {
		return this.list.inFlight.size > 0 || this.pick('alone', 1).length > 0;
	}

	/** The first URLs of this job in a queue. */
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

	/**
	 * Counts the rows of the requested URLs. Without a limit it returns 0, because nothing depends on the number.
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
