/**
 * Counts the rows of a list without fetching them all: bisection over the pages of a free preview. It
 * trusts rows, no totals, and says where it can't be sure.
 */
import { ENDPOINTS, MAX_RESULTS, type Page } from '../api/contract';
import { isRefusal, type Failure } from '../api/failures';
import { Ledger, type End, type Order } from './ledger';
import { contradictionIn, namedSize, pageAt } from './pages';

/** A page to look at. */
interface Look {
	row: number;
	size: number;
	isUnfiltered?: true;
}

/** What came of it; undefined where the service says that there is no such page. */
type Seen = { order: Order<number>; page: Page } | undefined;

export class LeadCount extends Ledger<number> {
	readonly width = 1;
	/** Rows known so far: the count, once nothing more is asked for. */
	known = 0;
	/** Whether there may be more. */
	isAtLeast = true;
	/** The first row that is known not to be there. */
	private none = MAX_RESULTS;
	/** The size in which the preview serves pages, in rows. */
	private size: number;
	private readonly looks: Generator<Look, void, Seen>;
	private look: Look | undefined;

	/** @param pageSize the page size to ask for, in rows */
	constructor(pageSize: number) {
		super();
		this.size = pageSize;
		this.looks = this.count();
		this.goOn(undefined);
	}

	get ledger(): this {
		return this;
	}

	/** Whether what is asked for now has no filters. */
	get isUnfiltered(): boolean {
		return this.look?.isUnfiltered === true;
	}

	/** @returns the next page to look at; about 20 at most until the end */
	next(): Order<number> | 'wait' | End {
		if (this.inFlight.size > 0) return 'wait';
		return this.look ? pageAt(this.look.row, this.look.size, 'rows') : 'whole';
	}

	settle(order: Order<number>, page: Page): undefined {
		this.receive(order, page);
		this.goOn({ order, page });
	}

	fail({ first, size }: Order<number>, failure: Failure): Failure | undefined {
		const { status } = failure;
		const isTooLarge = !this.isAnswered && size > ENDPOINTS.preview.documentedPageSize;
		// The same was answered before, so that there is no such page.
		const isNoSuchPage = this.isAnswered && first > 0 && status !== 413;
		const isRefused = isRefusal(failure) || (status === 404 && first > 0);
		if (!isRefused || !(isTooLarge || isNoSuchPage || this.isUnfiltered)) return failure;
		this.goOn(undefined);
		return undefined;
	}

	private goOn(seen: Seen): void {
		const { value, done } = this.looks.next(seen);
		this.look = done ? undefined : value;
	}

	/** Ends where nothing more can be learnt; the count is a lower bound until its last line. */
	private *count(): Generator<Look, void, Seen> {
		const first = yield* this.firstPage();
		if (!first || (yield* this.bisect(first))) return;
		this.known = Math.min(this.known, MAX_RESULTS);
		if (this.known < MAX_RESULTS) this.isAtLeast = !(yield* this.reachesFurther());
	}

	/** Page 1 begins at row 0 whatever size is served, so it shows that. @returns undefined where nothing is known after it */
	private *firstPage(): Generator<Look, Seen, Seen> {
		const { documentedPageSize } = ENDPOINTS.preview;
		const small = Math.min(this.size, documentedPageSize);
		const first = (yield { row: 0, size: this.size }) ?? (yield { row: 0, size: small });
		if (!first) return undefined;
		const { rows, hasMore } = first.page;
		this.known = rows.length;
		this.size = namedSize(first.order, first.page) ?? rows.length;
		if (rows.length < this.size || rows.length === 0 || hasMore === false) this.none = this.known;
		return isOdd(first) ? undefined : first;
	}

	/** Finds where the list ends. @returns whether an answer came by which no more than what came is known */
	private *bisect(first: NonNullable<Seen>): Generator<Look, boolean, Seen> {
		const { size } = this;
		// What looks like the end most often is; without such a place, halfway between what is known and what is not.
		let looksLikeEnd = size < first.order.size;
		while (this.known < this.none) {
			const next = Math.ceil(this.known / size);
			const middle = Math.floor((next + Math.ceil(this.none / size)) / 2) * size;
			const isBetween = !looksLikeEnd && middle > this.known && middle < this.none;
			looksLikeEnd = false;
			const row = isBetween ? middle : next * size;
			const seen = yield { row, size };
			if (!seen || seen.page.rows.length === 0) {
				if (seen && isOdd(seen)) return true;
				this.none = row;
				continue;
			}
			if (isSame(seen, first)) return true;
			const { rows, hasMore, page = seen.order.page } = seen.page;
			const isLast = page < seen.order.page && hasMore !== true;
			if (isOdd(seen) && !isLast) return true;
			this.known = Math.max(this.known, (page - 1) * size + rows.length);
			if (isLast || rows.length < size || hasMore === false) this.none = this.known;
		}
		return false;
	}

	/** Whether the preview shows a row after those counted without filters: then none of them was cut off. */
	private *reachesFurther(): Generator<Look, boolean, Seen> {
		const { known, size } = this;
		const look = { size: 1, isUnfiltered: true } as const;
		// Where page 1 was all, nothing has shown yet that the preview heeds `_page`.
		const isHeeded = this.requests > 1 || known === 0;
		const other = isHeeded ? undefined : yield { ...look, row: 0 };
		if (!isHeeded && (!other || isOdd(other))) return false;
		// A page may have been refused since it ends too far, where a smaller one would not be.
		const isPage = isHeeded && known > 0 && known % size === 0;
		const next = yield { ...look, row: known, size: isPage ? size : 1 };
		if (!next || isOdd(next) || (other && isSame(next, other))) return false;
		return next.page.rows.length > 0;
	}
}

/** Whether no supported service gives such an answer to the page asked for. */
function isOdd({ order, page }: NonNullable<Seen>): boolean {
	if (page.rows.length > 0) return contradictionIn(order, page) !== undefined;
	return page.hasMore === true || page.violation !== undefined;
}

/** Whether a page is another one to the letter, as of a preview that ignores `_page`. */
function isSame({ order, page }: NonNullable<Seen>, other: NonNullable<Seen>): boolean {
	const isAnother = (page.page ?? order.page) > 1 && page.rows.length > 0;
	return isAnother && JSON.stringify(page.rows) === JSON.stringify(other.page.rows);
}
