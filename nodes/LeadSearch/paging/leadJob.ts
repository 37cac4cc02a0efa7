/** What one input item wants of a list of leads, and so which page to ask for next. */
import { MAX_RESULTS } from '../api/contract';
import type { End, Order } from './ledger';
import type { LeadList } from './leadList';
import { pageAt, provenSize } from './pages';

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
		const { ledger, wanted } = this;
		const { sizes, end, held } = ledger;
		const [firstHeld] = held;
		const lastHeld = held.at(-1);
		const isWaiting = ledger.inFlight.size > 0;
		const { at, left } = this.firstOpen();

		const isQuestion = at >= end.questionAt;
		const mustWait = left <= 0 || room <= 0 || isQuestion || held.length > 0 || sizes.served === 0;
		if (isWaiting && mustWait) return 'wait';
		if (left <= 0) return at < MAX_RESULTS ? 'limit' : 'maxResults';
		if (at >= end.proven) return end.refusal ? 'refused' : 'whole';
		if (room <= 0) return 'budget';
		// The last row alone shows whether they are the rows that were asked for.
		const isHeld = firstHeld && firstHeld.place < wanted.skip + wanted.limit;
		if (isHeld && lastHeld && lastHeld.place >= wanted.skip)
			return pageAt(lastHeld.place, 1, 'end');

		// Page 1 begins at row 0 whatever size is served; any other page only in a size that is.
		const proven = at === 0 ? Infinity : provenSize(sizes);
		const useful = ledger.reduced(
			at,
			Math.min(wanted.pageSize, sizes.most ?? Infinity, left, room),
		);
		if (sizes.most === undefined && !isQuestion && useful > WORTH_ASKING * proven) {
			const afterAll = { page: MAX_RESULTS + 1, first: MAX_RESULTS * useful };
			return isWaiting ? 'wait' : { purpose: 'size', size: useful, ...afterAll };
		}
		let most = isQuestion || sizes.most === undefined ? Math.min(useful, proven) : useful;
		if (isQuestion && end.takesOneRow) most = 1;
		for (let row = 1; row < most; row++) if (ledger.isTaken(at + row)) most = row;
		const order = pageAt(at, most, isQuestion ? 'end' : 'rows');
		// The first page in a size that is not proven goes alone: if it comes whole, it is.
		return order.size > proven && isWaiting ? 'wait' : order;
	}

	/** The first row wanted that is neither there nor asked for, and how many are wanted from there on. */
	private firstOpen(): { at: number; left: number } {
		const { ledger } = this;
		for (; this.left > 0 && ledger.cells.has(this.at); this.at++) this.left--;
		let { at, left } = this;
		for (; left > 0 && ledger.isTaken(at); at++) left--;
		return { at, left };
	}
}
