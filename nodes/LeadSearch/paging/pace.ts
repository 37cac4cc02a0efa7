/**
 * How many requests may be on their way at once, and when the next may leave: one at first, then another for each
 * answer (two for the first answer, where it is known how many rows are wanted), half as many after a failure that is tried
 * again. Knows no clock and no network.
 */
import type { Failure } from '../api/failures';
import { decideRetry } from '../api/retry';

/** A pause: the failure that it is for, and how long nothing is sent. */
interface BackOff {
	failure: Failure;
	milliseconds: number;
}

/**
 * @example
 * const pace = new Pace({ most: 8, opening: 1 });
 * pace.allows(0); // true, and pace.allows(1) is false
 * pace.onAnswer(); // now two may be in flight
 * const failure = { kind: 'serverDown' };
 * const milliseconds = pace.onFailure(failure, () => 1, { maxRetries: 3, random: 0 }); // 1000
 * pace.wait({ failure, milliseconds }); // now pace.allows(0) is false
 * pace.rest(); // what was waited for is over
 */
export class Pace {
	private window = 1;
	/** How many more the next answer allows. */
	private growth: number;
	private readonly maxConcurrency: number;
	/** 429s since the last answer that came whole. */
	private consecutive429s = 0;
	/** Set by a failure: nothing is sent until all that is in flight is answered and this time is over. */
	backOff: BackOff | undefined;

	/** @param most requests at once @param opening how many more the first answer allows */
	constructor({
		maxConcurrency: maxConcurrency,
		growth,
	}: {
		maxConcurrency: number;
		growth: number;
	}) {
		this.maxConcurrency = maxConcurrency;
		this.growth = growth;
	}

	/** @param inFlight requests on their way */
	allowsRequest(inFlight: number): boolean {
		return !this.backOff && inFlight < this.window;
	}

	onResponse(): void {
		if (!this.backOff) this.window = Math.min(this.window + this.growth, this.maxConcurrency);
		this.growth = 1;
		this.consecutive429s = 0;
	}

	/**
	 * @param countAttempt counts a failure of that place, and tells how often it has failed
	 * @param random a number from 0 up to 1
	 * @returns milliseconds until it is tried again; undefined where the failure stands
	 */
	onFailure(
		failure: Failure,
		countAttempt: () => number,
		{ maxRetries, random }: { maxRetries: number; random: number },
	): number | undefined {
		// Of those that were in flight together, the first halves the window, and a single 429 counts.
		const isFirst = !this.backOff;
		const isTooMany = failure.kind === 'tooManyRequests';
		if (isTooMany && (isFirst || this.consecutive429s === 0)) this.consecutive429s += 1;
		const attempts = isTooMany ? this.consecutive429s : countAttempt();
		return decideRetry(failure, attempts, maxRetries, random);
	}

	/** Takes in that a failure is waited for; of several, for the longest. */
	startBackOff(backOff: BackOff): void {
		if (!this.backOff) this.window = Math.max(1, Math.floor(this.window / 2));
		if (backOff.milliseconds > (this.backOff?.milliseconds ?? -1)) this.backOff = backOff;
		this.growth = 1;
	}

	/** Takes in that the wait is over. */
	endBackOff(): void {
		this.backOff = undefined;
	}
}
