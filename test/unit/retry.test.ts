import type { Failure } from '../../nodes/LeadSearch/api/failures';
import { decideRetry } from '../../nodes/LeadSearch/api/retry';

const down: Failure = { kind: 'upstreamDown', status: 502 };
const refused: Failure = { kind: 'tooManyRequests', status: 429 };
const lost: Failure = { kind: 'lostResponse' };

/** How often a request is repeated. */
function retries(failure: Failure, maxRetries: number): number {
	let tries = 1;
	while (decideRetry(failure, tries, maxRetries, 0)) tries += 1;
	return tries - 1;
}

/** Milliseconds before each of the first tries. */
const waits = (failure: Failure, random: number, ...tries: number[]) =>
	tries.map((count) => decideRetry(failure, count, 100, random)?.waitMs);

test.each([0, 1, 3])('with Max Retries %i, three times as many after 429', (maxRetries) => {
	expect(retries(down, maxRetries)).toBe(maxRetries);
	expect(retries(refused, maxRetries)).toBe(3 * maxRetries);
});

test('what would fail again is not repeated', () => {
	expect(retries({ kind: 'noCredits', status: 402 }, 3)).toBe(0);
});

test('each wait is twice as long as the one before, up to 30 s', () => {
	expect(waits(down, 0, 1, 2, 3, 5, 6)).toEqual([1_000, 2_000, 4_000, 16_000, 30_000]);
});

test('after a 429, limits per second are waited for first, then limits per minute', () => {
	expect(waits(refused, 0, 1, 2, 3, 4, 30)).toEqual([1_000, 10_000, 50_000, 50_000, 50_000]);
	// Three waits together are longer than a minute, by themselves.
	expect(waits(refused, 0.999, 1, 2, 3)).toEqual([1_000, 10_000, 50_000]);
});

test('jitter makes it up to twice as long', () => {
	expect(waits(down, 0.5, 1, 2, 5, 6)).toEqual([1_500, 3_000, 24_000, 30_000]);
});

test('Retry-After is kept to, with jitter once all who were told the same have met again', () => {
	const told = { ...refused, retryAfterMs: 5_000 };
	expect(waits(told, 0.5, 1, 2, 3)).toEqual([5_000, 5_000 + 1_000, 5_000 + 2_000]);
});

test('a service that asks for more than two minutes is not waited for', () => {
	expect(waits({ ...refused, retryAfterMs: 0 }, 0, 1)).toEqual([0]);
	expect(waits({ ...refused, retryAfterMs: 120_000 }, 0, 1)).toEqual([120_000]);
	expect(waits({ ...refused, retryAfterMs: 120_001 }, 0, 1)).toEqual([undefined]);
});

test('from the second try on, a smaller page may get through where the service took too long', () => {
	const smaller = (failure: Failure) =>
		[1, 2, 3].map((tries) => decideRetry(failure, tries, 3, 0)?.smallerPage);
	expect(smaller(down)).toEqual([false, true, true]);
	expect(smaller({ ...lost, timedOut: true })).toEqual([false, true, true]);
	expect(smaller(lost)).toEqual([false, false, false]);
});
