/** Searches at random services: under each supported reading what is charged, kept and told is exact. */
import fc from 'fast-check';

import { LeadList } from '../../nodes/LeadSearch/paging/leadList';
import { DRAWS, expectReached } from '../seed';
import { expectAccounted, idsIn, anything, type Wishes } from './services';
import { counting, FAIR, failureOf, idOf, leadsOf, recalled } from './world';
import { numberedRows, World, type Weather } from './world';

jest.setTimeout(Math.max(300_000, DRAWS * 100));

/** Every row is there once, and at its place. */
function expectPlaced(list: LeadList): void {
	const ids = idsIn(list);
	expect(new Set(ids).size).toBe(ids.length);
	expect([...list.cells].filter(([place, cell]) => idOf(cell) !== place)).toEqual([]);
	expect(list.unmatchedRows).toEqual([]);
}

let drawn = 0;
let judged = 0;

test('what a supported service charges for is there, each lead once and at its place', async () => {
	await fc.assert(
		fc.asyncProperty(anything, async (any) => {
			const { leads, twins, balance, runs, readings: odd, refusesFrom } = any;
			drawn += 1;
			let list = new LeadList();
			// One that has its last page once more refuses none. Where credits have cut the page before, a refusal is the end.
			const isClear = odd.afterLast !== 'lastPage' && balance === 100_000;
			const refuses = isClear ? refusesFrom : undefined;
			const read = { ...odd, refusesFrom: refuses };
			const rows = numberedRows(leads, twins);
			const world = new World(balance, read, rows);
			/** Pages in a size that is not served, after Skip or a smaller Limit: one in the life of a list. */
			const truncatedPage = read.tooLarge === 'cut' ? read.pageSize : 0;
			let inVain = 0;
			const check = async (wishes: Wishes, sky: Weather) => {
				const before = world.charged.length;
				const { wasted } = list.cost;
				const results = await world.run(
					wishes.map((one) => leadsOf(list, one)),
					sky,
				);
				// The last page for each that was in flight, and a row for each question.
				const page = Math.min(leads, read.pageSize || 1000);
				const again =
					read.afterLast === 'lastPage' ? (sky.parallelPages * page + 2) * wishes.length : 0;
				inVain += Math.max(0, list.cost.wasted - wasted - again);
				expect(inVain).toBeLessThanOrEqual(truncatedPage);
				expect(world.charged.length - before).toBeLessThanOrEqual(sky.budget);
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
			for (const { weather: sky, wishes } of runs) {
				await check(wishes, sky);
				list = counting(recalled(list), list);
			}
			// With credits and without failures, everything comes.
			world.credits = 1_000_000;
			const requests = world.requests;
			const [last] = await check([{}], FAIR);
			// A refusal after a full page may be the end, or as far as the service goes.
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
