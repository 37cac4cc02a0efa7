/** Profiles by URL, and what answers to lookups say about them. A lookup has no pages: each is page 1 of its own URLs. */
import { ENDPOINTS, type Json, type Page } from '../api/contract';
import { isRefusal, type Failure } from '../api/failures';
import { Ledger, type Order, type SavedLedger } from './ledger';
import { contradictionIn } from './pages';

/** What is kept of profiles between runs. */
export interface SavedProfileList extends SavedLedger<string> {
	doubts: string[];
	ranOut: boolean;
}

export class ProfileList extends Ledger<string> {
	/** URLs that were asked for and got no row: there is none, or there were no credits for it. */
	readonly doubts = new Set<string>();
	/** The most URLs that the service takes in one request, as far as it is known. */
	most = Infinity;
	/** So many URLs of one request certainly are looked at: a row came for the last of them. */
	served: number = ENDPOINTS.lookUp.documentedPageSize;
	/** Whether there were too few credits for what was asked, so that profiles may be in doubt that exist. */
	ranOut = false;
	/** URLs that count as not found, though another row of their answer may have used up the last credit. */
	private readonly presumed = new Set<string>();
	/** How often URLs that were asked for became unknown again. */
	reopened = 0;

	/** @param urlOf the normalised profile URL that a row names; undefined for none */
	constructor(private readonly urlOf: (row: Json) => string | undefined) {
		super();
	}

	/** Whether a URL was neither asked for nor answered. */
	isUnknown(url: string): boolean {
		return !this.cells.has(url) && !this.doubts.has(url) && !this.isAsked(url);
	}

	/** Whether a URL is in a request that is not answered yet. */
	isAsked(url: string): boolean {
		for (const { urls } of this.inFlight) if (urls?.has(url)) return true;
		return false;
	}

	override release(order: Order<string>): void {
		super.release(order);
		this.reopened += 1;
	}

	settle(order: Order<string>, page: Page): Failure | undefined {
		const { rows } = page;
		const { size } = order;
		const urls = [...(order.urls ?? [])];
		this.receive(order, page);
		const found = rows.length > 0 ? contradictionIn(order, page) : page.violation;
		if (found !== undefined) {
			for (const row of rows) this.stray(row, urls);
			return this.asFailure(found);
		}
		const open = new Set(urls);
		// Rows under other URLs that are expected to come again.
		const isMatched = order.purpose === 'end' && this.possibleMatches().has(order.first);
		const { isNew, foreign } = this.putByUrl(rows, open);
		this.served = Math.max(this.served, urls.findLastIndex((url) => !open.has(url)) + 1);
		// As many profiles came under other URLs as there are URLs that they may be about: none was left out.
		const isExplained = foreign >= open.size;
		const isCrowded = rows.length >= size && !isExplained;
		const covered = isCrowded ? 0 : this.coveredBy(order, page);
		const { documentedPageSize } = ENDPOINTS.lookUp;
		if (covered === 0) this.most = Math.min(this.most, smallerThan(size));
		// What was too large for some URLs need not be for others, as long as there are credits.
		else if (size === this.most && !this.ranOut)
			this.most = Math.max(size, Math.min(2 * size, documentedPageSize));
		if (covered < size) this.reopened += 1;
		const isAnswered = order.purpose === 'end' && covered === size;
		const isConfirmed = isAnswered && !isNew && (foreign === 0 || isMatched);
		const areNone = isConfirmed || (isExplained && foreign > 0);
		urls.forEach((url, index) => {
			this.doubts.delete(url);
			if (!open.has(url)) return;
			if (areNone) {
				this.cells.set(url, 'none');
				if (foreign > 0 && !isExplained) this.presumed.add(url);
			}
			// What rows that came may be about is not asked for once more but in the second round.
			else if (index < covered || foreign > 0) this.doubts.add(url);
		});
		if (covered + rows.length > 0 || size > 1) return undefined;
		// Nothing came for a single URL, and more is said to follow.
		if (this.rows > 0) this.runOut();
		return this.ranOut
			? { kind: 'noCredits' }
			: this.asFailure('it said that more profiles follow, and sent none');
	}

	fail(order: Order<string>, failure: Failure): Failure | undefined {
		const { documentedPageSize } = ENDPOINTS.lookUp;
		if (failure.status === 402) this.runOut();
		if (order.size === 1) return failure;
		// A balance below the rows found may be enough for fewer (contract, "Errors": 402 is free).
		if (failure.status === 402) this.most = Math.min(this.most, Math.floor(order.size / 2));
		else if (isRefusal(failure) && order.size > documentedPageSize) this.most = documentedPageSize;
		else return failure;
		return undefined;
	}

	/** There are too few credits: what is presumed is in doubt again. */
	private runOut(): void {
		this.ranOut = true;
		for (const url of this.presumed) {
			this.cells.delete(url);
			this.doubts.add(url);
		}
		if (this.presumed.size > 0) this.reopened += 1;
		this.presumed.clear();
	}

	/** How many rows under other URLs may be about a profile, by the profile's URL. */
	possibleMatches(): Map<string, number> {
		const matches = new Map<string, number>();
		for (const { places } of this.strays)
			for (const url of places) matches.set(url, (matches.get(url) ?? 0) + 1);
		return matches;
	}

	override toJSON(): SavedProfileList {
		return { ...super.toJSON(), doubts: [...this.doubts], ranOut: this.ranOut };
	}

	/** What one run left in doubt another may have answered. */
	override restore({ doubts, ranOut, ...saved }: SavedProfileList): this {
		super.restore(saved);
		for (const url of doubts) this.doubts.add(url);
		for (const url of this.cells.keys()) this.doubts.delete(url);
		// Where a run left any, its last answer may have been all that there were credits for.
		this.ranOut ||= ranOut || this.doubts.size > 0;
		return this;
	}

	/** @returns how many of the URLs, from the first one on, an answer is about; smaller requests follow where not all */
	private coveredBy({ size }: Order<string>, { rows, hasMore, perPage = size }: Page): number {
		if (rows.length >= size || (hasMore === false && perPage >= size)) return size;
		// A per_page that is the number of rows may be just that.
		const isNamed = perPage < size && (perPage > rows.length || hasMore === true);
		if (!isNamed && hasMore === true) return 0;
		// Without a word about more, the page may have been cut to any size that isn't below the documented one.
		const { documentedPageSize } = ENDPOINTS.lookUp;
		const covered = isNamed ? perPage : Math.max(documentedPageSize, rows.length);
		if (covered < size) this.most = Math.min(this.most, covered);
		return Math.min(covered, size);
	}

	/**
	 * Puts each row at the URL that it names.
	 *
	 * @param open URLs of the request; those that have got a row are taken out
	 * @returns whether a URL has got a row, and how many profiles came under URLs that were not asked for
	 */
	private putByUrl(rows: Json[], open: Set<string>): { isNew: boolean; foreign: number } {
		const asked = new Set(open);
		const foreign: Json[] = [];
		let isNew = false;
		for (const row of rows) {
			const url = this.urlOf(row);
			if (url === undefined || !asked.has(url)) foreign.push(row);
			else if (open.delete(url)) {
				this.put(url, row);
				isNew = true;
			} else if (this.isPlaced(row)) this.repeated += 1;
			else isNew = this.stray(row, [url]) || isNew;
		}
		const [url] = open;
		const [row] = foreign;
		if (row && url !== undefined && foreign.length === 1 && open.size === 1) {
			open.clear();
			this.put(url, row);
			return { isNew: true, foreign: 0 };
		}
		// Such as those of renamed profiles: they may be about any URL that got no row.
		for (const one of foreign) {
			if (this.isPlaced(one)) this.repeated += 1;
			else this.stray(one, [...open]);
		}
		return { isNew, foreign: new Set(foreign.map((one) => this.identityOf(one))).size };
	}

	/** What a row is about, though its fields may differ from answer to answer. */
	private identityOf(row: Json): unknown {
		return this.urlOf(row) ?? row.full_name ?? JSON.stringify(row);
	}

	/** Whether a row is there already, to the letter. */
	private isPlaced(row: Json): boolean {
		const there = this.rowAt(this.urlOf(row) ?? '');
		return there !== undefined && JSON.stringify(there) === JSON.stringify(row);
	}
}

function smallerThan(size: number): number {
	const { documentedPageSize } = ENDPOINTS.lookUp;
	return size > documentedPageSize ? documentedPageSize : Math.max(1, Math.floor(size / 2));
}
