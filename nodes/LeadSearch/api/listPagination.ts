/**
 * Pagination of a list (search, preview): which page to request next, and what a response means. It
 * knows neither n8n nor HTTP, only rows.
 *
 * The contract leaves open how a service cuts pages short, so nothing is believed that can be asked
 * for free: the end of a paid list, and the page size that the service really serves.
 *
 * - Unverified end: the next row may not exist, or credits may have run out. An end probe requests
 *   exactly that row, which is free where there is none.
 * - Size probe: requests a page behind the last one of any list. It holds no row, so it is free, and
 *   its `per_page` tells the page size.
 * - Page probe: requests such a page of one row before several pages are in flight at once, some of
 *   which will lie behind the end of the list. A service that answers it with rows would charge for
 *   each of them.
 * - Outstanding: rows wanted that have not come. A gap is a range of them.
 */
import { MAX_RESULTS, type Json, type Page } from './contract';
import { endsTheExecution, isRefusal, type Failure } from './failures';
import type { Accepted, ListEnd, Pagination, Step } from './fetchPages';
import type { ListRows } from './listRows';
import { largestPageSize, pageBehindAll, pageOf, type PageRequest } from './pageRequest';
import { placeRows } from './placement';
import { ServedSizes } from './servedSizes';
import { countRows, withoutRange, type RowRange } from './ranges';
import { namesNextPage, readNextPage, type NextPage } from './response';

export interface ListOptions {
	/** The rows that are wanted. */
	wanted: RowRange;
	/** Whether `wanted` ends where the service's reach does, not at a limit. */
	isReturnAll: boolean;
	/** What has come of the list; rows that come are added. */
	rows: ListRows;
	/** The largest page to request, in rows. */
	pageSize: number;
	/** The page size that the service documents, and so surely takes, in rows. */
	documentedPageSize: number;
	/** Whether rows cost credits: then nothing is left to belief that can be asked for free. */
	costsCredits: boolean;
	/** What is kept of a row. */
	shape: (row: Json) => Json;
}

/** Why the next row may be the end of the list. */
interface UnverifiedEnd {
	/** Where the page begins that the service named as the next one; 0 where it named none. */
	announced?: number;
	/** Whether the page of rows before it didn't say that more follow. */
	isSaid?: boolean;
	/** Rows of a page that was shorter than requested: the service may serve no larger one. */
	shortPage?: number;
	/** Whether that was a page behind the first one, which then holds other rows than requested. */
	isMisplaced?: boolean;
}

const WAIT = { wait: true } as const;

export class ListPagination implements Pagination<PageRequest> {
	/** Rows that came for the first time. */
	rows = 0;

	/** Rows charged that had come before. */
	repeatedRows = 0;

	private outstanding: RowRange[];

	/** Rows that may still be paid for within the limit; those that came twice count too. */
	private allowance: number;

	private readonly sizes: ServedSizes;

	/** Where the list may end, by offset. */
	private readonly unverifiedEnds = new Map<number, UnverifiedEnd>();

	/** Whether a row followed although the service had said that none does. */
	private ignoresHasMore = false;

	/** Whether a page behind the end was charged; then no further one is requested. */
	private hasPaidProbe = false;

	/** The status that an end probe failed with, in this run. */
	private endProbeStatus?: number;

	/** Whether pages that surely lie behind the end don't fail so, which makes it a failure. */
	private isEndProbeFailed = false;

	/** Whether a page without rows said that more follow, as it may where credits have run out. */
	private isEndDenied = false;

	/** Rows placed in the belief that `per_page` is their number, until a size probe has shown it. */
	private cuts: Array<{ request: PageRequest; rows: Json[] }> = [];

	private endReason?: 'endOfList' | 'unverifiedEnd';

	/** Responses that brought rows not seen before. */
	private pagesWithRows = 0;

	/** Whether pages behind the end of the list are free; undefined as long as nobody has asked. */
	private isFreeBehindEnd?: boolean;

	constructor(private readonly options: ListOptions) {
		this.outstanding = options.rows.missingOf(options.wanted);
		const isLimited = options.costsCredits && !options.isReturnAll;
		this.allowance = isLimited ? countRows(this.outstanding) : Infinity;
		this.sizes = new ServedSizes(options, options.rows.sizes);
		if (options.rows.end !== undefined && options.rows.end < options.wanted.to) {
			this.endReason = 'endOfList';
		}
	}

	/** Rows wanted that have not come and may exist. */
	missing(): RowRange[] {
		return this.outstanding;
	}

	/**
	 * Decides the next request.
	 *
	 * @param creditsLeft rows that may still be paid for in this execution, those in flight included
	 * @returns the page to request, never more rows than are wanted and can be paid for; or why not
	 */
	next(creditsLeft: number, inFlight: readonly PageRequest[]): Step<PageRequest> {
		const isIdle = inFlight.length === 0;
		const { violation } = this.options.rows;
		if (violation !== undefined) {
			const remedy = 'Set Reuse Paid Results to 0 to ask again';
			return isIdle ? { violation: `${violation}. ${remedy}` } : WAIT;
		}
		const open = inFlight
			.filter(({ isPageProbe }) => !isPageProbe)
			.reduce(
				(ranges, { offset, size }) =>
					withoutRange(ranges, { from: offset, to: offset + size }),
				this.outstanding,
			);
		const [gap] = open;
		if (!gap) return isIdle ? { end: this.endOfWanted() } : WAIT;
		const reserved = inFlight.reduce((sum, { cost }) => sum + cost, 0);
		const allowed = this.allowance - reserved;
		const affordable = creditsLeft - reserved;
		if (allowed < 1) return isIdle ? { end: 'limit' } : WAIT;
		if (affordable < 1) return isIdle ? { end: 'budget' } : WAIT;
		// What is in flight may decide it.
		if (!isIdle && this.unverifiedEnds.has(gap.from)) return WAIT;
		const step = this.stepAt(gap, allowed, affordable);
		if (isIdle || !('request' in step)) return isIdle ? step : WAIT;
		if (this.needsPageProbe(step.request, gap, inFlight)) {
			this.isFreeBehindEnd = false;
			return { request: pageBehindAll(1, { isPageProbe: true }) };
		}
		return this.mayRunBeside(step.request, inFlight) ? step : WAIT;
	}

	/** Whether the list may end where the first row is missing. */
	mayBeWhole(): boolean {
		const [gap] = this.outstanding;
		return gap !== undefined && this.unverifiedEnds.has(gap.from);
	}

	/** Takes a response into account. */
	accept(request: PageRequest, page: Page, inFlight: readonly PageRequest[]): Accepted {
		this.allowance -= page.rows.length;
		if (request.isSizeProbe) return this.acceptSizeProbe(request, page);
		if (request.isPageProbe) return this.acceptPageProbe(request, page);
		const shaped = { ...page, rows: page.rows.map(this.options.shape) };
		return this.acceptPage(request, shaped, inFlight);
	}

	/** @returns whether the failure lies in the page size, so that it goes on in another one */
	fail(request: PageRequest, failure: Failure): boolean {
		if (request.isSizeProbe) {
			this.cuts = [];
			return this.sizes.failProbe(request.size, failure);
		}
		if (request.isPageProbe) {
			const { endProbeStatus } = this;
			const isSame = endProbeStatus !== undefined && failure.status === endProbeStatus;
			if (isSame) this.options.rows.statusBehindEnd = endProbeStatus;
			else this.isEndProbeFailed = endProbeStatus !== undefined;
			return isSame || !endsTheExecution(failure) || failure.kind === 'notTheService';
		}
		return this.failBehindEnd(request, failure) || this.sizes.refuse(request.size, failure);
	}

	halve({ size }: PageRequest): void {
		this.sizes.halve(size);
	}

	private stepAt(gap: RowRange, allowed: number, affordable: number): Step<PageRequest> {
		const offset = gap.from;
		const most = Math.min(gap.to - offset, allowed, affordable);
		const { smallest, largest } = this.sizes;
		const [cut] = this.cuts;
		if (cut && cut.request.size <= most && !this.hasPaidProbe) {
			return { request: pageBehindAll(cut.request.size, { offset, isSizeProbe: true }) };
		}
		if (this.unverifiedEnds.has(offset)) {
			if (this.endProbeStatus !== undefined && !this.isBehindEndAsked()) {
				return { request: pageBehindAll(1, { isPageProbe: true }) };
			}
			// Exactly the next row, or as few as the service serves.
			if (offset % smallest === 0 && most >= smallest) {
				return { request: pageOf(offset, smallest, { isEndProbe: true }) };
			}
			this.endAt(offset, 'unverifiedEnd');
			return { end: 'unverifiedEnd' };
		}
		const size = largestPageSize(offset, Math.min(most, largest));
		if (size < smallest) {
			// Rows before the one that is wanted cost nothing.
			if (!this.options.costsCredits) {
				return { request: pageOf(offset - (offset % smallest), smallest) };
			}
			if (affordable < smallest) return { end: 'budget' };
			return {
				violation: `it serves no less than ${smallest} rows a page, so row ${offset + 1} can't be had without paying for others. Use multiples of ${smallest} for Skip and Limit`,
			};
		}
		const probed = this.hasPaidProbe ? undefined : this.sizes.sizeToProbe(offset, size);
		if (probed === undefined) return { request: pageOf(offset, size) };
		return { request: pageBehindAll(probed, { offset, isSizeProbe: true }) };
	}

	/** Beside the second page, where two more are wanted. */
	private needsPageProbe(
		request: PageRequest,
		gap: RowRange,
		inFlight: readonly PageRequest[],
	): boolean {
		const isAsked = this.isFreeBehindEnd !== undefined || !this.options.costsCredits;
		const isWorthIt = gap.to - gap.from >= 2 * request.size;
		if (isAsked || !isWorthIt || this.pagesWithRows === 0) return false;
		return [request, ...inFlight].every((one) => this.isProvenPage(one));
	}

	/**
	 * Several pages at once only in a size that is known to be served, and once a second page and one
	 * behind the end have shown that the service heeds the page number.
	 */
	private mayRunBeside(request: PageRequest, inFlight: readonly PageRequest[]): boolean {
		const { costsCredits } = this.options;
		if (costsCredits && (this.pagesWithRows < 2 || !this.isFreeBehindEnd)) return false;
		return [request, ...inFlight].every((one) => this.isProvenPage(one));
	}

	/** Whether a page of rows is requested, in a size that is known to be served. */
	private isProvenPage({ isEndProbe, isSizeProbe, isPageProbe, size }: PageRequest): boolean {
		return !isEndProbe && !isSizeProbe && !isPageProbe && this.sizes.isProven(size);
	}

	/** @param page its rows in the shape that they are kept in */
	private acceptPage(
		request: PageRequest,
		page: Page,
		inFlight: readonly PageRequest[],
	): Accepted {
		const { costsCredits } = this.options;
		const { rows } = page;
		const placement = placeRows(request, page, {
			rows: this.options.rows,
			pagesWithRows: this.pagesWithRows,
			costsCredits,
			isProven: (size) => this.sizes.isProven(size),
		});
		const served = placement.isCut ? request.size : this.sizes.learn(request, page);
		const fresh = placement.isRepeated ? 0 : this.keep(placement.offset, rows);
		if (fresh > 0) this.pagesWithRows += 1;
		this.count(rows, fresh);
		if (placement.isCut) this.cuts.push({ request, rows });

		if (placement.misplaced !== undefined) return this.giveUp(placement.misplaced);
		const isTooMuch = costsCredits && rows.length > Math.max(served, request.size);
		const tooMuch = `it sent ${rows.length} rows where ${request.size} were requested`;
		// Behind the first page, they may be those of a page of any size.
		if (isTooMuch && request.page > 1) return this.giveUp(tooMuch);
		const next = readNextPage(request.page, page);
		const { violation } = page;
		if (violation !== undefined || this.outstanding.length === 0) return { violation };
		if (placement.isEnd) {
			this.endAt(request.offset, 'endOfList');
			return {};
		}
		if (next.violation !== undefined) return { violation: next.violation };
		if (isTooMuch) return { violation: tooMuch };
		if (placement.isMoved) return this.acceptMoved(request, page, next, { served, fresh });
		const announced = ((next.page ?? 1) - 1) * served;
		return rows.length === 0
			? this.acceptEmptyPage(request, page)
			: this.acceptRows(request, rows.length, served, { ...next, announced }, inFlight);
	}

	private acceptPageProbe(request: PageRequest, page: Page): Accepted {
		this.isFreeBehindEnd = page.rows.length === 0;
		this.hasPaidProbe = !this.isFreeBehindEnd;
		this.isEndProbeFailed = this.endProbeStatus !== undefined;
		this.count(page.rows, 0);
		this.sizes.learn(request, page);
		return {};
	}

	/** Rows that were not those requested: the last ones in place of the end, or known by now. */
	private acceptMoved(
		request: PageRequest,
		page: Page,
		{ hasMore }: NextPage,
		{ served, fresh }: { served: number; fresh: number },
	): Accepted {
		const number = page.page ?? request.page;
		if (fresh > 0 && hasMore === false && number < request.page) {
			this.endAt(request.offset, 'endOfList');
			return {};
		}
		const isStuck = fresh === 0 && served >= request.size;
		return isStuck ? this.giveUp(`it answered with page ${number} again`) : {};
	}

	private acceptSizeProbe(request: PageRequest, page: Page): Accepted {
		const { rows } = page;
		const cuts = this.cuts.splice(0);
		if (rows.length === 0) {
			for (const cut of cuts) this.placeAgain(cut, page.perPage ?? request.size);
			this.sizes.learnFromProbe(request, page.perPage);
			this.isFreeBehindEnd ??= true;
			return {};
		}
		this.isFreeBehindEnd = false;
		this.hasPaidProbe = true;
		if (page.page !== undefined && page.page < request.page && page.perPage !== undefined) {
			// It tells which ones they are instead.
			this.sizes.learn(request, page);
			const first = (page.page - 1) * page.perPage;
			this.count(rows, this.keep(first, rows.map(this.options.shape)));
			return {};
		}
		this.count(rows, 0);
		return this.giveUp(
			`it answered page ${request.page}, behind the last one of any list, with ${rows.length} rows. They are not returned`,
		);
	}

	/** Puts rows where pages of another size begin, where that is the size that a size probe shows. */
	private placeAgain(
		{ request, rows }: { request: PageRequest; rows: readonly Json[] },
		served: number,
	): void {
		if (served !== rows.length) return;
		const { offset, page } = request;
		this.options.rows.remove(offset);
		this.outstanding = [
			...withoutRange(this.outstanding, { from: offset, to: Infinity }),
			{ from: offset, to: offset + rows.length },
			...withoutRange(this.outstanding, { from: 0, to: offset + rows.length }),
		];
		this.unverifiedEnds.delete(offset + rows.length);
		this.rows -= rows.length;
		this.count(rows, this.keep((page - 1) * served, rows));
	}

	private count(rows: readonly Json[], fresh: number): void {
		this.rows += fresh;
		this.repeatedRows += rows.length - fresh;
	}

	/** Nothing more can be known of the list, in later runs either. */
	private giveUp(violation: string): Accepted {
		this.options.rows.violation = violation;
		return { violation, isFinal: true };
	}

	/** Keeps rows whose places are not taken. @returns how many */
	private keep(offset: number, rows: readonly Json[]): number {
		const range = { from: offset, to: offset + rows.length };
		const free = this.options.rows.missingOf(range);
		for (const { from, to } of free) {
			this.options.rows.add(from, rows.slice(from - offset, to - offset));
		}
		this.outstanding = withoutRange(this.outstanding, range);
		return countRows(free);
	}

	/**
	 * A service may have no pages behind the end of a list, not even empty ones. It is asked for one
	 * that surely lies there, to tell that from a failure of another kind.
	 */
	private failBehindEnd({ offset, isEndProbe }: PageRequest, failure: Failure): boolean {
		const { rows } = this.options;
		if (failure.status !== 404 && !isRefusal(failure)) return false;
		const isSame = failure.status === rows.statusBehindEnd;
		const isSaid = this.unverifiedEnds.get(offset)?.isSaid === true;
		const isGoingOn = this.pagesWithRows === 0 && rows.at(offset - 1) !== undefined;
		if (isSame && (isSaid || isGoingOn)) {
			this.endAt(offset, 'unverifiedEnd');
			return true;
		}
		if (!isEndProbe || !isSaid || this.isBehindEndAsked()) return false;
		this.endProbeStatus = failure.status;
		return true;
	}

	/** Whether it is known if pages behind the end fail. */
	private isBehindEndAsked(): boolean {
		return this.isEndProbeFailed || this.options.rows.statusBehindEnd !== undefined;
	}

	private acceptRows(
		request: PageRequest,
		received: number,
		served: number,
		{ hasMore, announced, page }: NextPage & { announced: number },
		inFlight: readonly PageRequest[],
	): Accepted {
		const next = request.offset + received;
		const unverified = this.unverifiedEnds.get(request.offset);
		this.unverifiedEnds.delete(request.offset);
		if (unverified?.isMisplaced) {
			return this.giveUp(
				`it served ${unverified.shortPage} rows a page, but named another size, so which rows these are can't be known`,
			);
		}
		if (unverified?.shortPage !== undefined) {
			// A list that goes on after a short page serves no larger one.
			this.sizes.cutTo(unverified.shortPage);
		} else if (unverified) this.ignoresHasMore = true;

		const isFull = received >= served;
		const saysNoMore = hasMore === false && !this.ignoresHasMore;
		if (!isFull || saysNoMore) {
			if (this.options.costsCredits) {
				const isMisplaced = request.page > 1 && hasMore === true;
				this.unverifiedEnds.set(next, {
					announced,
					isSaid: hasMore !== true,
					...(!isFull && { shortPage: received, isMisplaced }),
				});
			} else if (announced > next) {
				this.skip(next, announced, inFlight);
			} else this.endAt(next, 'endOfList');
			return {};
		}
		if (announced <= next) return {};
		// A jump over all the rows that are still wanted is no way to say that there are none.
		if (announced >= (this.outstanding.at(-1)?.to ?? 0)) {
			return { violation: namesNextPage(page, request.page) };
		}
		this.skip(next, announced, inFlight);
		return {};
	}

	private acceptEmptyPage(request: PageRequest, { perPage, hasMore }: Page): Accepted {
		const { offset, size } = request;
		const unverified = this.unverifiedEnds.get(offset);
		const { costsCredits, rows } = this.options;
		if (costsCredits && hasMore === true) this.isEndDenied = true;
		// What it answered is a page of another size, so nothing is known of the one requested.
		if (!unverified && (perPage ?? size) > size) return {};
		// A low balance could give an empty page too, where more than one row was requested.
		const asksExactly = request.isEndProbe === true || size === 1;
		const isExact = asksExactly && (perPage ?? size) === size;
		if (costsCredits && !isExact) {
			this.unverifiedEnds.set(offset, unverified ?? {});
			return {};
		}
		this.unverifiedEnds.delete(offset);
		const [gap] = this.outstanding;
		// The page of a preview may begin before the rows that it was requested for.
		const from = gap && gap.from < offset + size ? Math.max(offset, gap.from) : offset;
		const last = this.outstanding.at(-1)?.to ?? 0;
		const announced = unverified?.announced ?? 0;
		const goesOnAt = Math.min(rows.nextFrom(from), announced > from ? announced : Infinity);
		// It may be one of another size, where nothing else says that the list ends.
		const isSizeKnown = !costsCredits || this.sizes.isProven(size);
		const isOther = !isSizeKnown && !unverified?.isSaid;
		if (isOther) this.endAt(from, 'unverifiedEnd');
		else if (goesOnAt < last) this.skip(from, goesOnAt, []);
		else this.endAt(from, this.isEndDenied ? 'unverifiedEnd' : 'endOfList');
		return {};
	}

	/** Leaves out rows that the service says are none, but for those that are in flight. */
	private skip(from: number, to: number, inFlight: readonly PageRequest[]): void {
		const starts = inFlight.map(({ offset }) => offset).filter((offset) => offset >= from);
		this.outstanding = withoutRange(this.outstanding, { from, to: Math.min(to, ...starts) });
	}

	private endAt(offset: number, reason: 'endOfList' | 'unverifiedEnd'): void {
		if (reason === 'endOfList') this.options.rows.end = offset;
		this.outstanding = withoutRange(this.outstanding, { from: offset, to: Infinity });
		this.endReason = reason;
	}

	private endOfWanted(): ListEnd {
		if (this.endReason) return this.endReason;
		return this.options.wanted.to >= MAX_RESULTS ? 'maxResults' : 'limit';
	}
}
