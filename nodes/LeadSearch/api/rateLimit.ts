/** What a service tells about its rate limit. The contract names none. */

/** What a service tells about its rate limit with a response. */
export interface Quota {
	/** Requests that it still takes. */
	remaining: number;
	/** Milliseconds until it takes as many as at first again. */
	resetMs: number;
}

/**
 * Reads what a service tells about its rate limit: RateLimit-Remaining and RateLimit-Reset, the same
 * with X- in front, or the single field RateLimit.
 *
 * @returns undefined where the headers say nothing usable
 */
export function readQuota(headers: Record<string, unknown>, now: number): Quota | undefined {
	const read = (name: string) =>
		numberIn(headers[`ratelimit-${name}`] ?? headers[`x-ratelimit-${name}`]);
	const field = typeof headers.ratelimit === 'string' ? headers.ratelimit : '';
	const remaining = read('remaining') ?? numberIn(/\b(?:r|remaining)=(\d+)/.exec(field)?.[1]);
	const reset = read('reset') ?? numberIn(/\b(?:t|reset)=(\d+)/.exec(field)?.[1]);
	if (remaining === undefined || reset === undefined) return undefined;
	// Some count the seconds from now, others from 1970.
	const resetMs = reset > 1e9 ? reset * 1000 - now : reset * 1000;
	return { remaining, resetMs: Math.max(0, resetMs) };
}

function numberIn(text: unknown): number | undefined {
	return typeof text === 'string' && /^\d+(?:\.\d+)?$/.test(text.trim())
		? Number(text)
		: undefined;
}
