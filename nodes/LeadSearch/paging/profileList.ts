/**
 * Profiles by URL, and whose the rows are that lookups answer with. A lookup has no pages: each request is page 1 of
 * its own URLs.
 */
import { ENDPOINTS, type Json, type Page } from '../api/contract';
import { isRefusal, type Failure } from '../api/failures';
import type { Order } from './job';
import { Ledger } from './ledger';
import { likenessTo } from './likeness';
import { CHECK_BALANCE, contradictionIn } from './pages';

/** So many URLs of one request certainly are looked at (contract, "Limits": the default `_per_page` of a lookup). */
const { documentedPageSize: DOCUMENTED } = ENDPOINTS.lookUp;

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
export class ProfileList extends Ledger<string> {
	/** The rows that are a URL's own, most often a single row; none where it has none. */
	readonly cells = new Map<string, readonly Json[]>();
	/** The URLs that are open, by how they are asked for next, in that order. */
	readonly queues = {
		rows: new Set<string>(),
		alone: new Set<string>(),
		again: new Set<string>(),
	};
	/** Rows whose owner is searched for, by what tells their profile from others. */
	private readonly foreign = new Map<string, Json[]>();
	/** So many URLs of one request certainly are looked at: as many rows came for them. */
	certain: number = DOCUMENTED;
	/** Whether opaque ids are asked for each alone, as they come back under other URLs; undefined until an id was requested. */
	asksIdsAlone: boolean | undefined;
	/** Rows that have an owner. */
	private placed = 0;
	/** URLs that got rows since {@link news} was called. */
	private readonly filled = new Set<string>();

	constructor(readonly urls: ProfileUrls) {
		super('lookUp');
	}

	get rows(): number {
		return this.placed + this.strays.length;
	}

	/** Rows without an owner. A row that came for the URL that it names, too, has its owner. */
	get strays(): Json[] {
		return [...this.foreign].flatMap(([profile, rows]) =>
			rows.filter((row) => !isAmong(this.rowsAt(profile), row)),
		);
	}

	/** The rows of a profile; none where none came, or nothing is known yet. */
	rowsAt(url: string): readonly Json[] {
		return this.cells.get(url) ?? [];
	}

	/** Whether a URL names an opaque id that is asked for by itself. */
	isIdAskedAlone(url: string): boolean {
		return this.asksIdsAlone !== false && this.urls.isOpaque(url);
	}

	/** Takes in URLs to look up. */
	open(urls: readonly string[]): void {
		const sets = [this.cells, this.queues.alone, this.queues.again];
		for (const url of urls) if (!sets.some((set) => set.has(url))) this.queues.rows.add(url);
	}

	override reserve(order: Order<string>): void {
		super.reserve(order);
		for (const url of order.urls ?? [])
			for (const queue of Object.values(this.queues)) queue.delete(url);
	}

	override release(order: Order<string>): void {
		super.release(order);
		const { purpose, urls = [] } = order;
		if (purpose === 'question') return;
		// First, so that the next order begins with the place whose failures are counted.
		const queue = this.queues[purpose];
		refill(queue, [...urls, ...queue]);
	}

	settle(order: Order<string>, page: Page): Failure | undefined {
		const { rows, hasMore } = page;
		const { size, urls = new Set() } = order;
		const before = this.rows;
		this.receive(order, page);
		const foreign = rows.filter((row) => !this.give(row, urls));
		for (const row of foreign) this.keep(row);
		this.cost.repeated += rows.length - (this.rows - before);

		const open = [...urls].filter((url) => !this.cells.has(url));
		this.certain = Math.max(this.certain, size - open.length);
		const isEmpty = rows.length === 0 && size <= this.certain;
		if (foreign.length > 0) this.queueAlone(open);
		else if (isEmpty && hasMore !== true) for (const url of open) this.cells.set(url, []);
		else for (const url of open) this.queues.again.add(url);
		if (this.foreign.size === 0) this.endSearchForOwners();

		const contradiction = contradictionIn(order, page);
		if (contradiction) return this.break(contradiction);
		// All of so few are looked at, so that nothing can follow.
		return isEmpty && hasMore === true
			? this.break({
					text: 'it said that more profiles follow, and sent none',
					advice: CHECK_BALANCE,
				})
			: undefined;
	}

	override fail(order: Order<string>, failure: Failure): Failure | undefined {
		super.fail(order, failure);
		const { size } = order;
		if (size === 1) return failure;
		// A balance below the rows found may be enough for fewer (contract, "Errors": 402 is free).
		if (failure.kind === 'noCredits') this.most = Math.min(this.most, Math.floor(size / 2));
		else if (isRefusal(failure) && size > DOCUMENTED) this.most = DOCUMENTED;
		else return failure;
		return undefined;
	}

	/** URLs that got rows since the last call, with all of theirs. */
	*news() {
		for (const url of this.filled) yield [url, this.rowsAt(url)] as const;
		this.filled.clear();
	}

	/** Takes what was paid for before, of a profile that is wanted. */
	recall(url: string, rows: readonly Json[]): void {
		this.queues.rows.delete(url);
		this.cells.set(url, rows);
		for (const row of rows) this.paidBefore.add(row);
		this.placed += rows.length;
	}

	/** Gives a row to the URL that it names, or that was asked for alone. @returns whether it has an owner now */
	private give(row: Json, urls: ReadonlySet<string>): boolean {
		const named = this.urls.of(row);
		const [only] = urls;
		const isAlone = urls.size === 1;
		const owner = isAlone ? only : named;
		if (owner === undefined || !urls.has(owner)) return false;
		this.put(owner, row);
		if (isAlone && this.urls.isOpaque(owner)) this.asksIdsAlone ??= named !== owner;
		// That it names its owner tells nothing of other rows of this name: they are of somebody else, renamed to it.
		if (named === owner) return true;
		const profile = this.profileOf(row);
		for (const stray of this.foreign.get(profile) ?? []) this.put(owner, stray);
		this.foreign.delete(profile);
		return true;
	}

	/** Puts a row at its URL, or beside those that are there. */
	private put(url: string, row: Json): void {
		const rows = this.rowsAt(url);
		if (isAmong(rows, row)) return;
		this.cells.set(url, [...rows, row]);
		this.filled.add(url);
		this.placed += 1;
	}

	/** Keeps a row whose owner is searched for. */
	private keep(row: Json): void {
		const profile = this.profileOf(row);
		const strays = (this.foreign.get(profile) ?? []).filter((stray) => !isAmong([row], stray));
		this.foreign.set(profile, [...strays, row]);
	}

	/** The URLs beside which rows came under others are asked for each alone: first those that look most like ownerless rows. */
	private queueAlone(open: readonly string[]): void {
		const { alone } = this.queues;
		const likeness = likenessTo([...this.foreign.values()].flat());
		const scored = [...alone, ...open].map((url) => [likeness(url), url] as const);
		const sorted = scored.sort(([a], [b]) => b - a).map(([, url]) => url);
		refill(alone, sorted);
	}

	/** Where no row is without an owner, nothing is learnt by asking for a single URL, but for an opaque id. */
	private endSearchForOwners(): void {
		const { rows, alone, again } = this.queues;
		for (const url of alone) (this.isIdAskedAlone(url) ? rows : again).add(url);
		alone.clear();
	}

	/** What tells the profile of a row from others: the URL that it names, or all of it. */
	private profileOf(row: Json): string {
		return this.urls.of(row) ?? JSON.stringify(row);
	}
}

function isAmong(rows: readonly Json[], row: Json): boolean {
	return rows.some((entry) => JSON.stringify(entry) === JSON.stringify(row));
}

function refill(queue: Set<string>, urls: readonly string[]): void {
	queue.clear();
	for (const url of urls) queue.add(url);
}
