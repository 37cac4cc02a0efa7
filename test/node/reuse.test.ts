/** Promise 4, between runs: what was paid for is not paid for again. */
import type { INodeParameters } from 'n8n-workflow';

import { containing, first, icelanders, letMinutesPass, lost, matching } from './useService';
import { production, status, useService, waitForLastAnswers } from './useService';
import type { Fault, RunOptions } from './useService';

const { node } = useService();
const once = { options: { maxRetries: 0 } };
const everywhere = { filters: {} };

describe('Retry On Fail', () => {
	const twice = { ...production, maxTries: 2 };

	test('5,000 leads at 1,000 a page, the fourth request answered with 502: 5,000 credits', async () => {
		const { search } = node({ faults: [status(502, { nthRequest: 4 })] });
		const { urls, infos, spent } = await search({ ...everywhere, limit: 5_000, ...once }, twice);
		expect([new Set(urls).size, spent]).toEqual([5_000, 5_000]);
		expect(infos).toEqual([
			matching(/ a work email\); 5,000 credits by this node in this execution so far$/),
			matching(
				/^\d,000 of 5,000 leads were paid for since this execution began and cost nothing now\.$/,
			),
			matching(/^More leads may match/),
		]);
	});

	test.each(['stopWorkflow', 'continueErrorOutput'] as const)(
		'what a try lost that n8n drops is told by the next one, and counts (%s)',
		async (onError) => {
			const { search } = node({ faults: [{ kind: 'loseAfterAnswer', nthRequest: 1 }] });
			const options = { maxRetries: 0 };
			const result = await search({ limit: 40, maxCredits: 80, options }, { ...twice, onError });
			expect(result).toMatchObject({ urls: first(40), spent: 80 });
			expect(result.warnings).toContain(
				`${lost('40 credits')} Smaller pages are asked for now, and so it goes on for a day. If it happens again, set a smaller 'Page Size' under Options.`,
			);
		},
	);

	test('what a try lost has used up the maximum of the next one: that is what failed', async () => {
		const { search } = node({ faults: [{ kind: 'loseAfterAnswer', nthRequest: 1 }] });
		const options = { maxRetries: 0 };
		const { message, description, spent } = await search(
			{ limit: 50, maxCredits: 90, options },
			twice,
		);
		expect(message).toContain('The connection was lost before the answer was complete');
		expect(description).toContain('Your 40 leads are kept. Run again later.');
		expect(spent).toBe(90);
	});

	test('a long list that went well beside one that failed is paid for once', async () => {
		const { search } = node({ faults: [status(500, { nthRequest: 1 })] });
		const input = [
			{ limit: 10, skip: 1 },
			{ limit: 5_001, skip: 0 },
		];
		const options = { maxRetries: 0, includePhones: '={{ $json.skip === 0 }}' };
		const parameters = { ...everywhere, limit: '={{ $json.limit }}', options };
		const again = { ...twice, onError: 'continueErrorOutput' as const, input };
		expect(await search(parameters, again)).toMatchObject({ spent: 5_011, errors: [] });
	});

	test('Max Credits holds for all tries, and the cost is told of all', async () => {
		const { search } = node({ faults: [status(500, { nthRequest: 3, times: 'always' })] });
		const options = { maxRetries: 0, pageSize: 100 };
		const thrice = { ...production, maxTries: 3 };
		expect(await search({ returnAll: true, maxCredits: 250, options }, thrice)).toMatchObject({
			spent: 200,
			description: containing('Your 200 leads are kept. Run again later.'),
			told: '200 leads for 200 credits',
		});
	});
});

describe('Run by hand', () => {
	test('the second Execute Step sends no request and says that it cost nothing', async () => {
		const { search } = node();
		const { json } = await search();
		const before = structuredClone(json);
		// What a later node changes does not come back changed.
		for (const lead of json) lead.full_name = 'Changed';
		expect(await search()).toMatchObject({
			json: before,
			pages: [1],
			infos: [
				'50 leads for 0 credits; 46 with an email (43 with a work email)',
				"All 50 leads were paid for less than a minute ago and cost nothing now. To buy them anew, set 'Reuse Paid Results' to 0.",
				'More leads may match: a Count node tells how many, for free.',
			],
		});
	});

	test('of a whole list and of URLs that are not found, what is free is asked for again', async () => {
		const { search, lookUpAll, requests, spent } = node({ leads: 30 });
		const two = [icelanders[0] ?? '', 'https://www.linkedin.com/in/nobody-at-all'];
		const run = async () => [(await search({ returnAll: true })).json, (await lookUpAll(two)).json];
		const first = await run();
		const { length } = requests();
		expect(await run()).toEqual(first);
		expect(requests().slice(length)).toMatchObject([
			{ page: 31, perPage: 1, charged: 0 },
			{ body: { linkedinUrls: [two[1]] }, charged: 0 },
		]);
		expect(spent()).toBe(31);
	});

	test('rows that several input items get are reused, and counted, once', async () => {
		const { search } = node();
		const run = { input: [{ limit: 50 }, { limit: 80 }] };
		await search({ limit: '={{ $json.limit }}' }, run);
		const { infos } = await search({ limit: '={{ $json.limit }}' }, run);
		expect(infos[1]).toContain('All 80 leads were paid for');
	});

	test.each<[string, INodeParameters, RunOptions]>([
		['another filter', { filters: { personLocationCountry: 'Germany' } }, {}],
		['the field raw', { simplify: false, options: { includeRaw: true } }, {}],
		['another credential', {}, { credentialId: '2' }],
	])('%s pays', async (_, parameters, run) => {
		const { search } = node();
		await search({ limit: 5 });
		expect((await search({ limit: 5, ...parameters }, run)).spent).toBe(10);
	});

	test('a new key in the same credential pays only for the rest', async () => {
		const [buyer, { account, spent }] = [node(), node()];
		await buyer.search({ limit: 5 });
		const { urls } = await buyer.search({ limit: 8 }, { credential: { apiKey: account.apiKey } });
		expect(urls).toEqual(first(8));
		expect([buyer.spent(), spent()]).toEqual([5, 3]);
	});
});

test.each(['search', 'lookUp'] as const)(
	'what a form asks for twice at once is paid for once (%s)',
	async (operation) => {
		const { account, search, lookUpAll } = node();
		const ask = async () =>
			operation === 'search'
				? await search({ limit: 10 }, production)
				: await lookUpAll(first(10), production);
		const both = await Promise.all([ask(), ask()]);
		expect(both.map(({ urls }) => urls)).toEqual([first(10), first(10)]);
		expect(account.chargedLeads).toHaveLength(10);
	},
);

test('different profiles are looked up at once', async () => {
	const slow: Fault = { kind: 'latency', ms: 200, times: 'always' };
	const { lookUpAll, requests } = node({ faults: [slow] });
	const asked = [icelanders.slice(0, 2), icelanders.slice(2, 4)];
	await Promise.all(asked.map(async (urls) => await lookUpAll(urls, production)));
	expect(Math.max(...requests().map(({ inFlight }) => inFlight))).toBe(2);
});

test.each([
	['in production after one that is stopped', 'search', true, production],
	['in production after one that is stopped', 'lookUp', true, production],
	['by hand after one that is stopped', 'search', true, {}],
	['by hand beside one in production', 'search', false, {}],
] as const)('%s, at once: what is on its way is paid for once (%s)', async (...row) => {
	waitForLastAnswers(300_000);
	const [, operation, isStopped, how] = row;
	const { account, search, lookUpAll, whenPage } = node({ faults: [{ kind: 'latency', ms: 300 }] });
	const ask = async (more: RunOptions) =>
		operation === 'search' ? await search({ limit: 10 }, more) : await lookUpAll(first(10), more);
	const hasAsked = whenPage(1);
	const one = ask({ ...production, ...(isStopped && { cancelWhen: hasAsked }) });
	await hasAsked;
	expect((await ask(how)).urls).toEqual(first(10));
	await one;
	expect(account.chargedLeads).toHaveLength(10);
});

test('a list whose last page comes once more is known to end for whoever skips beyond it', async () => {
	const { search, spent, requests } = node({ leads: 50, readings: { afterLast: 'lastPage' } });
	await search({ options: { skip: 55 } });
	const { length } = requests();
	const paid = spent();
	for (const skip of [55, 200, 50]) expect((await search({ options: { skip } })).urls).toEqual([]);
	expect([spent(), requests().length]).toEqual([paid, length]);
});

test('rows with raw serve whoever wants none, and rows without stay beside them', async () => {
	const { search } = node();
	const raw = async (from: number, limit: number) =>
		await search({ limit, simplify: false, options: { includeRaw: true, skip: from } });
	await search({ limit: 20 });
	await raw(20, 20);
	const { urls, spent } = await search({ limit: 40 });
	expect([urls, spent]).toEqual([first(40), 40]);
	expect((await raw(10, 30)).spent).toBe(50);
});

test('what a run paid for is kept although another one, which began before, ends well', async () => {
	const faults: Fault[] = [{ kind: 'latency', ms: 500 }, status(400, { nthRequest: 3 })];
	const { lookUpAll, whenPage } = node({ faults });
	const run = async (urls: string[]) =>
		await lookUpAll(urls, production, { pageSize: 10, parallelPages: 1 });
	const other = run(icelanders.slice(20, 21));
	await whenPage(1);
	expect((await run(first(20))).error).toBeDefined();
	await other;
	expect((await run(first(20))).spent).toBe(21);
});

test('lookups of others make nothing last longer', async () => {
	const { lookUpAll } = node({ faults: [status(400, { nthRequest: 2 })] });
	const run = async (...[from, to]: [number, number]) =>
		await lookUpAll(icelanders.slice(from, to), production, { pageSize: 5, parallelPages: 1 });
	expect((await run(0, 10)).error).toBeDefined();
	letMinutesPass(50);
	expect((await run(20, 21)).spent).toBe(6);
	expect((await run(20, 21)).spent).toBe(6);
	letMinutesPass(61);
	expect((await run(0, 10)).spent).toBe(16);
});
