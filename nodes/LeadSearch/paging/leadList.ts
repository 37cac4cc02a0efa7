/** A list of leads by row number. */
import { ENDPOINTS, MAX_RESULTS, type Json, type Page } from '../api/contract';
import { isRefusal, type Failure } from '../api/failures';
import { contradiction, contradictionIn, leadsAfter } from './contradiction';
import { isRow, Ledger, profileOf, type Cell, type Order, type SavedLedger } from './ledger';
import { ListEnd } from './listEnd';
import { earlierStarts, provenSize, UNKNOWN_SIZES, type PageSizes } from './pageSizes';
import { Repetition } from './repetition';

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

	private repetition = new Repetition([]);

	/** @param isPaid false for a preview: it may mask fields, so that rows without a profile look alike */
	constructor(private readonly isPaid = true) {
		super();
	}

	/** Whether a page began with rows that had come before, as happens when a list changes. */
	get hasMoved(): boolean {
		return this.repetition.hasMoved;
	}

	/** The rows that are there from one place to another, in order. */
	*rowsBetween(from: number, to: number): Iterable<Json> {
		for (let at = from; at < Math.min(to, MAX_RESULTS); at++) {
			const row = this.rowAt(at);
			if (row) yield row;
		}
	}

	settle(order: Order<number>, page: Page): Failure | undefined {
		this.receive(order, page.rows.length);
		if (order.purpose === 'size') return this.settleSize(order, page);
		if (order.purpose === 'check') return this.settleCheck(order, page);
		if (page.rows.length > 0) return this.settleRows(order, page);
		const [at = 0] = order.places;
		return this.end.afterNoRows(order, page, this.hasRowsAfter(at));
	}

	refuse(order: Order<number>, failure: Failure): boolean {
		const { sizes } = this;
		const { purpose, size } = order;
		const { status, text } = failure;
		if (purpose === 'check' || (!isRefusal(failure) && status !== 404)) return false;
		if (purpose === 'size') sizes.isAsked = true;
		else if (this.mayEndAt(order) && status !== 413) {
			if (size > provenSize(sizes)) sizes.claimed = 0;
			this.end.afterRefusal(order, { kind: 'refused', status, text });
		} else if (size > ENDPOINTS.search.documentedPageSize && status !== 404) {
			sizes.most = ENDPOINTS.search.documentedPageSize;
		} else return false;
		this.release(order);
		return true;
	}

	toJSON(): SavedLeadList {
		const { sizes, unchecked } = this;
		const { proven, refusal } = this.end;
		const end = Number.isFinite(proven) ? proven : null;
		return { ...this.kept(), sizes, unchecked, end, ...(refusal && { refusal }) };
	}

	override restore({ end, sizes, unchecked, refusal, ...saved }: SavedLeadList): this {
		super.restore(saved);
		this.sizes = { ...sizes, served: Math.max(sizes.served, this.sizes.served) };
		this.end.proven = Math.min(this.end.proven, end ?? Infinity);
		this.end.refusal ??= refusal;
		this.unchecked.push(...unchecked);
		this.repetition = new Repetition(this.placedRows());
		return this;
	}

	private settleRows(order: Order<number>, page: Page): Failure | undefined {
		const { end, sizes } = this;
		const { rows, perPage = order.size } = page;
		const [at = 0] = order.places;
		if (this.isLastPage(order, page)) {
			this.placeOther(order, page);
			end.noPageAt(order, { isShort: false, saidMore: false, askOneRow: true });
			return undefined;
		}
		const earlierAt = this.whereEarlier(order, rows);
		const found =
			contradictionIn(order, page, 'rows') ??
			(earlierAt === undefined ? this.repetitionIn(order, rows) : undefined) ??
			(at >= end.proven ? leadsAfter(end.proven) : undefined);
		if (found !== undefined) {
			this.strayAll(rows);
			return contradiction(found);
		}
		const isProven = order.size <= provenSize(sizes);
		const isShort = rows.length < order.size;
		if (order.purpose === 'end') {
			// The list goes on: what came short before was a page of the size that is served.
			if (end.reported?.isShort) sizes.isAsked = true;
			end.reported = undefined;
		}
		if (isShort && !isProven && at > 0) {
			sizes.claimed = 0;
			const starts =
				this.isPaid && earlierAt === undefined ? earlierStarts(sizes, order, rows) : [];
			if (starts.some((from) => !isRow(this.cells.get(from)))) {
				this.unchecked = order.places.slice(0, rows.length);
			}
		}
		this.place(earlierAt ?? at, rows);
		// A smaller size that is named is served; without one, as many rows as came are.
		const named = perPage < order.size ? perPage : undefined;
		sizes.served = Math.max(sizes.served, named ?? rows.length);
		if (earlierAt !== undefined) return undefined;
		const expected = named ?? (isProven ? order.size : rows.length);
		const isNextThere = isRow(this.cells.get(at + rows.length));
		// Where nothing costs credits, none can have run out.
		return this.end.afterRows(order, page, expected, { isNextThere, isFree: !this.isPaid });
	}

	private settleSize(order: Order<number>, answer: Page): Failure | undefined {
		const { rows, page, perPage = order.size } = answer;
		const { sizes } = this;
		sizes.isAsked = true;
		if (perPage >= order.size) sizes.claimed = order.size;
		else sizes.served = Math.max(sizes.served, rows.length === 0 ? perPage : rows.length);
		const isNamed = page !== undefined && page < order.page;
		if (isNamed) this.placeOther(order, answer);
		else this.strayAll(rows);
		return rows.length === 0 || isNamed
			? undefined
			: contradiction(`it sent ${rows.length} rows as page ${order.page}, where no search reaches`);
	}

	/** The last row of an unchecked page, alone: if it is the same one, the page began where asked for. */
	private settleCheck(
		order: Order<number>,
		{ rows, page = order.page, hasMore }: Page,
	): Failure | undefined {
		// Empty, after a page that came short: there were no credits for the row.
		if (rows.length === 0 && hasMore === true) return { kind: 'noCredits', atEndProbe: true };
		const [at = 0] = order.places;
		const { unchecked } = this;
		const [row] = page === order.page ? rows : [];
		this.unchecked = [];
		this.strayAll(row ? rows.slice(1) : rows);
		if (row && this.isSame(this.cells.get(at), row)) {
			this.repeated += 1;
			return undefined;
		}
		const elsewhere = unchecked.map((place) => this.rowAt(place)).filter(isRow);
		for (const place of unchecked) this.cells.delete(place);
		this.repetition = new Repetition(this.placedRows());
		this.end.reported = undefined;
		this.strayAll(elsewhere);
		if (row) this.place(at, [row]);
		return contradiction(
			`it serves smaller pages than it says, so that ${elsewhere.length} rows of another place came`,
		);
	}

	/** Where a page began that was served smaller than asked for, if the rows that came before show it. */
	private whereEarlier(order: Order<number>, rows: Json[]): number | undefined {
		const [at = 0] = order.places;
		const isThere = (from: number) =>
			rows
				.slice(0, at - from)
				.every((row, index) => this.isSame(this.cells.get(from + index), row));
		return earlierStarts(this.sizes, order, rows).find(isThere);
	}

	/** A service may answer what comes after the last page with the last page, and say so. */
	private isLastPage(order: Order<number>, { rows, page = order.page }: Page): boolean {
		if (page >= order.page || rows.length > order.size) return false;
		const from = (page - 1) * order.size;
		const isThere = rows.every((row, index) => {
			const cell = this.cells.get(from + index);
			return !isRow(cell) || !this.isPaid || this.isSame(cell, row);
		});
		// A low balance may have cut it, so that more rows of the same page are known.
		return isThere && !isRow(this.cells.get(page * order.size));
	}

	/** Rows of another page than the one asked for have their places where its size is certainly served. */
	private placeOther({ size }: Order, { rows, page = 1, perPage = size }: Page): void {
		const isNamed = perPage < size && perPage > rows.length;
		const isServed = isNamed || size <= provenSize(this.sizes) || rows.length === size;
		if (page === 1 || isServed) this.place((page - 1) * (isNamed ? perPage : size), rows);
		else this.strayAll(rows);
	}

	/** @returns how a page repeats what had come before, for people */
	private repetitionIn(order: Order<number>, rows: Json[]): string | undefined {
		const [at = 0] = order.places;
		const isExpected = (row: Json, index: number) => this.isSame(this.cells.get(at + index), row);
		const mayBeShort = order.size > provenSize(this.sizes);
		return this.repetition.find(order, rows, isExpected, mayBeShort);
	}

	/** Whether a refusal can mean that the list has ended: the same search was accepted before it. */
	private mayEndAt({ places: [at = 0], size }: Order<number>): boolean {
		return (
			at > 0 &&
			(this.isAnswered || this.sizes.served > 0 || this.cells.size > size) &&
			!this.hasRowsAfter(at)
		);
	}

	private hasRowsAfter(at: number): boolean {
		return [...this.cells].some(([row, cell]) => row > at && isRow(cell));
	}

	/** Gives rows their places. What is there already stays. */
	private place(from: number, rows: Json[]): void {
		rows.forEach((row, index) => {
			const cell = this.cells.get(from + index);
			if (isRow(cell)) {
				this.repeated += 1;
				return;
			}
			this.cells.set(from + index, row);
			this.repetition.add(row);
			this.dropStray(row);
		});
	}

	/** Whether two rows are of the same profile; of paid ones without a profile, whether they are equal. */
	private isSame(cell: Cell | undefined, row: Json): boolean {
		if (!isRow(cell)) return false;
		const profile = profileOf(row);
		if (profile !== undefined) return profileOf(cell) === profile;
		return this.isPaid && JSON.stringify(cell) === JSON.stringify(row);
	}
}
