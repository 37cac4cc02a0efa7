/** Promise 4, between runs: what was paid for is not paid for again. */
import { randomUUID } from 'node:crypto';
import type { INodeParameters } from 'n8n-workflow';

import {
	continues,
	icelanders,
	infosOf,
	jsonOf,
	letMinutesPass,
	urlsOf,
	useService,
	warningsOf,
	type RunOptions,
} from './useService';

const shared = useService();
const open = shared.node;
const production = { mode: 'trigger' } as const;
const once = { options: { maxRetries: 0 } };
const byCountry = { limit: 5, filters: { personLocationCountry: '={{ $json.country }}' } };
const threeCountries = { input: ['Iceland', 'Germany', 'France'].map((country) => ({ country })) };

describe('Retry On Fail', () => {
	test('5,000 leads at 1,000 a page, the fourth request answered with 502: 5,000 credits', async () => {
		const buyer = open();
		buyer.addFault({ kind: 'status', status: 502, nthRequest: 4 });
		const result = await buyer.search(
			{ filters: {}, limit: 5_000, ...once },
			{ ...production, maxTries: 2 },
		);
		expect(new Set(urlsOf(result.items)).size).toBe(5_000);
		expect(buyer.spent()).toBe(5_000);
		expect(infosOf(result)).toEqual([
			expect.stringMatching(/ an email; 5,000 credits in this execution so far$/),
			expect.stringMatching(
				/^\d,000 of 5,000 leads were paid for earlier in this execution and cost nothing now\.$/,
			),
		]);
	});

	test.each(['stopWorkflow', 'continueErrorOutput'] as const)(
		'what a try lost that n8n drops is told by the next one (%s)',
		async (onError) => {
			const buyer = open();
			buyer.addFault({ kind: 'loseAfterAnswer', nthRequest: 1 });
			const result = await buyer.search(
				{ limit: 50, ...once },
				{ ...production, maxTries: 2, onError },
			);
			expect(result.items).toHaveLength(50);
			expect(buyer.spent()).toBe(100);
			expect(warningsOf(result)).toEqual([
				'1 answer was lost or could not be used; up to 50 credits may have been charged.',
			]);
		},
	);

	test('Max Credits per Execution holds for all tries, and the cost is told of all', async () => {
		const buyer = open();
		buyer.addFault({ kind: 'status', status: 500, nthRequest: 3, times: 'always' });
		const { error, run } = await buyer.search(
			{ returnAll: true, options: { maxRetries: 0, pageSize: 100, maxCredits: 250 } },
			{ ...production, maxTries: 3 },
		);
		expect(buyer.spent()).toBe(200);
		expect(error?.description).toContain('Your 200 leads are kept for 60 minutes.');
		expect(Object.values(run.data.resultData.metadata ?? {})).toEqual([
			expect.stringContaining('200 leads for 200 credits, '),
		]);
	});

	test('profiles that were renamed count towards Limit in the second try', async () => {
		const buyer = open({ readings: { profiles: { renamedEvery: 2 } } });
		buyer.addFault({ kind: 'status', status: 500, nthRequest: 2 });
		const { items } = await buyer.lookUpAll(
			icelanders.slice(0, 20),
			{ ...production, maxTries: 2 },
			{ pageSize: 4, maxRetries: 0 },
			{ returnAll: false, limit: 6 },
		);
		expect(items).toHaveLength(6);
		expect(buyer.spent()).toBe(6);
	});

	test('under Continue, where the first item is an error, nothing is paid twice', async () => {
		const buyer = open();
		buyer.addFault({ kind: 'status', status: 500, nthRequest: 1 });
		const { items } = await buyer.search(
			{ ...byCountry, ...once },
			{ ...production, ...continues, ...threeCountries, maxTries: 2 },
		);
		expect(items).toHaveLength(15);
		expect(buyer.spent()).toBe(15);
	});
});

describe('Run by hand', () => {
	test('the second Execute Step sends no request and says that it cost nothing', async () => {
		const buyer = open();
		const first = await buyer.search({ limit: 50 });
		const before = jsonOf(first.items).map((json) => ({ ...json }));
		// What a later node changes does not come back changed.
		for (const json of jsonOf(first.items)) json.full_name = 'Changed';
		const second = await buyer.search({ limit: 50 });
		expect(jsonOf(second.items)).toEqual(before);
		expect(buyer.requests()).toHaveLength(1);
		expect(infosOf(second)).toEqual([
			'50 leads for 0 credits, 0 requests; 46 with an email',
			'All 50 leads were paid for less than a minute ago and cost nothing now. To buy them anew, set Reuse Paid Results to 0.',
		]);
	});

	test('50 leads, then all of 5,000, cost 5,000 in at most 21 requests', async () => {
		const buyer = open({ leads: 5_000, readings: { pageSize: 1_000 } });
		await buyer.search({ filters: {}, limit: 50 });
		const { items } = await buyer.search({ filters: {}, returnAll: true });
		expect(new Set(urlsOf(items)).size).toBe(5_000);
		expect(buyer.spent()).toBe(5_000);
		expect(buyer.requests().length).toBeLessThanOrEqual(21);
	});

	test('a whole list and URLs that are not found are not asked for again', async () => {
		const buyer = open({ leads: 30 });
		const urls = [icelanders[0] ?? '', 'https://www.linkedin.com/in/nobody-at-all'];
		const run = async () => [
			jsonOf((await buyer.search({ returnAll: true })).items),
			jsonOf((await buyer.lookUpAll(urls)).items),
		];
		const first = await run();
		const { length } = buyer.requests();
		expect(await run()).toEqual(first);
		expect(buyer.requests()).toHaveLength(length);
		letMinutesPass(61);
		await buyer.lookUpAll(urls);
		expect(buyer.requests().length).toBeGreaterThan(length);
	});

	test('rows that several input items get are reused, and counted, once', async () => {
		const buyer = open();
		const parameters = { limit: '={{ $json.limit }}' };
		const input = [{ limit: 50 }, { limit: 80 }];
		await buyer.search(parameters, { input });
		const second = await buyer.search(parameters, { input });
		expect(infosOf(second)[1]).toContain('All 80 leads were paid for');
	});

	test.each<[string, INodeParameters, RunOptions]>([
		['another filter', { filters: { personLocationCountry: 'Germany' } }, {}],
		['the field raw', { simplify: false }, {}],
		['another node', {}, { nodeId: randomUUID() }],
		['another workflow', {}, { workflowId: 'other' }],
		['another credential', {}, { credentialId: '2' }],
	])('%s pays', async (_, parameters, run) => {
		const buyer = open();
		await buyer.search({ limit: 5 });
		await buyer.search({ limit: 5, ...parameters }, run);
		expect(buyer.spent()).toBe(10);
	});

	test('a credential whose key was changed pays', async () => {
		const [buyer, other] = [open(), open()];
		await buyer.search({ limit: 5 });
		await buyer.search({ limit: 5 }, { credential: { apiKey: other.account.apiKey } });
		expect(other.spent()).toBe(5);
	});

	test('rows with the field raw serve a run without it', async () => {
		const buyer = open();
		await buyer.search({ limit: 5, simplify: false });
		await buyer.search({ limit: 5 });
		expect(buyer.spent()).toBe(5);
	});
});

test('two production runs that went well both pay, also at the same time', async () => {
	const buyer = open();
	await Promise.all([
		buyer.search({ limit: 30 }, production),
		buyer.search({ limit: 30 }, production),
	]);
	await buyer.search({ limit: 30 }, production);
	expect(buyer.spent()).toBe(90);
});

test('in a loop, the same search five times costs what one costs', async () => {
	const buyer = open();
	const run = { ...production, executionId: randomUUID() };
	for (let round = 0; round < 5; round++) {
		expect((await buyer.search({ limit: 10 }, run)).items).toHaveLength(10);
	}
	expect(buyer.spent()).toBe(10);
});

test('rows with raw and rows without are kept side by side in an execution', async () => {
	const buyer = open();
	const loop = { ...production, executionId: randomUUID() };
	await buyer.search({ limit: 5 }, loop);
	await buyer.search({ limit: 1, simplify: false }, loop);
	const { items } = await buyer.search({ limit: 5 }, loop);
	expect(items).toHaveLength(5);
	expect(buyer.spent()).toBe(6);
});
