/**
 * Searches at random services that do what none should: the run ends with a message, and all that was charged
 * is there; none ends as whole with rows missing, but for what can't be noticed.
 */
import fc from 'fast-check';

import { LeadList } from '../../nodes/LeadSearch/paging/leadList';
import type { Deviation } from '../../sandbox/service/model';
import { between, DRAWS, of } from '../seed';
import { anything, expectAccounted, isUnnamed } from './services';
import { failureOf, idOf, leadsOf, numberedRows, World } from './world';

jest.setTimeout(Math.max(300_000, DRAWS * 100));

const deviation: fc.Arbitrary<Deviation> = fc.oneof(
	fc.record({ otherPage: fc.record({ asked: between(3, 6), page: between(1, 2) }) }),
	fc.record({ firstPageFrom: between(2, 6), namesFirstPage: fc.boolean() }),
	fc.record({ smallerPages: fc.record({ from: between(2, 6), size: between(1, 24) }) }),
	fc.record({ moreRows: between(1, 20) }),
	fc.record({ largerPages: between(60, 200) }),
	fc.record({ emptyPage: between(2, 6) }),
	fc.record({ jump: fc.record({ page: between(1, 5), next: between(7, 9) }) }),
	fc.record({ emptyAtZero: of<'more'>('more') }),
	fc.record({ filteredEvery: between(2, 40) }),
	fc.record({ hiddenRows: of<Deviation['hiddenRows']>('null', 'results', 'summary') }),
);

/** Rows that nobody sees can't be told, nor more of them in a lost answer than were asked for. */
function isAccountable({ hiddenRows, moreRows, largerPages }: Deviation): boolean {
	return hiddenRows === undefined && moreRows === undefined && largerPages === undefined;
}

/** So many of 1,000 lists that end as whole, or reach their limit, may hold other rows than they should. */
const UNNOTICED: Record<string, number> = {
	// The contract shows nothing by which it could be seen.
	filteredEvery: 1_000,
	// Of pages in which no row is known yet, as after Skip, one can be as good as another.
	firstPageFrom: 150,
	// A smaller size that is named in one that is proven, and full, looks like a low balance that grows at once.
	smallerPages: 70,
	largerPages: 40,
	otherPage: 1,
	moreRows: 1,
	emptyPage: 0,
	jump: 0,
	emptyAtZero: 0,
	hiddenRows: 0,
};

test('a service that does anything else ends the run with a message, or all is right', async () => {
	let ended = 0;
	const wrong = new Map<string, { of: number; wrong: number }>();
	await fc.assert(
		fc.asyncProperty(anything, deviation, async (draw, deviates) => {
			const { readings: read, leads, balance, runs } = draw;
			const rows = numberedRows(leads);
			const world = new World(balance, read, rows, deviates);
			const list = new LeadList();
			const [kind = ''] = Object.keys(deviates);
			const share = wrong.get(kind) ?? { of: 0, wrong: 0 };
			for (const { weather: sky, wishes } of runs) {
				const before = world.charged.length;
				const requests = world.requests;
				const results = await world.run(
					wishes.map((one) => leadsOf(list, one)),
					sky,
				);
				// More rows than asked for can't be helped in what is in flight, nor in an answer that is lost.
				const lost = sky.faults.filter(({ fault }) => fault === 'lost').length;
				const surplus =
					(deviates.moreRows ?? deviates.largerPages ?? 0) * (sky.parallelPages + lost);
				expect(world.charged.length - before).toBeLessThanOrEqual(sky.budget + surplus);
				expect(world.requests - requests).toBeLessThan(200 + 2 * leads);
				if (isAccountable(deviates)) expectAccounted(world, list);
				const failure = failureOf(results);
				if (failure?.kind === 'protocolViolation') ended += 1;
				// Credits may have run out: people would buy some.
				if (failure?.status === 402 && !sky.topUp) expect(world.credits).toBe(0);
				for (const [index, { end }] of results.entries()) {
					const { skip = 0, limit = Infinity } = wishes[index] ?? {};
					if (end !== 'complete' && end !== 'limit') continue;
					// A smaller size that is not named is not noticed.
					if (deviates.smallerPages && isUnnamed(read)) continue;
					const whole = rows.slice(skip, skip + limit).map(({ id }) => id);
					const got = list.rowsBetween(skip, skip + limit).map(idOf);
					share.of += 1;
					if (JSON.stringify(got) !== JSON.stringify(whole)) share.wrong += 1;
				}
			}
			wrong.set(kind, share);
		}),
		{ numRuns: DRAWS, endOnFailure: true },
	);
	expect(ended).toBeGreaterThan(DRAWS / 5);
	if (process.env.LEAD_SEARCH_RUNS) process.stdout.write(`${JSON.stringify([...wrong])}\n`);
	for (const [kind, share] of wrong)
		expect({
			kind,
			...share,
			isRare: share.wrong <= 3 + (share.of * (UNNOTICED[kind] ?? 0)) / 1_000,
		}).toHaveProperty('isRare', true);
});
