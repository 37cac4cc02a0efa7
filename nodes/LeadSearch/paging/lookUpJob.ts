/** What input items want of profiles, and so which URLs to ask for next. */
import type { End, Job, Order } from './job';
import type { ProfileList } from './profileList';

/** Profiles to fetch. */
export interface ProfileTarget {
	/** Normalised, each once. */
	urls: readonly string[];
	/** Rows wanted; Infinity for all. */
	limit: number;
	/** The most URLs in one request. */
	pageSize: number;
}

type Queue = keyof ProfileList['queues'];

const QUEUES: readonly Queue[] = ['rows', 'alone', 'again'];

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
		private readonly target: ProfileTarget,
	) {
		this.width = target.urls.length;
		this.own = new Set(target.urls);
		ledger.open(target.urls);
	}

	next(room: number): Order<string> | 'wait' | End {
		const { ledger } = this;
		const isFirst = !ledger.isAnswered && ledger.inFlight.size > 0;
		const { limit } = this.target;
		const left = limit - this.countRows();
		// A row without an owner takes a place of Limit, but for the request that finds its owner.
		const ownerless = limit < Infinity && this.mayOwnStrays ? ledger.strays.length : 0;
		for (const queue of isFirst ? [] : QUEUES) {
			const places = left - ledger.pending - (queue === 'alone' ? 0 : ownerless);
			const order = this.orderFor(queue, Math.min(room, places));
			if (order) return order;
		}
		if (ledger.inFlight.size > 0) return 'wait';
		const isOpen = QUEUES.some((queue) => this.pick(queue, 1).length > 0);
		if (!isOpen) return 'whole';
		return left <= 0 || room > 0 ? 'limit' : 'budget';
	}

	/** @param most rows that may come */
	private orderFor(queue: Queue, most: number): Order<string> | undefined {
		const { ledger } = this;
		if (most <= 0) return undefined;
		const atOnce = Math.min(most, ledger.atOnce(this.target.pageSize));
		if (queue === 'alone') return orderOf('alone', this.pick('alone', 1));
		// More may not be looked at.
		if (queue === 'again')
			return orderOf('again', this.pick('again', Math.min(atOnce, ledger.certain)));
		const together = this.pick('rows', atOnce, (url) => !ledger.isIdAskedAlone(url));
		if (together.length > 0) return orderOf('rows', together);
		// Of ids, the first that comes shows how they come.
		const isShown = ledger.asksIdsAlone !== undefined || ledger.inFlight.size === 0;
		return isShown ? orderOf('alone', this.pick('rows', 1)) : undefined;
	}

	/** Whether rows without an owner may be of those who are wanted: whoever came beside them is asked for alone. */
	private get mayOwnStrays(): boolean {
		return this.ledger.inFlight.size > 0 || this.pick('alone', 1).length > 0;
	}

	/** The first few of its URLs in a queue. */
	private pick(queue: Queue, most: number, isFit: (url: string) => boolean = () => true): string[] {
		const chosen: string[] = [];
		for (const url of this.ledger.queues[queue]) {
			if (chosen.length >= most) break;
			if (this.own.has(url) && isFit(url)) chosen.push(url);
		}
		return chosen;
	}

	/** Rows that come out for the target. */
	private countRows(): number {
		const { limit, urls } = this.target;
		if (limit === Infinity) return 0;
		return urls.reduce((rows, url) => rows + this.ledger.rowsAt(url).length, 0);
	}
}

function orderOf(purpose: Order['purpose'], urls: readonly string[]): Order<string> | undefined {
	const [first] = urls;
	if (first === undefined) return undefined;
	return { purpose, page: 1, size: urls.length, first, urls: new Set(urls) };
}
