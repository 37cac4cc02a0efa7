/** Chooses the next page of a search: the largest page that starts at the first missing row. */
import { MAX_RESULTS } from '../api/contract';
import type { End, Job, PageRequest } from './job';
import type { LeadList } from './leadList';
import { pageAt } from './pages';

/** The rows of a list that a job requests. */
export interface LeadTarget {
	/** The number of rows to skip. */
	skip: number;
	/** The number of rows requested; Infinity for all. */
	limit: number;
	/** The limit of the page size, in rows. */
	pageSize: number;
}

/**
 * The job of a search or preview: it requests the rows of a list from the first missing row on.
 *
 * @example
 * // Limit is 60 and 50 rows were received: a page of 10 starts at row 50.
 * new LeadJob(list, { skip: 0, limit: 60, pageSize: 50 }).next(100); // { page: 6, size: 10, firstKey: 50, … }
 */
export class LeadJob implements Job {
	readonly keyCount: number;
	/** The search for missing rows starts at this index. All requested rows before it were received. */
	private nextIndex: number;
	/** The index after the last requested row. */
	private readonly endIndex: number;

	constructor(
		readonly list: LeadList,
		private readonly target: LeadTarget,
	) {
		this.keyCount = target.limit;
		this.nextIndex = target.skip;
		this.endIndex = Math.min(target.skip + target.limit, MAX_RESULTS);
	}

	next(credits: number): PageRequest<number> | 'wait' | End {
		const { list, endIndex } = this;
		const { cells, end, inFlight } = list;
		while (cells.has(this.nextIndex)) this.nextIndex += 1;
		const index = this.firstOpenIndex(this.nextIndex);
		if (index >= endIndex) return endIndex < MAX_RESULTS ? 'limit' : 'maxResults';
		const isAtEnd = end !== undefined && index >= end.at;
		if (isAtEnd && end.isConfirmed) return end.refusal ? 'refused' : 'complete';
		if (credits <= 0) return 'budget';
		const next = isAtEnd
			? pageAt(end.at, 1, 'endCheck', endIndex)
			: pageAt(index, this.openRowsFrom(index, credits), 'rows', endIndex);
		// An end check and a page of an unconfirmed size are sent alone, because the next request depends on the response.
		const isExclusive = ({ purpose, size }: PageRequest<number>) =>
			purpose === 'endCheck' || size > list.confirmedSize;
		const isAnyExclusive = [next, ...inFlight].some(isExclusive);
		return inFlight.size > 0 && isAnyExclusive ? 'wait' : next;
	}

	/** Finds the first index, at or after the given one, for which no row was received or requested. */
	private firstOpenIndex(index: number): number {
		const { cells, inFlight } = this.list;
		const includesIndex = ({ firstKey, size }: PageRequest<number>) =>
			index >= firstKey && index < firstKey + size;
		for (;;) {
			const request = [...inFlight].find(includesIndex);
			if (request) index = request.firstKey + request.size;
			else if (cells.has(index)) index += 1;
			else return index;
		}
	}

	/**
	 * Returns how many rows to request from an index on: up to the next row that was received or requested, within
	 * all limits.
	 */
	private openRowsFrom(start: number, credits: number): number {
		const { list, target, endIndex } = this;
		const { cells, inFlight, lastRow } = list;
		let count = Math.min(list.maxRequestSize(target.pageSize), endIndex - start, credits);
		for (const { firstKey } of inFlight)
			if (firstKey > start) count = Math.min(count, firstKey - start);
		for (let index = 1; index < count && start + index <= lastRow; index++)
			if (cells.has(start + index)) return index;
		return count;
	}
}
