/** How many requests of an account are accepted; the others get status 429. Without any: all. */
export interface Limits {
	/** Requests in a second, by a token bucket that holds, and starts with, as many rounded up. */
	perSecond?: number;
	concurrent?: number;
	/** Whether a 429 tells in a header Retry-After when to come back. */
	retryAfter?: boolean;
}

/** Parts of a token add up to a little less than the whole. */
const FULL_TOKEN = 1 - 1e-6;

export class Limiter {
	private tokens = Infinity;
	private filledAt = 0;
	private inFlight = 0;

	/** The seconds to wait when a request is refused; call `release` when an accepted one has ended. */
	admit({ perSecond = Infinity, concurrent = Infinity }: Limits): number | undefined {
		// A clock that goes on when a test has set the time of day.
		const now = performance.now();
		const gained = perSecond === Infinity ? Infinity : ((now - this.filledAt) / 1000) * perSecond;
		this.tokens = Math.min(Math.ceil(perSecond), this.tokens + gained);
		this.filledAt = now;
		// Nobody knows when a request in flight will end.
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
