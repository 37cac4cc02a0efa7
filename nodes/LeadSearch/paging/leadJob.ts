/** Chooses the next page of a search: the largest page that starts at the first missing row. */
import { MAX_RESULTS } from '../api/contract';
import type { Job, Outcome, PageRequest } from './job';
import type { LeadList } from './leadList';
import { DEFAULT_PAGE_SIZE, pageAt } from './pages';

export interface LeadTarget {
	skip: number;
	/** The number of rows after the skipped ones; Infinity for all. */
	limit: number;
	pageSize?: number | undefined;
}

/**
 * Requests the missing rows of a part of a list.
 *
 * @example
 * // Limit is 60, and 50 rows were received. The next request is a page of 10 rows that starts at index 50.
 * new LeadJob(list, { skip: 0, limit: 60, pageSize: 50 }).next(100); // { page: 6, size: 10, firstKey: 50, … }
 */
export class LeadJob implements Job {
	readonly keyCount: number;
	readonly pageSize: number | undefined;
	/** All rows from `skip` up to this index were received. */
	private nextIndex: number;
	private readonly endIndex: number;

	constructor(
		readonly list: LeadList,
		target: LeadTarget,
	) {
		this.keyCount = target.limit;
		this.pageSize = target.pageSize;
		this.nextIndex = target.skip;
		this.endIndex = Math.min(target.skip + target.limit, MAX_RESULTS);
	}

	next(maxRows: number): PageRequest<number> | 'wait' | Outcome {
		const { list, endIndex } = this;
		const { cells, end, inFlight } = list;
		while (cells.has(this.nextIndex)) this.nextIndex += 1;
		const index = this.firstOpenIndex(this.nextIndex);
		if (index >= endIndex) return endIndex < MAX_RESULTS ? 'limit' : 'maxResults';
		const isAtEnd = end !== undefined && index >= end.at;
		if (isAtEnd && end.isConfirmed) return end.refusal ? 'refused' : 'complete';
		if (maxRows <= 0) return 'budget';
		const next = isAtEnd
			? pageAt(end.at, 1, 'endCheck', endIndex)
			: pageAt(index, this.openRowsFrom(index, maxRows), 'rows', endIndex);
		// An end check is sent alone, because the next request depends on it. So is a page that is larger than any
		// received one.
		const isExclusive = ({ purpose, size }: PageRequest<number>) =>
			purpose === 'endCheck' || size > list.receivedSize;
		return inFlight.size > 0 && [next, ...inFlight].some(isExclusive) ? 'wait' : next;
	}

	/** Returns the first index for which no row was received, and that no request in flight includes. */
	private firstOpenIndex(index: number): number {
		const { cells, inFlight } = this.list;
		const includesIndex = ({ firstKey, size }: PageRequest<number>) =>
			index >= firstKey && index < firstKey + size;
		for (;;) {
			while (cells.has(index)) index += 1;
			const request = [...inFlight].find(includesIndex);
			if (!request) return index;
			index = request.firstKey + request.size;
		}
	}

	/** Returns how many rows to request from `start`. They end before the next row that was received or is in flight. */
	private openRowsFrom(start: number, maxRows: number): number {
		const { list, pageSize = DEFAULT_PAGE_SIZE, endIndex } = this;
		const { cells, inFlight, lastRow } = list;
		let count = Math.min(list.pageSize ?? pageSize, pageSize, endIndex - start, maxRows);
		for (const { firstKey } of inFlight)
			if (firstKey > start) count = Math.min(count, firstKey - start);
		for (let index = 1; index < count && start + index <= lastRow; index++)
			if (cells.has(start + index)) return index;
		return count;
	}
}
