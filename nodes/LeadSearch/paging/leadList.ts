/** A list of leads by row number: what answers say about it. */
import { ENDPOINTS, MAX_RESULTS, type Json, type Page } from '../api/contract';
import { isRefusal, type Failure } from '../api/failures';
import { contradiction, contradictionIn, leadsAfter, Repetition } from './contradictions';
import { Ledger, profileOf, type Order, type SavedLedger } from './ledger';
import { ListEnd } from './listEnd';
import { earlierStarts, provenSize, UNKNOWN_SIZES, type PageSizes } from './pageSizes';

/** What is kept of a list between runs. */
export interface SavedLeadList extends SavedLedger<number> {
	sizes: PageSizes;
	end: number | null;
	refusal?: Failure;
	unchecked: number[];
}

export class LeadList extends Ledger<number> {
	sizes: PageSizes = { ...UNKNOWN_SIZES };
	readonly end = new ListEnd();
	/** Rows of a short page in a size that was only claimed: it may have begun elsewhere. */
	unchecked: number[] = [];
	/** Whether a page began with rows that had come before, as happens when a list changes. */
	hasMoved = false;

	private repetition = new Repetition();

	/** @param isPaid false for a preview: it may mask fields, so that rows without a profile look alike */
	constructor(private readonly isPaid = true) {
		super();
	}

	/** The rows that are there from one place to another, in order. */
	*rowsBetween(from: number, to: number): Iterable<Json> {
		for (let at = from; at < Math.min(to, MAX_RESULTS); at++) {
			const row = this.rowAt(at);
			if (row) yield row;
		}
	}

	/** Whether a place holds a row, or is asked for. */
	isTaken(place: number): boolean {
		return this.cells.has(place) || this.orderAt(place) !== undefined;
	}

	/** The order that is in flight for a place. */
	orderAt(place: number): Order<number> | undefined {
		for (const order of this.inFlight) {
			const { first = Infinity, size } = order;
			if (place >= first && place < first + size) return order;
		}
		return undefined;
	}

	settle(order: Order<number>, page: Page): Failure | undefined {
		this.receive(order, page.rows.length);
		if (order.purpose === 'size') return this.settleSize(order, page);
		if (order.purpose === 'check') return this.settleCheck(order, page);
		if (page.rows.length === 0)
			return this.end.afterNoRows(order, page, this.hasRowsAfter(order.first));
		if (this.isLastPage(order, page)) {
			this.putOther(order, page);
			this.end.noPageAt(order, false);
			return undefined;
		}
		return this.settleRows(order, page);
	}

	refuse(order: Order<number>, failure: Failure): Failure | boolean {
		const { sizes } = this;
		const { purpose, size } = order;
		const { status, text } = failure;
		if (!isRefusal(failure) && status !== 404) return false;
		// There is no such page, so no such row.
		if (purpose === 'check') return this.settle(order, { rows: [] }) ?? true;
		if (purpose === 'size') {
			sizes.isAsked = true;
			sizes.most = provenSize(sizes);
		} else if (this.mayEndAt(order) && status !== 413) {
			if (size > provenSize(sizes)) sizes.most = provenSize(sizes);
			this.end.afterRefusal(order, { kind: 'refused', status, text });
		} else if (size > ENDPOINTS.search.documentedPageSize && status !== 404) {
			sizes.most = ENDPOINTS.search.documentedPageSize;
		} else return false;
		this.release(order);
		return true;
	}

	override toJSON(): SavedLeadList {
		const { sizes, unchecked } = this;
		const { proven, refusal } = this.end;
		const end = Number.isFinite(proven) ? proven : null;
		return { ...super.toJSON(), sizes, unchecked, end, ...(refusal && { refusal }) };
	}

	override restore({ end, sizes, unchecked, refusal, ...saved }: SavedLeadList): this {
		super.restore(saved);
		this.sizes = { ...sizes, served: Math.max(sizes.served, this.sizes.served) };
		this.end.prove(end ?? Infinity);
		this.end.refusal ??= refusal;
		this.unchecked.push(...unchecked);
		this.noteProfiles();
		return this;
	}

	private settleRows(order: Order<number>, page: Page): Failure | undefined {
		const { end, sizes } = this;
		const { rows, perPage = order.size } = page;
		const { first = 0 } = order;
		const isProven = order.size <= provenSize(sizes);
		const isShort = rows.length < order.size;
		const earlier = this.earlierStart(order, rows);
		const found =
			contradictionIn(order, page) ??
			(earlier === undefined ? this.repetitionIn(order, rows, isProven) : undefined) ??
			(first >= end.proven ? leadsAfter(end.proven) : undefined);
		if (found !== undefined) {
			if (!isProven && isShort) sizes.most = provenSize(sizes);
			this.strayAll(rows);
			return contradiction(found);
		}
		// The list goes on: what came short before was a page of the size that is served.
		const isCut = order.purpose === 'end' && end.reported?.isShort === true;
		if (order.purpose === 'end') end.reported = undefined;
		const starts = earlier === undefined ? earlierStarts(sizes, order, rows.length) : [];
		// By its profile alone, the first row may be a second one of the profile before.
		const mayBegin = (start: number) =>
			!this.rowAt(start) ||
			rows.slice(0, first - start).every((row, index) => this.isThere(start + index, row));
		if (this.isPaid && starts.some(mayBegin))
			this.unchecked = rows.map((_, index) => first + index);
		this.putAll(earlier ?? first, rows);
		// A smaller size that is named is served; without one, as many rows as came are.
		const named = perPage < order.size ? perPage : undefined;
		sizes.served = Math.max(sizes.served, named ?? rows.length);
		sizes.isAsked ||= isCut;
		if (isCut || (isShort && !isProven && first > 0)) sizes.most = provenSize(sizes);
		if (earlier !== undefined) return undefined;
		const next = first + rows.length;
		// Where nothing costs credits, none can have run out.
		if (!this.isPaid && page.hasMore === false) end.prove(next);
		const expected = named ?? (isProven ? order.size : rows.length);
		return end.afterRows(order, page, expected, this.rowAt(next) !== undefined);
	}

	private settleSize(order: Order<number>, answer: Page): Failure | undefined {
		const { rows, page, perPage = order.size } = answer;
		const { sizes } = this;
		sizes.isAsked = true;
		if (perPage < order.size) {
			sizes.served = Math.max(sizes.served, rows.length === 0 ? perPage : rows.length);
			sizes.most = provenSize(sizes);
		}
		if (rows.length === 0) return undefined;
		if (page !== undefined && page < order.page) {
			this.putOther(order, answer);
			return undefined;
		}
		this.strayAll(rows);
		return contradiction(
			`it sent ${rows.length} rows as page ${order.page}, where no search reaches`,
		);
	}

	/** The last row of an unchecked page, alone: if it is the same one, the page began where asked for. */
	private settleCheck(
		order: Order<number>,
		{ rows, page = order.page, hasMore }: Page,
	): Failure | undefined {
		// Empty, after a page that came short: there were no credits for the row.
		if (rows.length === 0 && hasMore === true) return { kind: 'noCredits', atEndProbe: true };
		const { first = 0 } = order;
		const { unchecked } = this;
		const [row] = page === order.page ? rows : [];
		this.unchecked = [];
		this.strayAll(row ? rows.slice(1) : rows);
		if (row && this.isThere(first, row)) {
			this.repeated += 1;
			this.noteProfiles();
			return undefined;
		}
		const elsewhere = unchecked
			.map((place) => this.rowAt(place))
			.filter((one) => one !== undefined);
		for (const place of unchecked) this.cells.delete(place);
		this.noteProfiles();
		this.end.reported = undefined;
		this.strayAll(elsewhere);
		if (row) this.putAll(first, [row]);
		return contradiction(smallerPages(elsewhere.length));
	}

	/** Where a page began that was served smaller than asked for, if the rows that came before show it. */
	private earlierStart(order: Order<number>, rows: Json[]): number | undefined {
		const { first = 0 } = order;
		return earlierStarts(this.sizes, order, rows.length).find((start) =>
			rows.slice(0, first - start).every((row, index) => isSame(this.rowAt(start + index), row)),
		);
	}

	/** A service may answer what comes after the last page with the last page, and say so. */
	private isLastPage(order: Order<number>, answer: Page): boolean {
		const { rows, page = order.page } = answer;
		if (page >= order.page || rows.length > order.size) return false;
		const size = namedSize(order, answer) ?? order.size;
		const from = (page - 1) * size;
		const fits = (row: Json, index: number) =>
			!this.isPaid || !this.rowAt(from + index) || this.isThere(from + index, row);
		// A low balance may have cut it, so that more rows of the same page are known.
		return rows.every(fits) && !this.rowAt(page * size);
	}

	/** Rows of another page than the one asked for have their places where its size is certainly served. */
	private putOther(order: Order, answer: Page): void {
		const { rows, page = 1 } = answer;
		const { size } = order;
		const named = namedSize(order, answer);
		const isServed = named !== undefined || size <= provenSize(this.sizes) || rows.length === size;
		if (page === 1 || isServed) this.putAll((page - 1) * (named ?? size), rows);
		else this.strayAll(rows);
	}

	/** @returns how a page repeats what had come before, for people */
	private repetitionIn(
		{ first = 0, page, size }: Order<number>,
		rows: Json[],
		isProven: boolean,
	): string | undefined {
		const found = this.repetition.find(rows, (row, index) => this.isThere(first + index, row));
		if (found === 'all')
			return isProven ? `page ${page} holds leads that had come before` : smallerPages(rows.length);
		if (found === 'start' && isProven && rows.length < size)
			return `page ${page} is short and begins with leads that had come before`;
		this.hasMoved ||= found === 'start';
		return undefined;
	}

	/** Whether a refusal can mean that the list has ended: the same search was accepted before it. */
	private mayEndAt({ first = 0, size }: Order<number>): boolean {
		const isAccepted = this.isAnswered || this.sizes.served > 0 || this.cells.size > size;
		return first > 0 && isAccepted && !this.hasRowsAfter(first);
	}

	private hasRowsAfter(at = 0): boolean {
		for (const row of this.cells.keys()) if (row > at) return true;
		return false;
	}

	/** Gives rows their places. What is there already stays. */
	private putAll(from: number, rows: Json[]): void {
		rows.forEach((row, index) => {
			if (this.cells.has(from + index)) {
				this.repeated += 1;
				return;
			}
			this.put(from + index, row);
			if (this.unchecked.length === 0) this.repetition.add(row);
		});
	}

	private noteProfiles(): void {
		this.repetition = new Repetition();
		const unchecked = new Set(this.unchecked);
		for (const [place, row] of this.cells)
			if (row !== 'none' && !unchecked.has(place)) this.repetition.add(row);
	}

	/** Whether a row is the one at a place: by its profile, or of paid ones without a profile to the letter. */
	private isThere(place: number, row: Json): boolean {
		const there = this.rowAt(place);
		if (!there) return false;
		const profile = profileOf(row);
		if (profile !== undefined) return profileOf(there) === profile;
		return this.isPaid && isSame(there, row);
	}
}

/** The size of a page, where a smaller one than asked for is named that is no number of rows. */
function namedSize({ size }: Order, { rows, perPage = size }: Page): number | undefined {
	return perPage < size && perPage > rows.length ? perPage : undefined;
}

function isSame(one: Json | undefined, other: Json): boolean {
	return JSON.stringify(one) === JSON.stringify(other);
}

function smallerPages(rows: number): string {
	return `it serves smaller pages than it says, so that ${rows} rows of another place came`;
}
