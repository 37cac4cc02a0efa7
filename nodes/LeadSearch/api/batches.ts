/**
 * Batches of a lookup: which URLs to request next, and which of them a response settles. It knows
 * neither n8n nor HTTP, only URLs and rows.
 *
 * The contract doesn't say whether the pages of a lookup count URLs or rows found, so nothing here
 * counts either: a URL is settled when a row for it came, or when the service, which demonstrably had
 * credits to spend, returned none.
 */
import { MAX_RESULTS, type Json, type Page } from './contract';
import { isRefusal, type Failure } from './failures';
import type { Accepted, Pagination, Step } from './fetchPages';
import { isSameRow } from './listRows';
import type { ProfileRows } from './profileRows';
import { namesNextPage, readNextPage } from './response';

/** One page of one batch of URLs. */
export interface BatchRequest {
	/** URLs looked up by the request, as normalised. */
	urls: readonly string[];
	/** Page number, 1-based. */
	page: number;
	/** Rows or URLs a page, by whatever the service counts. */
	size: number;
	/** The most rows that all pages of the batch may bring. */
	maxRows: number;
	/** The most rows that the response may hold, which is what it may cost in credits. */
	cost: number;
	/** Asks again for URLs of which it is not known whether credits ran out over them. */
	isEndProbe?: boolean;
}

export interface BatchOptions {
	/** The URLs to look up, each once. */
	urls: readonly string[];
	/** The most rows that may come; Infinity for all. */
	limit: number;
	/** What has come before; what comes is added. */
	profiles: ProfileRows;
	/** The most URLs in one request. */
	pageSize: number;
	/** The number of URLs that the service documents for a page, and so surely takes. */
	documentedPageSize: number;
	/** The URL that a row is about, as normalised; undefined where it has none. */
	urlOf: (row: Json) => string | undefined;
	/** What is kept of a row. */
	shape: (row: Json) => Json;
}

/** URLs that were requested together. */
interface Batch {
	urls: readonly string[];
	/** Those for which no row has come. */
	open: Set<string>;
	/** Whether a row came whose URL is none of those requested. */
	hasUnmatched: boolean;
	/** The page that follows, while there is one. */
	nextPage?: number;
	/** Rows or URLs a page, as requested. */
	size: number;
	/** The same as the service answers it. */
	pageSize: number;
	/** The most rows that the batch may bring. */
	maxRows: number;
	/** When its last response came; undefined while more is to come. */
	completedAt?: number;
	/** Whether it asks for URLs that were requested before. */
	isRepeat: boolean;
	/** Whether it brought a row. */
	hasRows: boolean;
	/**
	 * Whether rows of its open URLs may have been cut off: a page was full, or brought nothing where
	 * more had been announced, or didn't say whether more follow.
	 */
	mayBeCut: boolean;
	/** Whether the service said at the last page that more follow. */
	saysMore: boolean;
}

const WAIT = { wait: true } as const;

/** Empty pages that are followed where the page size isn't known, since more is announced. */
const MAX_PAGES_UNNAMED = 10;

export class UrlBatches implements Pagination<BatchRequest> {
	/** Rows that came for the first time. */
	rows = 0;

	/** Rows charged that are identical to one that had come before. */
	repeatedRows = 0;

	private readonly requested: ReadonlySet<string>;

	/** URLs to request, the next one last; those that a row came for meanwhile may be among them. */
	private queue: string[];

	/** Whether the URLs in the queue were requested before. */
	private isRepeat = false;

	/** Those of which more is to come, or which have URLs that are not settled. */
	private readonly batches = new Set<Batch>();

	private readonly sent = new WeakMap<BatchRequest, { batch: Batch; at: number }>();

	private allowance: number;

	private batchSize: number;

	/** Whether a response has shown how many URLs the service takes in a page. */
	private isSizeKnown = false;

	/** Counts requests and responses, to tell what came before what. */
	private clock = 0;

	/** When the latest request was sent that brought a row: at that time there were credits. */
	private creditsSeenAt = -1;

	constructor(private readonly options: BatchOptions) {
		const { profiles, urls, pageSize, limit } = options;
		this.requested = new Set(urls);
		this.queue = urls.filter((url) => profiles.stateOf(url) === 'open').reverse();
		this.allowance = limit;
		this.batchSize = pageSize;
	}

	/** URLs of which it is not known whether there is a profile to be had. */
	missing(): string[] {
		const { urls, profiles } = this.options;
		return urls.filter((url) => profiles.stateOf(url) === 'open');
	}

	/**
	 * Those that can be asked for again without paying twice: not those that a renamed profile may be
	 * about.
	 */
	missingForSure(): string[] {
		const uncertain = new Set<string>();
		for (const { hasUnmatched, open } of this.batches) {
			if (hasUnmatched) for (const url of open) uncertain.add(url);
		}
		return this.missing().filter((url) => !uncertain.has(url));
	}

	/**
	 * Decides the next request.
	 *
	 * @param creditsLeft rows that may still be paid for in this execution, those in flight included
	 * @returns URLs to request, never more than rows may still come; or why there are none
	 */
	next(creditsLeft: number, inFlight: readonly BatchRequest[]): Step<BatchRequest> {
		const isIdle = inFlight.length === 0;
		// What is asked for once more has to prove that there are credits, so nothing runs beside it.
		if (!isIdle && (!this.isSizeKnown || this.isRepeat)) return WAIT;
		const reserved = inFlight.reduce((sum, { cost }) => sum + cost, 0);
		const allowed = this.allowance - reserved;
		const most = Math.min(allowed, creditsLeft - reserved);
		if (isIdle) this.requeueUnaffordable(most);
		const following = this.following().next().value;
		if (!following && !this.hasQueued()) {
			if (!isIdle) return WAIT;
			if (!this.requeueUnproven()) return { end: 'endOfList' };
		}
		if (allowed < 1) return isIdle ? { end: 'limit' } : WAIT;
		if (most < 1) return isIdle ? { end: 'budget' } : WAIT;
		if (following && following.size > most) return WAIT;
		const request = following ? this.followingPage(following) : this.nextBatch(most);
		if (!isIdle) this.expectCuts([request, ...inFlight]);
		return { request };
	}

	accept(request: BatchRequest, page: Page): Accepted {
		const received = page.rows.length;
		this.allowance -= received;
		this.clock += 1;
		const sent = this.sent.get(request);
		if (!sent) return {};
		const { batch, at } = sent;
		const fresh = page.rows.filter((row) => this.keep(row, batch, request.page)).length;
		this.rows += fresh;
		this.repeatedRows += received - fresh;
		if (received > 0) {
			batch.hasRows = true;
			this.creditsSeenAt = Math.max(this.creditsSeenAt, at);
			this.settleProven();
		}

		const next = readNextPage(request.page, page);
		const isPastEnd = received === 0 && request.page > 1;
		const isSilent = next.hasMore === undefined;
		if (received >= request.size || isPastEnd || isSilent) batch.mayBeCut = true;
		batch.saysMore = next.page !== undefined;
		this.learnSize(page, next.page !== undefined);
		const isStuck = received > 0 && fresh === 0;
		const violation =
			page.violation ??
			next.violation ??
			(next.page !== undefined && next.page <= request.page
				? namesNextPage(next.page, request.page)
				: undefined) ??
			(isStuck
				? `it answered page ${request.page} with profiles that had come before`
				: undefined);
		if (violation === undefined && this.mayBringRows(batch, page, next.page)) {
			if (this.countsUrls(batch, page)) this.requeue([batch]);
			else batch.nextPage = next.page;
		} else this.complete(batch);
		return { violation };
	}

	fail(request: BatchRequest, failure: Failure): boolean {
		const { urls, page } = request;
		const batch = this.sent.get(request)?.batch;
		if (batch && page > 1) {
			batch.nextPage = page;
			return false;
		}
		this.requeue(batch ? [batch] : []);
		const { documentedPageSize } = this.options;
		if (!isRefusal(failure) || urls.length <= documentedPageSize) return false;
		this.batchSize = Math.min(this.batchSize, documentedPageSize);
		return true;
	}

	halve({ urls }: BatchRequest): void {
		const { documentedPageSize } = this.options;
		if (urls.length <= documentedPageSize) return;
		this.batchSize = Math.max(Math.floor(urls.length / 2), documentedPageSize);
	}

	/**
	 * A service may set credits aside for requests in flight, and answer those beside them as if there
	 * were none left. So a later row proves nothing about them.
	 */
	private expectCuts(requests: readonly BatchRequest[]): void {
		for (const request of requests) {
			const batch = this.sent.get(request)?.batch;
			if (batch) batch.mayBeCut = true;
		}
	}

	/** The batches of which another page is to come. */
	private *following(): Generator<Batch, undefined> {
		for (const batch of this.batches) if (batch.nextPage !== undefined) yield batch;
	}

	private hasQueued(): boolean {
		const { profiles } = this.options;
		for (;;) {
			const next = this.queue.at(-1);
			if (next === undefined || profiles.stateOf(next) === 'open') return next !== undefined;
			this.queue.pop();
		}
	}

	private nextBatch(most: number): BatchRequest {
		const urls: string[] = [];
		while (urls.length < Math.min(this.batchSize, most) && this.hasQueued()) {
			urls.push(...this.queue.splice(-1));
		}
		const batch: Batch = {
			urls,
			open: new Set(urls),
			hasUnmatched: false,
			size: urls.length,
			pageSize: urls.length,
			maxRows: Math.min(most, MAX_RESULTS),
			isRepeat: this.isRepeat,
			hasRows: false,
			mayBeCut: false,
			saysMore: false,
		};
		this.batches.add(batch);
		return this.requestFor(batch, 1);
	}

	private followingPage(batch: Batch): BatchRequest {
		const page = batch.nextPage ?? 1;
		batch.nextPage = undefined;
		return this.requestFor(batch, page);
	}

	private requestFor(batch: Batch, page: number): BatchRequest {
		const { urls, size, maxRows, isRepeat } = batch;
		const request = {
			urls,
			page,
			size,
			maxRows,
			cost: size,
			...(isRepeat && { isEndProbe: true }),
		};
		this.clock += 1;
		this.sent.set(request, { batch, at: this.clock });
		return request;
	}

	/**
	 * A page that follows may cost as much as the first one. Where that is too much, the URLs that are
	 * still open go into smaller requests.
	 */
	private requeueUnaffordable(most: number): void {
		const tooLarge = [...this.following()].filter(({ size }) => size > most);
		for (const batch of tooLarge.filter(({ hasUnmatched }) => hasUnmatched)) {
			batch.nextPage = undefined;
			this.complete(batch);
		}
		this.requeue(tooLarge.filter(({ hasUnmatched }) => !hasUnmatched));
	}

	/** Requests the open URLs of batches next, in other batches. */
	private requeue(batches: readonly Batch[]): void {
		const urls = batches.flatMap(({ open }) => [...open]);
		this.queue = [...this.queue, ...urls.reverse()];
		for (const batch of batches) this.batches.delete(batch);
	}

	/** @returns whether a row is none that came before */
	private keep(row: Json, batch: Batch, page: number): boolean {
		const { profiles, shape, urlOf } = this.options;
		const url = urlOf(row);
		const kept = shape(row);
		const known = url === undefined ? [] : profiles.rowsOf(url);
		if (known.some((other) => isSameRow(kept, other))) {
			// On a first page it is no repetition: two of the URLs requested are of one profile.
			return page === 1 && batch.open.size > 0 && this.keepUnmatched(kept, batch);
		}
		if (url !== undefined && (known.length > 0 || this.requested.has(url))) {
			profiles.add(url, kept);
			if (batch.open.delete(url)) return true;
			// It may be in another batch that is open.
			for (const { open } of this.batches) open.delete(url);
			return true;
		}
		return this.keepUnmatched(kept, batch);
	}

	private keepUnmatched(row: Json, batch: Batch): boolean {
		if (!this.options.profiles.addUnmatched(row, batch.open)) return false;
		batch.hasUnmatched = true;
		return true;
	}

	private learnSize({ rows, perPage = 0 }: Page, isFollowed: boolean): void {
		this.isSizeKnown = true;
		// A service may also count in `per_page` the rows that it found.
		const isCount = perPage === rows.length && !isFollowed;
		if (perPage > 0 && !isCount) this.batchSize = Math.min(this.batchSize, perPage);
	}

	/**
	 * Where pages count URLs, one without rows may come before one with rows. A service that names no
	 * page size, or only the one requested, may serve a smaller one.
	 */
	private mayBringRows(batch: Batch, { rows, perPage = 0 }: Page, next?: number): next is number {
		if (perPage > 0) batch.pageSize = Math.min(batch.pageSize, perPage);
		if (next === undefined) return false;
		if (rows.length > 0) return next <= MAX_RESULTS;
		const { length } = batch.urls;
		const size = Math.min(batch.pageSize, this.options.documentedPageSize);
		return next <= Math.max(Math.ceil(length / size), Math.min(length, MAX_PAGES_UNNAMED));
	}

	/**
	 * A page that is not full, with more to follow, shows that pages count URLs. A service that makes
	 * its pages smaller as the balance falls would begin the next one at URLs that were paid for, so
	 * what is open goes into requests of the size that it serves.
	 */
	private countsUrls(batch: Batch, { rows, perPage = 0 }: Page): boolean {
		return rows.length < perPage && perPage < batch.urls.length && !batch.hasUnmatched;
	}

	private complete(batch: Batch): void {
		batch.completedAt = this.clock;
		if (batch.hasUnmatched) this.settleBatch(batch, 'uncertain');
		else if (batch.open.size === 0) this.batches.delete(batch);
	}

	/** A row that was requested after a batch was complete proves that credits had not run out. */
	private settleProven(): void {
		this.settle(
			({ completedAt = Infinity, mayBeCut, saysMore, urls, pageSize }) =>
				!mayBeCut &&
				!saysMore &&
				pageSize >= urls.length &&
				completedAt < this.creditsSeenAt,
		);
	}

	/**
	 * Settles what nothing more is known of: once more requested without a row, the service has none;
	 * the rest is requested again, since credits may have run out over it. Where no row came at all,
	 * nothing was charged, so no credits can have run out meanwhile. URLs of which the service says
	 * that more follow, although its paging doesn't lead there, go into requests of half the size.
	 *
	 * @returns whether there is anything to request
	 */
	private requeueUnproven(): boolean {
		const noRows = this.creditsSeenAt < 0;
		this.settle(
			({ isRepeat, hasRows, saysMore, urls, pageSize }) =>
				(noRows || (isRepeat && !hasRows)) &&
				(urls.length === 1 || (!saysMore && pageSize >= urls.length)),
		);
		for (const { urls, saysMore } of this.batches) {
			if (!saysMore) continue;
			this.batchSize = Math.max(1, Math.min(this.batchSize, Math.floor(urls.length / 2)));
		}
		this.isRepeat = true;
		this.requeue([...this.batches]);
		return this.hasQueued();
	}

	private settle(isNotFound: (batch: Batch) => boolean): void {
		for (const batch of this.batches)
			if (isNotFound(batch)) this.settleBatch(batch, 'notFound');
	}

	private settleBatch(batch: Batch, state: 'notFound' | 'uncertain'): void {
		this.options.profiles.settle(batch.open, state);
		this.batches.delete(batch);
	}
}
