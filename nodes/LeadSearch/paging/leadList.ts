/** A list of leads by row number: what answers say about it. */
import { ENDPOINTS, MAX_RESULTS, type Json, type Page } from '../api/contract';
import { isRefusal, type Failure } from '../api/failures';
import { contradiction, contradictionIn, leadsAfter, Repetition } from './contradictions';
import { Ledger, type Order, type SavedLedger } from './ledger';
import { ListEnd } from './listEnd';
import { keepToProven, provenSize, UNKNOWN_SIZES, type PageSizes } from './pageSizes';
import { earlierStart, isLastPage, isThere, startOfOther } from './placement';

/** What is kept of a list between runs. */
export interface SavedLeadList extends SavedLedger<number> {
	sizes: PageSizes;
	/** Infinity is null in JSON. */
	end: number | null;
	refusal?: Failure;
	cameShort: boolean;
	unchecked?: Unchecked;
}

/** Rows of a short page in a size that is not proven: it may have begun elsewhere. */
interface Unchecked {
	/** Where it was asked for. */
	first: number;
	rows: Json[];
}

export class LeadList extends Ledger<number> {
	sizes: PageSizes = { ...UNKNOWN_SIZES };
	readonly end = new ListEnd();
	unchecked: Unchecked | undefined;
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

	/** Rows that came and have no place, in no order. */
	get unplaced(): Json[] {
		return [...this.strays.map(({ row }) => row), ...(this.unchecked?.rows ?? [])];
	}

	override get rows(): number {
		return super.rows + (this.unchecked?.rows.length ?? 0);
	}

	/** Whether a place holds a row, or is asked for. */
	isTaken(place: number): boolean {
		if (this.cells.has(place)) return true;
		for (const { first, size } of this.inFlight)
			if (place >= first && place < first + size) return true;
		return false;
	}

	settle(order: Order<number>, page: Page): Failure | undefined {
		this.receive(order, page.rows.length);
		if (order.purpose === 'size') return this.settleSize(order, page);
		if (order.purpose === 'check') return this.settleCheck(order, page);
		if (page.rows.length === 0 && page.violation !== undefined)
			return contradiction(page.violation);
		if (page.rows.length === 0)
			return this.end.afterNoRows(order, page, this.hasRowsAfter(order.first));
		if (isLastPage(this, order, page)) {
			this.putOther(order, page);
			this.end.noPageAt(order, false);
			return undefined;
		}
		return this.settleRows(order, page);
	}

	refuse(order: Order<number>, failure: Failure): Failure | undefined {
		const { sizes } = this;
		const { purpose, size } = order;
		const { status, text } = failure;
		if (!isRefusal(failure) && status !== 404) return failure;
		// There is no such page, so no such row.
		if (purpose === 'check') return this.settle(order, { rows: [] });
		if (purpose === 'size') keepToProven(sizes);
		else if (this.mayEndAt(order) && status !== 413) {
			if (size > provenSize(sizes)) keepToProven(sizes);
			const isAfterRow = this.cells.size === 0 || this.cells.has(order.first - 1);
			this.end.afterRefusal(order, { kind: 'refused', status, text }, isAfterRow);
		} else if (size > ENDPOINTS.search.documentedPageSize && status !== 404) {
			sizes.most = ENDPOINTS.search.documentedPageSize;
		} else return failure;
		return undefined;
	}

	override toJSON(): SavedLeadList {
		const { sizes, unchecked } = this;
		const { proven: end, refusal, cameShort } = this.end;
		return { ...super.toJSON(), sizes, end, refusal, cameShort, unchecked };
	}

	override restore(kept: SavedLeadList): this {
		super.restore(kept);
		const { sizes, end, refusal, cameShort, unchecked } = kept;
		this.sizes = {
			served: Math.max(sizes.served, this.sizes.served),
			isAsked: sizes.isAsked || this.sizes.isAsked,
			most: Math.min(sizes.most, this.sizes.most),
		};
		this.end.prove(end ?? Infinity);
		this.end.refusal ??= refusal;
		this.end.cameShort ||= cameShort;
		if (this.unchecked) this.strayAll(unchecked?.rows ?? []);
		else this.unchecked = unchecked;
		for (const row of this.placedRows()) this.repetition.add(row);
		return this;
	}

	private settleRows(order: Order<number>, page: Page): Failure | undefined {
		const { end, sizes } = this;
		const { rows, perPage = order.size } = page;
		const { first } = order;
		const isProven = order.size <= provenSize(sizes);
		const isShort = rows.length < order.size;
		const { start, isPossible } = earlierStart(this, order, page);
		const found =
			contradictionIn(order, page) ??
			(start === undefined ? this.repetitionIn(order, rows, isProven) : undefined) ??
			((start ?? first) + rows.length > end.proven
				? isProven
					? leadsAfter(end.proven)
					: smallerPages(rows.length)
				: undefined);
		if (found !== undefined) {
			if (!isProven && isShort) keepToProven(sizes);
			this.strayAll(rows);
			return contradiction(found);
		}
		// The list goes on: what came short before was a page of the size that is served.
		const isCut = order.purpose === 'end' && end.reported?.isShort === true;
		if (order.purpose === 'end') end.reported = undefined;
		if (this.isPaid && isPossible && start === undefined) this.unchecked = { first, rows };
		else this.putAll(start ?? first, rows);
		// A smaller size that is named is served; without one, as many rows as came are.
		const named = perPage < order.size ? perPage : undefined;
		sizes.served = Math.max(sizes.served, named ?? rows.length);
		if (isCut || (isShort && !isProven && first > 0)) keepToProven(sizes);
		if (start !== undefined) return undefined;
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
			keepToProven(sizes);
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
	private settleCheck(order: Order<number>, answer: Page): Failure | undefined {
		// Empty, after a page that came short: there were no credits for the row.
		if (answer.rows.length === 0 && answer.hasMore === true)
			return { kind: 'noCredits', atEndProbe: true };
		const { first, rows } = this.unchecked ?? { first: order.first, rows: [] };
		const [row, ...more] =
			answer.page === undefined || answer.page === order.page ? answer.rows : [];
		this.unchecked = undefined;
		this.strayAll(row ? more : answer.rows);
		if (row) this.putAll(order.first, [row]);
		const last = rows.at(-1);
		if (last && isThere(this, order.first, last)) {
			this.putAll(first, rows);
			return undefined;
		}
		this.end.reported = undefined;
		this.strayAll(rows);
		return contradiction(smallerPages(rows.length));
	}

	/** Rows of another page than the one asked for. */
	private putOther(order: Order<number>, answer: Page): void {
		const start = startOfOther(this, order, answer);
		if (start === undefined) this.strayAll(answer.rows);
		else this.putAll(start, answer.rows);
	}

	/** @returns how a page repeats what had come before, for people */
	private repetitionIn(
		{ first, page, size }: Order<number>,
		rows: Json[],
		isProven: boolean,
	): string | undefined {
		const found = this.repetition.find(rows, (row, index) => isThere(this, first + index, row));
		if (found === 'all')
			return isProven ? `page ${page} holds leads that had come before` : smallerPages(rows.length);
		if (found === 'start' && isProven && rows.length < size)
			return `page ${page} is short and begins with leads that had come before`;
		this.hasMoved ||= found === 'start';
		return undefined;
	}

	/** Whether a refusal can mean that the list has ended: the same search was accepted before it. */
	private mayEndAt({ first, size }: Order<number>): boolean {
		const isAccepted = this.isAnswered || this.sizes.served > 0 || this.cells.size > size;
		return first > 0 && isAccepted && !this.hasRowsAfter(first);
	}

	private hasRowsAfter(at: number): boolean {
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
			this.repetition.add(row);
		});
	}
}

function smallerPages(rows: number): string {
	return `it serves smaller pages than it says, so that ${rows} rows of another place came`;
}
