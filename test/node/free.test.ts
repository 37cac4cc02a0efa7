/** What costs nothing and needs no credential: Preview, Count, Check URLs. */
import type { INodeParameters } from 'n8n-workflow';

import type { Behaviour, FaultAction } from '../../sandbox/service';
import { runNode, type NodeRun } from './n8nCore';
import {
	continues,
	iceland as filters,
	jsonOf,
	pairsOf,
	useService,
	warningsOf,
} from './useService';

const shared = useService();
const { customer } = shared;

/** Has the preview answer so, without end. */
function answerPreviews(fault: FaultAction, nthRequest = 1) {
	shared.service.admin.addFault({ path: '/api/preview', times: 'always', nthRequest, ...fault });
}

const noList: FaultAction = { kind: 'raw', body: '{"audience": {"size": 7}}' };

describe('Preview', () => {
	test('returns leads without a credential, and never sends the one that the node has', async () => {
		const visitor = customer();
		const { items } = await visitor.preview({ filters, limit: 30 });
		expect(items).toHaveLength(30);
		expect(pairsOf(items)).toEqual(items.map(() => 0));
		await visitor.search({ operation: 'preview', baseUrl: shared.service.baseUrl, limit: 1 });
		const requests = shared.service.admin.requests({ path: '/api/preview' }).slice(-2);
		expect(requests).toMatchObject([{ perPage: 30 }, { perPage: 1 }]);
		for (const { headers } of requests) {
			expect(Object.keys(headers)).not.toContain('authorization');
			expect(Object.keys(headers)).not.toContain('x-api-key');
		}
	});

	test('pages through all leads', async () => {
		const visitor = customer();
		const { items } = await visitor.preview({ filters, returnAll: true });
		expect(items).toHaveLength(2_350);
		expect(visitor.requests().length).toBeLessThanOrEqual(24 + 7);
	});

	test.each<NonNullable<Behaviour['readings']>>([
		{},
		{ rowsAt: 'bareArray' },
		...['data', 'leads', 'results'].map((rowsAt) => ({ preview: { rowsAt } })),
	])('finds leads in an answer of the shape %j', async (readings) => {
		shared.service.admin.setPreviewBehaviour({ readings });
		const { items } = await customer().preview({ filters, limit: 150 });
		expect(items).toHaveLength(150);
		expect(items[0]?.json).toHaveProperty('full_name');
	});

	test('takes an answer without any list for what it is', async () => {
		answerPreviews(noList);
		const { error } = await customer().preview({ returnAll: true });
		expect(error?.message).toContain("This doesn't look like the lead search service");
	});

	test('ends at a service that answers with the same page again and again', async () => {
		const people = Array.from({ length: 100 }, (_, id) => ({ linkedin_url: `p${id}` }));
		answerPreviews({ kind: 'raw', body: JSON.stringify(people) });
		const visitor = customer();
		const { error } = await visitor.preview({ returnAll: true, options: { parallelPages: 1 } });
		expect(error?.message).toContain('page 2 holds leads that had come before');
		expect(visitor.requests()).toHaveLength(2);
	});

	test('sends no Email Status, which is for paid search only', async () => {
		const visitor = customer();
		await visitor.preview({ limit: 1, filters: { emailStatus: 'verified' } });
		expect(visitor.requests()[0]?.body).toEqual({ _page: 1, _per_page: 1 });
	});

	test('is kept for nobody, and tells of no cost', async () => {
		const visitor = customer();
		const run = { nodeId: 'the same' };
		await visitor.preview({ limit: 5, filters }, run);
		expect((await visitor.preview({ limit: 5, filters }, run)).hints).toEqual([]);
		expect(visitor.requests()).toHaveLength(2);
	});
});

describe('Count', () => {
	// 4.50 dollars for 1,000 credits in the smallest package, 2.92 in the largest.
	const inIceland = {
		count: 2_350,
		isAtLeast: false,
		credits: 2_350,
		usdFrom: 6.85,
		usdTo: 10.58,
	};
	const hundred = { count: 100, isAtLeast: true, credits: 100, usdFrom: 0.29, usdTo: 0.45 };

	test.each<[string, Behaviour, { count: number; isAtLeast: boolean }]>([
		['all 2,350 leads', {}, inIceland],
		['a preview cut at 100 leads', { leads: 100 }, hundred],
		['a preview of 25 a page', { readings: { pageSize: 25, perPage: 'asked' } }, inIceland],
		['a preview that ignores the page', { deviation: { firstPageFrom: 1 } }, hundred],
	])('of %s is right, with at most 20 requests', async (_, behaviour, expected) => {
		shared.service.admin.setPreviewBehaviour(behaviour);
		const visitor = customer();
		const counted = await visitor.count({ filters });
		expect(jsonOf(counted.items)).toEqual([expected]);
		expect(warningsOf(counted)).toEqual(
			expected.isAtLeast
				? ['At least 100 leads match. The preview shows no more, so there may be others.']
				: [],
		);
		expect(visitor.requests().length).toBeLessThanOrEqual(20);
		expect(visitor.requests().every(({ account }) => account === null)).toBe(true);
	});

	test.each<[string, Behaviour]>([
		['a page is empty and says that more follow', { deviation: { emptyPage: 16 } }],
		['a page names another than the following one', { deviation: { jump: { page: 1, next: 7 } } }],
		['pages hold more rows than they say', { deviation: { moreRows: 3 } }],
	])('is a lower bound where %s', async (_, behaviour) => {
		shared.service.admin.setPreviewBehaviour(behaviour);
		const { items } = await customer().count({ filters });
		expect(jsonOf(items)).toMatchObject([{ isAtLeast: true }]);
		expect(jsonOf(items)[0]?.count).toBeLessThanOrEqual(2_350);
	});

	test('is made once for input items that ask for the same, and each gets it', async () => {
		const visitor = customer();
		const counted = await visitor.count(
			{ filters: { personLocationCountry: '={{ $json.country }}' } },
			{ input: [{ country: 'Iceland' }, { country: 'Nowhere' }, { country: 'Iceland' }] },
		);
		const { items } = counted;
		expect(pairsOf(items)).toEqual([0, 1, 2]);
		expect(jsonOf(items).map(({ count }) => count)).toEqual([2_350, 0, 2_350]);
		expect(warningsOf(counted)).toEqual([
			'No leads match. Check the spelling of the filters, for example United States, not USA.',
		]);
		const first = visitor.requests().filter(({ body, page }) => page === 1 && isFiltered(body));
		expect(first).toHaveLength(2);
	});

	test.each<[string, FaultAction, string]>([
		['is down', { kind: 'status', status: 500 }, 'could not process the request (500)'],
		['sends no list of leads', noList, "doesn't look like the lead search service"],
	])('ends in an error where the service %s', async (_, fault, message) => {
		answerPreviews(fault, 2);
		const parameters = { filters, options: { maxRetries: 0 } };
		const { items, error } = await customer().count(parameters);
		expect(items).toEqual([]);
		expect(error?.message).toContain(message);
		const continued = await customer().count(parameters, continues);
		expect(jsonOf(continued.items)).toMatchObject([
			{ error: expect.stringContaining(message) as string },
		]);
	});
});

function isFiltered(body: unknown): boolean {
	return Object.keys(body as object).includes('person_location_country');
}

describe('Check URLs', () => {
	const jane = 'https://www.linkedin.com/in/jane';
	const paul = 'https://www.linkedin.com/in/paul';

	/** Runs it as n8n saves it: without what is a default. */
	const check = async (linkedinUrls: INodeParameters[string], more: Partial<NodeRun> = {}) =>
		await runNode({ parameters: { resource: 'linkedInProfile', linkedinUrls }, ...more });

	test.each([
		['one URL', jane, [1, 0, 0]],
		['several', `${jane}, ${paul}`, [2, 0, 0]],
		[
			'a profile in several spellings',
			`${jane}\nHTTP://LinkedIn.com/in/JANE/?x=1\nuk.linkedin.com/in/jane/details ${paul}`,
			[2, 2, 0],
		],
		['what is no profile', `${jane}, https://www.linkedin.com/company/acme, jane`, [1, 0, 2]],
		['what is no text', `={{ ['${jane}', { url: '${paul}' }, true, null] }}`, [1, 0, 2]],
		['an object', '={{ { a: 1 } }}', [0, 0, 1]],
		['nothing', '', [0, 0, 0]],
		['a field that is not there', '={{ $json.url }}', [0, 0, 0]],
	])('counts %s', async (_, linkedinUrls, [urls, duplicates, invalid]) => {
		const { items } = await check(linkedinUrls);
		expect(jsonOf(items)).toEqual([{ urls, duplicates, invalid, credits: urls }]);
	});

	test('counts as many profiles as Look Up then asks for', async () => {
		const buyer = customer();
		const linkedinUrls = [jane, paul, `${jane}/`].join(' ');
		const [counted] = jsonOf((await check(linkedinUrls)).items);
		await buyer.lookUp({ linkedinUrls });
		const asked = buyer.requests()[0]?.body as { linkedinUrls: string[] };
		expect(asked.linkedinUrls).toHaveLength(counted?.urls as number);
	});

	test('counts each input item by itself, and in a hint all of them together', async () => {
		const input = [{ urls: [jane, paul] }, { urls: [jane, jane] }, { urls: [] }];
		const result = await check('={{ $json.urls }}', { input });
		expect(jsonOf(result.items).map(({ urls, duplicates }) => [urls, duplicates])).toEqual([
			[2, 0],
			[1, 1],
			[0, 0],
		]);
		expect(pairsOf(result.items)).toEqual([0, 1, 2]);
		expect(warningsOf(result)).toEqual([
			'Some profiles are in several input items. Look Up asks for each once: 2 profiles, at most 2 credits.',
		]);
	});

	test('names in a hint what a lookup refuses', async () => {
		const input = ['<b>', 'b', 'c', 'd', 'e', 'f'].map((url) => ({ url }));
		expect(warningsOf(await check('={{ $json.url }}', { input }))).toEqual([
			"Look Up refuses what is no LinkedIn profile: '&lt;b&gt;', 'b', 'c', 'd', 'e' and 1 more.",
		]);
	});

	test('tells of an expression that fails', async () => {
		const fails = "={{ $('Nowhere').item.json.url }}";
		expect((await check(fails)).error).toBeDefined();
		const { items } = await check(fails, continues);
		expect(jsonOf(items)).toMatchObject([{ error: expect.any(String) as string }]);
	});
});
