/**
 * How many requests are in flight at once, and how soon after each other. The contract names no rate
 * limit, so what the service takes is found out, as TCP does with a network: one more in flight for
 * each page that comes, half as many when the service says that it is too much. Pure: it is told the
 * time.
 */
import type { Quota } from './rateLimit';
import { LONGEST_RETRY_AFTER_MS } from './retry';

/** A request, as far as its timing is concerned. */
export interface Sent {
	/** Requests in flight once it was sent, itself included. */
	inFlight: number;
	/** When it was sent, in milliseconds. */
	at: number;
	/** How many were sent before it. */
	order: number;
}

/** So many times the rows a second are enough of a gain from twice as many requests in flight. */
const LEAST_GAIN = 1.2;

/** Pages after which more requests are tried than were refused, or no faster. */
const PAGES_UNTIL_PROBE = 100;

/** The time in which requests follow each other twice as fast again, as long as none is refused. */
const DOUBLING_MS = 20_000;

export class ConcurrencyLimit {
	/** Requests in flight that are allowed now. */
	private limit = 1;

	/** The most in flight, where more were refused, or no faster. */
	private ceiling = Infinity;
	private pagesAtCeiling = 0;
	/** Whether one more is tried than was refused. Each failure doubles the pages until the next. */
	private isProbing = false;
	private pagesUntilProbe = PAGES_UNTIL_PROBE;
	private isRefused = false;

	/** Rows a millisecond with so many requests in flight. */
	private readonly rates = new Map<number, number>();
	/** Pages in a row that were no faster than with half as many in flight. */
	private pagesWithoutGain = 0;

	/** Milliseconds from one request to the next, when one was refused last. */
	private interval = 0;
	private sentAt = -Infinity;
	private sent = 0;

	/** Since when pages are counted: the first request, or the latest that was refused. */
	private countedSince?: number;
	private pages = 0;

	/** The latest quota, and when it ends. */
	private quota?: { remaining: number; until: number };

	/**
	 * @param inFlight requests in flight
	 * @param most the most that may be, at least 1
	 * @returns milliseconds to wait before the next request; Infinity: not before a response
	 */
	waitBefore(inFlight: number, most: number, now: number): number {
		if (inFlight >= Math.min(most, this.limit)) return Infinity;
		const age = Math.max(0, now - (this.countedSince ?? now));
		const paced = this.sentAt - now + this.interval * 2 ** (-age / DOUBLING_MS);
		const isSpent = this.quota !== undefined && this.quota.remaining <= 0;
		// With the next response it is known anew.
		if (isSpent && inFlight > 0) return Infinity;
		const wait = isSpent ? Math.max(paced, (this.quota?.until ?? now) - now) : paced;
		// A clock that was set back makes nobody wait for longer than any service may ask for.
		return Math.min(LONGEST_RETRY_AFTER_MS, Math.max(0, wait));
	}

	/** @param inFlight requests in flight, this one included */
	send(inFlight: number, now: number): Sent {
		this.sentAt = now;
		this.countedSince ??= now;
		this.sent += 1;
		if (this.quota) {
			// Once it has ended, the next response tells the new one.
			this.quota.remaining = now < this.quota.until ? this.quota.remaining - 1 : 0;
		}
		return { inFlight, at: now, order: this.sent };
	}

	/**
	 * A page came whole.
	 *
	 * @param rows on the page
	 */
	succeed({ inFlight, at }: Sent, rows: number, now: number): void {
		this.pages += 1;
		if (rows > 0) {
			const rate = (inFlight * rows) / Math.max(1, now - at);
			const before = this.rates.get(inFlight) ?? rate;
			this.rates.set(inFlight, (before + rate) / 2);
		}
		// Where fewer are in flight than may be, a page does not show that more would be taken.
		if (2 * inFlight <= this.limit) return;
		if (this.limit < this.ceiling) this.raise(inFlight);
		else this.waitToProbe();
	}

	/**
	 * The service answered that these are too many requests (429). Of several that were in flight
	 * together, the one counts that was sent with the fewest.
	 */
	refuse({ inFlight }: Sent, now: number): void {
		const taken = this.isProbing ? this.ceiling - 1 : this.ceiling;
		// As many in flight were taken before, so it is too many a second.
		const isRate = this.isRefused && inFlight <= taken;
		if (isRate && this.pages > 0) {
			this.interval = (now - (this.countedSince ?? now)) / this.pages;
		}
		this.countedSince = now;
		this.pages = 0;
		if (!isRate) {
			if (this.isProbing) this.pagesUntilProbe *= 2;
			this.settleAt(inFlight - 1);
			this.isRefused = true;
		}
		this.halve({ inFlight });
	}

	/** What stands behind the service did not answer (502 to 504), or not in time. */
	halve({ inFlight }: Pick<Sent, 'inFlight'>): void {
		this.limit = Math.max(1, Math.min(this.limit, Math.floor(inFlight / 2)));
	}

	/** Takes the quota into account that came with the response to a request, if any. */
	learn({ order }: Sent, quota: Quota | undefined, now: number): void {
		this.quota = undefined;
		// So long nobody waits; the service refuses the next request, and that is told.
		if (!quota || quota.resetMs > LONGEST_RETRY_AFTER_MS) return;
		// Those sent since may not be counted in it.
		const remaining = quota.remaining - (this.sent - order);
		this.quota = { remaining, until: now + quota.resetMs };
	}

	/** One more in flight, unless that has brought nothing several times. */
	private raise(inFlight: number): void {
		const half = this.rates.get(Math.floor(inFlight / 2)) ?? 0;
		const isFaster = (this.rates.get(inFlight) ?? Infinity) >= LEAST_GAIN * half;
		this.pagesWithoutGain = isFaster ? 0 : this.pagesWithoutGain + 1;
		if (isFaster) this.limit += 1;
		else if (this.pagesWithoutGain > this.limit) this.settleAt(Math.floor(inFlight / 2));
	}

	private waitToProbe(): void {
		this.pagesAtCeiling += 1;
		if (this.pagesAtCeiling > this.limit) this.isProbing = false;
		if (this.pagesAtCeiling < this.pagesUntilProbe) return;
		this.settleAt(this.isRefused ? this.ceiling + 1 : Infinity);
		this.limit += 1;
		this.isProbing = true;
		this.rates.clear();
	}

	private settleAt(ceiling: number): void {
		this.ceiling = Math.max(1, ceiling);
		this.limit = Math.min(this.limit, this.ceiling);
		this.pagesAtCeiling = 0;
		this.pagesWithoutGain = 0;
		this.isProbing = false;
	}
}
