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
	/** No URL before it is unknown. */
	private at = 0;
	/** No URL before it was never asked for. */
	private fresh = 0;
	private reopened = 0;
	/** Rows that have come of those wanted, as counted at so many rows charged. */
	private have = { rows: 0, charged: -1 };

	constructor(
		readonly ledger: ProfileList,
		private readonly wanted: WantedProfiles,
	) {}

	/**
	 * @param room credits that may still be spent
	 * @returns what to ask for; 'wait' where that depends on answers to come; or why nothing more is
	 */
	next(room: number): Order<string> | 'wait' | End {
		const { ledger } = this;
		const { urls, limit, pageSize } = this.wanted;
		const isWaiting = ledger.inFlight.size > 0;
		if (this.reopened !== ledger.reopened) [this.at, this.fresh] = [0, 0];
		this.reopened = ledger.reopened;
		while (ledger.cells.has(urls[this.at] ?? '')) this.at++;
		while (!ledger.isUnknown(urls[this.fresh] ?? '')) this.fresh++;

		const left = limit - this.rows();
		const most = Math.min(room, left - ledger.pending);
		if (isWaiting && (most <= 0 || !ledger.isAnswered)) return 'wait';
		if (this.at === urls.length) return 'whole';
		if (left <= 0) return 'limit';
		if (room <= 0) return 'budget';
		// All that is in doubt is asked once more, after everything was asked once.
		const isSecondRound = this.fresh === urls.length;
		const matches = isSecondRound ? ledger.possibleMatches() : undefined;
		const chosen: string[] = [];
		let size = Infinity;
		for (let at = isSecondRound ? this.at : this.fresh; at < urls.length; at++) {
			const url = urls[at] ?? '';
			const [first = url] = chosen;
			const isOpen = isSecondRound
				? ledger.doubts.has(url) && !ledger.isAsked(url)
				: ledger.isUnknown(url);
			// What rows that came may be about is asked apart: those come again, and may use up the credits.
			if (!isOpen || matches?.has(url) !== matches?.has(first)) continue;
			if (chosen.length === 0) {
				// In small requests it shows which of them came back under another URL. Where credits ran
				// out, such a row may use up the last one, so that nothing is learnt of the others.
				let few = Infinity;
				if (matches?.has(url)) few = ledger.ranOut ? 1 : Math.ceil(matches.size / SMALL_REQUESTS);
				// Nobody is called not found who may not have been looked at.
				if (isSecondRound) few = Math.min(few, ledger.served);
				size = ledger.reduced(url, Math.min(most, pageSize, ledger.most, few, urls.length - at));
			}
			if (chosen.length >= size) break;
			chosen.push(url);
		}
		if (chosen.length === 0) return 'wait';
		const purpose = isSecondRound ? 'end' : 'rows';
		return { purpose, page: 1, size: chosen.length, first: chosen[0] ?? '', urls: new Set(chosen) };
	}

	/** Rows that have come of those wanted, or may be about them; counted where it matters, once for each answer. */
	private rows(): number {
		const { charged, strays } = this.ledger;
		const { urls, limit } = this.wanted;
		if (limit < Infinity && this.have.charged !== charged) {
			const own = new Set(urls);
			const possible = strays.filter(({ places }) => places.some((url) => own.has(url)));
			const rows = urls.filter((url) => this.ledger.rowAt(url)).length + possible.length;
			this.have = { rows, charged };
		}
		return this.have.rows;
	}
}
