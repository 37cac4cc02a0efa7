/** Search (Paid): what is asked of the service, what comes out, what people are told. */
import { LEAD_FIELDS } from '../../nodes/LeadSearch/resources/simplify';
import {
	continues,
	iceland as filters,
	icelanders,
	infosOf,
	jsonOf,
	pairsOf,
	urlsOf,
	useService,
	warningsOf,
} from './useService';

const { customer } = useService();

const byCountry = { personLocationCountry: '={{ $json.country }}' };
const countries = (...names: string[]) => ({ input: names.map((country) => ({ country })) });

describe('What the service is asked', () => {
	test('Return All: every match, in order, and lastly for exactly the next row', async () => {
		const buyer = customer();
		const { items } = await buyer.search({
			returnAll: true,
			filters,
			options: { pageSize: 500, parallelPages: 1 },
		});
		expect(urlsOf(items)).toEqual(icelanders);
		expect(buyer.spent()).toBe(2_350);
		const requests = buyer.requests().map(({ page, perPage, rows }) => [page, perPage, rows]);
		expect(requests).toEqual([
			[1, 500, 500],
			[2, 500, 500],
			[3, 500, 500],
			[4, 500, 500],
			[5, 500, 350],
			[2_351, 1, 0],
		]);
	});

	test('Limit is 50 unless set, in one request of 50 rows', async () => {
		const buyer = customer();
		const { items } = await buyer.search({ filters });
		expect(items).toHaveLength(50);
		expect(buyer.requests()).toMatchObject([{ page: 1, perPage: 50, charged: 50 }]);
	});

	test('max_results counts from the first row: Skip and Limit together', async () => {
		const buyer = customer();
		const { items } = await buyer.search({ limit: 20, filters, options: { skip: 100 } });
		expect(urlsOf(items)).toEqual(icelanders.slice(100, 120));
		expect(buyer.requests()).toMatchObject([{ body: { max_results: 120 }, charged: 20 }]);
	});

	test('filters and options under the names of the contract', async () => {
		const buyer = customer();
		await buyer.search({
			limit: 1,
			simplify: false,
			filters: {
				jobTitles: 'engineer, head of sales',
				jobTitleSeniority: 'owner\ncxo',
				personLocationCountry: ['Iceland', 'Germany'],
				emailStatus: 'verified',
				otherFilters: '{"company_size": ["11-50"]}',
			},
			options: { includeEmails: false, includePhones: true },
		});
		expect(buyer.requests()[0]?.body).toEqual({
			job_titles: ['engineer', 'head of sales'],
			job_title_seniority: ['owner', 'cxo'],
			person_location_country: ['Iceland', 'Germany'],
			email_status: 'verified',
			company_size: ['11-50'],
			include_emails: false,
			include_phones: true,
			_include_raw: true,
			_page: 1,
			_per_page: 1,
			max_results: 1,
		});
	});

	test.each(['bearer', 'xApiKey'])('with %s, the key goes as Bearer', async (authentication) => {
		const buyer = customer();
		await buyer.search({ limit: 1 }, { credential: { authentication } });
		expect(buyer.requests()[0]?.headerStyle).toBe('bearer');
	});

	test('with a session token nothing', async () => {
		const buyer = customer();
		const { sessionToken } = buyer.account;
		const { error } = await buyer.search(
			{ limit: 1 },
			{ credential: { authentication: 'sessionToken', sessionToken } },
		);
		expect(error?.message).toBe(
			'A session token works for LinkedIn lookup only; Search needs an API key',
		);
		expect(buyer.requests()).toEqual([]);
	});
});

describe('What comes out', () => {
	test('Simplify returns at most 10 fields, and asks for none of raw', async () => {
		const buyer = customer();
		const { items } = await buyer.search({
			limit: 5,
			filters,
			simplify: true,
			options: { includeRaw: true },
		});
		expect(LEAD_FIELDS.length).toBeLessThanOrEqual(10);
		for (const lead of jsonOf(items)) expect(Object.keys(lead)).toEqual(LEAD_FIELDS);
		expect(buyer.requests()[0]?.body).toMatchObject({ _include_raw: false });
	});

	test('without Simplify unknown fields pass through untouched', async () => {
		const buyer = customer();
		const lead = { full_name: 'A', novelty: { deep: [1, null] } };
		buyer.addFault({ kind: 'merge', merge: { preview_data: [lead] } });
		const { items } = await buyer.search({ limit: 1, simplify: false });
		expect(jsonOf(items)).toEqual([lead]);
	});

	test('every lead is paired with the input item whose search found it', async () => {
		const { items } = await customer().search(
			{ limit: 2, filters: byCountry },
			countries('Iceland', 'Germany', 'Atlantis'),
		);
		expect(pairsOf(items)).toEqual([0, 0, 1, 1]);
		expect(jsonOf(items).map(({ country }) => country)).toEqual([
			'Iceland',
			'Iceland',
			'Germany',
			'Germany',
		]);
	});

	test.each([{ rowsAt: 'data' }, { rowsAt: 'bareArray' }, { noRows: 'null' }] as const)(
		'leads in another shape (%j) are handed on',
		async (readings) => {
			const buyer = customer({ readings, leads: 30 });
			const { items } = await buyer.search({ returnAll: true, filters });
			expect(urlsOf(items)).toEqual(icelanders.slice(0, 30));
			expect(buyer.spent()).toBe(30);
		},
	);
});

describe('What people are told', () => {
	test('every paid run says what it cost, in a hint and in the custom data of the execution', async () => {
		const result = await customer().search({ limit: 50, filters });
		expect(infosOf(result)).toEqual(['50 leads for 50 credits, 1 request; 46 with an email']);
		expect(Object.entries(result.run.data.resultData.metadata ?? {})).toEqual([
			[
				expect.stringMatching(/^lead_search_credits_[\da-f_]{30}$/),
				'50 leads for 50 credits, 1 request',
			],
		]);
	});

	test('a run that failed says so in the custom data', async () => {
		const { run, error } = await customer({ apiCredits: 30 }).search({ limit: 50, filters });
		expect(error).toBeDefined();
		expect(Object.values(run.data.resultData.metadata ?? {})).toEqual([
			'30 leads for 30 credits, 2 requests',
		]);
	});

	test('a list that is cut under Continue says so, and so do input items that failed', async () => {
		const result = await customer({ apiCredits: 7 }).search(
			{ limit: 5, filters: byCountry },
			{ ...countries('Iceland', 'Germany', 'France'), ...continues },
		);
		expect(warningsOf(result)).toEqual([
			'This list is cut: credits ran out after 2 leads. See the last item.',
			'2 of 3 input items failed. Their items say why.',
		]);
	});

	test('a search without a match costs nothing, and says what may be wrong', async () => {
		const buyer = customer();
		const result = await buyer.search({ filters: { personLocationCountry: 'Atlantis' } });
		expect(result.items).toEqual([]);
		expect(warningsOf(result)).toEqual([
			'No leads match. Check the spelling of the filters, for example United States, not USA.',
		]);
		expect(buyer.spent()).toBe(0);
	});

	test('a search that reaches 100,000 says that narrower filters get the rest', async () => {
		const result = await customer().search({ limit: 5, options: { skip: 99_997 } });
		expect(result.items).toHaveLength(3);
		expect(warningsOf(result)).toEqual([
			'The search reached 100,000 results, which is as far as the lead service goes. Narrower filters get the rest.',
		]);
	});

	test('a service that refuses to go past a full page is quoted', async () => {
		const buyer = customer();
		const body = { message: 'No page after 2 <here>' };
		buyer.addFault({ kind: 'status', status: 422, page: 3, times: 'always', body });
		const result = await buyer.search({
			returnAll: true,
			filters,
			options: { pageSize: 25, parallelPages: 1 },
		});
		expect(result.items).toHaveLength(50);
		expect(warningsOf(result)).toEqual([
			'The service refused to go past row 50 (it said: No page after 2 &lt;here&gt;). If more leads match, narrower filters get them.',
		]);
	});
});
