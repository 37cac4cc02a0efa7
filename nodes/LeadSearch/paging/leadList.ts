/** A list of leads by row number: what answers say about it. */
import { ENDPOINTS, type Json, type Page } from '../api/contract';
import { isRefusal, type Failure } from '../api/failures';
import { isSameRow, Ledger, type Order, type SavedLedger } from './ledger';
import { ListEnd, type SavedListEnd } from './listEnd';
import { contradictionIn, namedSize, PageSizes, smallerPages } from './pages';
import { Repetition } from './repetition';

/** What is kept of a list between runs. */
export interface SavedLeadList extends SavedLedger<number> {
	sizes: Pick<PageSizes, 'served' | 'tried' | 'most'>;
	doubts: Array<[number, Json[]]>;
	end: SavedListEnd;
}

export class LeadList extends Ledger<number> {
	readonly sizes = new PageSizes();
	readonly end = new ListEnd();
	/**
	 * Rows of short pages in a size that is not safe, as after Skip, by the first of the places that they may have.
	 * Such a page may have been cut without a word, and so have begun earlier; its first row, asked for alone, shows it.
	 */
	readonly doubts = new Map<number, Json[]>();
	/** The last row that is there; -1 where none is. */
	lastRow = -1;
	readonly repetition = new Repetition();

	/** @param isPaid false for a preview: it may mask fields, so that rows without a profile look alike */
	constructor(readonly isPaid = true) {
		super();
	}

	/** Whether the search was accepted, in this run or in one before. */
	get isAccepted(): boolean {
		return this.isAnswered || this.sizes.served > 0;
	}

	override get unplaced(): Json[] {
		return [...super.unplaced, ...[...this.doubts.values()].flat()];
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
		const { rows, hasMore, page = order.page } = answer;
		const isEmpty = rows.length === 0;
		// An empty page that says more says nothing of the row; the last page once more, that there is none.
		const row = page === order.page ? rows[0] : undefined;
		const refuted = isEmpty && hasMore ? undefined : this.settleDoubt(order, row);
		const found = isEmpty ? this.settleNoRows(order, answer) : this.settleRows(order, answer);
		return this.asFailure(refuted ?? found);
	}

	fail(order: Order<number>, failure: Failure): Failure | undefined {
		const { purpose, size, first } = order;
		const { kind, status = 0, text } = failure;
		const isRefused = isRefusal(failure) || status === 404;
		if (purpose === 'beyond') {
			if (!isRefused && status < 500 && kind !== 'lostResponse') return failure;
			// How far a service can count is no reason to fail, only to be careful.
			if (size > 1) this.sizes.keepToSafe();
			else this.end.priceAfter = isRefused ? 'free' : 'charged';
			return undefined;
		}
		if (!isRefused) return failure;
		const refuted = this.settleDoubt(order, undefined);
		if (refuted !== undefined) return this.asFailure(refuted);
		if (first > 0 && this.isAccepted && status !== 413 && this.lastRow <= first) {
			// The same search was accepted before: there is no such page.
			if (size > this.sizes.safe) this.sizes.keepToSafe();
			this.end.afterRefusal(order, { kind: 'refused', status, text });
			return undefined;
		}
		if (size <= ENDPOINTS.search.documentedPageSize || status === 404) return failure;
		this.sizes.most = ENDPOINTS.search.documentedPageSize;
		return undefined;
	}

	override toJSON(): SavedLeadList {
		const { sizes, doubts, end, broken } = this;
		return { ...super.toJSON(), sizes, doubts: [...doubts], end, broken };
	}

	override restore(kept: SavedLeadList): this {
		super.restore(kept);
		for (const [from, rows] of [...this.doubts, ...kept.doubts]) {
			// One of the runs may have seen already that they are of another place.
			if (rows.some((row) => this.takeStray(row))) this.refute(from, rows);
			else if (rows.length >= (this.doubts.get(from)?.length ?? 0)) this.putInDoubt(from, rows);
		}
		this.restored = this.rows;
		this.broken ??= kept.broken;
		this.sizes.restore(kept.sizes);
		Object.assign(this.end, new ListEnd(), kept.end, { proven: kept.end.proven ?? Infinity });
		// Where one run saw an end, another may have got rows.
		const { reported } = this.end;
		this.end.goOn(this.lastRow + 1);
		if (!this.cells.has(reported?.at ?? -1)) this.end.reported = reported;
		return this;
	}

	/** @returns what the answer contradicts, for people */
	private settleRows(order: Order<number>, answer: Page): string | undefined {
		const { end, sizes } = this;
		const { purpose, size, first } = order;
		const { rows, hasMore, page = order.page } = answer;
		const isSafe = size <= sizes.safe;
		const isSure = this.isSure(order, answer);
		const from = (page - 1) * (namedSize(order, answer) ?? size);
		const to = from + rows.length;
		if (this.isLastPage(order, answer, from, isSure)) {
			if (isSure) this.putAll(from, rows);
			else this.keepLoose(rows);
			sizes.learn(order, answer);
			// A page after which rows are known, or at which what was asked for ends, is not the last one.
			const isEnd = isSure && !this.cells.has(to) && to !== order.maxResults;
			end.afterLastPage(order, isEnd ? to : first);
			return undefined;
		}
		const found = this.contradictionOf(order, answer, from);
		if (found !== undefined) {
			if (!isSafe) sizes.keepToSafe();
			this.keepLoose(rows);
			return found;
		}
		// The list goes on after its reported end: what came short was a page of the size served, what was refused a larger one.
		const wentOn = purpose === 'end' && end.reported?.mayGoOn;
		end.goOn(to);
		sizes.learn(order, answer);
		if (wentOn) sizes.keepToSafe();
		// Where nothing costs credits, a page is taken to be where it was asked for.
		if (isSure || !this.isPaid) this.putAll(from, rows);
		else if (!this.putInDoubt(from, rows)) return smallerPages(rows.length);
		if (from !== first) return undefined;
		// Where nothing costs credits, none can have run out.
		if (!this.isPaid && hasMore === false) end.prove(to);
		return end.afterRows(order, answer, isSafe, this.cells.has(to));
	}

	private settleNoRows(order: Order<number>, answer: Page): string | Failure | undefined {
		const { purpose, first } = order;
		if (answer.violation !== undefined) return answer.violation;
		this.sizes.learn(order, answer);
		// Where more are said to follow, there would be rows for credits: those of the last page once more.
		if (purpose === 'beyond') this.end.priceAfter = answer.hasMore === true ? 'charged' : 'free';
		else if (answer.hasMore === true) return this.end.afterEmptyPage(order);
		else if (this.lastRow > first)
			return `it sent no lead for row ${first + 1}, but leads after it`;
		else this.end.prove(first);
		return undefined;
	}

	/** Whether a page certainly begins where its number and size say, and not earlier, in smaller pages. */
	private isSure(order: Order<number>, answer: Page): boolean {
		const { rows, page = order.page } = answer;
		const smallest = Math.max(this.sizes.safe, rows.length);
		if (page === 1 || order.size <= smallest || namedSize(order, answer) !== undefined) return true;
		// In pages of that size it would begin earlier; unless all rows from there on are known, and are others.
		const [row = {}] = rows;
		const earliest = (page - 1) * smallest;
		for (let place = earliest; place < (page - 1) * order.size; place++)
			if (!this.cells.has(place) || this.isAt(place, row)) return false;
		return true;
	}

	/** Whether a page that was asked for after the last one is answered by the last one, which says so. */
	private isLastPage(order: Order<number>, answer: Page, from: number, isSure: boolean): boolean {
		const { rows, page = order.page } = answer;
		if (page >= order.page || rows.length > order.size) return false;
		if (!isSure || order.purpose === 'beyond') return true;
		const isOther = (row: Json, index: number) =>
			this.isPaid && this.cells.has(from + index) && !this.isAt(from + index, row);
		// A low balance may have cut it, so that more rows of the same page are known.
		const after = from + (namedSize(order, answer) ?? order.size);
		return !rows.some(isOther) && !this.cells.has(after);
	}

	/** @returns what an answer with rows contradicts, for people */
	private contradictionOf(order: Order<number>, answer: Page, from: number): string | undefined {
		const { first } = order;
		const found = contradictionIn(order, answer);
		if (found !== undefined) return found;
		const { served, safe } = this.sizes;
		const named = namedSize(order, answer) ?? served;
		if (named < served) return `it served pages of ${served} rows before, and of ${named} now`;
		if (from !== first) return undefined;
		const isExpected = (row: Json, index: number) => this.isAt(first + index, row);
		const { rows } = answer;
		const repeated = this.repetition.contradictionIn(order, rows, isExpected, this.isPaid);
		return repeated !== undefined && order.size > safe ? smallerPages(rows.length) : repeated;
	}

	/** Takes in what came for the first of rows in doubt. @returns what it contradicts that they are elsewhere, for people */
	private settleDoubt({ purpose, first }: Order<number>, row: Json | undefined) {
		const rows = this.doubts.get(first);
		if (purpose !== 'place' || !rows) return undefined;
		if (row) this.put(first, row);
		else this.refute(first, rows);
		return row && this.putInDoubt(first, rows) ? undefined : smallerPages(rows.length);
	}

	/** Keeps rows in doubt, unless what is known shows where they belong. @returns whether they may have their places */
	private putInDoubt(from: number, rows: Json[]): boolean {
		const known = rows.findIndex((_, index) => this.cells.has(from + index));
		if (known >= 0 && !this.isAt(from + known, rows[known] ?? {})) {
			this.refute(from, rows);
			return false;
		}
		this.doubts.delete(from);
		if (known >= 0) this.putAll(from, rows);
		else this.doubts.set(from, rows);
		for (const row of rows) this.takeStray(row);
		return true;
	}

	/** Rows in doubt are of another place. */
	private refute(from: number, rows: Json[]): void {
		this.doubts.delete(from);
		this.keepLoose(rows);
		if (this.end.reported?.at === from + rows.length) this.end.reported = undefined;
	}

	private isAt(place: number, row: Json): boolean {
		const there = this.rowAt(place);
		return there !== undefined && isSameRow(there, row);
	}

	/** Gives rows their places. Where another one is, it stays. */
	private putAll(from: number, rows: Json[]): void {
		rows.forEach((row, index) => {
			if (!this.cells.has(from + index)) this.put(from + index, row);
			else if (!this.isAt(from + index, row)) this.keepLoose([row]);
		});
	}
}
