/** What input items want of profiles, and so which URLs to ask for next. */
import type { End, Order } from './ledger';
import type { ProfileList } from './profileList';

/** So many requests are enough to ask once more about profiles that may have been renamed. */
const SMALL_REQUESTS = 25;

export interface WantedProfiles {
	/** Normalised, each once. */
	urls: readonly string[];
	/** Rows wanted; Infinity for all. */
	limit: number;
	/** The most URLs in one request. */
	pageSize: number;
}

export class LookUpJob {
	private readonly own: ReadonlySet<string>;
	constructor(
		readonly ledger: ProfileList,
		private readonly wanted: WantedProfiles,
	) {
		this.own = new Set(wanted.urls);
		ledger.open(wanted.urls);
	}

	/**
	 * @param room credits that may still be spent
	 * @returns what to ask for; 'wait' where that depends on answers to come; or why nothing more is
	 */
	next(room: number): Order<string> | 'wait' | End {
		const { ledger } = this;
		const { limit, pageSize } = this.wanted;
		// All that is in doubt is asked once more, after everything was asked once.
		const unasked = this.firstOf(ledger.unasked);
		const first = unasked ?? this.firstOf(ledger.doubts);
		const left = limit - this.rows();
		let most = Math.min(room, left - ledger.pending, pageSize, ledger.most);
		const mustWait = first === undefined || most <= 0 || !ledger.isAnswered;
		if (ledger.inFlight.size > 0 && mustWait) return 'wait';
		if (first === undefined) return 'whole';
		if (left <= 0) return 'limit';
		if (room <= 0) return 'budget';
		if (unasked !== undefined) return this.order('rows', first, most, () => true);
		// What rows that came may be about is asked apart: those come again, and may use up the credits. In small
		// requests it shows which of them came back under another URL. Where credits ran out, such a row may use
		// up the last one, so that nothing is learnt of the others.
		const matches = ledger.possibleMatches();
		const isMatched = matches.has(first);
		if (isMatched)
			most = Math.min(most, ledger.ranOut ? 1 : Math.ceil(matches.size / SMALL_REQUESTS));
		// Nobody is called not found who may not have been looked at.
		most = Math.min(most, ledger.served);
		return this.order('again', first, most, (url) => matches.has(url) === isMatched);
	}

	private firstOf(urls: Iterable<string>): string | undefined {
		for (const url of urls) if (this.own.has(url)) return url;
		return undefined;
	}

	/** @param most URLs that may be asked for @param isAlike whether a URL may be asked for together with the first */
	private order(
		purpose: 'rows' | 'again',
		first: string,
		most: number,
		isAlike: (url: string) => boolean,
	): Order<string> {
		const { ledger, own } = this;
		const chosen: string[] = [];
		for (const url of purpose === 'rows' ? ledger.unasked : ledger.doubts) {
			if (chosen.length >= most) break;
			if (own.has(url) && isAlike(url)) chosen.push(url);
		}
		const size = ledger.reduced(first, chosen.length);
		const urls = new Set(chosen.slice(0, size));
		for (const url of urls) ledger.askedBy.set(url, this);
		return { purpose, page: 1, size, first, urls };
	}

	/** Rows that have come of those wanted, or may be about them. */
	private rows(): number {
		const { ledger, own } = this;
		if (this.wanted.limit === Infinity) return 0;
		const possible = ledger.strays.filter((stray) =>
			ledger.placesOf(stray).some((url) => own.has(url)),
		);
		return this.wanted.urls.filter((url) => ledger.rowAt(url)).length + possible.length;
	}
}
