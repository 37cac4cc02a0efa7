/** What one input item wants of a list of leads, and so which page to ask for next. */
import { MAX_RESULTS } from '../api/contract';
import { isRow, type End, type Order } from './ledger';
import type { LeadList } from './leadList';

/** So many times the proven page size is reason enough to ask for the size that is served, for free. */
const WORTH_ASKING = 4;

export interface WantedLeads {
	/** Rows to pass over. */
	skip: number;
	/** Rows wanted; Infinity for all. */
	limit: number;
	/** The largest page, in rows. */
	pageSize: number;
}

export class LeadJob {
	/** The first row wanted that isn't known. */
	private at: number;
	/** Rows wanted from there on. */
	private left: number;

	constructor(
		readonly ledger: LeadList,
		private readonly wanted: WantedLeads,
	) {
		this.at = wanted.skip;
		this.left = Math.min(wanted.limit, MAX_RESULTS - wanted.skip);
	}

	/**
	 * @param room credits that may still be spent
	 * @returns what to ask for; 'wait' where that depends on answers to come; or why nothing more is
	 */
	next(room: number): Order<number> | 'wait' | End {
		const {
			ledger,
			ledger: { cells, pending, sizes, provenSize },
		} = this;
		for (; this.left > 0 && isRow(cells.get(this.at)); this.at++) this.left--;
		let { at, left } = this;
		for (; left > 0 && cells.has(at); at++) left--;

		const isQuestion = at >= ledger.knownEnd;
		const isAlone = left <= 0 || room <= 0 || isQuestion || sizes.served === 0;
		if (pending > 0 && (isAlone || ledger.unchecked.length > 0)) return 'wait';
		if (left <= 0) return at < MAX_RESULTS ? 'limit' : 'maxResults';
		if (at >= ledger.end) return ledger.refusal ? 'refused' : 'whole';
		if (room <= 0) return 'budget';
		const { skip, limit } = this.wanted;
		const isWanted = (row: number) => row >= skip && row < skip + limit;
		const unchecked = ledger.unchecked.findLast(isWanted);
		if (unchecked !== undefined) return pageAt(unchecked, 1, 'check');

		// Page 1 begins at row 0 whatever size is served; any other page only in a size that is.
		const proven = at === 0 ? Infinity : provenSize;
		const useful = ledger.sizeAt(at, Math.min(this.wanted.pageSize, left, room));
		if (!sizes.isAsked && !isQuestion && useful > WORTH_ASKING * proven) {
			return pending > 0
				? 'wait'
				: { purpose: 'size', places: [], page: MAX_RESULTS + 1, size: useful };
		}
		let most = Math.min(useful, isQuestion ? proven : Math.max(proven, sizes.claimed));
		if (isQuestion && ledger.reportedEnd?.isOneRow) most = 1;
		for (let row = 1; row < most; row++) if (cells.has(at + row)) most = row;
		const size = alignedSize(at, most);
		// The first page in a size that is only claimed goes alone: if it comes whole, it is served.
		if (size > proven && pending > 0) return 'wait';
		return pageAt(at, size, isQuestion ? 'end' : 'rows');
	}
}

/** The largest page size, at most `most`, that has a page which begins exactly at a row. */
export function alignedSize(row: number, most: number): number {
	let size = most;
	while (row % size !== 0) size--;
	return size;
}

function pageAt(row: number, size: number, purpose: Order['purpose']): Order<number> {
	const places = Array.from({ length: size }, (_, index) => row + index);
	return { purpose, places, page: row / size + 1, size };
}
