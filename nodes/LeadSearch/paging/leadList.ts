/** A list of leads by row number: what answers say about it. */
import { ENDPOINTS, MAX_RESULTS, type Json, type Page } from '../api/contract';
import { isRefusal, type Failure } from '../api/failures';
import { Ledger, type Order, type SavedLedger } from './ledger';
import { ListEnd, type SavedListEnd } from './listEnd';
import {
	contradictionIn,
	isAt,
	isLastPage,
	leadsAfter,
	namedSize,
	provenSize,
	smallerPages,
	startByRows,
	startOf,
	type PageSizes,
} from './pages';
import { Repetition } from './repetition';

/** What is kept of a list between runs. */
export interface SavedLeadList extends SavedLedger<number> {
	sizes: PageSizes;
	end: SavedListEnd;
}

export class LeadList extends Ledger<number> {
	sizes: PageSizes = { served: 0 };
	readonly end = new ListEnd();
	/** Whether a page began with rows that had come before, as happens when a list changes. */
	hasMoved = false;

	private readonly repetition = new Repetition();

	/** @param isPaid false for a preview: it may mask fields, so that rows without a profile look alike */
	constructor(readonly isPaid = true) {
		super();
	}

	/** The rows that are there from one place to another, in order. */
	rowsBetween(from: number, to: number): Json[] {
		const rows: Json[] = [];
		for (let at = from; at < Math.min(to, MAX_RESULTS); at++) {
			const row = this.rowAt(at);
			if (row) rows.push(row);
		}
		return rows;
	}

	/**
	 * Strays by the place that was asked for: the rows of a short page whose size is hidden, so that it may
	 * have begun before. They get their places once one shows whether it did.
	 */
	get held(): Array<{ place: number; row: Json }> {
		return this.strays.flatMap(({ row, places: [place] }) =>
			place === undefined ? [] : [{ place, row }],
		);
	}

	/** The first place, from one on, that neither holds a row nor is asked for. */
	openAt(place: number): number {
		const isOrdered = ({ first, size }: Order<number>) => place >= first && place < first + size;
		for (;;) {
			const order = [...this.inFlight].find(isOrdered);
			if (order) place = order.first + order.size;
			else if (this.cells.has(place)) place += 1;
			else return place;
		}
	}

	/** How many places from an open one on are open, up to a number of them. */
	openFrom(place: number, most: number): number {
		let open = most;
		for (const { first } of this.inFlight) if (first > place) open = Math.min(open, first - place);
		for (let index = 1; index < open; index++) if (this.cells.has(place + index)) return index;
		return open;
	}

	settle(order: Order<number>, answer: Page): Failure | undefined {
		const { held } = this;
		this.receive(order, answer);
		const hasRows = answer.rows.length > 0;
		const found = hasRows ? this.settleRows(order, answer) : this.settleNoRows(order, answer);
		return found === undefined ? this.placeHeld(held) : this.asFailure(found);
	}

	refuse(order: Order<number>, failure: Failure): Failure | undefined {
		const { sizes } = this;
		const { purpose, size, first } = order;
		const { status, text } = failure;
		if (purpose === 'end' && first >= MAX_RESULTS && status === 500) {
			// How far a service can count is no reason to fail, only to be careful.
			this.end.isCharged = true;
			return undefined;
		}
		if (!isRefusal(failure) && status !== 404) return failure;
		const isAccepted = this.isAnswered || sizes.served > 0 || this.cells.size > size;
		if (purpose === 'size') sizes.most = provenSize(sizes);
		else if (first > 0 && isAccepted && status !== 413 && !this.hasRowsAfter(first)) {
			// The same search was accepted before: there is no such page.
			if (size > provenSize(sizes)) sizes.most = provenSize(sizes);
			this.end.afterRefusal(order, { kind: 'refused', status, text });
		} else if (size > ENDPOINTS.search.documentedPageSize && status !== 404) {
			sizes.most = ENDPOINTS.search.documentedPageSize;
		} else return failure;
		return this.placeHeld(this.held);
	}

	override toJSON(): SavedLeadList {
		return { ...super.toJSON(), sizes: this.sizes, end: this.end.toJSON() };
	}

	override restore(kept: SavedLeadList): this {
		const { sizes } = kept;
		// Of two pages that may have begun before, one is enough to ask about.
		const held = new Set(this.held.map(({ place }) => place));
		const isOther = (place: number) => held.size > 0 && !held.has(place);
		const strays = kept.strays.map((one) =>
			one.places.some(isOther) ? { ...one, places: [] } : one,
		);
		super.restore({ ...kept, strays });
		const most = Math.min(sizes.most ?? Infinity, this.sizes.most ?? Infinity);
		const served = Math.max(sizes.served, this.sizes.served);
		this.sizes = { served, ...(most < Infinity && { most }) };
		this.end.restore(kept.end);
		for (const row of this.placedRows()) this.repetition.add(row);
		return this;
	}

	/** @returns what the answer contradicts, for people */
	private settleRows(order: Order<number>, answer: Page): string | undefined {
		const { end, sizes } = this;
		const { rows, perPage = order.size } = answer;
		const { first, size, purpose } = order;
		const proven = provenSize(sizes);
		const certain = startOf(order, answer, proven);
		if (isLastPage(order, answer, certain, this)) {
			if (certain === undefined) this.strayAll(rows);
			else this.putAll(certain, rows);
			this.learnSizes(order, answer);
			const next = certain === undefined ? first : certain + rows.length;
			end.afterLastPage(order, this.rowAt(next) ? first : next);
			return undefined;
		}
		const start = certain ?? startByRows(order, rows, proven, this);
		const found = this.contradictionOf(order, answer, start);
		if (found !== undefined) {
			if (size > proven && rows.length < size) sizes.most = proven;
			this.strayAll(rows);
			return found;
		}
		// The list goes on after what was reported as its end; this page may report another one.
		const asked = purpose === 'end' && first >= end.questionAt ? end.reported : undefined;
		if (asked) end.reported = undefined;
		if ((start ?? first) + rows.length > end.proven) end.withdraw();
		if (start !== undefined) this.putAll(start, rows);
		else this.strayAll(rows, (index) => [first + index]);
		this.learnSizes(order, answer);
		// What came short there was a page of the size that is served.
		if (asked?.isShort) sizes.most = provenSize(sizes);
		if (start !== undefined && start !== first) return undefined;
		// Where nothing costs credits, none can have run out.
		const next = first + rows.length;
		if (!this.isPaid && answer.hasMore === false) end.prove(next);
		// A page whose size is hidden may have been full.
		const full = size > proven ? rows.length : size;
		const expected = perPage < size ? perPage : full;
		return end.afterRows(order, answer, expected, this.rowAt(next) !== undefined);
	}

	private settleNoRows(order: Order<number>, answer: Page): string | Failure | undefined {
		if (answer.violation !== undefined) return answer.violation;
		this.learnSizes(order, answer);
		if (answer.hasMore === true) return this.end.afterEmptyPage(order);
		if (this.hasRowsAfter(order.first)) return leadsAfter(order.first);
		this.end.prove(order.first);
		return undefined;
	}

	/** @returns what an answer with rows contradicts, for people */
	private contradictionOf(order: Order<number>, answer: Page, start = order.first) {
		const { page, size, first } = order;
		const { rows } = answer;
		const proven = provenSize(this.sizes);
		const isProven = size <= proven;
		const named = namedSize(order, answer);
		const found = contradictionIn(order, answer);
		if (found !== undefined) return found;
		if (first >= MAX_RESULTS)
			return `it sent ${rows.length} rows as page ${page}, where no search reaches`;
		if (isProven && named !== undefined)
			return `it served pages of ${proven} rows before, and of ${named} now`;
		const isThere = (row: Json, index: number) => isAt(this, first + index, row);
		const repeats = start === first ? this.repetition.find(rows, isThere) : undefined;
		this.hasMoved ||= repeats === 'start';
		if (repeats === 'start' && isProven && rows.length < size)
			return `page ${page} is short and begins with leads that had come before`;
		const noRowAt = this.end.proven;
		// A service that refuses to begin there may well serve rows after it.
		const isAfterEnd = !this.end.refusal && start + rows.length > noRowAt;
		if (repeats !== 'all' && !isAfterEnd) return undefined;
		if (!isProven) return smallerPages(rows.length);
		if (!isAfterEnd) return `page ${page} holds leads that had come before`;
		this.end.withdraw();
		return leadsAfter(noRowAt);
	}

	private learnSizes(order: Order<number>, answer: Page): void {
		const { sizes } = this;
		const { purpose, first, size } = order;
		const { rows, perPage = size } = answer;
		const isUnproven = size > provenSize(sizes) && first > 0;
		const named = namedSize(order, answer);
		sizes.served = Math.max(sizes.served, named ?? rows.length);
		const isAsked = purpose === 'size';
		const isCut = isAsked ? perPage < size : isUnproven && rows.length > 0 && rows.length < size;
		// Where no smaller size is named, any may be tried.
		if (isAsked) sizes.most = MAX_RESULTS;
		if (named !== undefined || isCut) sizes.most = provenSize(sizes);
	}

	/** Places what is held, once a row of it shows where its page began. */
	private placeHeld(held: LeadList['held']): Failure | undefined {
		const shown = held.find(({ place }) => this.rowAt(place) ?? this.end.proven <= place);
		if (!shown) return undefined;
		const taken = held.filter(({ row }) => this.takeStray(row));
		if (isAt(this, shown.place, shown.row)) {
			for (const { place, row } of taken) this.putAll(place, [row]);
			return undefined;
		}
		this.strayAll(taken.map(({ row }) => row));
		this.end.reported = undefined;
		return this.asFailure(smallerPages(held.length));
	}

	private hasRowsAfter(at: number): boolean {
		return [...this.cells.keys()].some((row) => row > at);
	}

	/** Gives rows their places. What is there already stays. */
	private putAll(from: number, rows: Json[]): void {
		rows.forEach((row, index) => {
			if (this.cells.has(from + index)) {
				this.repeated += 1;
				return;
			}
			this.put(from + index, row);
			this.repetition.add(row);
		});
	}
}
