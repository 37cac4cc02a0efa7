/** Tests searches at random services: charges, cached rows and results are exact under each supported reading. */
import fc from 'fast-check';

import { LeadList } from '../../nodes/LeadSearch/paging/leadList';
import { DRAWS, expectReached } from '../seed';
import { expectAccounted, idsIn, scenario, type Targets } from './services';
import { withCostOf, FAIR, failureOf, idOf, leadsOf, restoreCopy } from './world';
import { numberedRows, World, type Conditions } from './world';

jest.setTimeout(Math.max(300_000, DRAWS * 100));

/** Expects that each row is received once and has its index. */
function expectPlaced(list: LeadList): void {
	const ids = idsIn(list);
	expect(new Set(ids).size).toBe(ids.length);
	expect([...list.cells].filter(([place, cell]) => idOf(cell) !== place)).toEqual([]);
	expect(list.unmatchedRows).toEqual([]);
}

let draws = 0;
let reached = 0;

test('each row that a supported service charges for is received once and has its index', async () => {
	await fc.assert(
		fc.asyncProperty(scenario, async (draw) => {
			const { leads, twins, balance, runs, readings: drawnReadings, refusesFrom } = draw;
			draws += 1;
			let list = new LeadList();
			// A service that returns its last page again refuses no page. After a page that was short because of a low balance,
			// a refusal means the end.
			const isLastPageAgain = drawnReadings.afterLast === 'lastPage';
			const isClear = !isLastPageAgain && balance === 100_000;
			const refusal = isClear ? refusesFrom : undefined;
			const serviceReadings = { ...drawnReadings, refusesFrom: refusal };
			const rows = numberedRows(leads, twins);
			const world = new World(balance, serviceReadings, rows);
			/** A page that doesn't start at row 0 starts at an earlier row if it is truncated. It happens once per run. */
			const maxWasted = serviceReadings.tooLarge === 'cut' ? serviceReadings.pageSize : 0;
			const check = async (targets: Targets, conditions: Conditions) => {
				const before = world.charged.length;
				world.lastRowCounts.length = 0;
				const { wasted } = list.cost;
				const results = await world.run(
					targets.map((one) => leadsOf(list, one)),
					conditions,
				);
				// Each request in flight may return the last page again, and each end check one row.
				const page = Math.min(leads, serviceReadings.pageSize || 1000);
				const repeatedRows = isLastPageAgain
					? (conditions.parallelPages * page + 2) * targets.length
					: 0;
				expect(list.cost.wasted - wasted).toBeLessThanOrEqual(repeatedRows + maxWasted);
				expect(world.charged.length - before).toBeLessThanOrEqual(conditions.budget);
				expectAccounted(world, list);
				expectPlaced(list);
				const failure = failureOf(results);
				if (failure?.kind === 'protocolViolation') {
					// A low balance that is topped up looks like a smaller page size, of page 1 or of the last page that came again.
					const pattern =
						/^it sent (\d+) rows instead of the requested \d+, although row \d+ exists$/;
					const count = Number(pattern.exec(String(failure.text))?.[1]);
					const { lastRowCounts } = world;
					expect(conditions.topUp).toBeDefined();
					if (isLastPageAgain) expect(lastRowCounts).not.toEqual([]);
					else expect(lastRowCounts).toContain(count);
				}
				results.forEach(({ outcome }, index) => {
					const { skip = 0, limit = Infinity } = targets[index] ?? {};
					const received = list.rowsBetween(skip, Math.min(skip + limit, leads + 1)).rows.map(idOf);
					const expected = rows.slice(skip, skip + limit).map(({ id }) => id);
					if (outcome === 'refused') expect(received).toEqual(expected.slice(0, received.length));
					else if (outcome !== undefined && outcome !== 'budget')
						expect(received).toEqual(expected);
					if (outcome === 'limit') expect(received).toHaveLength(limit);
				});
				return results;
			};
			for (const { conditions, targets } of runs) {
				await check(targets, conditions);
				list = withCostOf(restoreCopy(list), list);
			}
			// The list is complete if there are enough credits and no failures.
			world.credits = 1_000_000;
			const requests = world.requests;
			const [last] = await check([{}], FAIR);
			// A refusal after a full page may mean the end, or the last page that the service returns.
			expect(['complete', 'refused']).toContain(last?.outcome);
			const all = list.rowsBetween(0, leads).rows.map(idOf);
			const reachableRows = refusal ? all.length : leads;
			expect(all.length).toBeGreaterThanOrEqual(Math.min(leads, refusal?.row ?? leads));
			expect(all).toEqual(rows.map(({ id }) => id).slice(0, reachableRows));
			expect(world.requests - requests).toBeLessThan(60 + 3 * (leads / 25));
			reached += 1;
		}),
		{ numRuns: DRAWS, endOnFailure: true },
	);
	expectReached(reached, draws);
});
