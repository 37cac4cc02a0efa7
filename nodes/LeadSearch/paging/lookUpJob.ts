/** What input items want of profiles, and so which URLs to ask for next. */
import type { End, Job, Order } from './job';
import type { ProfileList } from './profileList';

/** Profiles that are wanted. */
export interface WantedProfiles {
	/** Normalised, each once. */
	urls: readonly string[];
	/** Rows wanted; Infinity for all. */
	limit: number;
	/** The most URLs in one request. */
	pageSize: number;
}

const PURPOSES = ['rows', 'alone', 'again'] as const;

/**
 * @example
 * const job = new LookUpJob(list, { urls: [anna, bob, carl], limit: Infinity, pageSize: 2 });
 * job.next(100); // { purpose: 'rows', size: 2, urls: new Set([anna, bob]), … }
 */
export class LookUpJob implements Job {
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

	next(room: number): Order<string> | 'wait' | End {
		const { ledger } = this;
		const left = this.wanted.limit - this.found();
		const isFirst = !ledger.isAnswered && ledger.inFlight.size > 0;
		// Those of other runs are nobody's who is wanted: whoever came beside them is asked for alone.
		const mayOwnStrays = ledger.inFlight.size > 0 || this.some(ledger.queues.alone, 1).length > 0;
		let isOpen = false;
		for (const purpose of PURPOSES) {
			// A row without an owner takes a place of Limit, but for the request that finds its owner.
			const ownerless = purpose === 'alone' || !mayOwnStrays ? 0 : ledger.strays.length;
			const most = Math.min(room, left - ownerless - ledger.pending);
			const order = this.orderFor(purpose, Math.max(1, most));
			isOpen ||= order !== undefined;
			if (order && order !== 'wait' && most > 0 && !isFirst) return order;
		}
		if (ledger.inFlight.size > 0) return 'wait';
		if (!isOpen) return 'whole';
		return left <= 0 || room > 0 ? 'limit' : 'budget';
	}

	/** @param most rows that may come */
	private orderFor(
		purpose: (typeof PURPOSES)[number],
		most: number,
	): Order<string> | 'wait' | undefined {
		const { ledger, wanted } = this;
		const atOnce = Math.min(most, ledger.atOnce(wanted.pageSize));
		const queue = ledger.queues[purpose];
		if (purpose === 'alone') return orderOf('alone', this.some(queue, 1));
		// More may not be looked at.
		if (purpose === 'again')
			return orderOf('again', this.some(queue, Math.min(atOnce, ledger.certain)));
		const together = this.some(queue, atOnce, (url) => !ledger.isIdAskedAlone(url));
		if (together.length > 0) return orderOf('rows', together);
		const alone = this.some(queue, 1);
		// Of ids, the first that comes shows how they come.
		const isShown = ledger.asksIdsAlone !== undefined || ledger.inFlight.size === 0;
		return alone.length > 0 && !isShown ? 'wait' : orderOf('alone', alone);
	}

	/** The first few of its URLs in a queue. */
	private some(
		queue: Iterable<string>,
		most: number,
		isFit: (url: string) => boolean = () => true,
	): string[] {
		const chosen: string[] = [];
		for (const url of queue) {
			if (chosen.length >= most) break;
			if (this.own.has(url) && isFit(url)) chosen.push(url);
		}
		return chosen;
	}

	/** Rows that come out for what is wanted. */
	private found(): number {
		const { limit, urls } = this.wanted;
		if (limit === Infinity) return 0;
		return urls.reduce((rows, url) => rows + this.ledger.rowsAt(url).length, 0);
	}
}

function orderOf(purpose: Order['purpose'], urls: readonly string[]): Order<string> | undefined {
	const [first] = urls;
	if (first === undefined) return undefined;
	return { purpose, page: 1, size: urls.length, first, urls: new Set(urls) };
}
