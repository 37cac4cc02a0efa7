/** Rate limits of an account. Requests beyond them get a 429. By default, there is no limit. */
export interface Limits {
	/** Requests per second. The token bucket holds this number of tokens, rounded up, and starts full. */
	perSecond?: number;
	/** Requests in flight. */
	concurrent?: number;
	/** Whether a 429 has a Retry-After header. */
	retryAfter?: boolean;
}

/** Slightly less than 1, because fractions of a token add up with rounding errors. */
const FULL_TOKEN = 1 - 1e-6;

/** Applies the rate limits of one account. */
export class Limiter {
	private tokens = Infinity;
	private filledAt = 0;
	private inFlight = 0;

	/** Returns undefined if a request is accepted (call `release` at its end), otherwise the seconds to wait. */
	admit({ perSecond = Infinity, concurrent = Infinity }: Limits): number | undefined {
		// A monotonic clock, because tests change the time of day.
		const now = performance.now();
		const gained = perSecond === Infinity ? Infinity : ((now - this.filledAt) / 1000) * perSecond;
		this.tokens = Math.min(Math.ceil(perSecond), this.tokens + gained);
		this.filledAt = now;
		// It isn't known when a request in flight ends, so the wait is by tokens only.
		if (this.inFlight >= concurrent || this.tokens < FULL_TOKEN)
			return Math.max(1, Math.ceil(Math.max(0, FULL_TOKEN - this.tokens) / perSecond));
		this.tokens -= 1;
		this.inFlight += 1;
		return undefined;
	}

	readonly release = (): void => {
		this.inFlight -= 1;
	};
}
