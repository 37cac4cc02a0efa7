/** What an input item wants of a list of leads, and so which page to ask for next: the largest that begins at the first row that is missing. */
import { MAX_RESULTS } from '../api/contract';
import type { End, Job, Order } from './job';
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
	readonly width: number;
	/** No row wanted before it is missing. */
	private at: number;
	/** The row after the target. */
	private readonly to: number;

	constructor(
		readonly ledger: LeadList,
		private readonly target: LeadTarget,
	) {
		this.width = target.limit;
		this.at = target.skip;
		this.to = Math.min(target.skip + target.limit, MAX_RESULTS);
	}

	next(room: number): Order<number> | 'wait' | End {
		const { ledger, to } = this;
		const { cells, end, inFlight } = ledger;
		while (cells.has(this.at)) this.at += 1;
		const at = this.openAt(this.at);
		if (at >= to) return to < MAX_RESULTS ? 'limit' : 'maxResults';
		const isAtEnd = end !== undefined && at >= end.at;
		if (isAtEnd && end.isProven) return end.refusal ? 'refused' : 'whole';
		if (room <= 0) return 'budget';
		const next = isAtEnd
			? pageAt(end.at, 1, 'question', to)
			: pageAt(at, this.openFrom(at, room), 'rows', to);
		// The end, or a page size that nothing has shown: what is requested beside it depends on its answer.
		const shows = ({ purpose, size }: Order<number>) =>
			purpose === 'question' || size > ledger.certain;
		const isShowing = [next, ...inFlight].some(shows);
		return inFlight.size > 0 && isShowing ? 'wait' : next;
	}

	/** The first place, from the given one on, that neither holds a row nor is on its way. */
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
		const { ledger, target, to } = this;
		const { cells, inFlight, lastRow } = ledger;
		let open = Math.min(ledger.atOnce(target.pageSize), to - place, room);
		for (const { first } of inFlight) if (first > place) open = Math.min(open, first - place);
		for (let index = 1; index < open && place + index <= lastRow; index++)
			if (cells.has(place + index)) return index;
		return open;
	}
}
