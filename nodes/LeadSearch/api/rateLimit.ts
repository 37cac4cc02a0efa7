/** What a service tells about when to send the next request. The contract names no rate limit. */

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
