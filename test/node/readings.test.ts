/** Services that read the contract in another way than most: what is charged comes out, or is told. */
import type { INodeParameters } from 'n8n-workflow';

import { leadAt, urlsMatching, type AccountOptions, type FaultAction } from '../../sandbox/service';
import { PolledWorkflow } from './pollCore';
import { jsonOf, pairsOf, urlsOf, useService, warningsOf } from './useService';

jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	sleep: () => Promise.resolve(),
}));

const shared = useService();
const { customer } = shared;
const filters = { personLocationCountry: 'Iceland' };
const iceland = urlsMatching({ person_location_country: ['Iceland'] });
const continues = { onError: 'continueRegularOutput' } as const;

/** So many URLs, of which those before `known` in every ten are of profiles that the service has. */
function urlsWith(count: number, known: number): string[] {
	return Array.from({ length: count }, (_, id) =>
		id % 10 < known ? leadAt(id).linkedin_url : `https://www.linkedin.com/in/nobody-${id}`,
	);
}

describe('Look Up', () => {
	const everybody = { onlyWithEmails: false };

	describe.each(['rows', 'urls'] as const)('where pages count %s', (lookupPagesBy) => {
		test('1,500 URLs of which 900 are found cost 900 credits and at most 4 requests', async () => {
			const buyer = customer({ lookupPagesBy });
			const { items, error } = await buyer.lookUp({
				linkedinUrls: urlsWith(1_500, 6).join('\n'),
				options: everybody,
			});
			expect(error).toBeUndefined();
			expect(urlsOf(items)).toEqual(
				urlsWith(1_500, 6).filter((url) => !url.includes('nobody')),
			);
			expect(buyer.account.spent.apiCredits).toBe(900);
			expect(buyer.requests().length).toBeLessThanOrEqual(4);
		});

		test('300 URLs at a service of 100 a page give all 180 that it has', async () => {
			const buyer = customer({ lookupPagesBy, clampPerPage: 100 });
			const { items } = await buyer.lookUp({
				linkedinUrls: urlsWith(300, 6).join('\n'),
				options: { ...everybody, unmatched: 'returnAsNotFound' },
			});
			expect(items.filter(({ json }) => json.found === undefined)).toHaveLength(180);
			expect(items.filter(({ json }) => json.found === false)).toHaveLength(120);
			expect(buyer.account.spent.apiCredits).toBe(180);
		});

		test('pages without a profile come before one with profiles', async () => {
			const buyer = customer({ lookupPagesBy, clampPerPage: 10 });
			const urls = [...urlsWith(40, 0), ...iceland.slice(0, 5)];
			const { items } = await buyer.lookUp({
				linkedinUrls: urls.join('\n'),
				options: everybody,
			});
			expect(urlsOf(items)).toEqual(iceland.slice(0, 5));
		});

		test('a balance that runs out in the middle ends with 402, and nothing is called not found', async () => {
			const buyer = customer({ lookupPagesBy, apiCredits: 60, deniesMoreAtZero: true });
			const { items } = await buyer.lookUp(
				{
					linkedinUrls: iceland.slice(0, 100).join('\n'),
					options: { ...everybody, unmatched: 'returnAsNotFound', pageSize: 30 },
				},
				continues,
			);
			expect(items).toHaveLength(61);
			expect(items[60]?.json).toMatchObject({
				error: expect.stringMatching(/^Not enough API credits \(402\)/) as string,
				details: { status: 402, creditsSpent: 60, fetched: 60, missing: 40 },
			});
		});

		test('where nothing tells whether more follow, no URL that may be cut off is called not found', async () => {
			const buyer = customer({ lookupPagesBy, fixedPerPage: 5, answerShape: 'bareArray' });
			const urls = [...urlsWith(20, 6), ...iceland.slice(0, 3)];
			const { items } = await buyer.lookUp({
				linkedinUrls: urls.join('\n'),
				options: { ...everybody, unmatched: 'returnAsNotFound', pageSize: 10 },
			});
			const found = items.filter(({ json }) => json.found === undefined);
			expect(urlsOf(found).sort()).toEqual(
				urls.filter((url) => !url.includes('nobody')).sort(),
			);
			expect(items).toHaveLength(urls.length);
			expect(buyer.account.spent.apiCredits).toBe(15);
		});

		test('two rows for a profile are both handed on', async () => {
			const buyer = customer({ lookupPagesBy, twoRowsEvery: 1 });
			const { items } = await buyer.lookUp({
				linkedinUrls: iceland.slice(0, 3).join('\n'),
				options: everybody,
			});
			expect(urlsOf(items)).toEqual(iceland.slice(0, 3).flatMap((url) => [url, url]));
			expect(buyer.account.spent.apiCredits).toBe(6);
		});

		test('Limit and Credit Budget are kept, whatever is found', async () => {
			for (const parameters of [
				{ returnAll: false, limit: 25 },
				{ options: { ...everybody, maxCredits: 25 } },
			]) {
				const buyer = customer({ lookupPagesBy });
				const { items } = await buyer.lookUp({
					linkedinUrls: urlsWith(100, 6).join('\n'),
					options: everybody,
					...parameters,
				});
				expect(items).toHaveLength(25);
				expect(buyer.account.spent.apiCredits).toBe(25);
			}
		});
	});

	test('a renamed profile belongs to the input item that is still open, and is never called not found', async () => {
		const renamed = 7;
		const buyer = customer({ renamesEvery: renamed });
		const urls = [leadAt(1), leadAt(renamed), leadAt(2)].map(
			({ linkedin_url }) => linkedin_url,
		);
		const { items } = await buyer.lookUp(
			{
				linkedinUrls: '={{ $json.url }}',
				options: { ...everybody, unmatched: 'returnAsNotFound' },
			},
			{ input: urls.map((url) => ({ url })) },
		);
		expect(urlsOf(items)).toEqual([urls[0], `${urls[1]}-renamed`, urls[2]]);
		expect(pairsOf(items)).toEqual([0, 1, 2]);
		expect(buyer.account.spent.apiCredits).toBe(3);
	});

	test('of two that are open, it may belong to either, and a hint says so', async () => {
		const buyer = customer({ renamesEvery: 7 });
		const urls = [leadAt(7).linkedin_url, 'https://www.linkedin.com/in/nobody-at-all'];
		const { items, hints } = await buyer.lookUp(
			{
				linkedinUrls: '={{ $json.url }}',
				options: { ...everybody, unmatched: 'returnAsNotFound' },
			},
			{ input: urls.map((url) => ({ url })) },
		);
		expect(items).toHaveLength(1);
		expect(items[0]?.pairedItem).toEqual([{ item: 0 }, { item: 1 }]);
		expect(warningsOf(hints)).toEqual([
			'1 profile came back under a URL that was not asked for, for example because the profile was renamed. 2 of the URLs asked for may be about them: these are neither found nor not found, and are not asked for again.',
		]);
	});

	test('rows without a URL are handed on', async () => {
		const { items } = await customer({ omitsRowFields: ['linkedin_url'] }).lookUp(
			{ linkedinUrls: '={{ $json.url }}', options: everybody },
			{ input: iceland.slice(0, 1).map((url) => ({ url })) },
		);
		expect(items).toHaveLength(1);
		expect(pairsOf(items)).toEqual([0]);
	});

	test('a tab, a space or a line break separates URLs, in an array too', async () => {
		const [one, two, three] = iceland;
		for (const linkedinUrls of [`${one}\t${two} ${three}`, [`${one}\n${two}`, three]]) {
			const buyer = customer();
			const { items, error } = await buyer.lookUp(
				{ linkedinUrls: '={{ $json.urls }}', options: everybody },
				{ input: [{ urls: linkedinUrls }] },
			);
			expect(error).toBeUndefined();
			expect(urlsOf(items)).toEqual([one, two, three]);
		}
	});

	test('one URL with and without Simplify is paid for once', async () => {
		const buyer = customer();
		const { items } = await buyer.lookUp(
			{
				linkedinUrls: iceland[0] ?? '',
				simplify: '={{ $json.simplify }}',
				options: everybody,
			},
			{ input: [{ simplify: true }, { simplify: false }] },
		);
		expect(items).toHaveLength(2);
		expect(Object.keys(items[0]?.json ?? {})).toHaveLength(9);
		expect(items[1]?.json).toHaveProperty('personal_emails_count');
		expect(buyer.account.spent.apiCredits).toBe(1);
	});
});

describe('Search', () => {
	test('a balance that is gone on a full page ends with 402, never as a whole list', async () => {
		const buyer = customer({ leads: 1_000, apiCredits: 200, deniesMoreAtZero: true });
		const { items } = await buyer.search(
			{ returnAll: true, filters, options: { pageSize: 100 } },
			continues,
		);
		expect(items).toHaveLength(201);
		expect(items[200]?.json).toMatchObject({
			error: 'Not enough API credits (402): 200 leads fetched; no credits left to tell whether more follow',
			details: {
				status: 402,
				creditsSpent: 200,
				fetched: 200,
				skip: 200,
				limit: null,
				missing: [{ skip: 200, limit: null }],
			},
		});
	});

	test('the trigger goes on after a top-up', async () => {
		const account = shared.service.admin.createAccount({
			apiCredits: 40,
			deniesMoreAtZero: true,
		});
		const workflow = await PolledWorkflow.create(
			{ filters, leadsPerPoll: 50, options: { pageSize: 20 } },
			{ baseUrl: shared.service.baseUrl, apiKey: account.apiKey },
		);
		expect(await workflow.poll()).toHaveLength(40);
		expect(workflow.warnings[0]).toContain('Not enough API credits (402)');
		await expect(workflow.poll()).rejects.toThrow('Not enough API credits (402)');
		shared.service.admin.setCredits(account.id, { apiCredits: 100 });
		expect(urlsOf(await workflow.poll())).toEqual(iceland.slice(40, 90));
	});

	test('Skip 60, Limit 50 at a service of 20 a page gives leads 61 to 110 for 50 credits', async () => {
		const buyer = customer({ clampPerPage: 20 });
		const { items, hints } = await buyer.search({
			limit: 50,
			filters,
			options: { skip: 60 },
		});
		expect(urlsOf(items)).toEqual(iceland.slice(60, 110));
		expect(buyer.account.spent.apiCredits).toBe(50);
		expect(warningsOf(hints)).toEqual([]);
	});

	test('the same where the page size is not named, as long as it is a documented one', async () => {
		const buyer = customer({ clampPerPage: 30, answersPerPage: false });
		const { items } = await buyer.search({ limit: 50, filters, options: { skip: 60 } });
		expect(urlsOf(items)).toEqual(iceland.slice(60, 110));
		expect(buyer.account.spent.apiCredits).toBe(50);
	});

	test('a lead at the question about the page size was charged, is told, and ends the run', async () => {
		const buyer = customer({ behindEnd: 'lastPage', leads: 100 });
		const { error } = await buyer.search({ limit: 30, filters, options: { skip: 60 } });
		expect(error?.message).toMatch(
			/^The lead service sent an unexpected answer: it answered page 66666667, behind the last one/,
		);
		expect(buyer.requests()).toHaveLength(1);
		expect(error?.description).toContain('In this execution 1 credit was spent in all.');
	});

	test('a later page with a smaller per_page is not taken for leads that came before', async () => {
		const buyer = customer({ perPageIsCount: true, leads: 130 });
		const { items, hints } = await buyer.search({
			returnAll: true,
			filters,
			options: { pageSize: 100 },
		});
		expect(urlsOf(items)).toEqual(iceland.slice(0, 130));
		expect(buyer.account.spent.apiCredits).toBe(130);
		expect(warningsOf(hints)).toEqual([]);
	});

	test('later pages in a smaller size go on where they are, and what came twice is told', async () => {
		const buyer = customer({ laterClamp: { fromPage: 2, size: 50 }, leads: 230 });
		const { items, hints } = await buyer.search({
			returnAll: true,
			filters,
			options: { pageSize: 100 },
		});
		expect(urlsOf(items)).toEqual(iceland.slice(0, 230));
		expect(buyer.account.spent.apiCredits).toBe(280);
		expect(warningsOf(hints)[0]).toContain('50 leads came twice and cost 50 credits');
	});

	test.each([
		['an empty body', 'emptyBody'],
		['204', 'noContent'],
		['HTML', 'html'],
		['preview_data: null', 'nullRows'],
	] as const)('200 with %s may have been charged, and says so', async (_, answerShape) => {
		const buyer = customer({ answerShape });
		const { error } = await buyer.search({ limit: 20, filters });
		expect(error?.message).toMatch(/it may have been charged$/);
		expect(error?.description).toContain('up to 20 credits may have been charged');
		expect(error?.description).not.toContain('Nothing was charged');
		expect(buyer.requests()).toHaveLength(1);
	});

	test.each(['otherName', 'bareArray', 'nullWhenEmpty'] as const)(
		'leads in another shape (%s) are handed on',
		async (answerShape) => {
			const buyer = customer({ answerShape, leads: 30 });
			const { items, error } = await buyer.search({ returnAll: true, filters });
			expect(error).toBeUndefined();
			expect(urlsOf(items)).toEqual(iceland.slice(0, 30));
			expect(buyer.account.spent.apiCredits).toBe(30);
		},
	);

	test.each(['echo', 'one'] as const)(
		'a service that ignores the page number (%s) is paid for one page twice, not for all',
		async (ignoresPage) => {
			const buyer = customer({ ignoresPage });
			const { items } = await buyer.search(
				{ returnAll: true, filters, options: { pageSize: 200, parallelPages: 8 } },
				continues,
			);
			expect(urlsOf(items.slice(0, 200))).toEqual(iceland.slice(0, 200));
			expect(items).toHaveLength(201);
			expect(items[200]?.json.error).toMatch(/that had come before$|page 1 again$/);
			// One of them is the row by which a page behind the end shows it.
			expect(buyer.account.spent.apiCredits).toBe(401);
		},
	);

	test('a service with pages of one size alone gives whole pages, and the rest is not bought', async () => {
		const buyer = customer({ fixedPerPage: 25 });
		const { items } = await buyer.search({ limit: 60, filters }, continues);
		expect(urlsOf(items.slice(0, 50))).toEqual(iceland.slice(0, 50));
		expect(items).toHaveLength(51);
		expect(items[50]?.json.error).toContain('it serves no less than 25 rows a page');
		expect(buyer.account.spent.apiCredits).toBe(50);
	});

	test('where the end can not be verified, a hint says so', async () => {
		const { items, hints, error } = await customer({ fixedPerPage: 25, leads: 60 }).search({
			returnAll: true,
			filters,
		});
		expect(error).toBeUndefined();
		expect(items).toHaveLength(60);
		expect(warningsOf(hints)[0]).toContain('no page that shows the end of the list');
	});

	test('the same Other Filters in another order are one search', async () => {
		const buyer = customer();
		await buyer.search(
			{ limit: 5, filters: { otherFilters: '={{ $json.others }}' } },
			{
				input: [
					{ others: '{"a":1,"b":{"c":2,"d":3}}' },
					{ others: '{"b":{"d":3,"c":2},"a":1}' },
				],
			},
		);
		expect(buyer.account.spent.apiCredits).toBe(5);
	});

	test.each([
		[50, 80],
		[80, 50],
	])('Limit %i and %i of the same search cost 80', async (one, two) => {
		const buyer = customer();
		const { items } = await buyer.search(
			{ limit: '={{ $json.limit }}', filters },
			{ input: [{ limit: one }, { limit: two }] },
		);
		expect(items).toHaveLength(130);
		expect(buyer.account.spent.apiCredits).toBe(80);
	});

	test.each<[string, FaultAction]>([
		['a wrong gzip label', { kind: 'wrongEncoding' }],
		['20 kB of headers', { kind: 'hugeHeaders' }],
	])('an answer that can not be decoded is asked for once: %s', async (_, fault) => {
		const buyer = customer();
		buyer.addFault({ ...fault, times: 'always' });
		const { error } = await buyer.search({ limit: 10, filters });
		expect(error?.message).toBe('The answer is not readable; it may have been charged');
		expect(buyer.requests()).toHaveLength(1);
		expect(buyer.account.spent.apiCredits).toBe(10);
	});

	test('a 402 that can not be decoded is a 402, and nothing more is sent', async () => {
		const buyer = customer({ apiCredits: 0 });
		buyer.addFault({ kind: 'wrongEncoding', times: 'always' });
		const { items } = await buyer.search(
			{ limit: 10, filters: { ...filters, otherFilters: '={{ JSON.stringify($json) }}' } },
			{ onError: 'continueRegularOutput', input: [{ list: 1 }, { list: 2 }] },
		);
		expect(items).toHaveLength(2);
		expect(items[0]?.json.error).toContain('Not enough API credits (402)');
		expect(buyer.requests()).toHaveLength(1);
	});
});

describe('Preview', () => {
	afterEach(() => {
		shared.service.admin.setPreviewBehaviour({});
	});

	test.each([{ fixedPerPage: 100 }, { sendsExtra: 30 }])(
		'Limit is kept where more is sent: %j',
		async (behaviour) => {
			shared.service.admin.setPreviewBehaviour(behaviour);
			const { items, error } = await customer().preview({ limit: 50, filters });
			expect(error).toBeUndefined();
			expect(urlsOf(items)).toEqual(iceland.slice(0, 50));
		},
	);
});

describe('Filters that come to nothing', () => {
	const everybody = async (written: INodeParameters, input = {}) => {
		const buyer = customer();
		const result = await buyer.search(
			{ returnAll: true, filters: written },
			{ input: [input] },
		);
		return { ...result, buyer };
	};

	test('an expression that gives undefined is refused, with the item and advice', async () => {
		const { error, buyer } = await everybody({
			personLocationCountry: '={{ $json.country }}',
		});
		expect(error?.message).toBe(
			"'Person Country' of input item 0 is an expression that gives nothing: the field it names is not there",
		);
		expect(error?.description).toContain("?? ''");
		expect(buyer.requests()).toEqual([]);
	});

	test('so is one inside Other Filters (JSON)', async () => {
		const { error, buyer } = await everybody({
			otherFilters: '={{ ({ company: $json.company }) }}',
		});
		expect(error?.message).toContain("'Other Filters (JSON)' of input item 0 sets 'company'");
		expect(buyer.requests()).toEqual([]);
	});

	test.each([
		['null', { personLocationCountry: '={{ null }}' }],
		['an empty text', { personLocationCountry: '' }],
		['an empty list', { jobTitles: '={{ [] }}' }],
		['an empty object', { otherFilters: '{}' }],
		['the status of all emails', { jobTitles: '', emailStatus: 'all' }],
	])('%s with no other filter left is refused', async (_, written) => {
		const { error, buyer } = await everybody(written);
		expect(error?.message).toMatch(
			/^'.*' of input item 0 is empty, and no other filter is left$/,
		);
		expect(buyer.requests()).toEqual([]);
	});

	test('beside another filter it counts as none', async () => {
		const buyer = customer();
		const { items } = await buyer.search({
			limit: 5,
			filters: { ...filters, jobTitles: '', jobTitleSeniority: '={{ null }}' },
		});
		expect(urlsOf(items)).toEqual(iceland.slice(0, 5));
	});

	test('no filter at all means the whole database', async () => {
		const { items } = await customer().search({ limit: 5, filters: {} });
		expect(items).toHaveLength(5);
	});
});

describe('What people are told', () => {
	test('every paid run says what it cost, in a hint and in the custom data of the execution', async () => {
		const { hints, run } = await customer().search({ limit: 50, filters });
		expect(hints).toEqual([
			{ message: '50 leads for 50 credits, 1 request', type: 'info', location: 'outputPane' },
		]);
		expect(run.data.resultData.metadata).toEqual({
			[run.data.resultData.runData['Lead Search'] ? keyOf(run.data.resultData.metadata) : '']:
				'50 leads for 50 credits, 1 request',
		});
		expect(keyOf(run.data.resultData.metadata)).toMatch(/^lead_search_credits_[\da-f_]{30}$/);
	});

	test('so does a run that failed', async () => {
		const { run, error } = await customer({ apiCredits: 30 }).search({ limit: 50, filters });
		expect(error).toBeDefined();
		expect(Object.values(run.data.resultData.metadata ?? {})).toEqual([
			'30 leads for 30 credits, 2 requests',
		]);
	});

	const noBalance: AccountOptions = { apiCredits: 0 };

	test('each input item that is not served gets an error item of its own', async () => {
		const { items } = await customer(noBalance).search(
			{ limit: 5, filters },
			{ input: [{}, {}, {}], ...continues },
		);
		expect(pairsOf(items)).toEqual([0, 1, 2]);
		for (const json of jsonOf(items)) {
			expect(json).toMatchObject({
				details: { status: 402, creditsSpent: 0, fetched: 0, skip: 0, limit: 5 },
			});
		}
	});

	test('a missing credential and an expression that fails come with a description', async () => {
		const noCredential = await shared
			.customer()
			.search({ limit: 5, filters: { otherFilters: '={{ $json.a.b.c }}' } }, continues);
		for (const { json } of noCredential.items) {
			expect(json.error).toEqual(expect.stringMatching(/./));
			expect(json.message).toEqual(expect.stringMatching(/./));
		}
	});
});

function keyOf(metadata: Record<string, string> | undefined): string {
	return Object.keys(metadata ?? {})[0] ?? '';
}
