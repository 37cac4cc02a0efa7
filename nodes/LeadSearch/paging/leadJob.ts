/** What one input item wants of a list of leads, and so which page to ask for next. */
import { MAX_RESULTS } from '../api/contract';
import { isRow, type End, type Order } from './ledger';
import type { LeadList } from './leadList';
import { alignedSize, provenSize } from './pageSizes';

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
			ledger: { cells, pending, sizes, end, unchecked },
		} = this;
		for (; this.left > 0 && isRow(cells.get(this.at)); this.at++) this.left--;
		let { at, left } = this;
		for (; left > 0 && cells.has(at); at++) left--;

		const isQuestion = at >= end.known;
		const isAlone = left <= 0 || room <= 0 || isQuestion || sizes.served === 0;
		if (pending > 0 && (isAlone || unchecked.length > 0)) return 'wait';
		if (left <= 0) return at < MAX_RESULTS ? 'limit' : 'maxResults';
		if (at >= end.proven) return end.refusal ? 'refused' : 'whole';
		if (room <= 0) return 'budget';
		const { skip, limit } = this.wanted;
		const isWanted = (row: number) => row >= skip && row < skip + limit;
		const doubtful = unchecked.findLast(isWanted);
		if (doubtful !== undefined) return pageAt(doubtful, 1, 'check');

		// Page 1 begins at row 0 whatever size is served; any other page only in a size that is.
		const proven = at === 0 ? Infinity : provenSize(sizes);
		const useful = ledger.reduced(at, Math.min(this.wanted.pageSize, sizes.most, left, room));
		if (!sizes.isAsked && !isQuestion && useful > WORTH_ASKING * proven) {
			return pending > 0
				? 'wait'
				: { purpose: 'size', places: [], page: MAX_RESULTS + 1, size: useful };
		}
		let most = Math.min(useful, isQuestion ? proven : Math.max(proven, sizes.claimed));
		if (isQuestion && end.reported?.askOneRow) most = 1;
		for (let row = 1; row < most; row++) if (cells.has(at + row)) most = row;
		const size = alignedSize(at, most);
		// The first page in a size that is only claimed goes alone: if it comes whole, it is served.
		if (size > proven && pending > 0) return 'wait';
		return pageAt(at, size, isQuestion ? 'end' : 'rows');
	}
}

function pageAt(row: number, size: number, purpose: Order['purpose']): Order<number> {
	const places = Array.from({ length: size }, (_, index) => row + index);
	return { purpose, places, page: row / size + 1, size };
}
