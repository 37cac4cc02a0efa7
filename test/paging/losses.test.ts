/** A gateway that loses large answers, which the service has charged: what is at stake, and what the next runs do. */
import fc from 'fast-check';

import type { Failure } from '../../nodes/LeadSearch/api/failures';
import { handIn, losses, takeBack } from '../../nodes/LeadSearch/execution/losses';
import { accountOf } from '../../nodes/LeadSearch/paging/job';
import { LeadList } from '../../nodes/LeadSearch/paging/leadList';
import { fetchAll } from '../../nodes/LeadSearch/paging/fetchAll';
import { DRAWS, of } from '../seed';
import { leadsOf, recalled, newProfiles, numberedRows, profilesOf, QUIET, World } from './world';

jest.setTimeout(Math.max(300_000, DRAWS * 100));
afterEach(() => {
	losses.clear();
});

/** Three executions of the same, each going on from what the one before has kept. */
async function threeRuns(kind: 'lookUp' | 'search', rows: number, cut: number, maximum: number) {
	const all = numberedRows(rows);
	const world = new World(1_000_000, { pageSize: 1_000 }, all);
	const urls = all.map(({ record }) => record.linkedin_url);
	const byUrl = new Map(all.map((row) => [row.record.linkedin_url, row]));
	Object.assign(world, { profiles: byUrl });
	let list = kind === 'lookUp' ? newProfiles() : new LeadList();
	const told = [];
	for (let run = 0; run < 3; run++) {
		handIn(list, 'url', kind);
		const wanted =
			list instanceof LeadList ? leadsOf(list, { limit: rows }) : profilesOf(list, urls);
		const before = world.charged.length;
		const [result] = await world.run([wanted], {
			...{ order: [0], faults: [], budget: maximum, parallelPages: 8, maxRetries: 3 },
			losesAbove: cut,
		});
		takeBack(list, 'url', kind);
		told.push({
			rows: list.rows,
			credits: world.charged.length - before,
			end: result?.end ?? result?.failure.kind,
		});
		list = list instanceof LeadList ? recalled.leads(list) : recalled.profiles(list);
	}
	return { told, inVain: world.lost.length };
}

test.each(
	([100, 150, 300, 700] as const).flatMap((cut) =>
		(
			[
				['lookUp', 500],
				['lookUp', 5_000],
				['search', 1_500],
				['search', 2_450],
			] as const
		).flatMap(([kind, rows]) =>
			[Infinity, rows].map((maximum) => [cut, kind, rows, maximum] as const),
		),
	),
)('answers above %i are lost: a %s of %i within %d', async (cut, kind, rows, maximum) => {
	const { told, inVain } = await threeRuns(kind, rows, cut, maximum);
	if (process.env.LEAD_SEARCH_RUNS)
		process.stdout.write(`${JSON.stringify({ cut, kind, rows, maximum, told, inVain })}\n`);
	// One page of the first size is at stake, once.
	expect(inVain).toBeLessThanOrEqual(Math.min(rows, 1_000));
	for (const { credits } of told) expect(credits).toBeLessThanOrEqual(maximum);
	expect(told[1]?.rows).toBe(rows);
	expect(told[2]).toEqual({ rows, credits: 0, end: told[2]?.end });
	// The message is that of the lost answer, and no sum that is spent.
	if (told[0]?.rows !== rows) expect(told[0]?.end).toBe('lostResponse');
});

const weather = fc.array(
	of<Failure | 'good'>(
		'good',
		'good',
		{ kind: 'tooManyRequests', status: 429 },
		{ kind: 'serverDown', status: 500 },
		{ kind: 'upstreamDown', status: 502 },
		{ kind: 'upstreamDown', status: 503 },
		{ kind: 'upstreamDown', status: 504 },
		{ kind: 'lostResponse' },
		{ kind: 'lostResponse', code: 'ETIMEDOUT' },
	),
	{ minLength: 1, maxLength: 12 },
);

test('in any outage, one full page is at stake, and as many documented ones as answers were lost', async () => {
	const rows = numberedRows(5_000).map(({ record }) => ({ ...record }));
	await fc.assert(
		fc.asyncProperty(
			weather,
			of(1_000, 300, 40, 25),
			of(0, 3, 10),
			async (sky, pageSize, tries) => {
				const list = new LeadList();
				let [sent, lost] = [0, 0];
				await fetchAll([leadsOf(list, { limit: 3_000, pageSize })], {
					...QUIET,
					parallelPages: 1,
					maxRetries: tries,
					account: accountOf(100_000),
					send: (_, { first, size }) => {
						const came = sky[sent++] ?? 'good';
						if (came !== 'good') {
							if (came.kind === 'lostResponse' || came.status === 504) lost += 1;
							return Promise.resolve({ failure: came });
						}
						return Promise.resolve({
							value: { rows: rows.slice(Number(first), Number(first) + size) },
						});
					},
				});
				expect(list.cost.lost).toBe(lost);
				expect(list.cost.atRisk).toBeLessThanOrEqual(lost > 0 ? pageSize + (lost - 1) * 25 : 0);
			},
		),
		{ numRuns: DRAWS },
	);
});
