/** Decides whether to retry a request, and after which back-off. Pure functions. */
import { CONSEQUENCES, type Failure } from './failures';

/**
 * The back-off after the first failed attempt, in milliseconds and without jitter. The back-off doubles with each
 * further failed attempt, up to MAX_BACK_OFF_MS. A 429 has back-offs of its own.
 */
const FIRST_BACK_OFF_MS = 1_000;
const MAX_BACK_OFF_MS = 30_000;

/**
 * The back-offs after the first, the second and each further 429 in a row, in milliseconds. After the second
 * back-off, a rate limit per second is surely over. After the third back-off, 61 seconds have passed, so a rate limit
 * per minute is over, too.
 */
const BACK_OFFS_AFTER_429_MS = [1_000, 10_000, 50_000];

/**
 * The factor by which a 429 is retried more often than other failures: if Max Retries is 3, a 429 is retried 9 times.
 * A 429 is free, and it can last, because other clients can use up the same rate limit.
 */
const RETRY_FACTOR_AFTER_429 = 3;

/**
 * The longest Retry-After that is obeyed, in milliseconds. If the service asks for a longer wait, the request isn't
 * retried.
 */
const MAX_RETRY_AFTER_MS = 120_000;

/**
 * Decides whether to retry a failed request, and after which back-off.
 *
 * @param failedAttempts how often this request has failed, at least 1. If the failure is a 429: the number of 429s
 * since the last successful response to any request of the run
 * @param maxRetries the value of the option 'Max Retries'
 * @param random a number from 0 to below 1, for jitter
 * @returns the back-off in milliseconds; undefined if the request isn't retried. If the service sent Retry-After, the
 * back-off is at least that long. Otherwise a 429 gets one of BACK_OFFS_AFTER_429_MS. Other failures get a back-off
 * that starts at FIRST_BACK_OFF_MS, doubles, and contains jitter
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
