/** What input items want of profiles, and so which URLs to ask for next. */
import { isRow, type End, type Order, type Stray } from './ledger';
import type { ProfileList } from './profileList';

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
		const {
			ledger,
			ledger: { cells, pending, doubts },
			wanted: { urls, limit, pageSize },
		} = this;
		const isKnown = (url = '') => (cells.get(url) ?? 'pending') !== 'pending';
		while (this.at < urls.length && isKnown(urls[this.at])) this.at++;
		if (this.reopened !== ledger.reopened) this.fresh = this.at;
		this.reopened = ledger.reopened;
		const isFresh = (url = '') => !cells.has(url) && !doubts.has(url);
		while (this.fresh < urls.length && !isFresh(urls[this.fresh])) this.fresh++;

		const left = limit - this.rows();
		const most = Math.min(room, left - pending);
		if (pending > 0 && (most <= 0 || !ledger.isAnswered)) return 'wait';
		if (this.at === urls.length) return 'whole';
		if (left <= 0) return 'limit';
		if (room <= 0) return 'budget';
		// All that is in doubt is asked once more, after everything was asked once.
		const isQuestion = this.fresh === urls.length;
		const isOpen = (url: string) => !cells.has(url) && doubts.has(url) === isQuestion;
		const first = urls.findIndex(
			(url, index) => index >= (isQuestion ? this.at : this.fresh) && isOpen(url),
		);
		if (first < 0) return 'wait';
		const size = ledger.reduced(urls[first] ?? '', Math.min(most, pageSize, ledger.most));
		const places: string[] = [];
		for (const url of urls.slice(first)) {
			if (places.length >= size) break;
			if (isOpen(url)) places.push(url);
		}
		return { purpose: isQuestion ? 'end' : 'rows', places, page: 1, size: places.length };
	}

	/** Rows that have come of those wanted, those that may be about them among them. */
	countRows(): number {
		const { urls } = this.wanted;
		const { cells, strays } = this.ledger;
		const own = new Set(urls);
		const isOwn = ({ places }: Stray<string>) => places.some((url) => own.has(url));
		return urls.filter((url) => isRow(cells.get(url))).length + strays.filter(isOwn).length;
	}

	/** The same, counted when it matters and something has come. */
	private rows(): number {
		const { ledger, wanted, have } = this;
		if (wanted.limit < Infinity && have.charged !== ledger.charged) {
			this.have = { rows: this.countRows(), charged: ledger.charged };
		}
		return this.have.rows;
	}
}
