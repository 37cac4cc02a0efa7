import type { Failure } from '../../nodes/LeadSearch/api/failures';
import { decideRetry } from '../../nodes/LeadSearch/api/retry';

const down: Failure = { kind: 'upstreamDown', status: 502 };
const refused: Failure = { kind: 'tooManyRequests', status: 429 };
const askedToWait = (retryAfterMs: number) => ({ ...refused, retryAfterMs });

test.each<[string, Failure, number, Array<number | undefined>]>([
	['twice as long each time, up to 30 s', down, 0, [1_000, 2_000, 4_000, 8_000, 16_000, 30_000]],
	['with jitter up to twice as long', down, 0.5, [1_500, 3_000, 6_000, 12_000, 24_000, 30_000]],
	['for limits per second, then per minute', refused, 0.9, [1_000, 10_000, 50_000, 50_000]],
	['as asked, then with jitter', askedToWait(5_000), 0.5, [5_000, 6_000, 7_000]],
	['not at all where asked to', askedToWait(0), 0, [0]],
	['two minutes at most', askedToWait(120_000), 0, [120_000]],
	['but ends the run beyond that', askedToWait(120_001), 0, [undefined]],
])('it waits %s', (_, failure, random, waits) => {
	expect(waits.map((_wait, tries) => decideRetry(failure, tries + 1, 100, random))).toEqual(waits);
});
