/** Decides whether to retry a request, and after which back-off. */
import { CONSEQUENCES, type Failure } from './failures';

/** The back-off after the first failed attempt, without jitter. A 429 has back-offs of its own. */
const FIRST_BACK_OFF_MS = 1_000;
const MAX_BACK_OFF_MS = 30_000;

/**
 * The back-offs after the first, the second and each further 429 in a row. After the third, 61 seconds have passed,
 * so a rate limit per minute is over.
 */
const BACK_OFFS_AFTER_429_MS = [1_000, 10_000, 50_000];

/** A 429 is retried this many times as often: it is free, and can last if other clients use up the same rate limit. */
const RETRY_FACTOR_AFTER_429 = 3;

/** The longest Retry-After for which a request is retried. */
const MAX_RETRY_AFTER_MS = 120_000;

/**
 * Returns the back-off before a retry in milliseconds; undefined if the request isn't retried.
 *
 * @param failedAttempts at least 1. For a 429, `Pace` counts the 429s since the last successful response of the run
 * @param random a number from 0 to below 1, for jitter
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
