/** Profiles by URL, and what answers to lookups say about them. A lookup has no pages: each is page 1 of its own URLs. */
import { ENDPOINTS, type Json, type Page } from '../api/contract';
import type { Failure } from '../api/failures';
import { contradiction, contradictionIn } from './contradiction';
import { isRow, Ledger, type Order, type SavedLedger, type Stray } from './ledger';

/** What is kept of profiles between runs. */
export interface SavedProfileList extends SavedLedger<string> {
	doubts: string[];
}

export class ProfileList extends Ledger<string> {
	/** URLs that were asked for and got no row: there is none, or there were no credits for it. */
	readonly doubts = new Set<string>();
	/** The most URLs that the service takes in one request, as far as it is known. */
	most = Infinity;

	/** @param urlOf the normalised profile URL that a row names; undefined for none */
	constructor(private readonly urlOf: (row: Json) => string | undefined) {
		super();
	}

	settle(order: Order<string>, page: Page): Failure | undefined {
		const { rows, hasMore, perPage = order.size } = page;
		this.receive(order, rows.length);
		const found = rows.length > 0 ? contradictionIn(order, page, 'URLs') : page.violation;
		if (found !== undefined) {
			for (const row of rows) this.stray(row, order.places);
			return contradiction(found);
		}
		const asked = new Set(order.places);
		const open = new Set(order.places.filter((url) => !isRow(this.cells.get(url))));
		const others = rows.filter((row) => !this.putByUrl(row, asked, open));
		const isNew = this.putOthers(others, open) || rows.length > others.length;
		// How many of the URLs, from the first one on, the answer is about. A per_page that is the number
		// of rows may be just that.
		const isCut = perPage < order.size && (perPage > rows.length || hasMore === true);
		const answered = isCut ? perPage : hasMore === true ? 0 : order.size;
		if (isCut) this.most = Math.min(this.most, perPage);
		if (answered < order.size) this.reopened += 1;

		// As many profiles came under other URLs as there are URLs without a row: none was left out.
		const renamed = this.strays
			.filter(mayBeAbout(open))
			.map(({ row }) => this.urlOf(row) ?? row.full_name ?? row);
		const isExplained = new Set(renamed).size >= open.size;
		// A full page of rows that had come before may have left no room for others.
		const isCrowded = rows.length >= order.size && order.size > 1 && !isExplained;
		if (isCrowded && !isNew) this.most = Math.min(this.most, Math.floor(order.size / 2));
		const isAnswered = order.purpose === 'end' && ((!isNew && !isCrowded) || isExplained);
		for (const url of order.places) this.doubts.delete(url);
		for (const url of order.places.slice(0, answered)) {
			if (!open.has(url)) continue;
			if (isAnswered) this.cells.set(url, 'none');
			else this.doubts.add(url);
		}
		return answered + rows.length === 0 ? this.settleEmpty(order) : undefined;
	}

	refuse(order: Order<string>, { status }: Failure): boolean {
		if (order.size === 1) return false;
		// A balance below the rows found may be enough for fewer (contract, "Errors": 402 is free).
		if (status === 402) this.most = Math.min(this.most, Math.floor(order.size / 2));
		else if (
			[400, 413, 422].includes(status ?? 0) &&
			order.size > ENDPOINTS.lookUp.documentedPageSize
		) {
			this.most = ENDPOINTS.lookUp.documentedPageSize;
		} else return false;
		this.release(order);
		return true;
	}

	/** How many rows under other URLs may be about a profile, by the profile's URL. */
	possibleMatches(): Map<string, number> {
		const matches = new Map<string, number>();
		for (const { places } of this.strays)
			for (const url of places) matches.set(url, (matches.get(url) ?? 0) + 1);
		return matches;
	}

	toJSON(): SavedProfileList {
		return { ...this.kept(), doubts: [...this.doubts] };
	}

	override restore({ doubts, ...saved }: SavedProfileList): this {
		super.restore(saved);
		for (const url of doubts) this.doubts.add(url);
		return this;
	}

	/** @returns whether a row is about one of the URLs asked for: its first row is put there */
	private putByUrl(row: Json, asked: ReadonlySet<string>, open: Set<string>): boolean {
		const url = this.urlOf(row);
		if (url === undefined || !asked.has(url)) return false;
		if (!open.delete(url)) return !this.isPut(row) && this.stray(row, [url]);
		this.cells.set(url, row);
		this.dropStray(row);
		return true;
	}

	/** Whether a row is there already, to the letter. */
	private isPut(row: Json): boolean {
		const cell = this.cells.get(this.urlOf(row) ?? '');
		return isRow(cell) && JSON.stringify(cell) === JSON.stringify(row);
	}

	/**
	 * Rows for URLs that were not asked for, such as those of renamed profiles.
	 *
	 * @param open URLs of the request that have no row
	 * @returns whether any of them is new
	 */
	private putOthers(rows: Json[], open: Set<string>): boolean {
		const [url] = open;
		const [row] = rows;
		if (row && url !== undefined && rows.length === 1 && open.size === 1) {
			this.cells.set(url, row);
			this.dropStray(row);
			open.clear();
			return true;
		}
		const fresh = rows.filter((other) => !this.isPut(other));
		this.repeated += rows.length - fresh.length;
		return fresh.filter((other) => this.stray(other, [...open])).length > 0;
	}

	/** Nothing came, and more is said to follow: fewer URLs are asked for, down to one. */
	private settleEmpty(order: Order<string>): Failure | undefined {
		if (order.size > 1) {
			this.most = 1;
			return undefined;
		}
		return this.charged > 0
			? { kind: 'noCredits' }
			: contradiction('it said that more profiles follow, and sent none');
	}
}

function mayBeAbout(urls: ReadonlySet<string>): (stray: Stray<string>) => boolean {
	return ({ places }) => places.some((url) => urls.has(url));
}
