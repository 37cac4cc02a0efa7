/**
 * Searches at random services: under each supported reading what is charged, kept and told is exact;
 * a service that does anything else ends the run with a message, and all that it charged for is there.
 */
import fc from 'fast-check';

import type { Json } from '../../nodes/LeadSearch/api/contract';
import { LeadList } from '../../nodes/LeadSearch/paging/leadList';
import type { Deviation, Readings } from '../../sandbox/service/model';
import { between, DRAWS, expectReached, of } from '../seed';
import {
	counting,
	FAIR,
	failureOf,
	idOf,
	kept,
	leadsOf,
	numberedRows,
	READINGS,
	weather,
	World,
	type Weather,
} from './world';

jest.setTimeout(Math.max(60_000, DRAWS * 100));

const readings = fc
	.record({
		...READINGS,
		pageSize: of(0, 0, 25, 30, 64, 100),
		maxResults: of<Readings['maxResults']>('rows', 'totalCount'),
		afterLast: of<Readings['afterLast']>('noRows', 'noRows', 'lastPage', 400, 404, 422),
		rowsAt: of<Readings['rowsAt']>('contract', 'data', 'bareArray'),
	})
	// Whether more rows follow is not said by one that leaves it out.
	.map((one) => ({
		...one,
		hasMore: one.missing.includes('has_more') ? ('honest' as const) : one.hasMore,
	}));

const deviation: fc.Arbitrary<Deviation> = fc.oneof(
	fc.record({ otherPage: fc.record({ asked: between(3, 6), page: between(1, 2) }) }),
	fc.record({ firstPageFrom: between(2, 6) }),
	fc.record({ smallerPages: fc.record({ from: between(2, 6), size: between(1, 24) }) }),
	fc.record({ moreRows: between(1, 20) }),
	fc.record({ largerPages: between(60, 200) }),
	fc.record({ emptyPage: between(2, 6) }),
	fc.record({ jump: fc.record({ page: between(1, 5), next: between(7, 9) }) }),
	fc.record({ filteredEvery: between(2, 40) }),
	fc.record({ hiddenRows: of<Deviation['hiddenRows']>('null', 'results', 'summary') }),
);

const wish = fc.record({
	skip: fc.oneof(fc.constant(0), fc.constant(0), between(0, 400), of(100, 200, 300)),
	limit: fc.oneof(fc.constant(Infinity), between(1, 300), fc.constant(1), fc.constant(50)),
	pageSize: of(1000, 1000, 100, 40),
});

const scenario = fc.record({
	readings,
	leads: fc.oneof(between(0, 60), of(1, 50, 64, 100, 200), between(0, 900)),
	twins: fc.array(between(1, 60), { maxLength: 2 }),
	balance: fc.oneof(fc.constant(100_000), between(0, 150), between(0, 900)),
	runs: fc.array(fc.record({ weather, wishes: fc.array(wish, { minLength: 1, maxLength: 2 }) }), {
		minLength: 1,
		maxLength: 4,
	}),
	isSaved: fc.boolean(),
	/** From which row on the service refuses pages. */
	refusesFrom: fc.option(
		fc.record({ row: between(1, 400), status: of<400 | 404 | 422>(400, 404, 422) }),
		{ nil: undefined, freq: 2 },
	),
});
type Wishes = Array<Parameters<typeof leadsOf>[1]>;

/** Charges that the ledger accounts for: rows that are there or came again, and answers that were lost. */
function expectAccounted(world: World, list: LeadList): void {
	const { charged, atRisk } = list;
	expect(charged).toBe(world.charged.length - world.lost.length);
	const inDoubt = [...list.doubts.values()].flat().map(idOf);
	expect(new Set([...idsIn(list), ...inDoubt])).toEqual(world.came);
	expect(atRisk).toBeGreaterThanOrEqual(world.lost.length);
	expect(list.pending).toBe(0);
}

function idsIn({ cells, strays }: LeadList): number[] {
	return [...cells.values(), ...strays.map(({ row }) => row)].map((row) => idOf(row as Json));
}

/** Every row is there once, and at its place if it has one; but those in doubt may be known elsewhere. */
function expectPlaced(list: LeadList): void {
	const ids = idsIn(list);
	expect(new Set(ids).size).toBe(ids.length);
	expect([...list.cells].filter(([place, cell]) => idOf(cell as Json) !== place)).toEqual([]);
}

/** Rows that nobody sees can't be told, nor more of them in a lost answer than were asked for. */
function isAccountable({ hiddenRows, moreRows, largerPages }: Deviation): boolean {
	return hiddenRows === undefined && moreRows === undefined && largerPages === undefined;
}

let drawn = 0;
let judged = 0;

test('what a supported service charges for is there, each lead once and at its place', async () => {
	await fc.assert(
		fc.asyncProperty(scenario, async (draw) => {
			const { leads, twins, balance, runs, isSaved } = draw;
			drawn += 1;
			let list = new LeadList();
			const { missing, rowsAt, pageSize, perPage, afterLast } = draw.readings;
			const isUnnamed = missing.includes('per_page') || rowsAt === 'bareArray';
			const hidesSize = pageSize > 0 && (perPage === 'asked' || isUnnamed);
			// After a short page a refusal is the end; and a refusal says that pages after the last one are free.
			const isEnd = hidesSize || balance < 100_000 || afterLast === 'lastPage';
			const refusesFrom = isEnd ? undefined : draw.refusesFrom;
			const read = { ...draw.readings, refusesFrom };
			// Where the size is hidden, where a page began is known by its profiles.
			const rows = numberedRows(leads, hidesSize ? [] : twins);
			const world = new World(balance, read, rows);
			const check = async (wishes: Wishes, sky: Weather) => {
				const before = world.charged.length;
				const { repeated } = list;
				const results = await world.run(
					wishes.map((one) => leadsOf(list, one)),
					sky,
				);
				// The first row in doubt; or the last page, for the page size, and one row for each question.
				const lastPage = Math.min(leads, pageSize || 1000) + 1 + wishes.length;
				const inVain = afterLast === 'lastPage' ? lastPage : 1;
				if (!hidesSize) expect(list.repeated - repeated).toBeLessThanOrEqual(inVain);
				expect(world.charged.length - before).toBeLessThanOrEqual(sky.budget);
				expectAccounted(world, list);
				expectPlaced(list);
				const failure = failureOf(results);
				const isExcused =
					(hidesSize && failure?.text?.startsWith('it serves smaller pages') === true) ||
					((world.credits === 0 || sky.topUp !== undefined) &&
						failure?.text?.startsWith('it said that more') === true);
				if (!isExcused && failure?.kind === 'protocolViolation') expect(failure.text).toBe('');
				results.forEach(({ end }, index) => {
					const { skip = 0, limit = Infinity } = wishes[index] ?? {};
					const got = [...list.rowsBetween(skip, Math.min(skip + limit, leads + 1))].map(idOf);
					const whole = rows.slice(skip, skip + limit).map(({ id }) => id);
					if (end === 'refused') expect(got).toEqual(whole.slice(0, got.length));
					else if (end !== undefined && end !== 'budget') expect(got).toEqual(whole);
					if (end === 'limit') expect(got).toHaveLength(limit);
				});
				return { results, isExcused };
			};
			for (const { weather: sky, wishes } of runs) {
				await check(wishes, sky);
				if (isSaved) list = counting(new LeadList().restore(kept(list)), list);
			}
			// With credits and without failures, everything comes.
			world.credits = 1_000_000;
			const requests = world.requests;
			let last = await check([{}], FAIR);
			if (last.isExcused) last = await check([{}], FAIR);
			// A refusal after a full page may be the end, or as far as the service goes.
			expect(['whole', 'refused']).toContain(last.results[0]?.end);
			const all = [...list.rowsBetween(0, leads)].map(idOf);
			const reached = refusesFrom ? all.length : leads;
			expect(all.length).toBeGreaterThanOrEqual(Math.min(leads, refusesFrom?.row ?? leads));
			expect(all).toEqual(rows.map(({ id }) => id).slice(0, reached));
			expect(list.unplaced).toEqual([]);
			const pages = leads / Math.min(1000, read.tooLarge === 'cut' ? read.pageSize || 1000 : 25);
			expect(world.requests - requests).toBeLessThan(60 + 3 * pages);
			judged += 1;
		}),
		{ numRuns: DRAWS, endOnFailure: true },
	);
	expectReached(judged, drawn);
});

test('what two executions kept is put together, and only the rest is paid for', async () => {
	let ended = 0;
	await fc.assert(
		fc.asyncProperty(scenario, weather, async (drawn_, otherSky) => {
			const { readings: read, leads, balance, runs } = drawn_;
			// Where the size is hidden, a page may be charged in vain, and a list need not go on at once.
			const plain = {
				...read,
				perPage: 'served' as const,
				missing: [],
				rowsAt: 'contract' as const,
			};
			const rows = numberedRows(leads);
			const world = new World(balance, plain, rows);
			const list = new LeadList();
			for (const { weather: sky, wishes } of [...runs, { weather: otherSky, wishes: [{}] }]) {
				const own = new LeadList();
				await world.run(
					wishes.map((one) => leadsOf(own, one)),
					sky,
				);
				list.restore(kept(own));
			}
			const before = world.charged.length;
			const missing = leads - list.rows;
			// Where a short page after Skip began, one of its rows shows.
			const asked = list.doubts.size;
			world.credits = 1_000_000;
			const results = await world.run([leadsOf(list)], FAIR);
			expect(['whole', 'refused']).toContain(results[0]?.end);
			expect(list.rowsBetween(0, leads).map(idOf)).toEqual(rows.map(({ id }) => id));
			expect(list.unplaced).toEqual([]);
			const again = world.charged.length - before - missing;
			expect(again).toBe(list.repeated);
			if (plain.afterLast !== 'lastPage') expect(again).toBeLessThanOrEqual(asked);
			ended += 1;
		}),
		{ numRuns: DRAWS, endOnFailure: true },
	);
	expectReached(ended, DRAWS);
});

test('a service that does anything else ends the run with a message, or all is right', async () => {
	let ended = 0;
	await fc.assert(
		fc.asyncProperty(
			scenario,
			deviation,
			async ({ readings: read, leads, balance, runs }, deviates) => {
				const world = new World(
					balance,
					{ ...read, afterLast: 'noRows' },
					numberedRows(leads),
					deviates,
				);
				const list = new LeadList();
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
					if (failureOf(results)?.kind === 'protocolViolation') ended += 1;
				}
			},
		),
		{ numRuns: DRAWS, endOnFailure: true },
	);
	expect(ended).toBeGreaterThan(DRAWS / 5);
});
