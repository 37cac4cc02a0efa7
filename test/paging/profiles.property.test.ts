/** Lookups at random services: what is charged, kept and told is exact, and nobody who exists is called not found. */
import fc from 'fast-check';

import type { Json } from '../../nodes/LeadSearch/api/contract';
import type { Readings } from '../../sandbox/service/model';
import { between, DRAWS, expectReached, of } from '../seed';
import {
	counting,
	FAIR,
	failureOf,
	idOf,
	kept,
	newProfiles,
	numberedRows,
	profilesOf,
	READINGS,
	weather,
	World,
	type Weather,
} from './world';

jest.setTimeout(Math.max(60_000, DRAWS * 100));

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
	/** Whether renamed profiles are asked for by both of their URLs. */
	asksTwice: fc.boolean(),
	balance: fc.oneof(fc.constant(100_000), between(0, 300)),
	runs: fc.array(
		fc.record({
			weather,
			wishes: fc.array(
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
	isSaved: fc.boolean(),
	/** Whether rows come in the reverse order of their URLs. */
	isReversed: fc.boolean(),
});

let drawn = 0;
let judged = 0;

test('every profile that is charged for comes out, and nobody who exists is called not found', async () => {
	await fc.assert(
		fc.asyncProperty(scenario, async (draw) => {
			const { readings: read, profiles, urls, existsEvery } = draw;
			const { asksTwice, balance, runs, isSaved, isReversed } = draw;
			drawn += 1;
			const all = numberedRows(urls);
			const rows = all.filter(({ id }) => id % existsEvery === 0);
			const world = new World(balance, { ...read, profiles }, rows);
			if (isReversed) world.order = (page) => page.toReversed();
			const oldUrls = all.map(({ record }) => record.linkedin_url);
			const isNth = (nth: number | undefined) => (id: number) =>
				nth !== undefined && id % nth === 0;
			const newUrls = oldUrls
				.filter((_, id) => isNth(profiles.renamedEvery)(id))
				.map((url) => `${url}-renamed`);
			const asked = asksTwice ? [...oldUrls, ...newUrls] : oldUrls;
			const isPlain = Object.values(profiles).every((nth) => nth === undefined);
			const isOdd = (id: number) => Object.values(profiles).some((nth) => isNth(nth)(id));
			const isTwice = profiles.twiceEvery !== undefined;
			let list = newProfiles();
			// What was kept of both URLs of one profile is put together.
			const accounted = () => list.rows + list.repeated - list.charged;
			const check = async (sky: Weather, wishes: Array<Partial<(typeof runs)[0]['wishes'][0]>>) => {
				const before = world.charged.length;
				const requests = world.requests;
				const keptBefore = accounted();
				const jobs = wishes.map(({ from = 0, ...wish }) =>
					profilesOf(list, asked.slice(Math.floor(from * asked.length)), wish),
				);
				const results = await world.run(jobs, sky);
				expect(world.requests - requests).toBeLessThan(100 + 3 * asked.length);
				// The second row of a profile comes beside what was asked for.
				if (!isTwice) expect(world.charged.length - before).toBeLessThanOrEqual(sky.budget);
				const { charged, atRisk } = list;
				expect(charged).toBe(world.charged.length - world.lost.length);
				expect(accounted()).toBe(keptBefore);
				if (!asksTwice) expect(keptBefore).toBe(0);
				if (!isTwice) expect(atRisk).toBeGreaterThanOrEqual(world.lost.length);
				expect(list.pending).toBe(0);
				const failure = failureOf(results);
				if (failure?.kind === 'protocolViolation') {
					expect(failure.text).toMatch(/^it said that more profiles follow/);
					if (!sky.topUp) expect(world.credits).toBe(0);
				}
				return results;
			};
			for (const { weather: sky, wishes } of runs) {
				await check(sky, wishes);
				if (isSaved) list = counting(newProfiles().restore(kept(list)), list);
			}
			world.credits = 1_000_000;
			expect(await check(FAIR, [{}])).toMatchObject([{ end: 'whole' }]);
			const isUnclear = new Set(list.strays.flatMap(({ places }) => places));
			const there = [...list.cells.values(), ...list.strays.map(({ row }) => row)];
			const got = new Set(there.map((row) => idOf(Object(row) as Json)));
			const wrong = [...list.cells].filter(([url, cell]) => {
				const id = oldUrls.indexOf(url.replace(/-renamed$/, ''));
				const exists = id % existsEvery === 0;
				if (typeof cell === 'object') return !exists || Math.abs(idOf(cell)) !== id;
				return exists && !isUnclear.has(url) && !got.has(id);
			});
			expect(wrong).toEqual([]);
			if (isPlain) expect(list.strays).toEqual([]);
			const again = world.charged.length - world.lost.length - new Set(world.charged).size;
			const odd = rows.filter(({ id }) => isOdd(id)).length;
			// In each run what comes under another URL is asked for once more, by each of two URLs.
			const atOnce = isTwice ? 6 : 3;
			expect(again).toBeLessThanOrEqual(atOnce * odd * (runs.length + 1));
			judged += 1;
		}),
		{ numRuns: DRAWS, endOnFailure: true },
	);
	expectReached(judged, drawn);
});

test('what two executions kept is put together, and nobody found is asked for again', async () => {
	let ended = 0;
	await fc.assert(
		fc.asyncProperty(
			scenario,
			weather,
			async ({ readings: read, urls, existsEvery, balance, runs }, otherSky) => {
				const all = numberedRows(urls);
				const rows = all.filter(({ id }) => id % existsEvery === 0);
				const world = new World(balance, read, rows);
				const asked = all.map(({ record }) => record.linkedin_url);
				const list = newProfiles();
				for (const sky of [...runs.map((one) => one.weather), otherSky].slice(0, 2)) {
					const own = newProfiles();
					await world.run([profilesOf(own, asked, { pageSize: 100 })], sky);
					list.restore(kept(own));
				}
				const found = list.rows;
				world.credits = 1_000_000;
				const before = world.charged.length;
				const results = await world.run([profilesOf(list, asked)], FAIR);
				expect(results).toMatchObject([{ end: 'whole' }]);
				expect(world.charged.length - before).toBe(rows.length - found);
				expect(list.rows).toBe(rows.length);
				ended += 1;
			},
		),
		{ numRuns: DRAWS, endOnFailure: true },
	);
	expectReached(ended, DRAWS);
});
