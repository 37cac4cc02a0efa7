/** Profiles by URL, and what answers to lookups say about them. A lookup has no pages: each is page 1 of its own URLs. */
import { ENDPOINTS, type Json, type Page } from '../api/contract';
import { isRefusal, type Failure } from '../api/failures';
import { Ledger, type Order, type SavedLedger, type Stray } from './ledger';
import { CHECK_BALANCE, contradictionIn, mostAfterLoss, namedSize } from './pages';

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
	/** The most URLs that the service takes in one request, as far as it is known; or half of those that were lost. */
	most = Infinity;
	/** So many URLs of one request certainly are looked at: as many rows came for them. */
	served: number = documentedPageSize;

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
		const { size, purpose } = order;
		const urls = order.urls ?? new Set();
		this.receive(order, page);
		const found = contradictionIn(order, page);
		if (found) {
			this.release(order);
			for (const row of rows) this.stray(row, [...urls]);
			return this.break(found);
		}
		const isMatched = this.strays.some(({ places }) => places.some((url) => urls.has(url)));
		const { open, foreign } = this.putByUrl(rows, urls);
		this.served = Math.max(this.served, size - open.size);
		// Rows under other URLs are new once: when they come again, their fields may differ.
		const isNew = open.size < size || (foreign > 0 && !isMatched);
		const named = namedSize(order, page);
		const saysMore = hasMore === true || named !== undefined;
		// As many rows as URLs may be as many as are sent. Where as many profiles came as URLs are open, none is left out.
		const isCut = open.size > foreign && (saysMore || rows.length >= size);
		if (named !== undefined) this.most = Math.min(this.most, named);
		else if (isCut && !isNew)
			this.most = Math.min(this.most, size > this.served ? this.served : Math.ceil(size / 2));
		// Asked once more, and nothing new came.
		const areNone = purpose === 'again' && !isCut && !isNew;
		for (const url of open)
			if (areNone) this.cells.set(url, foreign);
			else this.doubts.add(url);
		// So few certainly are looked at, so that nothing can follow; unless it names fewer.
		const areAll = size <= this.served && named === undefined;
		return rows.length === 0 && hasMore === true && areAll
			? this.break({
					text: 'it said that more profiles follow, and sent none',
					advice: CHECK_BALANCE,
				})
			: undefined;
	}

	fail(order: Order<string>, failure: Failure): Failure | undefined {
		this.most = Math.min(this.most, mostAfterLoss(order.size, failure, documentedPageSize));
		if (order.size === 1) return failure;
		// A balance below the rows found may be enough for fewer (contract, "Errors": 402 is free).
		if (failure.kind === 'noCredits') this.most = Math.min(this.most, Math.floor(order.size / 2));
		else if (isRefusal(failure) && order.size > documentedPageSize) this.most = documentedPageSize;
		else return failure;
		return undefined;
	}

	/**
	 * Those of some URLs that a row comes out for: all that it may be about, as they have no row of their own and may
	 * have one, or have one of that name. Where others may be meant, it is never put down to a single one.
	 */
	placesAmong(
		{ places, row }: Stray<string>,
		urls: { has(url: string): boolean },
	): readonly string[] {
		const name = nameOf(row);
		const isNamesake = (url: string) => name !== undefined && nameOf(this.rowAt(url)) === name;
		const fit = places.filter((url) => this.isOpen(url) || isNamesake(url));
		const possible = fit.length > 0 ? fit : places;
		const among = possible.filter((url) => urls.has(url));
		return among.length === 1 && possible.length > 1 ? [] : among;
	}

	/** Whether a profile has no row and may have one, as far as is known. */
	private isOpen(url: string): boolean {
		return !this.rowAt(url) && this.cells.get(url) !== 0;
	}

	override toJSON(): SavedProfileList {
		return { ...super.toJSON(), doubts: [...this.doubts] };
	}

	override restore({ doubts, ...saved }: SavedProfileList): this {
		this.doubts = new Set(doubts);
		return super.restore(saved);
	}

	/**
	 * Puts each row at the URL that it names.
	 *
	 * @returns which URLs have got no row, and how many profiles came under URLs that were not asked for
	 */
	private putByUrl(rows: Json[], asked: ReadonlySet<string>) {
		const open = new Set(asked);
		const foreign: Json[] = [];
		/** URLs by the names of those who came under them: people may have the same. */
		const byName = new Map<string | undefined, Set<string>>();
		for (const row of rows) {
			const url = this.urlOf(row);
			if (url === undefined || !asked.has(url)) {
				foreign.push(row);
				continue;
			}
			const name = nameOf(row);
			if (name !== undefined) byName.set(name, (byName.get(name) ?? new Set()).add(url));
			this.give(url, row, open);
		}
		// Such as those of renamed profiles. They may be about any URL that got no row, or be second rows of whom they name.
		const places = [...open];
		const [only] = places;
		const profiles = new Set(foreign.map((row) => this.identityOf(row)));
		const isNamed = foreign.some((row) => byName.has(nameOf(row)));
		const isOne = places.length === 1 && profiles.size === 1 && !isNamed;
		// What comes for a URL that is asked for alone is its own, however many rows.
		const [owner] = asked.size === 1 ? asked : isOne ? places : [];
		if (owner !== undefined && foreign.length > 0) {
			for (const stray of this.strays)
				if (profiles.has(this.identityOf(stray.row))) stray.places = [owner];
			for (const row of foreign) this.give(owner, row, open);
			return { open, foreign: 0 };
		}
		// Where each URL got a row, one that names nobody is a second one of any of them.
		const possible = only === undefined ? [...asked] : places;
		for (const row of foreign) {
			const namesakes = byName.get(nameOf(row));
			this.stray(row, namesakes ? [...places, ...namesakes] : possible);
		}
		return { open, foreign: profiles.size };
	}

	/** Puts a row at its URL, or a second one beside that. */
	private give(url: string, row: Json, open: Set<string>): void {
		if (open.delete(url)) this.put(url, row);
		else if (JSON.stringify(row) !== JSON.stringify(this.rowAt(url))) this.stray(row, [url]);
	}

	/** What a row is about, though its other fields may differ. */
	private identityOf(row: Json): unknown {
		return this.urlOf(row) ?? row.full_name ?? JSON.stringify(row);
	}
}

function nameOf(row: Json | undefined): string | undefined {
	const name = row?.full_name;
	return typeof name === 'string' && name !== '' ? name : undefined;
}
