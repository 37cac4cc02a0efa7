/** What a service tells about when to send the next request. The contract names no rate limit. */

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
	const field = String(headers.ratelimit);
	const remaining = read('remaining') ?? numberIn(/\b(?:r|remaining)=(\d+)/.exec(field)?.[1]);
	const reset = read('reset') ?? numberIn(/\b(?:t|reset)=(\d+)/.exec(field)?.[1]);
	if (remaining === undefined || reset === undefined) return undefined;
	// Some count the seconds from now, others from 1970.
	const resetMs = reset > 1e9 ? reset * 1000 - now : reset * 1000;
	return { remaining, resetMs: Math.max(0, resetMs) };
}

/**
 * Reads a Retry-After header, in seconds or as an HTTP date.
 *
 * @returns milliseconds from `now`, or undefined where the header says nothing usable
 */
export function readRetryAfter(header: unknown, now: number): number | undefined {
	if (typeof header !== 'string') return undefined;
	const text = header.trim();
	if (/^\d+$/.test(text)) return Number(text) * 1000;
	if (!/^[a-z]{3,9}, .* GMT$/i.test(text)) return undefined;
	const date = Date.parse(text);
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function numberIn(text: unknown): number | undefined {
	return typeof text === 'string' && /^\d+(?:\.\d+)?$/.test(text.trim())
		? Number(text)
		: undefined;
}
