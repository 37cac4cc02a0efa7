/** Profiles by URL, and what answers to lookups say about them. A lookup has no pages: each is page 1 of its own URLs. */
import { ENDPOINTS, type Json, type Page } from '../api/contract';
import { isRefusal, type Failure } from '../api/failures';
import { contradiction, contradictionIn } from './contradiction';
import { isRow, Ledger, type Order, type SavedLedger } from './ledger';

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
		const { rows } = page;
		this.receive(order, rows.length);
		const found = rows.length > 0 ? contradictionIn(order, page, 'URLs') : page.violation;
		if (found !== undefined) {
			for (const row of rows) this.stray(row, order.places);
			return contradiction(found);
		}
		const open = new Set(order.places);
		const isNew = this.put(rows, open);
		const answered = this.answeredBy(order, page);
		if (answered < order.size) this.reopened += 1;

		const isExplained = this.explains(open);
		// A full page of rows that had come before may have left no room for others.
		const isCrowded = rows.length >= order.size && order.size > 1 && !isExplained;
		if (isCrowded && !isNew) this.most = Math.min(this.most, Math.floor(order.size / 2));
		const isAnswered = order.purpose === 'end' && ((!isNew && !isCrowded) || isExplained);
		// Rows that came again may have used up a low balance: what they can't be about is asked alone.
		const isUnclear = isAnswered && rows.length > 0 && !isExplained;
		const settled = isUnclear ? this.matched(open) : open;
		for (const url of order.places) this.doubts.delete(url);
		for (const url of order.places.slice(0, answered)) {
			if (!open.has(url)) continue;
			if (isAnswered && settled.has(url)) this.cells.set(url, 'none');
			else this.doubts.add(url);
		}
		if (answered + rows.length > 0 || order.size > 1) return undefined;
		// Nothing came for a single URL, and more is said to follow.
		return this.charged > 0
			? { kind: 'noCredits' }
			: contradiction('it said that more profiles follow, and sent none');
	}

	/** @returns how many of the URLs, from the first one on, an answer is about; smaller requests follow where not all */
	private answeredBy({ size }: Order<string>, { rows, hasMore, perPage = size }: Page): number {
		if (hasMore === false && perPage >= size) return size;
		// A per_page that is the number of rows may be just that.
		const isCut = perPage < size && (perPage > rows.length || hasMore === true);
		if (!isCut && rows.length >= size) return size;
		const { documentedPageSize: documented } = ENDPOINTS.lookUp;
		const smaller = size > documented ? documented : Math.max(1, Math.floor(size / 2));
		// Without a word about more, the page may have been cut to any size that isn't below the documented one.
		const answered = isCut ? perPage : hasMore === true ? 0 : Math.max(documented, rows.length);
		if (answered < size) this.most = Math.min(this.most, answered || smaller);
		return Math.min(answered, size);
	}

	refuse(order: Order<string>, failure: Failure): boolean {
		if (order.size === 1) return false;
		const { documentedPageSize } = ENDPOINTS.lookUp;
		// A balance below the rows found may be enough for fewer (contract, "Errors": 402 is free).
		if (failure.status === 402) this.most = Math.min(this.most, Math.floor(order.size / 2));
		else if (isRefusal(failure) && order.size > documentedPageSize) {
			this.most = documentedPageSize;
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

	/** Whether a row is there already, to the letter. */
	private isPut(row: Json): boolean {
		const cell = this.cells.get(this.urlOf(row) ?? '');
		return isRow(cell) && JSON.stringify(cell) === JSON.stringify(row);
	}

	/** The URLs that rows under other URLs may be about; all of them where that is none. */
	private matched(open: ReadonlySet<string>): ReadonlySet<string> {
		const matches = this.possibleMatches();
		const matched = [...open].filter((url) => matches.has(url));
		return matched.length > 0 ? new Set(matched) : open;
	}

	/** Whether as many profiles came under other URLs as there are URLs that they may be about: none was left out. */
	private explains(open: ReadonlySet<string>): boolean {
		const about = this.strays.filter(({ places }) => places.some((url) => open.has(url)));
		const urls = about.flatMap(({ places }) => places).filter((url) => !this.rowAt(url));
		const profiles = about.map(({ row }) => this.urlOf(row) ?? row.full_name ?? row);
		return new Set(profiles).size >= new Set([...open, ...urls]).size;
	}

	/**
	 * Puts each row at the URL that it names.
	 *
	 * @param open URLs of the request; those that have got a row are taken out
	 * @returns whether any row is new
	 */
	private put(rows: Json[], open: Set<string>): boolean {
		const asked = new Set(open);
		const others: Json[] = [];
		let isNew = false;
		for (const row of rows) {
			const url = this.urlOf(row);
			if (url === undefined || !asked.has(url)) others.push(row);
			else if (open.delete(url)) {
				this.place(url, row);
				isNew = true;
			} else if (this.isPut(row)) this.repeated += 1;
			else isNew = this.stray(row, [url]) || isNew;
		}
		const [url] = open;
		const [row] = others;
		if (row && url !== undefined && others.length === 1 && open.size === 1) {
			open.clear();
			this.place(url, row);
			return true;
		}
		// Under URLs that were not asked for, such as those of renamed profiles.
		const fresh = others.filter((other) => !this.isPut(other));
		this.repeated += others.length - fresh.length;
		return fresh.filter((other) => this.stray(other, [...open])).length > 0 || isNew;
	}

	private place(url: string, row: Json): void {
		this.cells.set(url, row);
		this.dropStray(row);
	}
}
