/** When to repeat a request, and after how long. Pure. */
import type { Failure, FailureKind } from './failures';

const FIRST_WAIT_MS = 1_000;
/** A rate limit takes requests again sooner than a server that is down. */
const FIRST_WAIT_AFTER_429_MS = 700;
const LONGEST_WAIT_MS = 30_000;

/**
 * So many times as often as others a request is repeated that was one too many: it has cost nothing,
 * and other executions may have used up the rate limit.
 */
const PATIENCE_AFTER_429 = 3;

/** The longest wait that a service may ask for; beyond it the run ends instead. */
export const LONGEST_RETRY_AFTER_MS = 120_000;

const RETRIED: ReadonlySet<FailureKind> = new Set([
	'tooManyRequests',
	'serverDown',
	'upstreamDown',
	'unreachable',
	'lostResponse',
]);

export interface Retry {
	waitMs: number;
	/** Whether to request half as many rows, since a smaller page may get through. */
	smallerPage: boolean;
}

/**
 * Decides whether to repeat a request.
 *
 * @param tries how often it has failed so far, at least 1
 * @param maxRetries how often it may be repeated
 * @param random a number from 0 up to 1, for jitter
 * @returns undefined when the failure stands
 */
export function decideRetry(
	failure: Failure,
	tries: number,
	maxRetries: number,
	random: number,
): Retry | undefined {
	const isRateLimit = failure.kind === 'tooManyRequests';
	const most = isRateLimit ? PATIENCE_AFTER_429 * maxRetries : maxRetries;
	if (!RETRIED.has(failure.kind) || tries > most) return undefined;
	const asked = failure.retryAfterMs;
	if ((asked ?? 0) > LONGEST_RETRY_AFTER_MS) return undefined;
	const wait = backoff(isRateLimit ? FIRST_WAIT_AFTER_429_MS : FIRST_WAIT_MS, tries, random);
	// Those who were told the same time would meet again.
	const spread = tries > 1 ? random * wait : 0;
	return {
		waitMs: asked === undefined ? wait : asked + spread,
		smallerPage: tries >= 2 && (failure.kind === 'upstreamDown' || failure.timedOut === true),
	};
}

/** Doubles with each try, plus up to as much again in jitter, at most 30 s. */
function backoff(firstWait: number, tries: number, random: number): number {
	return Math.min(LONGEST_WAIT_MS, firstWait * 2 ** (tries - 1) * (1 + random));
}
