/** Tests a gateway that loses large responses after the service has charged them: the possible charges, and the next runs. */
import fc from 'fast-check';

import type { Failure } from '../../nodes/LeadSearch/api/failures';
import {
	loadLossHistory,
	lossesByService,
	saveLossHistory,
} from '../../nodes/LeadSearch/cache/lossHistory';
import { fetchAll } from '../../nodes/LeadSearch/paging/fetchAll';
import { budgetOf } from '../../nodes/LeadSearch/paging/budget';
import { LeadList } from '../../nodes/LeadSearch/paging/leadList';
import { DRAWS, of } from '../seed';
import { FAIR, leadsOf, newProfiles, numberedRows, profilesOf, QUIET } from './world';
import { restoreCopy, World } from './world';

jest.setTimeout(Math.max(300_000, DRAWS * 100));
afterEach(() => {
	lossesByService.clear();
});

test.each([
	['lookUp', 500, 100],
	['lookUp', 5_000, 300],
	['search', 1_500, 150],
	['search', 2_450, 700],
] as const)(
	'a %s of %i rows is complete after two runs if responses above %i rows are lost',
	async (kind, rows, maxRows) => {
		for (const budget of [Infinity, rows]) {
			lossesByService.clear();
			const all = numberedRows(rows);
			const world = new World(1_000_000, { pageSize: 1_000 }, all);
			const urls = all.map(({ record }) => record.linkedin_url);
			let list = kind === 'lookUp' ? newProfiles() : new LeadList();
			const runs = [];
			for (let run = 0; run < 3; run++) {
				loadLossHistory(list, 'url', kind);
				const job =
					list instanceof LeadList ? leadsOf(list, { limit: rows }) : profilesOf(list, urls);
				const before = world.charged.length;
				const [result] = await world.run([job], { ...FAIR, budget, losesAbove: maxRows });
				saveLossHistory(list, 'url', kind);
				const end = result?.end ?? result?.failure.kind;
				runs.push({ rows: list.rowCount, credits: world.charged.length - before, end });
				list = restoreCopy(list);
			}
			// The service has lost at most one page of the first size.
			expect(world.lost.length).toBeLessThanOrEqual(Math.min(rows, 1_000));
			for (const { credits } of runs) expect(credits).toBeLessThanOrEqual(budget);
			expect(runs).toMatchObject([{}, { rows }, { rows, credits: 0 }]);
			// The message is about the lost response and not about the budget.
			if (runs[0]?.rows !== rows) expect(runs[0]?.end).toBe('lostResponse');
		}
	},
);

const outcomes = fc.array(
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

test('an outage possibly charges one full page, and one page of the documented size for each further lost response', async () => {
	const rows = numberedRows(5_000).map(({ record }) => ({ ...record }));
	await fc.assert(
		fc.asyncProperty(
			outcomes,
			of(1_000, 300, 40, 25),
			of(0, 3, 10),
			async (drawnOutcomes, pageSize, maxRetries) => {
				const list = new LeadList();
				let sent = 0;
				let lost = 0;
				await fetchAll([leadsOf(list, { limit: 3_000, pageSize })], {
					...QUIET,
					parallelPages: 1,
					maxRetries,
					budget: budgetOf(100_000),
					send: (_, { firstKey, size }) => {
						const outcome = drawnOutcomes[sent++] ?? 'good';
						if (outcome !== 'good') {
							if (outcome.kind === 'lostResponse' || outcome.status === 504) lost += 1;
							return Promise.resolve({ failure: outcome });
						}
						return Promise.resolve({
							value: { rows: rows.slice(Number(firstKey), Number(firstKey) + size) },
						});
					},
				});
				expect(list.cost.lostResponses).toBe(lost);
				expect(list.cost.possiblyCharged).toBeLessThanOrEqual(
					lost > 0 ? pageSize + (lost - 1) * 25 : 0,
				);
			},
		),
		{ numRuns: DRAWS },
	);
});
