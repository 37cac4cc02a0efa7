/** When to repeat a request, and after how long. Pure. */
import { CONSEQUENCES, type Failure } from './failures';

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;

/** Limits per second are over by the second try; limits per minute, the usual ones, by the fourth. */
const WAITS_AFTER_429_MS = [1_000, 10_000, 50_000];

/** A 429 is repeated so many times as often: it costs nothing, and others may use up the rate limit. */
const PATIENCE_AFTER_429 = 3;

/** The longest wait that a service may ask for; beyond it the run ends instead. */
const LONGEST_RETRY_AFTER_MS = 120_000;

/**
 * Decides whether to repeat a request.
 *
 * @param tries how often it has failed so far, at least 1; 429s count from the last whole answer
 * @param random a number from 0 up to 1, for jitter
 * @returns milliseconds to wait before: as the service says, or else as above; undefined when the failure stands
 */
export function decideRetry(
	{ kind, retryAfterMs }: Failure,
	tries: number,
	maxRetries: number,
	random: number,
): number | undefined {
	const isTooMany = kind === 'tooManyRequests';
	const most = isTooMany ? PATIENCE_AFTER_429 * maxRetries : maxRetries;
	if (!CONSEQUENCES[kind].isRetried || tries > most) return undefined;
	const doubled = FIRST_WAIT_MS * 2 ** (tries - 1);
	if (retryAfterMs !== undefined) {
		if (retryAfterMs > LONGEST_RETRY_AFTER_MS) return undefined;
		// Those who were told the same time would meet again.
		return retryAfterMs + (tries > 1 ? Math.min(LONGEST_WAIT_MS, random * doubled) : 0);
	}
	if (isTooMany) return WAITS_AFTER_429_MS[tries - 1] ?? WAITS_AFTER_429_MS.at(-1);
	return Math.min(LONGEST_WAIT_MS, doubled * (1 + random));
}
