/** Tests responses that once revealed errors, or that random services don't give. */
import type { Json } from '../../nodes/LeadSearch/api/contract';
import { LeadJob } from '../../nodes/LeadSearch/paging/leadJob';
import { LeadList } from '../../nodes/LeadSearch/paging/leadList';
import type { PageRequest } from '../../nodes/LeadSearch/paging/job';
import { fetchAll } from '../../nodes/LeadSearch/paging/fetchAll';
import type { Deviation, Readings } from '../../sandbox/service/model';
import { leads } from './script';
import { withCostOf, FAIR, idOf, leadsOf, restoreCopy, newProfiles, numberedRows } from './world';
import { opaqueUrlOf, profilesOf, QUIET, World, type Conditions } from './world';

const urlOf = (id: number) => `https://www.linkedin.com/in/lead-${id}`;
const rowsFrom = (from: unknown, size = 25) => leads(`${Number(from)}-${Number(from) + size - 1}`);

describe('Lookups', () => {
	test.each([
		[0, 125],
		[200, 525],
	])(
		'a lookup of 10,000 URLs with %i renamed profiles costs one more credit for each of these',
		async (renamed, maxRequests) => {
			const nameOf = (id: number) =>
				String(id).replace(/\d/g, (digit) => 'abcdefghij'.charAt(+digit));
			const urls = all(10_000).map((id) => `https://www.linkedin.com/in/lead-${nameOf(id)}-${id}`);
			const rows = numberedRows(10_000).flatMap(({ id, record }) => {
				const own = { ...record, full_name: `Lead ${nameOf(id)}`, linkedin_url: urls[id] ?? '' };
				return id % 4 === 3 ? [] : { id, record: own };
			});
			const profiles = renamed > 0 ? { renamedEvery: 10_000 / renamed } : {};
			const world = new World(1_000_000, { profiles }, rows);
			const list = newProfiles();
			expect(await world.run([profilesOf(list, urls)], FAIR)).toMatchObject([
				{ outcome: 'complete' },
			]);
			const names = urls.map((url) => list.rowsOf(url).map((row) => row.full_name));
			expect(names).toEqual(all(10_000).map((id) => (id % 4 === 3 ? [] : [`Lead ${nameOf(id)}`])));
			expect(world.charged).toHaveLength(rows.length + renamed);
			expect(world.requests).toBeLessThanOrEqual(maxRequests);
		},
	);

	test('a lookup fails if it gets enough rows, but on a page that was not requested', async () => {
		const target = profilesOf(newProfiles(), [urlOf(0), urlOf(1)], { limit: 1 });
		const send = () => Promise.resolve({ value: { rows: leads('0'), page: 2 } });
		const results = await fetchAll([target], { ...QUIET, send });
		expect(results).toMatchObject([{ failure: { kind: 'protocolViolation' } }]);
	});

	test.each([3, 300])(
		'a lookup of %i opaque IDs takes one credit and one request for each',
		async (n) => {
			const world = new World(1_000, {}, numberedRows(n));
			const list = newProfiles();
			const urls = numberedRows(n).map(({ record }) => opaqueUrlOf(record.linkedin_url));
			expect(await world.run([profilesOf(list, urls)], FAIR)).toMatchObject([
				{ outcome: 'complete' },
			]);
			expect(urls.map((url) => list.rowsOf(url).map(idOf))).toEqual(all(n).map((id) => [id]));
			expect([world.charged.length, world.requests, list.cost.wasted]).toEqual([n, n, 0]);
		},
	);
});

test('a preview with equal masked profiles is not treated as a list that starts again', async () => {
	const list = new LeadList(false);
	const job = new LeadJob(list, { skip: 0, limit: Infinity, pageSize: 100 });
	const masked = { linkedin_url: 'https://www.linkedin.com/in/***' };
	const send = (_: unknown, { firstKey }: PageRequest) => {
		const rows = Array<Json>(Number(firstKey) < 300 ? 100 : 0).fill(masked);
		return Promise.resolve({ value: { rows } });
	};
	expect(await fetchAll([{ job }], { ...QUIET, send })).toMatchObject([{ outcome: 'complete' }]);
	expect(list.rowCount).toBe(300);
});

/** Opens a service with this many leads, for runs that each restore the list of the run before. */
function open(length: number, readings: Partial<Readings> = {}, deviation?: Deviation) {
	const world = new World(1_000_000, readings, numberedRows(length), deviation);
	let list = new LeadList();
	const run = async (
		target: Parameters<typeof leadsOf>[1] = {},
		conditions: Partial<Conditions> = {},
	) => {
		list = withCostOf(restoreCopy(list), list);
		const before = { charged: world.charged.length, requests: world.requests };
		const [result] = await world.run([leadsOf(list, target)], { ...FAIR, ...conditions });
		return {
			end: result?.outcome ?? result?.failure.text,
			credits: world.charged.length - before.charged,
			requests: world.requests - before.requests,
			hints: [...list.hints.keys()],
		};
	};
	return { world, run, leadIds: () => list.rowsBetween(0, length).rows.map(idOf) };
}

const all = (length: number) => Array.from({ length }, (_, id) => id);

describe('Searches', () => {
	test('searches beyond the last row that a service returns are refused, do not end other searches, and pay for each lead once', async () => {
		const refusesFrom = { row: 400, status: 404 } as const;
		const { run, leadIds, world } = open(600, { refusesFrom, hasMore: 'fullPage' });
		await run({ limit: 50, pageSize: 50 });
		for (const skip of [400, 390, 390])
			expect((await run({ skip, limit: 50, pageSize: 50 })).end).toBe('refused');
		expect((await run({ pageSize: 50 })).end).toBe('refused');
		expect(leadIds().slice(0, 400)).toEqual(all(400));
		expect(new Set(world.charged).size).toBe(world.charged.length);
	});

	test('a search for all 5,500 leads takes few requests', async () => {
		const { run } = open(5_500, { pageSize: 1_000 });
		const expected = { end: 'complete', credits: 5_500, requests: 12 };
		expect(await run({ pageSize: 1_000 })).toMatchObject(expected);
	});

	test('a search that continues after 50 leads with pages truncated to 150 rows wastes a part of one page, and only once', async () => {
		const { run, leadIds } = open(1_000, { pageSize: 150 });
		await run({ limit: 50, pageSize: 1_000 });
		expect(await run({ limit: 500, pageSize: 1_000 })).toMatchObject({
			credits: 500,
			hints: ['truncatedPage'],
		});
		expect(await run()).toMatchObject({ end: 'complete', credits: 500, hints: [] });
		expect(leadIds()).toEqual(all(1_000));
	});

	test('a search at a service that returns its last page again pays again for requests in flight, or for one lead without concurrency', async () => {
		const readings = { afterLast: 'lastPage', hasMore: 'fullPage', pageSize: 100 } as const;
		const first = open(250, readings);
		expect(await first.run({}, { parallelPages: 1 })).toMatchObject({
			end: 'complete',
			credits: 251,
			hints: ['repeatedLastPage'],
		});
		expect((await open(250, readings).run()).credits).toBeLessThanOrEqual(250 + 8 * 50 + 1);
	});
});

test('the job that needs the most rows of a list runs first, and the other jobs use the full window after it', async () => {
	const list = new LeadList(false);
	const jobOf = (skip: number, limit: number) => ({
		job: new LeadJob(list, { skip, limit, pageSize: 25 }),
	});
	const tasks = [jobOf(0, 10), jobOf(0, 500), jobOf(500, 400)];
	const sent: number[] = [];
	const inFlight: number[] = [];
	const results = await fetchAll(tasks, {
		...QUIET,
		send: async (_, { firstKey, size }) => {
			sent.push(Number(firstKey));
			inFlight.push(list.inFlight.size);
			await new Promise(setImmediate);
			return { value: { rows: rowsFrom(firstKey, size) } };
		},
	});
	expect(results.map(({ outcome }) => outcome)).toEqual(['limit', 'limit', 'limit']);
	expect(results.map(({ task }) => task)).toEqual(tasks);
	expect(sent).toEqual(Array.from({ length: 36 }, (_, page) => page * 25));
	expect(Math.max(...inFlight.slice(20))).toBe(8);
});
