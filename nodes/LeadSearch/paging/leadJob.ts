/** What one input item wants of a list of leads, and so which page to ask for next: the largest that begins at the first row that is missing. */
import { MAX_RESULTS } from '../api/contract';
import type { End, Order } from './ledger';
import type { LeadList } from './leadList';
import { pageAt } from './pages';

export interface WantedLeads {
	/** Rows to pass over. */
	skip: number;
	/** Rows wanted; Infinity for all. */
	limit: number;
	/** The largest page, in rows. */
	pageSize: number;
}

export class LeadJob {
	/** Rows wanted; Infinity for all. */
	readonly width: number;
	/** No row wanted before it is missing. */
	private at: number;
	/** The first row that is not wanted. */
	private readonly to: number;

	constructor(
		readonly ledger: LeadList,
		private readonly wanted: WantedLeads,
	) {
		this.width = wanted.limit;
		this.at = wanted.skip;
		this.to = Math.min(wanted.skip + wanted.limit, MAX_RESULTS);
	}

	/**
	 * @param room credits that may still be spent
	 * @returns what to ask for; 'wait' where that depends on answers to come; or why nothing more is
	 */
	next(room: number): Order<number> | 'wait' | End {
		const { ledger, to } = this;
		const { cells, end, inFlight } = ledger;
		while (cells.has(this.at)) this.at += 1;
		const at = this.openAt(this.at);
		if (at >= to) return to < MAX_RESULTS ? 'limit' : 'maxResults';
		const isAtEnd = end !== undefined && at >= end.at;
		if (isAtEnd && end.isProven) return end.refusal ? 'refused' : 'whole';
		if (room <= 0) return 'budget';
		const order = isAtEnd
			? pageAt(end.at, 1, 'end', to)
			: pageAt(at, ledger.reduced(at, this.openFrom(at, room)), 'rows', to);
		const isShowing = [order, ...inFlight].some((one) => this.showsSomething(one));
		return inFlight.size > 0 && isShowing ? 'wait' : order;
	}

	/** Whether what is asked for beside it depends on its answer: the end, or a page size that nothing has shown. */
	private showsSomething({ purpose, size }: Order<number>): boolean {
		return purpose === 'end' || size > this.ledger.certain;
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

	/** How many rows to ask for from an open place on: all that are wanted, allowed and not there yet. */
	private openFrom(place: number, room: number): number {
		const { cells, inFlight, lastRow, largest } = this.ledger;
		let open = Math.min(this.wanted.pageSize, largest, this.to - place, room);
		for (const { first } of inFlight) if (first > place) open = Math.min(open, first - place);
		for (let index = 1; index < open && place + index <= lastRow; index++)
			if (cells.has(place + index)) return index;
		return open;
	}
}
