/** Answers in which the random services once found the lists wrong, or that they do not give. */
import type { Json } from '../../nodes/LeadSearch/api/contract';
import { LeadJob } from '../../nodes/LeadSearch/paging/leadJob';
import { LeadList } from '../../nodes/LeadSearch/paging/leadList';
import type { Order } from '../../nodes/LeadSearch/paging/job';
import { fetchAll } from '../../nodes/LeadSearch/paging/fetchAll';
import type { Deviation, Readings } from '../../sandbox/service/model';
import { leads, orderOf } from './script';
import { counting, FAIR, idOf, leadsOf, recalled, newProfiles, numberedRows } from './world';
import { opaqueUrlOf, profilesOf, QUIET, World, type Weather } from './world';

const urlOf = (id: number) => `https://www.linkedin.com/in/lead-${id}`;
const rowsFrom = (from: unknown, size = 25) => leads(`${Number(from)}-${Number(from) + size - 1}`);

describe('A lookup', () => {
	test('ends at a service whose rows name nobody and differ in each answer', async () => {
		const urls = Array.from({ length: 60 }, (_, id) => urlOf(id));
		let answers = 0;
		const send = () => Promise.resolve({ value: { rows: [{ at: answers++ }], hasMore: false } });
		const results = await fetchAll([profilesOf(newProfiles(), urls)], { ...QUIET, send });
		expect(results).toMatchObject([{ end: 'whole' }]);
		// All together once, and then each alone.
		expect(answers).toBe(61);
	});

	test('that got as many rows as wanted, of a page that nobody asked for, has failed', async () => {
		const wanted = profilesOf(newProfiles(), [urlOf(0), urlOf(1)], { limit: 1 });
		const send = () => Promise.resolve({ value: { rows: leads('0'), page: 2 } });
		const results = await fetchAll([wanted], { ...QUIET, send });
		expect(results).toMatchObject([{ failure: { kind: 'protocolViolation' } }]);
	});

	test('calls nobody not found for whom a renamed profile left no credit', async () => {
		const rows = numberedRows(3);
		const world = new World(2, { profiles: { renamedEvery: 3 } }, rows);
		const urls = rows.map(({ record }) => record.linkedin_url);
		const list = newProfiles();
		const runs = [];
		for (const credits of [0, 1, 1]) {
			world.credits += credits;
			const [result] = await world.run([profilesOf(list, urls)], FAIR);
			runs.push(result?.end ?? result?.failure.kind);
		}
		expect(runs).toEqual(['noCredits', 'noCredits', 'whole']);
		expect(urls.map((url) => idOf(list.rowsAt(url)[0] ?? {}))).toEqual([0, 1, 2]);
		expect(list).toMatchObject({ strays: [], cost: { charged: 4 } });
	});

	test('of a renamed profile by both of its URLs pays for each of them, and ends', async () => {
		const world = new World(100, { profiles: { renamedEvery: 2 } }, numberedRows(2));
		const urls = [urlOf(0), urlOf(1), `${urlOf(0)}-renamed`];
		const results = await world.run([profilesOf(newProfiles(), urls)], FAIR);
		expect(results).toMatchObject([{ end: 'whole' }]);
		expect(world.charged).toEqual([0, 1, 0]);
	});

	test('of a renamed profile by both of its URLs, beside nobodies, takes one credit more to find it', async () => {
		const world = new World(100, { profiles: { renamedEvery: 1 } }, numberedRows(1));
		const urls = [`${urlOf(0)}-renamed`, urlOf(0), urlOf(1), urlOf(2)];
		const list = newProfiles();
		await world.run([profilesOf(list, urls)], FAIR);
		expect(urls.map((url) => list.rowsAt(url).length)).toEqual([1, 1, 0, 0]);
		expect(list.cost).toMatchObject({ charged: 3, repeated: 1 });
	});

	test.each([1, 3, 20, 30, 300])(
		'by %i opaque ids takes a credit and a request each',
		async (n) => {
			const world = new World(1_000, {}, numberedRows(n));
			const list = newProfiles();
			const urls = numberedRows(n).map(({ record }) => opaqueUrlOf(record.linkedin_url));
			expect(await world.run([profilesOf(list, urls)], FAIR)).toMatchObject([{ end: 'whole' }]);
			expect(urls.map((url) => list.rowsAt(url).map(idOf))).toEqual(all(n).map((id) => [id]));
			expect([world.charged.length, world.requests, list.cost.repeated]).toEqual([n, n, 0]);
		},
	);

	test.each([2, 25])('of one URL that brings %d others ends', async (length) => {
		const rows = Array.from({ length }, (_, id) => ({ full_name: 'Lead', id }));
		const send = jest.fn(() => Promise.resolve({ value: { rows, hasMore: true } }));
		await fetchAll([profilesOf(newProfiles(), [urlOf(0)])], { ...QUIET, send });
		expect(send.mock.calls.length).toBeLessThanOrEqual(2);
	});

	test('ends at a service that echoes the page size and renames everybody', async () => {
		const rows = numberedRows(150);
		const readings = { pageSize: 100, perPage: 'asked', profiles: { renamedEvery: 1 } } as const;
		const world = new World(10_000, readings, rows);
		const urls = rows.map(({ record }) => record.linkedin_url);
		const list = newProfiles();
		const results = await world.run([profilesOf(list, urls)], FAIR);
		expect(results).toMatchObject([{ end: 'whole' }]);
		expect(list.rows).toBe(150);
		// Each is asked for once more, and the first hundred again for the size.
		expect(world.charged.length).toBeLessThanOrEqual(400);
	});
});

test('a preview that masks all profiles alike is no list that starts again', async () => {
	const list = new LeadList(false);
	const job = new LeadJob(list, { skip: 0, limit: Infinity, pageSize: 100 });
	const masked = { linkedin_url: 'https://www.linkedin.com/in/***' };
	const send = (_: unknown, { first }: Order) => {
		const rows = Array<Json>(Number(first) < 300 ? 100 : 0).fill(masked);
		return Promise.resolve({ value: { rows } });
	};
	expect(await fetchAll([{ job }], { ...QUIET, send })).toMatchObject([{ end: 'whole' }]);
	expect(list.rows).toBe(300);
});

/** A service of so many leads, and the runs of a node: each takes what the one before has kept. */
function open(length: number, readings: Partial<Readings> = {}, more: Options = {}) {
	const { credits = 100_000, twins = [], deviation } = more;
	const world = new World(credits, readings, numberedRows(length, twins), deviation);
	let list = new LeadList();
	const run = async (wish: Parameters<typeof leadsOf>[1] = {}, weather: Partial<Weather> = {}) => {
		list = counting(recalled.leads(list), list);
		const before = { charged: world.charged.length, requests: world.requests };
		const [result] = await world.run([leadsOf(list, wish)], { ...FAIR, ...weather });
		const { end, failure } = result ?? {};
		const noticed = failure?.kind === 'protocolViolation' ? failure.text : undefined;
		return {
			end: end ?? noticed ?? failure?.kind,
			credits: world.charged.length - before.charged,
			requests: world.requests - before.requests,
			notes: [...list.notes.keys()],
		};
	};
	return { world, run, places: () => list.rowsBetween(0, length).map(idOf) };
}

interface Options {
	credits?: number;
	twins?: number[];
	deviation?: Deviation;
}

const all = (length: number) => Array.from({ length }, (_, id) => id);

describe('A search', () => {
	test('that was said to end where it was asked to may be refused after that', () => {
		const list = new LeadList();
		list.settle({ ...orderOf('1/25'), maxResults: 25 }, { rows: rowsFrom(0), hasMore: false });
		list.fail(orderOf('26/1?'), { kind: 'refused', status: 422 });
		expect(list.end?.refusal).toHaveProperty('status', 422);
	});

	test('after the row that a service refuses to go past is no end for others, and is paid for once', async () => {
		const refusesFrom = { row: 400, status: 404 } as const;
		const { run, places, world } = open(600, { refusesFrom, hasMore: 'fullPage' });
		await run({ limit: 50, pageSize: 50 });
		for (const skip of [400, 390, 390])
			expect((await run({ skip, limit: 50, pageSize: 50 })).end).toBe('refused');
		expect((await run({ pageSize: 50 })).end).toBe('refused');
		expect(places().slice(0, 400)).toEqual(all(400));
		expect(new Set(world.charged).size).toBe(world.charged.length);
	});

	test.each<[string, number, Partial<Readings>, Parameters<typeof leadsOf>[1], object]>([
		['of 50 leads', 5_000, {}, { limit: 50 }, { end: 'limit', credits: 50, requests: 1 }],
		[
			'of all 5,500',
			5_500,
			{ pageSize: 1_000 },
			{},
			{ end: 'whole', credits: 5_500, requests: 12 },
		],
		[
			'of 10,000 after Skip',
			40_000,
			{},
			{ skip: 20_000, limit: 10_000 },
			{ end: 'limit', credits: 10_000, requests: 10 },
		],
		[
			'after Skip, in smaller pages than asked for',
			2_000,
			{ pageSize: 100 },
			{ skip: 1_000, limit: 300 },
			{ end: 'limit', credits: 400, requests: 4, notes: ['cutPage'] },
		],
	])('%s takes few requests', async (_, length, readings, wish, expected) => {
		const { run } = open(length, readings, { credits: 1_000_000 });
		expect(await run(wish)).toMatchObject(expected);
	});

	test('of 50 leads by hand, and then of all, buys the rest in pages that grow', async () => {
		const { run, places } = open(5_000, { pageSize: 1_000 });
		await run({ limit: 50 });
		expect(await run()).toEqual({ end: 'whole', credits: 4_950, requests: 10, notes: [] });
		expect(places()).toEqual(all(5_000));
	});

	test('of 50 leads by hand, where pages are cut to 150, pays one of them in part again, once', async () => {
		const { run, places } = open(1_000, { pageSize: 150 });
		await run({ limit: 50 });
		expect(await run({ limit: 500 })).toMatchObject({ credits: 500, notes: ['cutPage'] });
		expect(await run()).toMatchObject({ end: 'whole', credits: 500, notes: [] });
		expect(places()).toEqual(all(1_000));
	});

	test.each<[Partial<Readings>]>([[{ lowSays: 'end' }], [{ lowSays: 'more' }]])(
		'whose credits run out in a page (%j) ends with a 402, and goes on there',
		async (readings) => {
			const { run, places, world } = open(200, readings, { credits: 60 });
			expect(await run({ pageSize: 25 })).toMatchObject({ end: 'noCredits', credits: 60 });
			world.credits += 1_000;
			expect(await run({ pageSize: 25 })).toMatchObject({ end: 'whole', credits: 140 });
			expect(places()).toEqual(all(200));
		},
	);

	test.each([
		[{ firstPageFrom: 2 }, 'page 2 holds leads that had come before'],
		[
			{ firstPageFrom: 2, namesFirstPage: true },
			'it answered with page 1 where page 2 was asked for',
		],
	])('of a service that ignores `_page` (%j) pays for two pages', async (deviation, text) => {
		const { run } = open(1_000, {}, { deviation });
		const ended = await run({ limit: 200, pageSize: 100 });
		expect(ended).toMatchObject({ end: text, credits: 200, requests: 2 });
	});

	test('whose last page comes once more pays for what was in flight, and one lead where that is one', async () => {
		const readings = { afterLast: 'lastPage', hasMore: 'fullPage', pageSize: 100 } as const;
		const first = open(250, readings);
		expect(await first.run({}, { parallelPages: 1 })).toMatchObject({
			end: 'whole',
			credits: 251,
			notes: ['lastPageAgain'],
		});
		expect((await open(250, readings).run()).credits).toBeLessThanOrEqual(250 + 8 * 50 + 1);
	});
});

test('of a list the widest job comes first, and then the others as fast', async () => {
	const list = new LeadList(false);
	const jobOf = (skip: number, limit: number) => ({
		job: new LeadJob(list, { skip, limit, pageSize: 25 }),
	});
	const tasks = [jobOf(0, 10), jobOf(0, 500), jobOf(500, 400)];
	const sent: number[] = [];
	const inFlight: number[] = [];
	const results = await fetchAll(tasks, {
		...QUIET,
		send: async (_, { first, size }) => {
			sent.push(Number(first));
			inFlight.push(list.inFlight.size);
			await new Promise(setImmediate);
			return { value: { rows: rowsFrom(first, size) } };
		},
	});
	expect(results.map(({ end }) => end)).toEqual(['limit', 'limit', 'limit']);
	expect(results.map(({ task }) => task)).toEqual(tasks);
	expect(sent).toEqual(Array.from({ length: 36 }, (_, page) => page * 25));
	expect(Math.max(...inFlight.slice(20))).toBe(8);
});
