/** The promises about money, each by examples with figures that can be followed by hand. */
import { randomUUID } from 'node:crypto';
import type { INodeParameters } from 'n8n-workflow';

import {
	continues,
	iceland as filters,
	icelanders,
	jsonOf,
	pairsOf,
	urlsOf,
	useService,
	warningsOf,
	type RunOptions,
} from './useService';

const { customer } = useService();

const byCountry = { personLocationCountry: '={{ $json.country }}' };
const countries = (...names: string[]) => ({ input: names.map((country) => ({ country })) });
const oneExecution = (): RunOptions => ({ nodeId: randomUUID(), executionId: randomUUID() });

describe('Promise 1: never overspend', () => {
	test('Limit 1,009 with page size 1,000 costs 1,009, from a service that does not cap rows', async () => {
		const buyer = customer({ readings: { maxResults: 'totalCount' } });
		const { items } = await buyer.search({ limit: 1_009, filters });
		expect(urlsOf(items)).toEqual(icelanders.slice(0, 1_009));
		expect(buyer.spent()).toBe(1_009);
		expect(buyer.requests().map(({ perPage }) => perPage)).toEqual([1_000, 8, 1]);
	});

	test('Max Credits per Execution ends a run over all pages and items, and a hint says so', async () => {
		const buyer = customer();
		const result = await buyer.search(
			{ limit: 40, filters: byCountry, options: { maxCredits: 50, pageSize: 15 } },
			countries('Iceland', 'Germany', 'France'),
		);
		expect(pairsOf(result.items)).toEqual([
			...Array<number>(40).fill(0),
			...Array<number>(10).fill(1),
		]);
		expect(buyer.spent()).toBe(50);
		expect(warningsOf(result)).toEqual([
			'This list is cut: Max Credits per Execution (50 credits) was reached after 50 leads. Raise it under Options to get the rest.',
		]);
	});

	test.each<[string, INodeParameters]>([
		['Limit', { returnAll: false, limit: 25 }],
		['Max Credits per Execution', { options: { maxCredits: 25, onlyWithEmails: false } }],
	])('%s holds for a lookup, whatever is found', async (_, parameters) => {
		const buyer = customer();
		const urls = icelanders.slice(0, 60).flatMap((url, id) => [url, `${url}-no-${id}`]);
		const { items } = await buyer.lookUp({ linkedinUrls: urls.join(), ...parameters });
		expect(items).toHaveLength(25);
		expect(buyer.spent()).toBe(25);
	});

	test('Credit Ceiling 70 holds for five searches of 30 in a loop: 30, 30, 10 and two that say why', async () => {
		const buyer = customer();
		const where = { ...oneExecution(), ...continues, credential: { creditCeiling: 70 } };
		const items = [];
		for (const country of ['Iceland', 'Germany', 'France', 'Spain', 'Italy']) {
			const parameters = { limit: 30, filters: { personLocationCountry: country } };
			items.push(jsonOf((await buyer.search(parameters, where)).items));
		}
		expect(buyer.spent()).toBe(70);
		expect(items.map(({ length }) => length)).toEqual([30, 30, 10, 1, 1]);
		expect(items[4]?.[0]).toMatchObject({
			error: "The credential's Credit Ceiling (70 credits) is spent, so nothing was fetched",
		});
	});

	test('two nodes of an execution with 50 each spend 70 together, one after the other or at once', async () => {
		for (const isAtOnce of [false, true]) {
			const buyer = customer();
			const { executionId } = oneExecution();
			const run = async () =>
				await buyer.search(
					{ limit: 50, filters, options: { parallelPages: 1, pageSize: 10 } },
					{ nodeId: randomUUID(), executionId, credential: { creditCeiling: 70 } },
				);
			const results = isAtOnce ? await Promise.all([run(), run()]) : [await run(), await run()];
			expect(buyer.spent()).toBe(70);
			expect(results.flatMap(({ items }) => items)).toHaveLength(70);
			expect(results.flatMap(warningsOf)).toContainEqual(
				expect.stringMatching(/^This list is cut: The credential's Credit Ceiling \(70 credits\)/),
			);
		}
	});

	test('the lower one of Credit Ceiling and maximum counts, and another execution has its own', async () => {
		const buyer = customer();
		const credential = { creditCeiling: '60' };
		const options = { maxCredits: 20 };
		const one = await buyer.search({ limit: 80, filters, options }, { credential });
		expect(one.items).toHaveLength(20);
		const other = await buyer.search({ limit: 80, filters }, { credential });
		expect(other.items).toHaveLength(60);
		expect(buyer.spent()).toBe(80);
	});

	test.each(['', 'many', -1, 1.5, true])(
		'a Credit Ceiling of %j is refused',
		async (creditCeiling) => {
			const buyer = customer();
			const { error } = await buyer.search({ filters }, { credential: { creditCeiling } });
			expect(error?.message).toBe("'Credit Ceiling' in the credential is no whole number from 0");
			expect(buyer.requests()).toEqual([]);
		},
	);

	test('what may have been charged for a lost answer counts as spent', async () => {
		const buyer = customer();
		buyer.addFault({ kind: 'loseAfterAnswer' });
		const result = await buyer.search({ limit: 40, filters, options: { maxCredits: 50 } });
		expect(result.items).toHaveLength(10);
		expect(buyer.spent()).toBe(50);
		expect(warningsOf(result)).toContain(
			'1 answer was lost or could not be used; up to 40 credits may have been charged.',
		);
	});

	test('the maximum holds for runs that overlap, as the calls of an agent do', async () => {
		const buyer = customer();
		const where = { ...oneExecution(), ...continues };
		const parameters = { limit: 20, filters: byCountry, options: { maxCredits: 25 } };
		const runs = ['Iceland', 'Germany', 'France'].map(
			async (country) => await buyer.search(parameters, { ...where, ...countries(country) }),
		);
		const items = (await Promise.all(runs)).map((run) => jsonOf(run.items));
		expect(buyer.spent()).toBe(25);
		// The third can fetch nothing. Without a word, that would end a loop.
		expect(items.map(({ length }) => length)).toEqual([20, 5, 1]);
		expect(items[2]?.[0]).toEqual({
			error: 'Max Credits per Execution (25 credits) is spent, so nothing was fetched',
			message:
				'This node has spent 25 credits in this execution. Raise it under Options to get the rest.',
		});
	});
});

describe('Promise 2: never lose what was paid for', () => {
	const holed = {
		limit: 100,
		filters,
		options: { pageSize: 10, parallelPages: 4, maxRetries: 0 },
	};

	test.each([
		['with a Limit', {}, 100],
		['with Return All', { returnAll: true }, null],
	])('where a page in the middle fails, those after it come out too, %s', async (_, more, to) => {
		const buyer = customer();
		buyer.addFault({ kind: 'status', status: 402, page: 3 });
		const { items } = await buyer.search({ ...holed, ...more }, continues);
		const leads = urlsOf(items.slice(0, -1));
		const next = leads.length + 10;
		expect(leads).toEqual([...icelanders.slice(0, 20), ...icelanders.slice(30, next)]);
		expect(leads.length).toBeGreaterThan(20);
		expect(buyer.spent()).toBe(leads.length);
		const rest = (skip: number) => ({ skip, limit: to === null ? null : to - skip });
		expect(items.at(-1)?.json.details).toEqual({
			status: 402,
			creditsSpent: leads.length,
			fetched: leads.length,
			...rest(20),
			missing: [{ skip: 20, limit: 10 }, rest(next)],
		});
	});

	test('what a service sends that it should not comes out as far as Limit goes', async () => {
		const buyer = customer();
		const rows = Array.from({ length: 7 }, (_, id) => ({ full_name: `Lead ${id}` }));
		buyer.addFault({ kind: 'merge', merge: { preview_data: rows } });
		const { items } = await buyer.search({ limit: 5, filters }, continues);
		expect(jsonOf(items.slice(0, 5))).toMatchObject(rows.slice(0, 5));
		expect(jsonOf(items.slice(5))).toMatchObject([
			{
				error: 'The lead service sent an unexpected answer: it sent 7 rows where 5 were asked for',
				message: expect.stringContaining('Your 5 leads are in the output') as string,
			},
		]);
	});
});

describe('Promise 3: never pass off a cut result as whole', () => {
	const all = { returnAll: true, filters, options: { pageSize: 25, parallelPages: 1 } };

	test('after a short page exactly the next row is asked for; 402 means that credits ran out', async () => {
		const buyer = customer({ apiCredits: 60 });
		const { error } = await buyer.search(all);
		expect(error?.message).toBe(
			'Not enough API credits (402): 60 leads fetched; no credits left to tell whether more follow',
		);
		const asked = buyer.requests().map((request) => [request.page, request.perPage, request.rows]);
		expect(asked).toEqual([
			[1, 25, 25],
			[2, 25, 25],
			[3, 25, 10],
			[61, 1, 0],
		]);
	});

	test('no row means the end, and costs nothing', async () => {
		const buyer = customer({ leads: 60 });
		const { items, error } = await buyer.search(all);
		expect(error).toBeUndefined();
		expect(items).toHaveLength(60);
		expect(buyer.requests().at(-1)).toMatchObject({ page: 61, perPage: 1, charged: 0 });
	});

	test('a refusal of rows before others that have come is no end', async () => {
		const buyer = customer();
		buyer.addFault({ kind: 'status', status: 400, page: 3, times: 'always' });
		const options = { pageSize: 10, parallelPages: 4 };
		const { items } = await buyer.search({ limit: 100, filters, options }, continues);
		expect(items.at(-1)?.json.error).toMatch(/^The lead service refused the request \(400\)/);
	});

	test('a row means that the list goes on, in the size that came', async () => {
		const buyer = customer({ readings: { pageSize: 30, perPage: 'asked' } });
		const { items } = await buyer.search({ limit: 100, filters, options: { pageSize: 50 } });
		expect(urlsOf(items)).toEqual(icelanders.slice(0, 100));
		expect(buyer.spent()).toBe(100);
	});
});

describe('Promise 4: never pay twice for the same thing', () => {
	test('10 items with the same search cost what one costs, and a hint names Execute Once', async () => {
		const buyer = customer();
		const input = Array.from({ length: 10 }, () => ({}));
		const result = await buyer.search({ limit: 20, filters }, { input });
		expect(pairsOf(result.items)).toEqual(
			Array.from({ length: 200 }, (_, index) => Math.floor(index / 20)),
		);
		expect(result.items[0]?.json).toEqual(result.items[20]?.json);
		// A later node may change the one without the other.
		expect(result.items[0]?.json).not.toBe(result.items[20]?.json);
		expect(buyer.requests()).toHaveLength(1);
		expect(warningsOf(result)).toEqual([
			"10 input items ask for the same leads. They were fetched and paid once and returned for each item. To get them once, turn on Execute Once in the node's settings.",
		]);
	});

	test('nor do other Limits or another order of Other Filters make another search', async () => {
		const buyer = customer();
		const { items } = await buyer.search(
			{ limit: '={{ $json.limit }}', filters: { otherFilters: '={{ $json.others }}' } },
			{
				input: [
					{ limit: 50, others: '{"a":1,"b":{"c":2,"d":3}}' },
					{ limit: 80, others: '{"b":{"d":3,"c":2},"a":1}' },
				],
			},
		);
		expect(items).toHaveLength(130);
		expect(buyer.spent()).toBe(80);
	});

	test.each([0, 1])(
		'two runs of the same search that overlap are paid once, also where %i of them fail',
		async (failures) => {
			const buyer = customer();
			for (let failure = 0; failure < failures; failure++)
				buyer.addFault({ kind: 'status', status: 403 });
			const where = oneExecution();
			const search = async () => urlsOf((await buyer.search({ filters, limit: 20 }, where)).items);
			const wanted = icelanders.slice(0, 20);
			expect(await Promise.all([search(), search()])).toEqual([
				failures === 1 ? [] : wanted,
				wanted,
			]);
			expect(buyer.spent()).toBe(20);
		},
	);

	test('a lost answer is asked for again, counted, and told in a hint', async () => {
		const buyer = customer();
		buyer.addFault({ page: 2, kind: 'loseAfterAnswer' });
		const result = await buyer.search({ limit: 100, filters, options: { pageSize: 50 } });
		expect(urlsOf(result.items)).toEqual(icelanders.slice(0, 100));
		expect(buyer.spent()).toBe(150);
		expect(warningsOf(result)).toEqual([
			'1 answer was lost or could not be used; up to 50 credits may have been charged.',
		]);
	});
});
