/** Controls concurrency and back-off. This file doesn't depend on a clock or a network. */
import type { Failure } from '../api/failures';
import { decideRetry } from '../api/retry';

interface BackOff {
	failure: Failure;
	milliseconds: number;
}

/**
 * The window is the number of requests that may be in flight. It starts at 1. The first response adds `growth` to it,
 * unless a back-off came before. Each other response adds 1, and each back-off halves it.
 *
 * @example
 * const pace = new Pace({ maxConcurrency: 8, growth: 1 });
 * pace.allowsRequest(0); // true, and pace.allowsRequest(1) is false
 * pace.onResponse(); // now two requests may be in flight
 */
export class Pace {
	private window = 1;
	private growth: number;
	private readonly maxConcurrency: number;
	/**
	 * The number of 429s since the last successful response. Several 429s to requests that were in flight together
	 * count as one, because they have the same cause.
	 */
	private consecutive429s = 0;
	/** Nothing is sent until it is over and no request is in flight. */
	backOff: BackOff | undefined;

	constructor({ maxConcurrency, growth }: { maxConcurrency: number; growth: number }) {
		this.maxConcurrency = maxConcurrency;
		this.growth = growth;
	}

	allowsRequest(inFlight: number): boolean {
		return !this.backOff && inFlight < this.window;
	}

	onResponse(): void {
		if (!this.backOff) this.window = Math.min(this.window + this.growth, this.maxConcurrency);
		this.growth = 1;
		this.consecutive429s = 0;
	}

	/**
	 * @param countAttempt counts a failed attempt of this request, and returns how often it has failed. It isn't called
	 * for a 429, because 429s are counted for the whole run
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

	/** Failures of concurrent requests are one back-off: the window is halved once, and the longest wait applies. */
	startBackOff(backOff: BackOff): void {
		if (!this.backOff) this.window = Math.max(1, Math.floor(this.window / 2));
		if (backOff.milliseconds > (this.backOff?.milliseconds ?? -1)) this.backOff = backOff;
		this.growth = 1;
	}

	endBackOff(): void {
		this.backOff = undefined;
	}
}
