/** What one input item wants of a list of leads, and so which page to ask for next. */
import { MAX_RESULTS } from '../api/contract';
import type { End, Order } from './ledger';
import type { LeadList } from './leadList';
import { pageAt, pageBeyond } from './pages';

/** So many times the safe page size is reason enough to ask for the size that is served, for free. */
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
	/** No row wanted before it is missing. */
	private at: number;
	/** The first row that is not wanted. */
	private readonly to: number;

	constructor(
		readonly ledger: LeadList,
		private readonly wanted: WantedLeads,
	) {
		this.at = wanted.skip;
		this.to = Math.min(wanted.skip + wanted.limit, MAX_RESULTS);
	}

	/**
	 * @param room credits that may still be spent
	 * @returns what to ask for; 'wait' where that depends on answers to come; or why nothing more is
	 */
	next(room: number): Order<number> | 'wait' | End {
		const { inFlight, isPaid, end } = this.ledger;
		const order = this.nextAlone(room);
		if (typeof order === 'string' || inFlight.size === 0) return order;
		if ([order, ...inFlight].some((one) => this.isQuestion(one))) return 'wait';
		// Where pages after the last are charged, as the last one once more, none goes beside another. A page
		// that no list has shows it, for one credit at most. Where the end is known, none after it is asked for.
		if (!isPaid || end.priceAfter === 'free') return order;
		if (end.priceAfter === 'charged') return 'wait';
		return end.proven < Infinity ? order : pageBeyond(1, this.to);
	}

	/** Whether what is asked for next depends on the answer: the end, where rows belong, the page size. */
	private isQuestion({ purpose, first, size }: Order<number>): boolean {
		const { served, safe } = this.ledger.sizes;
		// The first page whose place is not certain is one: if it comes whole, its size is served.
		return purpose !== 'rows' || served === 0 || (first > 0 && size > safe);
	}

	/** What to ask for next, as if what is in flight had come. */
	private nextAlone(room: number): Order<number> | End {
		const { ledger, wanted, to } = this;
		const { end, sizes } = ledger;
		while (ledger.cells.has(this.at)) this.at += 1;
		const at = this.openAt(this.at);
		const left = to - at;
		const isQuestion = at >= end.questionAt;
		if (left <= 0) return to < MAX_RESULTS ? 'limit' : 'maxResults';
		const [doubt] = ledger.doubts.keys();
		if (doubt === undefined && at >= end.proven) return end.refusal ? 'refused' : 'whole';
		if (room <= 0) return 'budget';
		if (doubt !== undefined) return pageAt(doubt, 1, 'place', doubt + 1);

		// Page 1 begins at row 0 whatever size is served; any other page only in a size that is.
		const certain = at === 0 ? Infinity : sizes.safe;
		const useful = Math.min(wanted.pageSize, sizes.most ?? Infinity, left, room);
		const isWorthIt = useful > Math.max(WORTH_ASKING * certain, sizes.tried);
		if (sizes.most === undefined && !isQuestion && isWorthIt) {
			if (ledger.isPaid && end.priceAfter === 'unknown') return pageBeyond(1, to);
			// Where it costs the last page once more, its rows are to be wanted; or one row, where `max_results` caps rows.
			const isFree = !ledger.isPaid || end.priceAfter === 'free';
			if (isFree || wanted.limit === Infinity) return pageBeyond(useful, 1);
		}
		const isOneRow = isQuestion && !end.reported?.mayGoOn;
		const open = this.openFrom(
			at,
			isOneRow ? 1 : Math.min(useful, sizes.most ?? Math.max(certain, sizes.tried)),
		);
		return pageAt(at, ledger.reduced(at, open), isQuestion ? 'end' : 'rows', to);
	}

	/** The first place, from one on, that neither holds a row nor is asked for. */
	private openAt(place: number): number {
		const { cells, inFlight } = this.ledger;
		const isOrdered = ({ first, size }: Order<number>) => place >= first && place < first + size;
		for (;;) {
			const order = [...inFlight].find(isOrdered);
			if (order) place = order.first + order.size;
			else if (cells.has(place)) place += 1;
			else return place;
		}
	}

	/** How many places from an open one on are open, up to a number of them. */
	private openFrom(place: number, most: number): number {
		const { cells, inFlight, lastRow } = this.ledger;
		let open = most;
		for (const { first } of inFlight) if (first > place) open = Math.min(open, first - place);
		for (let index = 1; index < open && place + index <= lastRow; index++)
			if (cells.has(place + index)) return index;
		return open;
	}
}
