/** What an input item wants of a list of leads, and so which page to ask for next: the largest that begins at the first row that is missing. */
import { MAX_RESULTS } from '../api/contract';
import type { End, Job, PageRequest } from './job';
import type { LeadList } from './leadList';
import { pageAt } from './pages';

/** Rows to fetch of a list. */
export interface LeadTarget {
	/** Rows to pass over. */
	skip: number;
	/** Rows wanted; Infinity for all. */
	limit: number;
	/** The largest page, in rows. */
	pageSize: number;
}

/**
 * @example
 * // Limit 60, of which 50 rows came: a page of 10 begins at row 50.
 * new LeadJob(list, { skip: 0, limit: 60, pageSize: 50 }).next(100); // { page: 6, size: 10, first: 50, … }
 */
export class LeadJob implements Job {
	readonly keyCount: number;
	/** No row wanted before it is missing. */
	private nextIndex: number;
	/** The row after the target. */
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
		// The end, or a page size that nothing has shown: what is requested beside it depends on its answer.
		const isExclusive = ({ purpose, size }: PageRequest<number>) =>
			purpose === 'endCheck' || size > list.confirmedSize;
		const isAnyExclusive = [next, ...inFlight].some(isExclusive);
		return inFlight.size > 0 && isAnyExclusive ? 'wait' : next;
	}

	/** The first place, from the given one on, that neither holds a row nor is on its way. */
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

	/** How many rows to ask for from an open place on: all that are wanted, allowed and not there yet. */
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
