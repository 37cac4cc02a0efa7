import type { Job, Outcome, PageRequest } from './job';
import { DEFAULT_PAGE_SIZE } from './pages';
import { DOCUMENTED_SIZE, type ProfileList } from './profileList';

export interface ProfileTarget {
	/** The URLs are normalised and have no duplicates. */
	urls: readonly string[];
	/** The limit of rows that all jobs of a run return together. */
	limit: number;
	pageSize?: number | undefined;
	/** The jobs of the run, including this one. The rows of earlier jobs come first. */
	jobs?: LookUpJob[];
}

type Queue = keyof ProfileList['queues'];

const QUEUES: readonly Queue[] = ['rows', 'alone', 'again'];

/**
 * Requests URLs until the rows of each are known.
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

	next(maxRows: number): PageRequest<string> | 'wait' | Outcome {
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

	private requestFor(queue: Queue, maxRows: number): PageRequest<string> | undefined {
		const { list, pageSize = DEFAULT_PAGE_SIZE } = this;
		if (maxRows <= 0) return undefined;
		const maxSize = Math.min(maxRows, pageSize, list.pageSize ?? pageSize);
		if (queue === 'alone') return createRequest('alone', this.pick('alone', 1));
		if (queue === 'again')
			return createRequest('again', this.pick('again', Math.min(maxSize, DOCUMENTED_SIZE)));
		return createRequest('rows', this.pick('rows', maxSize));
	}

	/** Whether an unmatched row can still turn out to belong to one of the URLs of this job. */
	private get canMatchUnmatchedRows(): boolean {
		return this.list.inFlight.size > 0 || this.pick('alone', 1).length > 0;
	}

	private countUnmatchedRows(): number {
		const isLimited = this.target.limit < Infinity;
		return isLimited && this.canMatchUnmatchedRows ? this.list.unmatchedRows.length : 0;
	}

	private pick(queue: Queue, count: number): string[] {
		const chosen: string[] = [];
		for (const url of this.list.queues[queue]) {
			if (chosen.length >= count) break;
			if (this.urls.has(url)) chosen.push(url);
		}
		return chosen;
	}

	/** Returns 0 without a limit, because only Limit needs this number. */
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
