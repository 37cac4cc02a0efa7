/** What input items want of profiles, and so which URLs to ask for next: each once, and then once more what got no row. */
import type { End, Order } from './ledger';
import type { ProfileList } from './profileList';

/** Where no more URLs are open beside a row under another URL, each is asked for alone: that shows whose it is. */
const MOST_ALONE = 25;

export interface WantedProfiles {
	/** Normalised, each once. */
	urls: readonly string[];
	/** Rows wanted; Infinity for all. */
	limit: number;
	/** The most URLs in one request. */
	pageSize: number;
}

export class LookUpJob {
	readonly width: number;
	private readonly own: ReadonlySet<string>;

	constructor(
		readonly ledger: ProfileList,
		private readonly wanted: WantedProfiles,
	) {
		this.width = wanted.urls.length;
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
		// All that is in doubt is asked for once more, after everything was asked for once.
		const unasked = this.some(ledger.unasked, 1).length > 0;
		const purpose = unasked ? 'rows' : 'again';
		// Nobody is called not found who may not have been looked at.
		const lookedAt = unasked ? Infinity : ledger.served;
		const left = limit - this.rows();
		const most = Math.min(room, left - ledger.pending, pageSize, ledger.most, lookedAt);
		const urls = unasked ? this.some(ledger.unasked, most) : this.doubted(most);
		const [first] = urls;
		const mustWait = first === undefined || most <= 0 || !ledger.isAnswered;
		if (ledger.inFlight.size > 0 && mustWait) return 'wait';
		if (first === undefined) return 'whole';
		if (left <= 0) return 'limit';
		if (room <= 0) return 'budget';
		const size = ledger.reduced(first, urls.length);
		return { purpose, page: 1, size, first, urls: new Set(urls.slice(0, size)) };
	}

	/**
	 * URLs in doubt that are asked for together. Last come those that rows under other URLs may be about, as these come
	 * again; where they are few, each alone.
	 */
	private doubted(most: number): string[] {
		const { cells, doubts, strays } = this.ledger;
		const matched = new Set<string>();
		const alone = new Set<string>();
		// Many rows of one answer have the same places.
		for (const places of new Set(strays.map((stray) => stray.places))) {
			const open = places.filter((url) => this.own.has(url) && !cells.has(url));
			for (const url of open) matched.add(url);
			if (open.length <= MOST_ALONE) for (const url of open) alone.add(url);
		}
		const others = this.some(doubts, most, (url) => !matched.has(url));
		if (others.length > 0) return others;
		const one = this.some(doubts, 1, (url) => alone.has(url));
		return one.length > 0 ? one : this.some(doubts, most);
	}

	/** The first few of its URLs among others, at least one. */
	private some(
		urls: Iterable<string>,
		most: number,
		isFit: (url: string) => boolean = () => true,
	): string[] {
		const chosen: string[] = [];
		for (const url of urls) {
			if (chosen.length >= Math.max(1, most)) break;
			if (this.own.has(url) && isFit(url)) chosen.push(url);
		}
		return chosen;
	}

	/** Rows that come out for what is wanted. */
	private rows(): number {
		const { ledger, own } = this;
		if (this.wanted.limit === Infinity) return 0;
		const possible = ledger.strays.filter((stray) => ledger.placesAmong(stray, own).length > 0);
		return this.wanted.urls.filter((url) => ledger.rowAt(url)).length + possible.length;
	}
}
