/** Answers in which the random services once found the lists wrong, or that they do not give. */
import type { Json } from '../../nodes/LeadSearch/api/contract';
import { LeadJob } from '../../nodes/LeadSearch/paging/leadJob';
import { LeadList } from '../../nodes/LeadSearch/paging/leadList';
import type { Failure } from '../../nodes/LeadSearch/api/failures';
import type { Order } from '../../nodes/LeadSearch/paging/ledger';
import { fetchAll } from '../../nodes/LeadSearch/paging/run';
import type { Readings } from '../../sandbox/service/model';
import { ANY, leads, listAfter, orderOf } from './script';
import { FAIR, idOf, kept, leadsOf, newProfiles, numberedRows } from './world';
import { profilesOf, QUIET, World } from './world';

const urlOf = (id: number) => `https://www.linkedin.com/in/lead-${id}`;
const rowsFrom = (from: unknown, size = 25) => leads(`${Number(from)}-${Number(from) + size - 1}`);

describe('A lookup', () => {
	test('ends at a service whose rows name nobody and differ in each answer', async () => {
		const urls = Array.from({ length: 60 }, (_, id) => urlOf(id));
		let answers = 0;
		const send = () => Promise.resolve({ value: { rows: [{ at: answers++ }], hasMore: false } });
		const results = await fetchAll([profilesOf(newProfiles(), urls)], { ...QUIET, send });
		expect(results).toMatchObject([{ end: 'whole' }]);
		expect(answers).toBeLessThan(40);
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
		expect(urls.map((url) => idOf(list.rowAt(url) ?? {}))).toEqual([0, 1, 2]);
		expect(list).toMatchObject({ strays: [], charged: 4 });
	});

	test('of a renamed profile by both of its URLs pays for each of them, and ends', async () => {
		const world = new World(100, { profiles: { renamedEvery: 2 } }, numberedRows(2));
		const urls = [urlOf(0), urlOf(1), `${urlOf(0)}-renamed`];
		const results = await world.run([profilesOf(newProfiles(), urls)], FAIR);
		expect(results).toMatchObject([{ end: 'whole' }]);
		expect(world.charged).toEqual([0, 1, 0]);
	});

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

describe('A search', () => {
	test('a check that is refused ends the run once, not each further one', () => {
		const { list } = listAfter(['2/100 100-139'], ANY);
		const refused = list.fail(orderOf('101/1='), { kind: 'refused', status: 422 });
		expect(refused).toHaveProperty('kind', 'protocolViolation');
		expect(list).toMatchObject({ doubts: new Map(), rows: 40 });
		expect(list.cells.size).toBe(0);
	});

	test('that was said to end where it was asked to may be refused after that', () => {
		const list = new LeadList();
		list.settle({ ...orderOf('1/25'), maxResults: 25 }, { rows: rowsFrom(0), hasMore: false });
		list.fail(orderOf('26/1?'), { kind: 'refused', status: 422 });
		expect(list.end.refusal).toHaveProperty('status', 422);
	});

	const open = (leads: number, readings: Partial<Readings>, twins: number[] = []) => {
		const world = new World(10_000, readings, numberedRows(leads, twins));
		const list = new LeadList();
		const run = async (...wishes: Array<Parameters<typeof leadsOf>[1]>) => {
			const wanted = wishes.map((wish) => leadsOf(list, wish));
			const results = await world.run(wanted, { ...FAIR, continues: true });
			return results.map(({ end, failure }) => end ?? failure.text);
		};
		const places = () => list.rowsBetween(0, leads).map(idOf);
		return { list, world, run, places, whole: Array.from({ length: leads }, (_, id) => id) };
	};

	test('after the row that a service refuses to go past is no end for others, and is paid for once', async () => {
		const refusesFrom = { row: 400, status: 404 } as const;
		const { run, places, whole, world } = open(600, { refusesFrom, hasMore: 'fullPage' });
		await run({ limit: 50, pageSize: 50 });
		for (const skip of [400, 390, 390])
			expect(await run({ skip, limit: 50, pageSize: 50 })).toEqual(['refused']);
		expect(await run({ pageSize: 50 })).toEqual(['refused']);
		expect(places().slice(0, 400)).toEqual(whole.slice(0, 400));
		expect(new Set(world.charged).size).toBe(world.charged.length);
	});

	const elsewhere = expect.stringMatching(/^it serves smaller pages than it says/) as unknown;

	test('at a hidden page size, a second row of the profile before does not move the list by one', async () => {
		const missing = ['page', 'per_page', 'has_more', 'next_page'] as const;
		const { run, places, whole } = open(50, { missing }, [32]);
		await run({ limit: 2 });
		expect(await run({})).toEqual(['whole']);
		expect(places()).toEqual(whole);
	});

	test('at a hidden page size, what one execution left in doubt another settles for those after it', async () => {
		const world = new World(64, { pageSize: 64, perPage: 'asked' }, numberedRows(400));
		const saved: Array<ReturnType<LeadList['toJSON']>> = [];
		const ends = [];
		for (let execution = 0; execution < 3; execution++) {
			const list = new LeadList();
			for (const one of saved) list.restore({ ...one, broken: undefined });
			const [result] = await world.run([leadsOf(list, { skip: 128 })], FAIR);
			ends.push(result?.end ?? result?.failure.kind);
			saved.push(kept(list));
			world.credits = 1_000;
		}
		expect(ends).toEqual(['noCredits', 'protocolViolation', 'whole']);
	});

	test('at a hidden page size, the last page once more does not say where a page belongs', async () => {
		const { run, places, whole } = open(300, {
			pageSize: 299,
			perPage: 'asked',
			afterLast: 'lastPage',
		});
		await run({ limit: 1 });
		await run({});
		expect([await run({}), places()]).toEqual([['whole'], whole]);
	});

	test('that is asked for more than its page size was asked about asks again', async () => {
		const { run, world } = open(3_000, { pageSize: 500 });
		for (const limit of [150, 1_000]) await run({ skip: 600, limit });
		expect([world.charged.length, new Set(world.charged).size]).toEqual([1_000, 1_000]);
	});

	test("at a hidden page size, a page that belongs elsewhere ends all jobs of the list, and is nobody's", async () => {
		const { run, list } = open(9_000, { pageSize: 300, perPage: 'asked' });
		const ends = await run({ skip: 5_000, limit: 2_000 }, { skip: 5_000, limit: 250 });
		expect(ends).toEqual([elsewhere, elsewhere]);
		expect(list.rowsBetween(5_000, 7_000)).toHaveLength(1);
	});
});

test.each<[number, Failure, number]>([
	[0, { kind: 'serverDown', status: 500 }, 25],
	[0, { kind: 'lostResponse' }, 25],
	[200, { kind: 'serverDown', status: 500 }, 1_000],
])('from row %d, %j to rows out of reach leaves all others', async (skip, failure, pageSize) => {
	const list = new LeadList();
	const results = await fetchAll([{ job: new LeadJob(list, { skip, limit: 200, pageSize }) }], {
		...QUIET,
		send: (_, { first, size }) => {
			if (Number(first) >= 100_000) return Promise.resolve({ failure });
			return Promise.resolve({ value: { rows: rowsFrom(first, size) } });
		},
	});
	expect(results).toMatchObject([{ end: 'limit' }]);
	expect(list.rows).toBe(200);
});
