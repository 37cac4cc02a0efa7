/** Tests searches at random services: charges, cached rows and results are exact under each supported reading. */
import fc from 'fast-check';

import { LeadList } from '../../nodes/LeadSearch/paging/leadList';
import { DRAWS, expectReached } from '../seed';
import { expectAccounted, idsIn, scenario, type Wishes } from './services';
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

let drawn = 0;
let judged = 0;

test('each row that a supported service charges for is received once and has its index', async () => {
	await fc.assert(
		fc.asyncProperty(scenario, async (any) => {
			const { leads, twins, balance, runs, readings: odd, refusesFrom } = any;
			drawn += 1;
			let list = new LeadList();
			// A service that returns its last page again refuses no page. After a page that was short because of a low balance,
			// a refusal means the end.
			const isClear = odd.afterLast !== 'lastPage' && balance === 100_000;
			const refuses = isClear ? refusesFrom : undefined;
			const read = { ...odd, refusesFrom: refuses };
			const rows = numberedRows(leads, twins);
			const world = new World(balance, read, rows);
			/** The rows that may be wasted if a page is truncated, after Skip or a smaller Limit. It happens once per list. */
			const truncatedPage = read.tooLarge === 'cut' ? read.pageSize : 0;
			let wastedRows = 0;
			const check = async (wishes: Wishes, conditions: Conditions) => {
				const before = world.charged.length;
				const { wasted } = list.cost;
				const results = await world.run(
					wishes.map((one) => leadsOf(list, one)),
					conditions,
				);
				// Each request in flight may return the last page again, and each end check one row.
				const page = Math.min(leads, read.pageSize || 1000);
				const again =
					read.afterLast === 'lastPage' ? (conditions.parallelPages * page + 2) * wishes.length : 0;
				wastedRows += Math.max(0, list.cost.wasted - wasted - again);
				expect(wastedRows).toBeLessThanOrEqual(truncatedPage);
				expect(world.charged.length - before).toBeLessThanOrEqual(conditions.budget);
				expectAccounted(world, list);
				expectPlaced(list);
				const failure = failureOf(results);
				if (failure?.kind === 'protocolViolation') expect(failure.text).toBe('');
				results.forEach(({ end }, index) => {
					const { skip = 0, limit = Infinity } = wishes[index] ?? {};
					const got = [...list.rowsBetween(skip, Math.min(skip + limit, leads + 1))].map(idOf);
					const whole = rows.slice(skip, skip + limit).map(({ id }) => id);
					if (end === 'refused') expect(got).toEqual(whole.slice(0, got.length));
					else if (end !== undefined && end !== 'budget') expect(got).toEqual(whole);
					if (end === 'limit') expect(got).toHaveLength(limit);
				});
				return results;
			};
			for (const { conditions, wishes } of runs) {
				await check(wishes, conditions);
				list = withCostOf(restoreCopy(list), list);
			}
			// With enough credits and without failures, the list is complete.
			world.credits = 1_000_000;
			const requests = world.requests;
			const [last] = await check([{}], FAIR);
			// A refusal after a full page may mean the end, or the last page that the service returns.
			expect(['complete', 'refused']).toContain(last?.end);
			const all = [...list.rowsBetween(0, leads)].map(idOf);
			const reached = refuses ? all.length : leads;
			expect(all.length).toBeGreaterThanOrEqual(Math.min(leads, refuses?.row ?? leads));
			expect(all).toEqual(rows.map(({ id }) => id).slice(0, reached));
			const pages = leads / Math.min(1000, read.tooLarge === 'cut' ? read.pageSize || 1000 : 25);
			expect(world.requests - requests).toBeLessThan(60 + 3 * pages);
			judged += 1;
		}),
		{ numRuns: DRAWS, endOnFailure: true },
	);
	expectReached(judged, drawn);
});
