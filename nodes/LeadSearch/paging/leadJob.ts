/** Chooses the next page of a search: the largest page that starts at the first missing row. */
import { MAX_RESULTS } from '../api/contract';
import type { End, Job, PageRequest } from './job';
import type { LeadList } from './leadList';
import { DEFAULT_PAGE_SIZE, pageAt } from './pages';

/** The part of a list that a job fetches. With `skip` 20 and `limit` 60, it is the rows at the indexes 20 to 79. */
export interface LeadTarget {
	/** The number of rows at the start of the list that aren't fetched. */
	skip: number;
	/** The number of rows to fetch after the skipped rows; Infinity for all. */
	limit: number;
	/** The Page Size that a user has set: the limit of rows per page. */
	pageSize?: number | undefined;
}

/**
 * The job of a search or preview: it requests the missing rows of its part of a list, from the first missing row on.
 *
 * @example
 * // Limit is 60, and 50 rows were received. The next request is a page of 10 rows that starts at index 50.
 * new LeadJob(list, { skip: 0, limit: 60, pageSize: 50 }).next(100); // { page: 6, size: 10, firstKey: 50, … }
 */
export class LeadJob implements Job {
	readonly keyCount: number;
	readonly pageSize: number | undefined;
	/**
	 * The index at which `next` starts to look for missing rows. All rows from `skip` up to this index were received.
	 */
	private nextIndex: number;
	/** The index after the last row of the job's part of the list: `skip` plus `limit`, but at most 100,000. */
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

	next(maxRows: number): PageRequest<number> | 'wait' | End {
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
		// These are sent alone: what comes next depends on the end check, and on the size in which the service serves a page.
		const isExclusive = ({ purpose, size }: PageRequest<number>) =>
			purpose === 'endCheck' || size > list.receivedSize;
		return inFlight.size > 0 && [next, ...inFlight].some(isExclusive) ? 'wait' : next;
	}

	/**
	 * Finds the first open index, at or after the given one: no row was received for it, and no request in flight
	 * includes it.
	 */
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
	 * Returns the number of rows to request from an index on. They end before the next row that was received or is in
	 * flight. The page size, the end of the job's part and `maxRows` limit the number, too.
	 */
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
