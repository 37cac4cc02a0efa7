/**
 * Profiles by URL, and whose the rows are that lookups answer with. A lookup has no pages: each request is page 1 of
 * its own URLs.
 */
import { ENDPOINTS, type Json, type Page } from '../api/contract';
import { isRejection, type Failure } from '../api/failures';
import type { PageRequest } from './job';
import { PagedList } from './ledger';
import { nameSimilarityTo } from './likeness';
import { CHECK_BALANCE, findViolation } from './pages';

/** So many URLs of one request certainly are looked at (contract, "Limits": the default `_per_page` of a lookup). */
const { documentedPageSize: DOCUMENTED_SIZE } = ENDPOINTS.lookUp;

/** How profile URLs are read. */
export interface ProfileUrls {
	/** The normalised profile URL that a row names; undefined for none. */
	of(row: Json): string | undefined;
	/** Whether a normalised URL names an id, such as ACoAA…, which comes back under a public name as a rule. */
	isOpaque(url: string): boolean;
}

/**
 * Whose is a row? Of a request for one URL, it is that URL's, whatever it names; of a request for several, the URL's that it
 * names, if that was asked for. Otherwise it has no owner yet: nothing else is evidence.
 *
 * A URL is in one of three queues until it has a row or has none. Those in `rows` are asked for together; in `alone`,
 * while rows have come under other URLs, each alone; in `again`, for whom nothing came, as many at once as are certainly
 * looked at, since a low balance and a cut look the same as a profile that isn't there. Such a request without rows
 * proves that nobody in it is there.
 *
 * Where credits, a maximum or the run end before the owner of a row is found, it stays ownerless, a stray.
 *
 * @example
 * list.open([anna, bob]);
 * list.settle(order([anna, bob]), { rows: [rowOf(annaBell)] }); // Anna was renamed: both are to be asked for alone
 * list.settle(order([anna]), { rows: [rowOf(annaBell)] }); // it is Anna's, and Bob is asked for again
 * [...list.news()]; // [[anna, [{…}]]]
 */
export class ProfileList extends PagedList<string> {
	/** The rows that are a URL's own, most often a single row; none where it has none. */
	readonly cells = new Map<string, readonly Json[]>();
	/** The URLs that are open, by how they are asked for next, in that order. */
	readonly queues = {
		rows: new Set<string>(),
		alone: new Set<string>(),
		again: new Set<string>(),
	};
	/** Rows whose owner is searched for, by what tells their profile from others. */
	private readonly unmatchedByProfile = new Map<string, Json[]>();
	/** So many URLs of one request certainly are looked at: as many rows came for them. */
	confirmedSize: number = DOCUMENTED_SIZE;
	/** Whether opaque ids are asked for each alone, as they come back under other URLs; undefined until an id was requested. */
	requestsIdsAlone: boolean | undefined;
	/** Rows that have an owner. */
	private matchedRowCount = 0;
	/** URLs that got rows since {@link takeChanged} was called. */
	private readonly changedUrls = new Set<string>();

	constructor(readonly urls: ProfileUrls) {
		super('lookUp');
	}

	get rowCount(): number {
		return this.matchedRowCount + this.unmatchedRows.length;
	}

	/** Rows without an owner. A row that came for the URL that it names, too, has its owner. */
	get unmatchedRows(): Json[] {
		return [...this.unmatchedByProfile].flatMap(([profile, rows]) =>
			rows.filter((row) => !includesRow(this.rowsOf(profile), row)),
		);
	}

	/** The rows of a profile; none where none came, or nothing is known yet. */
	rowsOf(url: string): readonly Json[] {
		return this.cells.get(url) ?? [];
	}

	/** Whether a URL names an opaque id that is asked for by itself. */
	isIdRequestedAlone(url: string): boolean {
		return this.requestsIdsAlone !== false && this.urls.isOpaque(url);
	}

	/** Takes in URLs to look up. */
	addUrls(urls: readonly string[]): void {
		const sets = [this.cells, this.queues.alone, this.queues.again];
		for (const url of urls) if (!sets.some((set) => set.has(url))) this.queues.rows.add(url);
	}

	override reserve(request: PageRequest<string>): void {
		super.reserve(request);
		for (const url of request.urls ?? [])
			for (const queue of Object.values(this.queues)) queue.delete(url);
	}

	override release(request: PageRequest<string>): void {
		super.release(request);
		const { purpose, urls = [] } = request;
		if (purpose === 'endCheck') return;
		// First, so that the next order begins with the place whose failures are counted.
		const queue = this.queues[purpose];
		replaceAll(queue, [...urls, ...queue]);
	}

	settle(request: PageRequest<string>, page: Page): Failure | undefined {
		const { rows, hasMore } = page;
		const { size, urls = new Set() } = request;
		const countBefore = this.rowCount;
		this.recordResponse(request, page);
		const unmatched = rows.filter((row) => !this.matchRow(row, urls));
		for (const row of unmatched) this.addUnmatched(row);
		this.cost.wasted += rows.length - (this.rowCount - countBefore);

		const openUrls = [...urls].filter((url) => !this.cells.has(url));
		this.confirmedSize = Math.max(this.confirmedSize, size - openUrls.length);
		const isEmpty = rows.length === 0 && size <= this.confirmedSize;
		if (unmatched.length > 0) this.queueAlone(openUrls);
		else if (isEmpty && hasMore !== true) for (const url of openUrls) this.cells.set(url, []);
		else for (const url of openUrls) this.queues.again.add(url);
		if (this.unmatchedByProfile.size === 0) this.stopRequestingAlone();

		const violation = findViolation(request, page);
		if (violation) return this.stopWith(violation);
		// All of so few are looked at, so that nothing can follow.
		return isEmpty && hasMore === true
			? this.stopWith({
					text: 'it said that more profiles follow, and sent none',
					advice: CHECK_BALANCE,
				})
			: undefined;
	}

	override fail(request: PageRequest<string>, failure: Failure): Failure | undefined {
		super.fail(request, failure);
		const { size } = request;
		if (size === 1) return failure;
		// A balance below the rows found may be enough for fewer (contract, "Errors": 402 is free).
		if (failure.kind === 'noCredits')
			this.sizeLimit = Math.min(this.sizeLimit, Math.floor(size / 2));
		else if (isRejection(failure) && size > DOCUMENTED_SIZE) this.sizeLimit = DOCUMENTED_SIZE;
		else return failure;
		return undefined;
	}

	/** URLs that got rows since the last call, with all of theirs. */
	*takeChanged() {
		for (const url of this.changedUrls) yield [url, this.rowsOf(url)] as const;
		this.changedUrls.clear();
	}

	/** Takes what was paid for before, of a profile that is wanted. */
	restore(url: string, rows: readonly Json[]): void {
		this.queues.rows.delete(url);
		this.cells.set(url, rows);
		for (const row of rows) this.reusedRows.add(row);
		this.matchedRowCount += rows.length;
	}

	/** Gives a row to the URL that it names, or that was asked for alone. @returns whether it has an owner now */
	private matchRow(row: Json, urls: ReadonlySet<string>): boolean {
		const namedUrl = this.urls.of(row);
		const [singleUrl] = urls;
		const isAlone = urls.size === 1;
		const url = isAlone ? singleUrl : namedUrl;
		if (url === undefined || !urls.has(url)) return false;
		this.addRow(url, row);
		if (isAlone && this.urls.isOpaque(url)) this.requestsIdsAlone ??= namedUrl !== url;
		// That it names its owner tells nothing of other rows of this name: they are of somebody else, renamed to it.
		if (namedUrl === url) return true;
		const profile = this.profileKeyOf(row);
		for (const other of this.unmatchedByProfile.get(profile) ?? []) this.addRow(url, other);
		this.unmatchedByProfile.delete(profile);
		return true;
	}

	/** Puts a row at its URL, or beside those that are there. */
	private addRow(url: string, row: Json): void {
		const rows = this.rowsOf(url);
		if (includesRow(rows, row)) return;
		this.cells.set(url, [...rows, row]);
		this.changedUrls.add(url);
		this.matchedRowCount += 1;
	}

	/** Keeps a row whose owner is searched for. */
	private addUnmatched(row: Json): void {
		const profile = this.profileKeyOf(row);
		const unmatched = (this.unmatchedByProfile.get(profile) ?? []).filter(
			(other) => !includesRow([row], other),
		);
		this.unmatchedByProfile.set(profile, [...unmatched, row]);
	}

	/** The URLs beside which rows came under others are asked for each alone: first those that look most like ownerless rows. */
	private queueAlone(openUrls: readonly string[]): void {
		const { alone } = this.queues;
		const similarity = nameSimilarityTo([...this.unmatchedByProfile.values()].flat());
		const scored = [...alone, ...openUrls].map((url) => [similarity(url), url] as const);
		const sorted = scored.sort(([a], [b]) => b - a).map(([, url]) => url);
		replaceAll(alone, sorted);
	}

	/** Where no row is without an owner, nothing is learnt by asking for a single URL, but for an opaque id. */
	private stopRequestingAlone(): void {
		const { rows, alone, again } = this.queues;
		for (const url of alone) (this.isIdRequestedAlone(url) ? rows : again).add(url);
		alone.clear();
	}

	/** What tells the profile of a row from others: the URL that it names, or all of it. */
	private profileKeyOf(row: Json): string {
		return this.urls.of(row) ?? JSON.stringify(row);
	}
}

function includesRow(rows: readonly Json[], row: Json): boolean {
	return rows.some((entry) => JSON.stringify(entry) === JSON.stringify(row));
}

function replaceAll(queue: Set<string>, urls: readonly string[]): void {
	queue.clear();
	for (const url of urls) queue.add(url);
}
