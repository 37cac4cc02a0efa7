/** A list of leads by row number, and what its answers say about its pages and its end. */
import { ENDPOINTS, MAX_RESULTS, type Json, type Page } from '../api/contract';
import type { Failure } from '../api/failures';
import {
	contradiction,
	isRow,
	Ledger,
	profileOf,
	type Cell,
	type Order,
	type SavedLedger,
} from './ledger';

/** Known profiles in a page from which on it is taken for one that came before. */
const KNOWN_PROFILES = 3;
/** Pages in a row that hold nothing but known profiles, however few. */
const KNOWN_PAGES = 10;

/** Where an answer says that the list ends; whether it does is asked before anybody is told. */
interface ReportedEnd {
	at: number;
	/** Whether a page came short there. */
	isShort: boolean;
	/** What that page said about more (contract, `has_more`). */
	saidMore: boolean | undefined;
	/** Whether the question takes one row only. */
	isOneRow: boolean;
}

/** What is kept of a list between runs. */
export interface SavedLeadList extends SavedLedger<number> {
	sizes: PageSizes;
	end: number | null;
	refusal?: Failure;
	unchecked: number[];
}

/** What is known of the service's page sizes, in rows. */
export interface PageSizes {
	/** Certainly served: so many rows came in one page, or a smaller size was named. 0: not known. */
	served: number;
	/** Named by an answer without rows, which may only repeat what was asked for. */
	claimed: number;
	/** Whether a page after the last one was asked for its size. */
	isAsked: boolean;
	/** The largest that isn't refused. */
	most: number;
}

export const UNKNOWN_SIZES: PageSizes = { served: 0, claimed: 0, isAsked: false, most: 100_000 };

export class LeadList extends Ledger<number> {
	sizes: PageSizes = { ...UNKNOWN_SIZES };
	reportedEnd?: ReportedEnd;
	/** The first row that does not exist: asked for, and not there. */
	end = Infinity;
	/** What the service said when it refused to go past a full page. */
	refusal: Failure | undefined;
	/** Rows of a short page in a size that was only claimed: it may have begun elsewhere. */
	unchecked: number[] = [];
	/** Whether a page began with rows that had come before, as happens when a list changes. */
	hasMoved = false;

	private isAccepted = false;
	/** The profiles that have a place. */
	private profiles?: Set<string>;
	/** The profiles of the latest pages that held nothing new, and the number of those pages. */
	private readonly again = { profiles: new Set<string>(), pages: 0 };

	/** @param isPaid false for a preview: it may mask fields, so that rows without a profile look alike */
	constructor(private readonly isPaid = true) {
		super();
	}

	/** The size in which a page certainly begins where it was asked for. */
	get provenSize(): number {
		return Math.max(this.sizes.served, ENDPOINTS.search.documentedPageSize);
	}

	/** Where the question comes next whether there are more rows. */
	get knownEnd(): number {
		return Math.min(this.end, this.reportedEnd?.at ?? Infinity);
	}

	/** The page size that is worth asking for at a row, which has come too slowly before. */
	sizeAt(row: number, pageSize: number): number {
		return this.reduced(row, Math.min(pageSize, this.sizes.most));
	}

	/** The rows that are there from one place to another, in order. */
	*rowsBetween(from: number, to: number): Iterable<Json> {
		for (let at = from; at < Math.min(to, MAX_RESULTS); at++) {
			const row = this.rowAt(at);
			if (row) yield row;
		}
	}

	settle(order: Order<number>, page: Page): Failure | undefined {
		const { rows } = page;
		this.receive(order, rows.length);
		this.isAccepted = true;
		if (order.purpose === 'size') return this.settleSize(order, page);
		if (rows.length === 0) return this.settleEmpty(order, page);
		if (order.purpose === 'check') return this.settleCheck(order, page);
		const lastPage = this.lastPageAgain(order, page);
		if (lastPage !== undefined) {
			this.place(lastPage, rows);
			this.reportOrProveEnd(order, { isShort: false, saidMore: false, isOneRow: true });
			return undefined;
		}
		const cutAt = this.whereCut(order, rows);
		const found =
			contradictionIn(order, page) ??
			(cutAt === undefined ? this.repetitionIn(order, rows) : undefined);
		if (found === undefined) return this.settleRows(order, page, cutAt);
		this.strayAll(rows);
		return contradiction(found);
	}

	refuse(order: Order<number>, { status, text }: Failure): boolean {
		if (status === undefined || ![400, 404, 413, 422].includes(status)) return false;
		const [at = 0] = order.places;
		if (order.purpose === 'size') this.sizes.isAsked = true;
		else if (order.purpose === 'check') return false;
		else if (this.mayEndAt(order) && status !== 413) {
			const before = this.reportedEnd?.at === at ? this.reportedEnd : undefined;
			const isExpected = before?.isShort === true || before?.saidMore === false;
			if (order.purpose === 'end' && !isExpected)
				this.refusal = { kind: 'refused', status, text };
			if (order.size > this.provenSize) this.sizes.claimed = 0;
			this.reportOrProveEnd(order, { isShort: false, saidMore: undefined, isOneRow: false });
		} else if (order.size > ENDPOINTS.search.documentedPageSize && status !== 404) {
			this.sizes.most = ENDPOINTS.search.documentedPageSize;
		} else return false;
		this.release(order);
		return true;
	}

	toJSON(): SavedLeadList {
		const { sizes, end, unchecked, refusal } = this;
		const saved = { ...this.kept(), sizes, unchecked, ...(refusal && { refusal }) };
		return { ...saved, end: Number.isFinite(end) ? end : null };
	}

	override restore({ end, sizes, ...saved }: SavedLeadList): this {
		super.restore(saved);
		this.sizes = { ...sizes, served: Math.max(sizes.served, this.sizes.served) };
		this.end = end ?? Infinity;
		this.unchecked = saved.unchecked;
		this.refusal = saved.refusal;
		return this;
	}

	/** @param cutAt where the page began, if not where it was asked for */
	private settleRows(order: Order<number>, page: Page, cutAt?: number): Failure | undefined {
		const { sizes } = this;
		const { rows, hasMore, perPage = order.size } = page;
		const [at = 0] = order.places;
		const isServed = order.size <= this.provenSize;
		const isShort = rows.length < order.size;
		if (order.purpose === 'end') {
			// The list goes on: what came short before was a page of the size that is served.
			if (this.reportedEnd?.isShort) sizes.isAsked = true;
			delete this.reportedEnd;
		}
		if (isShort && !isServed && at > 0) {
			sizes.claimed = 0;
			const starts = this.isPaid && cutAt === undefined ? this.cutStarts(order, rows) : [];
			if (starts.some((from) => !isRow(this.cells.get(from)))) {
				this.unchecked = order.places.slice(0, rows.length);
			}
		}
		this.place(cutAt ?? at, rows);
		// A smaller size that is named is served; without one, as many rows as came are.
		sizes.served = Math.max(sizes.served, perPage < order.size ? perPage : rows.length);
		if (cutAt !== undefined) return undefined;

		const reached = at + rows.length;
		if (reached > (this.reportedEnd?.at ?? Infinity)) delete this.reportedEnd;
		// Where nothing costs credits, none can have run out.
		if (!this.isPaid && hasMore === false) this.end = reached;
		const isFull = !isShort || (hasMore === true && rows.length === perPage);
		if (
			(!isFull || hasMore === false) &&
			!isRow(this.cells.get(reached)) &&
			reached <= this.knownEnd
		) {
			// A question that has_more has answered already is asked with one row only.
			this.reportedEnd = {
				at: reached,
				isShort,
				saidMore: hasMore,
				isOneRow: hasMore === false,
			};
		}
		const expected = perPage < order.size ? perPage : isServed ? order.size : rows.length;
		return hasMore === true && rows.length < expected
			? contradiction(
					`page ${order.page} held ${rows.length} of ${expected} rows and said that more follow`,
				)
			: undefined;
	}

	/**
	 * A service that serves fewer rows a page than it says begins a page further ahead.
	 *
	 * @returns where a page began whose size was only claimed, if the rows that came before show it
	 */
	private whereCut(order: Order<number>, rows: Json[]): number | undefined {
		const [at = 0] = order.places;
		const isThere = (from: number) =>
			rows
				.slice(0, at - from)
				.every((row, index) => this.isSame(this.cells.get(from + index), row));
		return this.cutStarts(order, rows).find(isThere);
	}

	/** Where a page may have begun, if pages are smaller than asked for; no size below a served one is. */
	private cutStarts({ page, size }: Order<number>, rows: Json[]): number[] {
		const least = Math.max(this.provenSize, rows.length);
		if (page === 1 || size <= least) return [];
		return Array.from({ length: size - least }, (_, more) => (page - 1) * (least + more));
	}

	private settleEmpty(order: Order<number>, { hasMore }: Page): Failure | undefined {
		const [at = 0] = order.places;
		if (order.purpose === 'check') return this.settleCheck(order, { rows: [] });
		const before = this.reportedEnd?.at === at ? this.reportedEnd : undefined;
		if (order.purpose === 'end' && before?.isOneRow && before.saidMore === true) {
			// Empty once more: after a page that came short, there were no credits for the rows.
			if (before.isShort) return { kind: 'noCredits', atEndProbe: true };
			return contradiction(`it said that more leads follow row ${at}, and sent none`);
		}
		if (hasMore === true) {
			if (order.purpose === 'end' || at <= this.knownEnd) {
				this.reportedEnd = {
					at,
					isShort: before?.isShort ?? false,
					saidMore: true,
					isOneRow: true,
				};
			}
			return undefined;
		}
		if (this.hasRowsAfter(at)) {
			return contradiction(`it sent no lead for row ${at + 1}, but leads after it`);
		}
		this.end = Math.min(this.end, at);
		return undefined;
	}

	private settleSize(
		order: Order<number>,
		{ rows, page, perPage = order.size }: Page,
	): Failure | undefined {
		const { sizes } = this;
		sizes.isAsked = true;
		if (perPage >= order.size) sizes.claimed = order.size;
		else sizes.served = Math.max(sizes.served, rows.length === 0 ? perPage : rows.length);
		const isNamed = page !== undefined && page < order.page;
		if (page === 1) this.place(0, rows);
		// The last page instead: where its rows stand is not known, and they come again.
		else if (isNamed) this.repeated += rows.length;
		else this.strayAll(rows);
		return rows.length === 0 || isNamed
			? undefined
			: contradiction(
					`it sent ${rows.length} rows as page ${order.page}, where no search reaches`,
				);
	}

	private settleCheck(
		order: Order<number>,
		{ rows, page = order.page }: Page,
	): Failure | undefined {
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
		delete this.profiles;
		delete this.reportedEnd;
		this.strayAll(elsewhere);
		if (row) this.place(at, [row]);
		return contradiction(
			`it serves smaller pages than it says, so that ${elsewhere.length} rows of another place came`,
		);
	}

	/** Whether a refusal can mean that the list has ended: the same search was accepted before it. */
	private mayEndAt({ places: [at = 0], size }: Order<number>): boolean {
		return (
			at > 0 &&
			(this.isAccepted || this.sizes.served > 0 || this.cells.size > size) &&
			!this.hasRowsAfter(at)
		);
	}

	private hasRowsAfter(at: number): boolean {
		return [...this.cells].some(([row, cell]) => row > at && isRow(cell));
	}

	/** An empty or refused page: the end if the question was about it, else a reason to ask. */
	private reportOrProveEnd(
		{ purpose, places: [at = 0] }: Order<number>,
		report: Omit<ReportedEnd, 'at'>,
	): void {
		if (purpose === 'end') this.end = Math.min(this.end, at);
		else if (at <= this.knownEnd) this.reportedEnd = { at, ...report };
	}

	/**
	 * A service may answer what comes after the last page with the last page, and say so.
	 *
	 * @returns where that page begins; undefined for any other page
	 */
	private lastPageAgain(
		order: Order<number>,
		{ rows, page = order.page }: Page,
	): number | undefined {
		if (page >= order.page || rows.length > order.size) return undefined;
		const from = (page - 1) * order.size;
		const isThere = rows.every((row, index) => {
			const cell = this.cells.get(from + index);
			return !isRow(cell) || !this.isPaid || this.isSame(cell, row);
		});
		// A low balance may have cut it, so that more rows of the same page are known.
		return isThere && !isRow(this.cells.get(page * order.size)) ? from : undefined;
	}

	/** @returns how a page repeats what had come before, for people */
	private repetitionIn(order: Order<number>, rows: Json[]): string | undefined {
		this.profiles ??= new Set(
			[...this.cells.values()].filter(isRow).map((row) => profileOf(row) ?? ''),
		);
		const { again, profiles } = this;
		const [at = 0] = order.places;
		const isKnown = (row: Json, index: number) =>
			profiles.has(profileOf(row) ?? '-') && !this.isSame(this.cells.get(at + index), row);
		const firstNew = rows.findIndex((row, index) => !isKnown(row, index));
		if (firstNew < 0) {
			again.pages += 1;
			for (const row of rows) again.profiles.add(profileOf(row) ?? '');
			const isRepeating = again.profiles.size >= KNOWN_PROFILES || again.pages >= KNOWN_PAGES;
			return isRepeating ? `page ${order.page} holds leads that had come before` : undefined;
		}
		again.profiles.clear();
		again.pages = 0;
		const known = new Set(rows.slice(0, firstNew).map(profileOf)).size;
		if (known < KNOWN_PROFILES) return undefined;
		this.hasMoved = true;
		return rows.length < order.size && order.size <= this.provenSize
			? `page ${order.page} is short and begins with leads that had come before`
			: undefined;
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
			this.profiles?.add(profileOf(row) ?? '');
			this.dropStray(row);
		});
	}

	/** Keeps rows that have no place; those that are there already, to the letter, are repeated. */
	private strayAll(rows: Json[]): void {
		if (rows.length === 0) return;
		const placed = new Set(
			[...this.cells.values()].filter(isRow).map((row) => JSON.stringify(row)),
		);
		for (const row of rows) {
			if (placed.has(JSON.stringify(row))) this.repeated += 1;
			else this.stray(row, []);
		}
	}

	/** Whether two rows are of the same profile; of paid ones without a profile, whether they are equal. */
	private isSame(cell: Cell | undefined, row: Json): boolean {
		if (!isRow(cell)) return false;
		const profile = profileOf(row);
		if (profile !== undefined) return profileOf(cell) === profile;
		return this.isPaid && JSON.stringify(cell) === JSON.stringify(row);
	}
}

/** @returns what a page with rows contradicts that was asked for or that it says itself, for people */
function contradictionIn({ page, size }: Order<number>, answer: Page): string | undefined {
	const { rows, perPage = size, nextPage, hasMore } = answer;
	if (answer.violation !== undefined) return answer.violation;
	if (rows.length > size) return `it sent ${rows.length} rows where ${size} were asked for`;
	if (perPage > size) return `it sent a page of ${perPage} rows where ${size} were asked for`;
	if ((answer.page ?? page) !== page)
		return `it answered with page ${answer.page} where page ${page} was asked for`;
	if (typeof nextPage === 'number' && hasMore !== false && nextPage !== page + 1) {
		return `it named page ${nextPage} as the one after page ${page}`;
	}
	return undefined;
}
