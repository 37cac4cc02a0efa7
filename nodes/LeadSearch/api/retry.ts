/** When to repeat a request, and after how long. Pure. */
import { CONSEQUENCES, type Failure } from './failures';

const FIRST_BACK_OFF_MS = 1_000;
const MAX_BACK_OFF_MS = 30_000;

/** Limits per second are over by the second try; limits per minute, the usual ones, by the fourth. */
const BACK_OFFS_AFTER_429_MS = [1_000, 10_000, 50_000];

/** A 429 is repeated so many times as often: it costs nothing, and others may use up the rate limit. */
const RETRY_FACTOR_AFTER_429 = 3;

/** The longest wait that a service may ask for; beyond it the run ends instead. */
const MAX_RETRY_AFTER_MS = 120_000;

/**
 * Decides whether to repeat a request.
 *
 * @param failedAttempts how often it has failed so far, at least 1; 429s count from the last whole answer
 * @param random a number from 0 up to 1, for jitter
 * @returns milliseconds to wait before: as the service says, or else as above; undefined when the failure stands
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
		// Those who were told the same time would meet again.
		return (
			retryAfterMs + (failedAttempts > 1 ? Math.min(MAX_BACK_OFF_MS, random * exponentialMs) : 0)
		);
	}
	if (isRateLimited)
		return BACK_OFFS_AFTER_429_MS[failedAttempts - 1] ?? BACK_OFFS_AFTER_429_MS.at(-1);
	return Math.min(MAX_BACK_OFF_MS, exponentialMs * (1 + random));
}
