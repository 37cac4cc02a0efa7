/** Decides whether to retry a request, and after which back-off. Pure functions. */
import { CONSEQUENCES, type Failure } from './failures';

/** The first back-off, in milliseconds. It doubles with each failed attempt, up to the limit. */
const FIRST_BACK_OFF_MS = 1_000;
const MAX_BACK_OFF_MS = 30_000;

/**
 * The back-offs after the first, the second and each further 429, in milliseconds. After the first two, a rate limit
 * per second is surely over. After three, 61 seconds have passed, so a rate limit per minute is over, too. Limits per
 * minute are more common.
 */
const BACK_OFFS_AFTER_429_MS = [1_000, 10_000, 50_000];

/** A 429 is retried three times as often: it is free, and other clients can use up the rate limit. */
const RETRY_FACTOR_AFTER_429 = 3;

/** The longest wait that the service can ask for (Retry-After). If it asks for more, the request isn't retried. */
const MAX_RETRY_AFTER_MS = 120_000;

/**
 * Decides whether to retry a request.
 *
 * @param failedAttempts how often the request has failed, at least 1. For a 429: how many 429s there were since the
 * last complete response
 * @param maxRetries the option 'Max Retries'
 * @param random a number from 0 to below 1, for jitter
 * @returns the back-off in milliseconds: Retry-After if the service sent it, otherwise one of the back-offs above;
 * undefined if the request isn't retried
 */
export function decideRetry(
	{ kind, retryAfterMs }: Failure,
	failedAttempts: number,
	maxRetries: number,
	random: number,
): number | undefined {
	const isRateLimited = kind === 'tooManyRequests';
	const retryLimit = isRateLimited ? RETRY_FACTOR_AFTER_429 * maxRetries : maxRetries;
	if (!CONSEQUENCES[kind].isRetried || failedAttempts > retryLimit) return undefined;
	const exponentialMs = FIRST_BACK_OFF_MS * 2 ** (failedAttempts - 1);
	if (retryAfterMs !== undefined) {
		if (retryAfterMs > MAX_RETRY_AFTER_MS) return undefined;
		// Without jitter, clients that got the same Retry-After would collide again.
		return (
			retryAfterMs + (failedAttempts > 1 ? Math.min(MAX_BACK_OFF_MS, random * exponentialMs) : 0)
		);
	}
	if (isRateLimited)
		return BACK_OFFS_AFTER_429_MS[failedAttempts - 1] ?? BACK_OFFS_AFTER_429_MS.at(-1);
	return Math.min(MAX_BACK_OFF_MS, exponentialMs * (1 + random));
}
