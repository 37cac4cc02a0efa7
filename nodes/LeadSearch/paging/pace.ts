/**
 * Controls concurrency and back-off. The window is the number of requests that may be in flight. It starts at one
 * request. Each response adds one, and the first response two if every job has a limit. A failure that is retried
 * halves the window. This file doesn't depend on a clock or a network.
 */
import type { Failure } from '../api/failures';
import { decideRetry } from '../api/retry';

/** A pause after a failure, during which no request is sent: the failure, and the length of the pause. */
interface BackOff {
	failure: Failure;
	milliseconds: number;
}

/**
 * Limits the requests of a run: it knows how many may be in flight (the window), and whether a back-off is in
 * progress. The window starts at 1. A response adds `growth` to it, and each back-off halves it.
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
	/**
	 * The number of requests that the next response adds to the window: 1 or 2 for the first response of a run, then 1.
	 */
	private growth: number;
	private readonly maxConcurrency: number;
	/**
	 * The number of responses with status 429 since the last successful response. Several 429s to requests that were in
	 * flight together count as one, because they have the same cause.
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
	 * @param countAttempt counts a failed attempt of this request, and returns how often it has failed. It isn't called
	 * for a 429, because 429s are counted for the whole run
	 * @param random a number from 0 to below 1
	 * @returns the length of the back-off in milliseconds; undefined if the request isn't retried
	 */
	onFailure(
		failure: Failure,
		countAttempt: () => number,
		{ maxRetries, random }: { maxRetries: number; random: number },
	): number | undefined {
		// Requests in flight fail together. A 429 counts if it is the first of these failures, or the first 429 since a
		// response.
		const isFirst = !this.backOff;
		const isTooMany = failure.kind === 'tooManyRequests';
		if (isTooMany && (isFirst || this.consecutive429s === 0)) this.consecutive429s += 1;
		const attempts = isTooMany ? this.consecutive429s : countAttempt();
		return decideRetry(failure, attempts, maxRetries, random);
	}

	/**
	 * Starts a back-off and halves the window. If a back-off is already in progress, the window isn't halved again, and
	 * the longer of the two back-offs applies.
	 */
	startBackOff(backOff: BackOff): void {
		if (!this.backOff) this.window = Math.max(1, Math.floor(this.window / 2));
		if (backOff.milliseconds > (this.backOff?.milliseconds ?? -1)) this.backOff = backOff;
		this.growth = 1;
	}

	endBackOff(): void {
		this.backOff = undefined;
	}
}
