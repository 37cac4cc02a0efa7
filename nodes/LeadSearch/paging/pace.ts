/**
 * Controls concurrency and back-off. The window starts at one request. Each response adds one, and the first response two
 * if every job has a limit. A failure that is retried halves the window. It doesn't depend on a clock or a network.
 */
import type { Failure } from '../api/failures';
import { decideRetry } from '../api/retry';

/** A back-off: the failure that caused it, and how long nothing is sent. */
interface BackOff {
	failure: Failure;
	milliseconds: number;
}

/**
 * How many requests may be in flight, and whether a back-off is going on.
 *
 * @example
 * const pace = new Pace({ maxConcurrency: 8, growth: 1 });
 * pace.allowsRequest(0); // true, and pace.allowsRequest(1) is false
 * pace.onResponse(); // now two requests may be in flight
 * const failure = { kind: 'serverDown' };
 * const milliseconds = pace.onFailure(failure, () => 1, { maxRetries: 3, random: 0 }); // 1000
 * pace.startBackOff({ failure, milliseconds }); // now pace.allowsRequest(0) is false
 * pace.endBackOff(); // now one request may be in flight
 */
export class Pace {
	private window = 1;
	/** The number of requests that the next response adds to the window. */
	private growth: number;
	private readonly maxConcurrency: number;
	/**
	 * The number of 429s since the last successful response. 429s of requests that were in flight together count as
	 * one.
	 */
	private consecutive429s = 0;
	/** The current back-off. Nothing is sent until it is over and no request is in flight. */
	backOff: BackOff | undefined;

	/**
	 * Creates the pace of a run.
	 *
	 * @param growth the number of requests that the first response adds to the window
	 */
	constructor({ maxConcurrency, growth }: { maxConcurrency: number; growth: number }) {
		this.maxConcurrency = maxConcurrency;
		this.growth = growth;
	}

	/**
	 * Whether another request may be sent now.
	 *
	 * @param inFlight the number of requests in flight
	 */
	allowsRequest(inFlight: number): boolean {
		return !this.backOff && inFlight < this.window;
	}

	onResponse(): void {
		if (!this.backOff) this.window = Math.min(this.window + this.growth, this.maxConcurrency);
		this.growth = 1;
		this.consecutive429s = 0;
	}

	/**
	 * Decides whether a failed request is retried.
	 *
	 * @param countAttempt counts a failed attempt of this request, and returns how often it has failed; not called for a 429
	 * @param random a number from 0 to below 1
	 * @returns the back-off in milliseconds; undefined if the request isn't retried
	 */
	onFailure(
		failure: Failure,
		countAttempt: () => number,
		{ maxRetries, random }: { maxRetries: number; random: number },
	): number | undefined {
		// Requests in flight fail together. A 429 counts if it is the first of these failures, or the first 429 since a response.
		const isFirst = !this.backOff;
		const isTooMany = failure.kind === 'tooManyRequests';
		if (isTooMany && (isFirst || this.consecutive429s === 0)) this.consecutive429s += 1;
		const attempts = isTooMany ? this.consecutive429s : countAttempt();
		return decideRetry(failure, attempts, maxRetries, random);
	}

	/** Starts a back-off and halves the window. During a back-off, only a longer one replaces it. */
	startBackOff(backOff: BackOff): void {
		if (!this.backOff) this.window = Math.max(1, Math.floor(this.window / 2));
		if (backOff.milliseconds > (this.backOff?.milliseconds ?? -1)) this.backOff = backOff;
		this.growth = 1;
	}

	endBackOff(): void {
		this.backOff = undefined;
	}
}
