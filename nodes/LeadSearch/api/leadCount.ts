/**
 * Counts the rows of a list without fetching them: bisection over the pages of a free preview. It
 * trusts rows alone, no totals, and says where it can't be sure. Knows neither n8n nor HTTP.
 */
import { MAX_RESULTS, type Json, type Page } from './contract';
import { isRefusal, type Failure } from './failures';
import type { Accepted, Pagination, Step } from './fetchPages';

/** One page of the preview. */
export interface CountRequest {
	/** Page number, 1-based. */
	page: number;
	/** Rows a page, as requested. */
	size: number;
	/** In credits. */
	cost: 0;
	/** Asks without filters, to find out whether the preview reaches further than the count. */
	isUnfiltered?: true;
}

/** A page that holds rows. */
interface Filled {
	page: number;
	rows: number;
}

const WAIT = { wait: true } as const;
const NO_PAGE: Filled = { page: 0, rows: 0 };

export class LeadCount implements Pagination<CountRequest> {
	readonly rows = 0;
	readonly repeatedRows = 0;

	/** Whether there may be more than were counted. */
	isAtLeast = true;

	/** Rows a page, as served: those of the first page, which is full if a second one holds any. */
	private served = 0;

	/** The last page known to hold rows, and the one that was that before. */
	private last = NO_PAGE;
	private previous = NO_PAGE;

	/** The first page known to hold none; at first, the first one behind what a search can reach. */
	private firstEmpty = Infinity;

	/** Pages that hold rows, by these as JSON: a service may answer with another page than requested. */
	private readonly pageOfRows = new Map<string, number>();

	private isDone = false;

	/** Whether the first page of all leads is as short as that of those counted. */
	private isFirstFull = false;

	/** @param size the page size to request, in rows */
	constructor(
		private size: number,
		private readonly documentedPageSize: number,
	) {}

	/** Rows counted: all there are, or `isAtLeast`. */
	get count(): number {
		return Math.min(this.before(this.last.page) + this.last.rows, MAX_RESULTS);
	}

	/** Whether all was asked that can be. */
	get isComplete(): boolean {
		return this.isDone || this.count >= MAX_RESULTS;
	}

	/** @returns the next page to look at; at most 20 until the end */
	next(_creditsLeft: number, inFlight: readonly CountRequest[]): Step<CountRequest> {
		if (inFlight.length > 0) return WAIT;
		if (this.isComplete) return { end: 'endOfList' };
		const { size, last, firstEmpty } = this;
		if (firstEmpty > last.page + 1)
			return { request: { page: this.nextPage(), size, cost: 0 } };
		return { request: { page: this.unfilteredPage(), size, cost: 0, isUnfiltered: true } };
	}

	accept({ page, isUnfiltered }: CountRequest, answer: Page): Accepted {
		const { rows } = answer;
		if (answer.isUnlisted) return { violation: 'it holds no list of leads to count' };
		const isOtherPage = (answer.page ?? page) !== page;
		if (isUnfiltered) this.acceptUnfiltered(page, isOtherPage ? 0 : rows.length);
		else if (rows.length === 0) {
			this.firstEmpty = page;
		} else if (isOtherPage && page > 1) {
			this.isDone = true;
		} else this.fill({ page, rows: rows.length }, rows);
		return {};
	}

	fail({ page, size, isUnfiltered }: CountRequest, failure: Failure): boolean {
		const isRefused = isRefusal(failure);
		if (page === 1 && !isUnfiltered) {
			if (!isRefused || size <= this.documentedPageSize) return false;
			this.size = this.documentedPageSize;
			return true;
		}
		// A preview may refuse pages that it doesn't reach instead of answering them empty.
		if (!isRefused && failure.status !== 404) return false;
		if (isUnfiltered) this.isDone = true;
		else this.firstEmpty = page;
		return true;
	}

	halve({ size }: CountRequest): void {
		// Behind the first page, another size would be another page.
		if (this.last.page === 0) this.size = Math.min(size, this.documentedPageSize);
	}

	private nextPage(): number {
		const { last, firstEmpty, served, size } = this;
		if (last.page === 0) return 1;
		// What looks like the end most often is: a page that is shorter than the first, or than requested.
		const isShort = last.rows < served || (last.page === 1 && served < size);
		return isShort ? last.page + 1 : Math.floor((last.page + firstEmpty) / 2);
	}

	/** The page with the row behind as many as were counted, in the list of all leads. */
	private unfilteredPage(): number {
		const { count, served, size, isFirstFull } = this;
		// One page that is shorter than requested may be full: then the row is on the next one.
		if (count === 0 || (served < size && count === served && !isFirstFull)) return 1;
		return Math.floor(count / served) + 1;
	}

	private acceptUnfiltered(page: number, rows: number): void {
		const { count, served } = this;
		const before = page === 1 ? count : count % served;
		this.isAtLeast = rows <= before;
		this.isFirstFull = page === 1 && count > 0 && rows === count;
		this.isDone = !this.isFirstFull;
	}

	private fill(filled: Filled, rows: readonly Json[]): void {
		const text = JSON.stringify(rows);
		const { last, served } = this;
		const again = this.pageOfRows.get(text);
		if (again !== undefined) {
			// What came again may be the last page, answered in place of those behind it before, too.
			if (again === last.page) {
				this.last = { page: this.previous.page + 1, rows: last.rows };
			}
			this.isDone = true;
			return;
		}
		this.pageOfRows.set(text, filled.page);
		if (last.page === 0) {
			this.served = filled.rows;
			this.firstEmpty = Math.ceil(MAX_RESULTS / filled.rows) + 1;
		} else if (filled.rows > served || last.rows < served) {
			// Pages of different sizes: where rows stand in the list can't be known.
			this.isDone = true;
			return;
		}
		this.previous = last;
		this.last = filled;
	}

	/** Rows before a page. */
	private before(page: number): number {
		return Math.max(0, page - 1) * this.served;
	}
}
