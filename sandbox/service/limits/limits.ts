/** How many requests of an account are accepted; the others get status 429. Without any: all. */
export interface Limits {
	/** Requests in a second, by a token bucket that holds, and starts with, as many rounded up. */
	perSecond?: number;
	/** Requests in flight at the same time. */
	concurrent?: number;
	/** Headers that tell of the limits, with the names that APIs use for them: none unless given. */
	headers?: ReadonlyArray<'Retry-After' | 'RateLimit'>;
}

/** Parts of a token add up to a little less than the whole. */
const ROUNDING = 1e-6;

/** Keeps the limits of one account. */
export class Limiter {
	private tokens = Infinity;
	private filledAt = 0;
	private inFlight = 0;

	/** @param now milliseconds since 1970 */
	constructor(private readonly now: () => number) {}

	/** Decides on a request that has arrived; call `release` when an accepted one has ended. */
	admit(wanted: Limits) {
		const { perSecond = Infinity, concurrent = Infinity, headers: styles = [] } = wanted;
		const burst = Math.ceil(perSecond);
		const now = this.now();
		const seconds = (now - this.filledAt) / 1000;
		const gained = perSecond === Infinity ? Infinity : seconds * perSecond;
		this.tokens = Math.min(burst, this.tokens + gained);
		this.filledAt = now;

		const accepted = this.inFlight < concurrent && this.tokens >= 1 - ROUNDING;
		if (accepted) {
			this.tokens -= 1;
			this.inFlight += 1;
		}
		const nextToken = Math.ceil(Math.max(0, 1 - ROUNDING - this.tokens) / perSecond);
		// Nobody knows when a request in flight will end.
		const wait = accepted ? nextToken : Math.max(1, nextToken);
		const left = Math.floor(Math.min(this.tokens + ROUNDING, concurrent - this.inFlight));
		const headers: Record<string, string> = {
			...(!accepted && styles.includes('Retry-After') && { 'Retry-After': String(wait) }),
			...(styles.includes('RateLimit') && {
				'RateLimit-Limit': String(Math.min(burst, concurrent)),
				'RateLimit-Remaining': String(left),
				'RateLimit-Reset': String(wait),
			}),
		};
		return { accepted, headers };
	}

	/** An accepted request has ended. */
	release(): void {
		this.inFlight -= 1;
	}
}
