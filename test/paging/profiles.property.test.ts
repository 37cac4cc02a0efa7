/** Tests lookups at random services: charges, cached rows and results are exact, and no existing profile is reported as not found. */
import fc from 'fast-check';

import type { Json } from '../../nodes/LeadSearch/api/contract';
import type { Readings } from '../../sandbox/service/model';
import { between, DRAWS, expectReached, of } from '../seed';
import {
	withCostOf,
	FAIR,
	failureOf,
	idOf,
	restoreCopy,
	newProfiles,
	numberedRows,
	opaqueUrlOf,
	profilesOf,
	READINGS,
	anyConditions,
	World,
	type Conditions,
} from './world';

jest.setTimeout(Math.max(300_000, DRAWS * 100));

const readings = fc.record({
	...READINGS,
	pageSize: of(0, 0, 100, 130),
	lowBalance: of<Readings['lowBalance']>('fewerRows', 'lookUpRefused'),
	lookUpPages: of<Readings['lookUpPages']>('rows', 'urls', 'firstUrls'),
	rowsAt: of<Readings['rowsAt']>('contract', 'preview_data'),
});

const every = fc.option(between(2, 30), { nil: undefined, freq: 2 });

const scenario = fc.record({
	readings,
	profiles: fc.oneof(
		fc.constant({ renamedEvery: undefined, withoutUrlEvery: undefined, twiceEvery: undefined }),
		fc.record({ renamedEvery: every, withoutUrlEvery: every, twiceEvery: every }),
	),
	urls: fc.oneof(between(1, 40), between(1, 400)),
	existsEvery: between(1, 4),
	/** How often a profile is requested by its opaque ID. Rows name only public URLs. */
	idsEvery: fc.oneof(fc.constant(undefined), between(1, 30)),
	/** Whether profiles that are returned under another URL are requested by both URLs. */
	requestsBothUrls: fc.boolean(),
	balance: fc.oneof(fc.constant(100_000), between(0, 300)),
	runs: fc.array(
		fc.record({
			conditions: anyConditions,
			targets: fc.array(
				fc.record({
					from: fc.double({ min: 0, max: 0.9, noNaN: true }),
					limit: fc.oneof(fc.constant(Infinity), between(1, 200)),
					pageSize: of(1000, 100, 10),
				}),
				{ minLength: 1, maxLength: 2 },
			),
		}),
		{ minLength: 1, maxLength: 4 },
	),
	/** Whether rows are returned in the reverse order of their URLs. */
	isReversed: fc.boolean(),
});

let draws = 0;
let reached = 0;

/** Returns the number of the profile that a row describes. The second row of profile `id` has the ID `~id`. */
const profileIdOf = (id: number) => (id < 0 ? ~id : id);

test('each charged profile is matched to its URL, and no existing profile is reported as not found', async () => {
	await fc.assert(
		fc.asyncProperty(scenario, async (draw) => {
			const { readings: drawnReadings, profiles, urls, existsEvery } = draw;
			const { idsEvery, requestsBothUrls, balance, runs, isReversed } = draw;
			draws += 1;
			const all = numberedRows(urls);
			const rows = all.filter(({ id }) => id % existsEvery === 0);
			const world = new World(balance, { ...drawnReadings, profiles }, rows);
			if (isReversed) world.order = (page) => page.toReversed();
			const isNth = (nth: number | undefined) => (id: number) =>
				nth !== undefined && id % nth === 0;
			const isRenamed = isNth(profiles.renamedEvery);
			const isWithoutUrl = isNth(profiles.withoutUrlEvery);
			const isById = isNth(idsEvery);
			/** The number of the profile of each URL. */
			const idByUrl = new Map<string, number>();
			for (const { id, record } of all) {
				const { linkedin_url: url } = record;
				idByUrl.set(isById(id) ? opaqueUrlOf(url) : url, id);
				if (!requestsBothUrls) continue;
				idByUrl.set(url, id);
				// A row that names none of three URLs seems to come from a cache.
				if (isRenamed(id) && !isWithoutUrl(id)) idByUrl.set(`${url}-renamed`, id);
			}
			const requestedUrls = [...idByUrl.keys()];
			const isUnusual = (id: number) =>
				isById(id) || Object.values(profiles).some((nth) => isNth(nth)(id));
			const hasSecondRows = profiles.twiceEvery !== undefined;
			let list = newProfiles();
			/** Rows that were unmatched at the end of a run. */
			const unmatchedIds = new Set<number>();
			/** Expects that each row names its URL, or was received when that URL was requested alone. */
			const expectMatched = () => {
				const mismatched = [...list.cells.keys()].filter((url) => {
					const alone = [...(world.receivedAlone.get(url) ?? [])].map(profileIdOf);
					const isMatch = (row: Json) => row.linkedin_url === url || alone.includes(idOf(row));
					return !list.rowsOf(url).every(isMatch);
				});
				expect(mismatched).toEqual([]);
			};
			/** Expects that each URL in the list has the rows of its profile, or no row if the profile doesn't exist. */
			const expectFound = () => {
				const wrong = [...list.cells].filter(([url, cell]) => {
					const id = idByUrl.get(url);
					if (id === undefined) return true;
					const exists = id % existsEvery === 0;
					return exists !== cell.length > 0 || cell.some((row) => idOf(row) !== id);
				});
				expect(wrong).toEqual([]);
			};
			const check = async (
				conditions: Conditions,
				targets: Array<Partial<(typeof runs)[0]['targets'][0]>>,
			) => {
				const before = world.charged.length;
				const requests = world.requests;
				const urlsFrom = (from = 0) => requestedUrls.slice(Math.floor(from * requestedUrls.length));
				const jobs = targets.map(({ from, ...target }) => profilesOf(list, urlsFrom(from), target));
				const results = await world.run(jobs, conditions);
				expectFound();
				results.forEach(({ outcome }, index) => {
					const open = urlsFrom(targets[index]?.from).filter((url) => !list.cells.has(url));
					if (outcome === 'complete') expect(open).toEqual([]);
				});
				expect(world.requests - requests).toBeLessThan(100 + 3 * requestedUrls.length);
				// The second row of a profile is charged in addition to the requested rows.
				if (!hasSecondRows)
					expect(world.charged.length - before).toBeLessThanOrEqual(conditions.budget);
				const { charged, possiblyCharged, wasted } = list.cost;
				expect(charged).toBe(world.charged.length - world.lost.length);
				expect(wasted).toBeLessThanOrEqual(charged);
				const matchedRows = [...list.cells.keys()].flatMap((url) => list.rowsOf(url));
				expect(
					new Set([...[...matchedRows, ...list.unmatchedRows].map(idOf), ...unmatchedIds]),
				).toEqual(new Set([...world.received].map(profileIdOf)));
				expect(list.rowCount).toBe(matchedRows.length + list.unmatchedRows.length);
				expectMatched();
				if (!hasSecondRows) expect(possiblyCharged).toBeGreaterThanOrEqual(world.lost.length);
				expect(list.rowsInFlight).toBe(0);
				expect(failureOf(results)?.kind).not.toBe('protocolViolation');
				return results;
			};
			for (const { conditions, targets } of runs) {
				await check(conditions, targets);
				for (const row of list.unmatchedRows) unmatchedIds.add(idOf(row));
				list = withCostOf(restoreCopy(list), list);
			}
			world.credits = 1_000_000;
			expect(await check(FAIR, [{}])).toMatchObject([{ outcome: 'complete' }]);
			// Only a second row can stay unmatched, if the credits ran out just before it.
			if (!hasSecondRows) expect(list.unmatchedRows).toEqual([]);
			const chargedAgain = world.charged.length - world.lost.length - new Set(world.charged).size;
			const unusual = rows.filter(({ id }) => isUnusual(id)).length;
			// Each run requests a profile that is returned under another URL again, by each of its two URLs.
			const maxPerRun = hasSecondRows ? 6 : 3;
			expect(chargedAgain).toBeLessThanOrEqual(maxPerRun * unusual * (runs.length + 1));
			reached += 1;
		}),
		{ numRuns: DRAWS, endOnFailure: true },
	);
	expectReached(reached, draws);
});
