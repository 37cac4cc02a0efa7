/** What holds for every run, whatever happens to its requests on their way. */
import fc from 'fast-check';

import type { Failure } from '../../nodes/LeadSearch/service/failures';
import { pullThrough, type Fate, type Setting } from './pulling';
import { maxResultsOf, range, services, wantedRows, wishes } from './serviceModel';

const runs = { numRuns: 1_000 };

const lastingly = (...failures: Failure[]) => fc.constantFrom<Fate>(...failures);
const fate: fc.Arbitrary<Fate> = fc.oneof(
	{ weight: 6, arbitrary: fc.constant<Fate>('answered') },
	{
		weight: 3,
		arbitrary: lastingly(
			{ kind: 'serverDown', status: 500 },
			{ kind: 'upstreamDown', status: 503 },
			{ kind: 'tooManyRequests', status: 429, retryAfterMs: 5_000 },
			{ kind: 'unreachable', code: 'ECONNREFUSED' },
			{ kind: 'lostAnswer', code: 'ECONNRESET' },
		),
	},
	{
		weight: 2,
		arbitrary: fc.constantFrom<Fate>(
			{ lost: { kind: 'lostAnswer', timedOut: true } },
			{ lost: { kind: 'lostAnswer', code: 'ECONNRESET' } },
			{ lost: { kind: 'unreadable' } },
			{ lost: { kind: 'cancelled', inFlight: true } },
		),
	},
	{
		weight: 1,
		arbitrary: fc.constantFrom<Fate>(
			'cancelledMeanwhile',
			'misfit',
			{ kind: 'refused', status: 413 },
			{ kind: 'noCredits', status: 402 },
		),
	},
);
const settings: fc.Arbitrary<Setting> = fc.record({
	fates: fc.array(fate, { maxLength: 15 }),
	maxRetries: fc.nat(4),
	random: fc.double({ min: 0, max: 0.999, noNaN: true }),
	refusesAbove: fc.option(fc.integer({ min: 25, max: 90 }), { nil: undefined }),
	parallelPages: fc.oneof(fc.constant(1), fc.integer({ min: 2, max: 10 })),
	order: fc.array(fc.nat(9), { maxLength: 60 }),
	cancelInWait: fc.option(fc.nat(3), { nil: undefined }),
});

describe('Promise 1: never overspend', () => {
	test('what was and may have been charged stays within the budget, rows within Limit', async () => {
		await fc.assert(
			fc.asyncProperty(services(), wishes(), settings, async (service, wish, setting) => {
				const { credits, chargedByService, delivered, asks } = await pullThrough(
					service,
					wish,
					setting,
				);
				const counted = credits.charged + credits.possiblyCharged;
				expect(counted).toBeLessThanOrEqual(wish.budget);
				expect(chargedByService).toBeLessThanOrEqual(wish.budget);
				expect(delivered.length).toBeLessThanOrEqual(wish.rows);
				const unwanted = asks.filter(
					({ after, size }) => after < wish.skip || after + size > maxResultsOf(wish),
				);
				expect(unwanted).toEqual([]);
			}),
			runs,
		);
	});
});

describe('Promise 2: never lose what was paid for', () => {
	test('rows handed on are rows charged, but for lost answers, which are counted', async () => {
		await fc.assert(
			fc.asyncProperty(services(), wishes(), settings, async (service, wish, setting) => {
				const { credits, chargedByService, delivered, result } = await pullThrough(
					service,
					wish,
					setting,
				);
				expect(delivered).toHaveLength(credits.charged);
				expect(result).toMatchObject({ rows: delivered.length, repeatedRows: 0 });
				const lost = chargedByService - credits.charged;
				expect(lost).toBeGreaterThanOrEqual(0);
				expect(lost).toBeLessThanOrEqual(credits.possiblyCharged);
				if (credits.lostAnswers === 0) expect(credits.possiblyCharged).toBe(0);
			}),
			runs,
		);
	});

	test('rows come in order, none twice, and none left out but those it names', async () => {
		await fc.assert(
			fc.asyncProperty(services(), wishes(), settings, async (service, wish, setting) => {
				const { delivered, result } = await pullThrough(service, wish, setting);
				const wanted = wantedRows(wish, service);
				const missing = result.missing.flatMap(({ after, until }) =>
					range(after + 1, until),
				);
				expect(delivered).toEqual(
					wanted.filter((row) => row <= result.reached && !missing.includes(row)),
				);
				if (setting.parallelPages === 1) expect(missing).toEqual([]);
				if (result.end === 'endOfList' || result.end === 'limit') {
					expect(delivered).toEqual(wanted);
				}
			}),
			runs,
		);
	});

	test('Skip at the place where a run stopped gets exactly the rest', async () => {
		await fc.assert(
			fc.asyncProperty(services(), wishes(), settings, async (service, wish, setting) => {
				const first = await pullThrough(service, wish, setting);
				const { missing, reached } = first.result;
				const rest = [...missing, { after: reached, until: maxResultsOf(wish) }];
				const all = [...first.delivered];
				for (const { after, until } of rest) {
					const { delivered } = await pullThrough(
						{ ...service, balance: Infinity },
						{ ...wish, skip: after, rows: until - after, budget: Infinity },
					);
					all.push(...delivered);
				}
				expect(all.sort((one, other) => one - other)).toEqual(wantedRows(wish, service));
			}),
			runs,
		);
	});
});

describe('Promise 6: stop means stop', () => {
	test('after a cancel no request is sent, whenever it comes', async () => {
		await fc.assert(
			fc.asyncProperty(services(), wishes(), settings, async (service, wish, setting) => {
				const { asksAfterCancel } = await pullThrough(service, wish, setting);
				expect(asksAfterCancel).toBe(0);
			}),
			runs,
		);
	});

	test('no row is asked for without end, whatever fails', async () => {
		await fc.assert(
			fc.asyncProperty(services(), wishes(), settings, async (service, wish, setting) => {
				const { asks } = await pullThrough(service, wish, setting);
				const tries = new Map<number, number>();
				for (const { after } of asks) tries.set(after, (tries.get(after) ?? 0) + 1);
				// A page and the proof of its emptiness, each with its retries; a refused page size.
				const most = 2 * (1 + (setting.maxRetries ?? 0)) + 1;
				expect(Math.max(0, ...tries.values())).toBeLessThanOrEqual(most);
			}),
			runs,
		);
	});

	test('waits are never shorter than a second nor longer than 30, unless asked for', async () => {
		await fc.assert(
			fc.asyncProperty(services(), wishes(), settings, async (service, wish, setting) => {
				const { waits } = await pullThrough(service, wish, setting);
				expect(waits.filter((wait) => wait < 1_000 || wait > 30_000)).toEqual([]);
			}),
			runs,
		);
	});
});

describe('Parallel Pages', () => {
	const width = fc.integer({ min: 2, max: 10 });
	const order = fc.array(fc.nat(9), { maxLength: 60 });

	test('never more are under way than set, and half as many after each 429', async () => {
		await fc.assert(
			fc.asyncProperty(services(), wishes(), settings, async (service, wish, setting) => {
				const { asks, atOnce } = await pullThrough(service, wish, setting);
				const slowdowns = (setting.fates ?? []).map(isTooMany);
				const wanted = setting.parallelPages ?? 1;
				expect(Math.max(0, ...atOnce)).toBeLessThanOrEqual(wanted);
				const lastSlowdown = slowdowns.slice(0, asks.length).lastIndexOf(true);
				const after = lastSlowdown < 0 ? [] : atOnce.slice(lastSlowdown + wanted);
				expect(Math.max(0, ...after)).toBeLessThanOrEqual(Math.max(1, wanted / 2));
			}),
			runs,
		);
	});

	test('the same rows come as one at a time, for at most so many free requests more', async () => {
		await fc.assert(
			fc.asyncProperty(
				services({ balance: Infinity }),
				wishes(),
				width,
				order,
				async (service, wish, parallelPages, picks) => {
					const one = await pullThrough({ ...service }, wish);
					const several = await pullThrough({ ...service }, wish, {
						parallelPages,
						order: picks,
					});
					expect(several.delivered).toEqual(one.delivered);
					expect(several.chargedByService).toBe(one.chargedByService);
					expect(several.result.end).toBe(one.result.end);
					expect(several.asks.length).toBeLessThanOrEqual(
						one.asks.length + parallelPages - 1,
					);
				},
			),
			runs,
		);
	});

	test('a service that serves smaller pages shows it before several are asked for', async () => {
		await fc.assert(
			fc.asyncProperty(
				services({ balance: Infinity }),
				wishes({ budget: Infinity }),
				fc.integer({ min: 25, max: 100 }),
				width,
				async (service, wish, mostPerPage, parallelPages) => {
					const clamping = { ...service, mostPerPage, tellsPerPage: true };
					const one = await pullThrough({ ...clamping }, wish);
					const several = await pullThrough({ ...clamping }, wish, { parallelPages });
					expect(several.result.repeatedRows).toBe(one.result.repeatedRows);
					expect(several.delivered).toEqual(one.delivered);
				},
			),
			runs,
		);
	});
});

function isTooMany(fate: Fate): boolean {
	return typeof fate !== 'string' && 'kind' in fate && fate.kind === 'tooManyRequests';
}
