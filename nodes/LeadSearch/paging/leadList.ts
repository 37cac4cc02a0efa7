/** A list of leads by row number: what answers say about it. */
import { ENDPOINTS, MAX_RESULTS, type Json, type Page } from '../api/contract';
import { isRefusal, type Failure } from '../api/failures';
import { Ledger, profileOf, type Order, type SavedLedger } from './ledger';
import { ListEnd, type SavedListEnd } from './listEnd';
import { contradictionIn, namedSize } from './pages';
import { Repetition } from './repetition';

/** What is known of the page size that the service serves, in rows. */
export interface PageSizes {
	/** Certainly served: so many rows came in one page, or a smaller size was named. 0: not known. */
	served: number;
	/** No larger one is tried; undefined until the service was asked for its size, or showed it. */
	most?: number | undefined;
}

/** What is kept of a list between runs. */
export interface SavedLeadList extends SavedLedger<number>, PageSizes {
	unsure?: LeadList['unsure'];
	end: SavedListEnd;
}

export class LeadList extends Ledger<number> implements PageSizes {
	served = 0;
	most: number | undefined;
	readonly end = new ListEnd();
	/**
	 * The rows of a short page, from the place on that was asked for. It may have been cut to a smaller size
	 * without a word, and so have begun earlier; one of the rows, asked for alone, shows it.
	 */
	unsure: { from: number; rows: Json[] } | undefined;
	/** Whether a page began with rows that had come before, as happens when a list changes. */
	hasMoved = false;

	private readonly repetition = new Repetition();

	/** @param isPaid false for a preview: it may mask fields, so that rows without a profile look alike */
	constructor(readonly isPaid = true) {
		super();
	}

	/** The size in which a page certainly begins where it was asked for. */
	get provenSize(): number {
		return Math.max(this.served, ENDPOINTS.search.documentedPageSize);
	}

	/** The rows of which it is not known where they belong. */
	get unplaced(): Json[] {
		return [...this.strays.map(({ row }) => row), ...(this.unsure?.rows ?? [])];
	}

	override get rows(): number {
		return super.rows + (this.unsure?.rows.length ?? 0);
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
		this.receive(order, answer);
		const hasRows = answer.rows.length > 0;
		const found = hasRows ? this.settleRows(order, answer) : this.settleNoRows(order, answer);
		return this.asFailure(found ?? this.placeUnsure());
	}

	refuse(order: Order<number>, failure: Failure): Failure | undefined {
		const { purpose, size, first } = order;
		const { status, text } = failure;
		if (purpose === 'end' && first >= MAX_RESULTS && status === 500) {
			// How far a service can count is no reason to fail, only to be careful.
			this.end.isCharged = true;
			return undefined;
		}
		if (!isRefusal(failure) && status !== 404) return failure;
		const isAccepted = this.isAnswered || this.served > 0 || this.cells.size > size;
		if (purpose === 'size') this.most = this.provenSize;
		else if (first > 0 && isAccepted && status !== 413 && !this.hasRowsAfter(first)) {
			// The same search was accepted before: there is no such page.
			if (size > this.provenSize) this.most = this.provenSize;
			this.end.afterRefusal(order, { kind: 'refused', status, text });
		} else if (size > ENDPOINTS.search.documentedPageSize && status !== 404) {
			this.most = ENDPOINTS.search.documentedPageSize;
		} else return failure;
		return this.asFailure(this.placeUnsure());
	}

	override toJSON(): SavedLeadList {
		const { served, most, unsure, end } = this;
		return { ...super.toJSON(), served, most, unsure, end: end.toJSON() };
	}

	override restore(kept: SavedLeadList): this {
		super.restore(kept);
		this.served = Math.max(kept.served, this.served);
		if (kept.most !== undefined) this.most = Math.min(kept.most, this.most ?? Infinity);
		this.end.restore(kept.end);
		for (const row of this.placedRows()) this.repetition.add(row);
		// Of two pages that may have begun earlier, one is enough to ask about.
		if (kept.unsure && this.unsure?.from !== kept.unsure.from) {
			if (this.unsure) this.strayAll(kept.unsure.rows);
			else this.unsure = kept.unsure;
		}
		this.placeUnsure();
		// Whatever is twice among what was kept, nothing was charged now.
		this.repeated = 0;
		return this;
	}

	/** @returns what the answer contradicts, for people */
	private settleRows(order: Order<number>, answer: Page): string | undefined {
		const { end } = this;
		const { purpose, size, first } = order;
		const { rows, page = order.page, perPage = size, hasMore } = answer;
		const isProven = size <= this.provenSize;
		const named = namedSize(order, answer);
		// Page n begins at row (n - 1) * size: certainly so for page 1, and in a size that is served.
		const isWhole = rows.length === size;
		const isCertain =
			page === 1 || named !== undefined || isProven || isWhole || this.isHere(order, rows);
		const start = (page - 1) * (named ?? size);
		if (this.isLastPage(order, answer, start, isCertain)) {
			if (isCertain) this.putAll(start, rows);
			else this.strayAll(rows);
			this.learnSizes(order, answer);
			const next = isCertain ? start + rows.length : first;
			end.afterLastPage(order, this.rowAt(next) ? first : next);
			return undefined;
		}
		const found = this.contradictionOf(order, answer, start);
		if (found !== undefined) {
			if (!isProven && rows.length < size) this.most = this.provenSize;
			this.strayAll(rows);
			return found;
		}
		// The list goes on after what was reported as its end; this page may report another one.
		const asked = purpose === 'end' && first >= end.questionAt ? end.reported : undefined;
		if (asked) end.reported = undefined;
		if (start + rows.length > end.proven) end.withdraw();
		// Where nothing costs credits, a page is taken to be where it was asked for.
		if (isCertain || !this.isPaid) this.putAll(start, rows);
		else {
			this.unsure = { from: first, rows };
			for (const row of rows) if (this.takeStray(row)) this.repeated += 1;
		}
		this.learnSizes(order, answer);
		// What came short there was a page of the size that is served.
		if (asked?.isShort) this.most = this.provenSize;
		if (start !== first) return undefined;
		// Where nothing costs credits, none can have run out.
		const next = first + rows.length;
		if (!this.isPaid && hasMore === false) end.prove(next);
		// A page whose size is hidden may have been full.
		const full = isProven ? size : rows.length;
		return end.afterRows(order, answer, perPage < size ? perPage : full, this.cells.has(next));
	}

	private settleNoRows(order: Order<number>, answer: Page): string | Failure | undefined {
		if (answer.violation !== undefined) return answer.violation;
		this.learnSizes(order, answer);
		if (answer.hasMore === true) return this.end.afterEmptyPage(order);
		if (this.hasRowsAfter(order.first)) return leadsAfter(order.first);
		this.end.prove(order.first);
		return undefined;
	}

	/** Whether a short page can't have begun earlier: it begins with none of the rows that it would, all of them known. */
	private isHere({ page, first }: Order<number>, rows: Json[]): boolean {
		const [row = {}] = rows;
		for (let place = (page - 1) * Math.max(this.provenSize, rows.length); place < first; place++)
			if (!this.cells.has(place) || this.isAt(place, row)) return false;
		return true;
	}

	/** Whether a page that was asked for after the last one is answered by the last one, which says so. */
	private isLastPage(
		order: Order<number>,
		answer: Page,
		start: number,
		isCertain: boolean,
	): boolean {
		const { rows, page = order.page } = answer;
		if (page >= order.page || rows.length > order.size) return false;
		if (!isCertain || order.purpose === 'size') return true;
		const isOther = (row: Json, index: number) =>
			this.isPaid && this.cells.has(start + index) && !this.isAt(start + index, row);
		// A low balance may have cut it, so that more rows of the same page are known.
		const after = start + (namedSize(order, answer) ?? order.size);
		// What is asked for may end before others that are known.
		return !rows.some(isOther) && (order.first >= MAX_RESULTS || !this.cells.has(after));
	}

	/** @returns what an answer with rows contradicts, for people */
	private contradictionOf(order: Order<number>, answer: Page, start: number): string | undefined {
		const { page, size, first } = order;
		const { rows } = answer;
		const found = contradictionIn(order, answer);
		if (found !== undefined) return found;
		if (first >= MAX_RESULTS)
			return `it sent ${rows.length} rows as page ${page}, where no search reaches`;
		const proven = this.provenSize;
		const named = namedSize(order, answer);
		const isProven = size <= proven;
		if (isProven && named !== undefined)
			return `it served pages of ${proven} rows before, and of ${named} now`;
		const isThere = (row: Json, index: number) => this.isAt(first + index, row);
		const repeats = start === first ? this.repetition.find(rows, isThere) : undefined;
		const isShort = rows.length < size;
		if (repeats === 'start' && isShort)
			return isProven
				? `page ${page} is short and begins with leads that had come before`
				: smallerPages(rows.length);
		this.hasMoved ||= repeats === 'start';
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
		const { purpose, first, size } = order;
		const { rows, perPage = size } = answer;
		const isUnproven = size > this.provenSize && first > 0;
		const named = namedSize(order, answer);
		this.served = Math.max(this.served, named ?? rows.length);
		const isAsked = purpose === 'size';
		const isCut = isAsked ? perPage < size : isUnproven && rows.length > 0 && rows.length < size;
		// Where no smaller size is named, any may be tried.
		if (isAsked) this.most = MAX_RESULTS;
		if (named !== undefined || isCut) this.most = this.provenSize;
	}

	/**
	 * Gives unsure rows their places, once what is known shows whether they belong there.
	 *
	 * @returns what it contradicts that they don't, for people
	 */
	private placeUnsure(): string | undefined {
		const { from = 0, rows = [] } = this.unsure ?? {};
		if (rows.length === 0) return undefined;
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
		this.end.reported = undefined;
		return smallerPages(rows.length);
	}

	private hasRowsAfter(at: number): boolean {
		return [...this.cells.keys()].some((row) => row > at);
	}

	/** Whether a row is the one at a place: by its profile, or of paid ones without a profile to the letter. */
	private isAt(place: number, row: Json): boolean {
		const there = this.rowAt(place);
		if (!there) return false;
		const profile = profileOf(row);
		if (profile !== undefined) return profileOf(there) === profile;
		return this.isPaid && JSON.stringify(there) === JSON.stringify(row);
	}

	/** Gives rows their places. Where another one is, it stays. */
	private putAll(from: number, rows: Json[]): void {
		rows.forEach((row, index) => {
			if (!this.cells.has(from + index)) {
				this.put(from + index, row);
				this.repetition.add(row);
			} else if (this.isAt(from + index, row)) this.repeated += 1;
			else this.strayAll([row]);
		});
	}
}

/** @param row the first that doesn't exist, as an answer said before or after others came */
function leadsAfter(row: number): string {
	return `it sent no lead for row ${row + 1}, but leads after it`;
}

/** @param rows those that came of a page in a size that is not served */
function smallerPages(rows: number): string {
	return `it serves smaller pages than it says, so that ${rows} rows of another place came`;
}
