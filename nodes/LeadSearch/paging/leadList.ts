/** A list of leads by row number: what answers say about it. */
import { ENDPOINTS, type Json, type Page } from '../api/contract';
import { isRefusal, type Failure } from '../api/failures';
import { Ledger, profileOf, type Order, type SavedLedger } from './ledger';
import { ListEnd, type SavedListEnd } from './listEnd';
import { contradictionIn, isBeyond, leadsAfter, namedSize, PageSizes, smallerPages } from './pages';
import { Repetition } from './repetition';

/** What is kept of a list between runs. */
export interface SavedLeadList extends SavedLedger<number> {
	sizes: Pick<PageSizes, 'served' | 'most'>;
	unsure?: LeadList['unsure'];
	end: SavedListEnd;
}

export class LeadList extends Ledger<number> {
	readonly sizes = new PageSizes();
	readonly end = new ListEnd();
	/**
	 * The rows of a short page in a size that is not safe, as after Skip, from the place on that was asked for. It
	 * may have been cut without a word, and so have begun earlier; one of the rows, asked for alone, shows it.
	 */
	unsure: { from: number; rows: Json[] } | undefined;
	/** Whether a page began with rows that had come before, as happens when a list changes. */
	hasMoved = false;
	/** The last row that is there; -1 where none is. */
	lastRow = -1;
	private readonly repetition = new Repetition();

	/** @param isPaid false for a preview: it may mask fields, so that rows without a profile look alike */
	constructor(readonly isPaid = true) {
		super();
	}

	/** Whether the search was accepted, in this run or in one before. */
	get isAccepted(): boolean {
		return this.isAnswered || this.sizes.served > 0;
	}

	override get unplaced(): Json[] {
		return [...super.unplaced, ...(this.unsure?.rows ?? [])];
	}

	/** The rows that are there from one place to another, in order. */
	rowsBetween(from: number, to: number): Json[] {
		const rows: Json[] = [];
		for (let at = from; at < Math.min(to, this.lastRow + 1); at++) {
			const row = this.rowAt(at);
			if (row) rows.push(row);
		}
		return rows;
	}

	override put(place: number, row: Json): void {
		super.put(place, row);
		this.lastRow = Math.max(this.lastRow, place);
		this.repetition.add(row);
	}

	settle(order: Order<number>, answer: Page): Failure | undefined {
		this.receive(order, answer);
		const isEmpty = answer.rows.length === 0;
		const found = isEmpty ? this.settleNoRows(order, answer) : this.settleRows(order, answer);
		return this.asFailure(found ?? this.placeUnsure());
	}

	fail(order: Order<number>, failure: Failure): Failure | undefined {
		const { purpose, size, first } = order;
		const { kind, status = 0, text } = failure;
		const isRefused = isRefusal(failure) || status === 404;
		if (isBeyond(order)) {
			if (!isRefused && status < 500 && kind !== 'lostResponse') return failure;
			// How far a service can count is no reason to fail, only to be careful.
			if (purpose === 'price') this.end.priceAfter = isRefused ? 'free' : 'charged';
			else this.sizes.keepToSafe();
		} else if (!isRefused) return failure;
		else if (first > 0 && this.isAccepted && status !== 413 && this.lastRow <= first) {
			// The same search was accepted before: there is no such page.
			if (size > this.sizes.safe) this.sizes.keepToSafe();
			this.end.afterRefusal(order, { kind: 'refused', status, text });
		} else if (size > ENDPOINTS.search.documentedPageSize && status !== 404) {
			this.sizes.most = ENDPOINTS.search.documentedPageSize;
		} else return failure;
		return this.asFailure(this.placeUnsure());
	}

	override toJSON(): SavedLeadList {
		const { sizes, unsure, end, broken } = this;
		return { ...super.toJSON(), sizes, unsure, end, broken };
	}

	override restore(kept: SavedLeadList): this {
		super.restore(kept);
		this.broken ??= kept.broken;
		this.sizes.restore(kept.sizes);
		Object.assign(this.end, new ListEnd(), kept.end, { proven: kept.end.proven ?? Infinity });
		// Where one run saw an end, another may have got rows.
		if (this.lastRow >= this.end.proven) this.end.withdraw();
		if (kept.unsure) this.hold(kept.unsure);
		if (this.cells.has(this.end.reported?.at ?? -1)) this.end.reported = undefined;
		this.placeUnsure();
		this.repeated = 0; // nothing was charged now
		return this;
	}

	/** @returns what the answer contradicts, for people */
	private settleRows(order: Order<number>, answer: Page): string | undefined {
		const { end } = this;
		const { purpose, size, first } = order;
		const { rows, hasMore } = answer;
		const isSafe = size <= this.sizes.safe;
		const start = this.startOf(order, answer);
		if (this.isLastPage(order, answer, start)) {
			if (start === undefined) this.strayAll(rows);
			else this.putAll(start, rows);
			this.sizes.learn(order, answer);
			const next = start === undefined ? first : start + rows.length;
			// A page after which rows are known is not the last one.
			end.afterLastPage(order, this.cells.has(next) ? first : next);
			return undefined;
		}
		const from = start ?? first;
		const found = this.contradictionOf(order, answer, from);
		if (found !== undefined) {
			if (!isSafe) this.sizes.keepToSafe();
			this.strayAll(rows);
			return found;
		}
		// The list goes on after what was reported as its end; this page may report another one.
		const wentOn = purpose === 'end' && end.reported?.mayGoOn;
		if (from + rows.length > end.proven) end.withdraw();
		// Where nothing costs credits, a page is taken to be where it was asked for.
		if (start !== undefined || !this.isPaid) this.putAll(from, rows);
		else this.hold({ from, rows });
		this.sizes.learn(order, answer);
		// What came short there was a page of the size that is served, what was refused a larger one.
		if (wentOn) this.sizes.keepToSafe();
		if (from !== first) return undefined;
		// Where nothing costs credits, none can have run out.
		const next = first + rows.length;
		if (!this.isPaid && hasMore === false) end.prove(next);
		return end.afterRows(order, answer, isSafe, this.cells.has(next));
	}

	private settleNoRows(order: Order<number>, answer: Page): string | Failure | undefined {
		if (answer.violation !== undefined) return answer.violation;
		this.sizes.learn(order, answer);
		// Where more are said to follow, there would be rows for credits: those of the last page once more.
		if (isBeyond(order)) this.end.priceAfter = answer.hasMore === true ? 'charged' : 'free';
		else if (answer.hasMore === true) return this.end.afterEmptyPage(order);
		else if (this.lastRow > order.first) return leadsAfter(order.first);
		else this.end.prove(order.first);
		return undefined;
	}

	/** The row at which a page certainly begins, page n at (n - 1) * size; undefined where it may have begun earlier. */
	private startOf(order: Order<number>, answer: Page): number | undefined {
		const { rows, page = order.page } = answer;
		const named = namedSize(order, answer);
		if (page === 1 || named !== undefined) return (page - 1) * (named ?? order.size);
		// In a smaller size without a word; unless all rows are known with which it would begin, and are others.
		const [row = {}] = rows;
		const earliest = (order.page - 1) * Math.max(this.sizes.safe, rows.length);
		for (let place = earliest; place < order.first; place++)
			if (!this.cells.has(place) || this.isAt(place, row)) return undefined;
		return (page - 1) * order.size;
	}

	/** Whether a page that was asked for after the last one is answered by the last one, which says so. */
	private isLastPage(order: Order<number>, answer: Page, start: number | undefined): boolean {
		const { rows, page = order.page } = answer;
		if (page >= order.page || rows.length > order.size) return false;
		if (start === undefined || isBeyond(order)) return true;
		const isOther = (row: Json, index: number) =>
			this.isPaid && this.cells.has(start + index) && !this.isAt(start + index, row);
		// A low balance may have cut it, so that more rows of the same page are known.
		const after = start + (namedSize(order, answer) ?? order.size);
		return !rows.some(isOther) && !this.cells.has(after);
	}

	/** @returns what an answer with rows contradicts, for people */
	private contradictionOf(order: Order<number>, answer: Page, from: number): string | undefined {
		const { page, size, first } = order;
		const { rows } = answer;
		const found = contradictionIn(order, answer);
		if (found !== undefined) return found;
		const { served } = this.sizes;
		const named = namedSize(order, answer) ?? served;
		if (named < served) return `it served pages of ${served} rows before, and of ${named} now`;
		const isThere = (row: Json, index: number) => this.isAt(first + index, row);
		const repeats = from === first ? this.repetition.judge(rows, isThere, this.isPaid) : undefined;
		const isCut = repeats === 'start' && rows.length < size;
		this.hasMoved ||= repeats === 'start' && !isCut;
		const { proven: noRowAt, refusal } = this.end;
		// A service that refuses to begin there may well serve rows after it.
		const isAfterEnd = !refusal && from + rows.length > noRowAt;
		if (!isCut && !isAfterEnd && repeats !== 'all') return undefined;
		if (size > this.sizes.safe) return smallerPages(rows.length);
		if (isCut) return `page ${page} is short and begins with leads that had come before`;
		if (!isAfterEnd) return `page ${page} holds leads that had come before`;
		this.end.withdraw();
		return leadsAfter(noRowAt);
	}

	/** Keeps rows until they can be placed. Of two pages that may have begun earlier, one is enough to ask about. */
	private hold(unsure: NonNullable<LeadList['unsure']>): void {
		this.strayAll(this.unsure?.rows ?? []);
		this.unsure = unsure;
		for (const row of unsure.rows) if (this.takeStray(row)) this.repeated += 1;
	}

	/**
	 * Gives unsure rows their places, once what is known shows whether they belong there.
	 *
	 * @returns what it contradicts that they don't, for people
	 */
	private placeUnsure(): string | undefined {
		if (!this.unsure) return undefined;
		const { from, rows } = this.unsure;
		const isKnown = (_: Json, index: number) =>
			this.cells.has(from + index) || from + index >= this.end.proven;
		const areHere = rows.some((row, index) => this.isAt(from + index, row));
		if (!areHere && !rows.some(isKnown) && !this.arePlaced(rows).includes(true)) return undefined;
		this.unsure = undefined;
		if (areHere) {
			this.putAll(from, rows);
			return undefined;
		}
		this.strayAll(rows);
		if (this.end.reported?.at === from + rows.length) this.end.reported = undefined;
		return smallerPages(rows.length);
	}

	/** Whether a row is the one at a place: by its profile, or of paid ones without a profile to the letter. */
	private isAt(place: number, row: Json): boolean {
		const there = this.rowAt(place);
		if (!there) return false;
		if (profileOf(row) !== undefined) return profileOf(there) === profileOf(row);
		return this.isPaid && JSON.stringify(there) === JSON.stringify(row);
	}

	/** Gives rows their places. Where another one is, it stays. */
	private putAll(from: number, rows: Json[]): void {
		rows.forEach((row, index) => {
			if (!this.cells.has(from + index)) this.put(from + index, row);
			else if (this.isAt(from + index, row)) this.repeated += 1;
			else this.strayAll([row]);
		});
	}
}
