/** Profiles by URL, and what answers to lookups say about them. A lookup has no pages: each is page 1 of its own URLs. */
import { ENDPOINTS, type Json, type Page } from '../api/contract';
import { isRefusal, type Failure } from '../api/failures';
import { Ledger, type Order, type SavedLedger, type Stray } from './ledger';
import { contradictionIn, namedSize } from './pages';

const { documentedPageSize } = ENDPOINTS.lookUp;

/** What is kept of profiles between runs. */
export interface SavedProfileList extends SavedLedger<string> {
	doubts: string[];
}

export class ProfileList extends Ledger<string> {
	/** URLs that are wanted and were never asked for, in the order in which they are. */
	unasked = new Set<string>();
	/** URLs that were asked for and got no row: there is none, there were no credits, or they were not looked at. */
	doubts = new Set<string>();
	/** The job that has asked for a URL last: what came for it counts towards its limit first. */
	readonly askedBy = new Map<string, object>();
	/** The most URLs that the service takes in one request, as far as it is known. */
	most = Infinity;
	/** So many URLs of one request certainly are looked at: as many rows came for them. */
	served: number = documentedPageSize;
	/** Whether there were too few credits for what was asked, so that profiles may be in doubt that exist. */
	ranOut = false;
	/** Those that got none in an answer in which rows under other URLs may have used up the last credit. */
	private readonly presumed = new Set<string>();

	/** @param urlOf the normalised profile URL that a row names; undefined for none */
	constructor(private readonly urlOf: (row: Json) => string | undefined) {
		super();
	}

	/** Takes in that URLs are wanted. */
	open(urls: readonly string[]): void {
		for (const url of urls)
			if (!this.cells.has(url) && !this.doubts.has(url)) this.unasked.add(url);
	}

	override reserve(order: Order<string>): void {
		super.reserve(order);
		for (const url of order.urls ?? []) {
			this.unasked.delete(url);
			this.doubts.delete(url);
		}
	}

	override release(order: Order<string>): void {
		super.release(order);
		const urls = order.urls ?? [];
		// They come first again.
		if (order.purpose === 'again') this.doubts = new Set([...urls, ...this.doubts]);
		else this.unasked = new Set([...urls, ...this.unasked]);
	}

	settle(order: Order<string>, page: Page): Failure | undefined {
		const { rows, hasMore } = page;
		const { size, first, purpose } = order;
		const urls = [...(order.urls ?? [])];
		this.receive(order, page);
		const found = rows.length > 0 ? contradictionIn(order, page) : page.violation;
		if (found !== undefined) {
			this.release(order);
			for (const row of rows) this.stray(row, urls);
			return this.asFailure(found);
		}
		const isMatched = this.strays.some(({ places }) => places.includes(first));
		const open = new Set(urls);
		const { isNew, foreign } = this.putByUrl(rows, open, isMatched);
		this.served = Math.max(this.served, size - open.size);
		const named = namedSize(order, page);
		const saysMore = hasMore === true || named !== undefined;
		// As many rows as URLs may be as many as are sent. Where as many profiles came as URLs are open, none is left out.
		const isCut = open.size > foreign && (saysMore || rows.length >= size);
		this.learnSize(size, isCut && !isNew, named);
		// Asked once more, and nothing new came. A row that is known may have come again: it may be about any of them.
		const areNone = purpose === 'again' && !isCut && !isNew;
		for (const url of open) {
			if (areNone) this.cells.set(url, 'none');
			else this.doubts.add(url);
			if (areNone && foreign > 0) this.presumed.add(url);
		}
		if (hasMore !== true || rows.length > 0 || size > 1) return undefined;
		// Nothing came for a single URL, and more is said to follow.
		if (this.rows > 0) this.runOut();
		return this.ranOut
			? { kind: 'noCredits', status: 402 }
			: this.asFailure('it said that more profiles follow, and sent none');
	}

	fail(order: Order<string>, failure: Failure): Failure | undefined {
		if (failure.status === 402) this.runOut();
		if (order.size === 1) return failure;
		// A balance below the rows found may be enough for fewer (contract, "Errors": 402 is free).
		if (failure.status === 402) this.most = Math.min(this.most, Math.floor(order.size / 2));
		else if (isRefusal(failure) && order.size > documentedPageSize) this.most = documentedPageSize;
		else return failure;
		return undefined;
	}

	/** The URLs that a row may be about: those that have none of their own, if there are any. */
	placesOf({ places }: Stray<string>): readonly string[] {
		const open = places.filter((url) => !this.rowAt(url));
		return open.length > 0 ? open : places;
	}

	/** How many rows under other URLs may be about a profile, by the profile's URL. */
	possibleMatches(): Map<string, number> {
		const matches = new Map<string, number>();
		for (const { places } of this.strays)
			for (const url of places) matches.set(url, (matches.get(url) ?? 0) + 1);
		return matches;
	}

	override toJSON(): SavedProfileList {
		return { ...super.toJSON(), doubts: [...this.doubts] };
	}

	/** What one run left in doubt another may have answered. */
	override restore({ doubts, ...saved }: SavedProfileList): this {
		super.restore(saved);
		for (const url of doubts) this.doubts.add(url);
		for (const url of this.cells.keys()) this.doubts.delete(url);
		return this;
	}

	/** There are too few credits: what is presumed is in doubt again. */
	private runOut(): void {
		this.ranOut = true;
		for (const url of this.presumed) {
			this.cells.delete(url);
			this.doubts.add(url);
		}
		this.presumed.clear();
	}

	/** The next requests are to fit what the service takes at once. */
	private learnSize(size: number, isTooLarge: boolean, named: number | undefined): void {
		const smaller = size > documentedPageSize ? documentedPageSize : Math.ceil(size / 2);
		if (named !== undefined) this.most = Math.min(this.most, named);
		else if (isTooLarge) this.most = Math.min(this.most, smaller);
		// What was too large for some URLs need not be for others, as long as there are credits.
		else if (size === this.most && !this.ranOut)
			this.most = Math.max(size, Math.min(2 * size, documentedPageSize));
	}

	/**
	 * Puts each row at the URL that it names.
	 *
	 * @param open URLs of the request; those that have got a row are taken out
	 * @param isMatched whether rows under other URLs are expected to come again
	 * @returns whether anything new came, and how many profiles came under URLs that were not asked for
	 */
	private putByUrl(rows: Json[], open: Set<string>, isMatched: boolean) {
		const asked = new Set(open);
		const foreign: Json[] = [];
		let isNew = false;
		const give = (url: string, row: Json) => {
			if (open.delete(url)) {
				this.put(url, row);
				isNew = true;
			} else if (JSON.stringify(row) !== JSON.stringify(this.rowAt(url))) this.stray(row, [url]);
		};
		for (const row of rows) {
			const url = this.urlOf(row);
			if (url === undefined || !asked.has(url)) foreign.push(row);
			else give(url, row);
		}
		const places = [...open];
		const [url] = places;
		const { size } = new Set(foreign.map((row) => this.identityOf(row)));
		if (url !== undefined && places.length === 1 && size === 1) {
			for (const row of foreign) give(url, row);
			return { isNew, foreign: 0 };
		}
		// Such as those of renamed profiles: they may be about any URL that got no row.
		for (const row of foreign) if (this.stray(row, places) && !isMatched) isNew = true;
		return { isNew, foreign: size };
	}

	/** What a row is about, though its fields may differ from answer to answer. */
	private identityOf(row: Json): unknown {
		return this.urlOf(row) ?? row.full_name ?? JSON.stringify(row);
	}
}
