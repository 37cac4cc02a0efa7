/** Ways in which requests may go, to draw from: how many at once, in which order, with which failures. */
import fc from 'fast-check';

import type { Failure } from '../../nodes/LeadSearch/api/failures';
import type { AnyRequest } from '../../nodes/LeadSearch/api/fetchPages';
import type { Fate, Fetched, Setting } from './fetching';

/** How many settings a property is tried with. */
export const draws = { numRuns: Number(process.env.LEAD_SEARCH_DRAWS ?? 500) };

export const orInfinity = (value: fc.Arbitrary<number>) => fc.oneof(fc.constant(Infinity), value);

export function mostly(value: boolean): fc.Arbitrary<boolean> {
	return fc.oneof(
		{ weight: 5, arbitrary: fc.constant(value) },
		{ weight: 1, arbitrary: fc.constant(!value) },
	);
}

const failure = fc.constantFrom<Failure>(
	{ kind: 'serverDown', status: 500 },
	{ kind: 'upstreamDown', status: 503 },
	{ kind: 'tooManyRequests', status: 429 },
	{ kind: 'lostResponse', timedOut: true },
	{ kind: 'unreachable', code: 'ECONNREFUSED' },
	{ kind: 'refused', status: 413 },
);
const fate: fc.Arbitrary<Fate> = fc.oneof(
	{ weight: 12, arbitrary: fc.constant<Fate>('answered') },
	{ weight: 3, arbitrary: failure },
	{ weight: 2, arbitrary: fc.constant<Fate>({ lost: { kind: 'lostResponse' } }) },
	{ weight: 1, arbitrary: fc.constantFrom<Fate>('cancelledMeanwhile', 'violation') },
);
const parallel = {
	parallelPages: fc.oneof(fc.constant(1), fc.integer({ min: 2, max: 8 })),
	order: fc.array(fc.nat(7), { maxLength: 40 }),
};

/** Every request is answered. */
export const smooth: fc.Arbitrary<Setting> = fc.record(parallel);

/** Some requests fail. */
export const rough: fc.Arbitrary<Setting> = fc.record({
	...parallel,
	fates: fc.array(fate, { maxLength: 15 }),
	maxRetries: fc.nat(4),
});

/** From some request on, all fail in the same way. */
export const down: fc.Arbitrary<Setting> = fc
	.record({ ...parallel, maxRetries: fc.nat(4), from: fc.nat(5), fate: failure })
	.map(({ from, fate: lasting, ...rest }) => ({ ...rest, lasting: { from, fate: lasting } }));

/** Expects of a fetch in a setting of `down` that it ends soon. */
export function expectGivenUp({ requests }: Fetched<AnyRequest>, setting: Setting): void {
	// Those in flight and their retries, and as many again in another page size; besides a size probe
	// that is sent once more, one for a page that credits cut.
	const { parallelPages = 1, maxRetries = 0, lasting } = setting;
	const failed = requests.length - (lasting?.from ?? 0);
	const patience = JSON.stringify(lasting).includes('tooManyRequests') ? 3 : 1;
	const most = 2 * (parallelPages + patience * maxRetries) + 2;
	expect(failed).toBeLessThanOrEqual(most);
}
