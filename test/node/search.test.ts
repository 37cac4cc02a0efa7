import { ICELAND_LEADS, leadAt, matching } from '../../sandbox/service';
import { LEAD_FIELDS } from '../../nodes/LeadSearch/resources/simplify';
import { jsonOf, pairsOf, useService } from './useService';

const shared = useService();
const { customer } = shared;
const iceland = { personLocationCountry: 'Iceland' };
const urlsOf = (leads: Iterable<number>) => [...leads].map((lead) => leadAt(lead).linkedin_url);

describe('How many leads', () => {
	test('Return All pages through every match, in order, a credit each', async () => {
		const buyer = customer({ apiCredits: 5_000 });
		const { items, error } = await buyer.search({
			returnAll: true,
			filters: iceland,
			options: { pageSize: 500, parallelPages: 1 },
		});
		expect(error).toBeUndefined();
		expect(items).toHaveLength(ICELAND_LEADS);
		expect(items).toHaveLength(2_350);
		expect(jsonOf(items).map((lead) => lead.linkedin_url)).toEqual(
			urlsOf(matching({ person_location_country: ['Iceland'] })),
		);
		expect(buyer.account.spent.apiCredits).toBe(2_350);
		const withLeads = buyer.requests().filter(({ rows }) => rows > 0);
		expect(withLeads.map(({ rows }) => rows)).toEqual([500, 500, 500, 500, 350]);
		// One more, free: exactly the next row proves that the list has ended.
		expect(buyer.requests().slice(withLeads.length)).toMatchObject([
			{ page: 2_351, perPage: 1, rows: 0, charged: 0 },
		]);
	});

	test('Limit is 50 unless set, in one request of 50 rows', async () => {
		const buyer = customer();
		const { items } = await buyer.search({ filters: iceland });
		expect(items).toHaveLength(50);
		expect(buyer.requests()).toMatchObject([{ page: 1, perPage: 50, charged: 50 }]);
	});

	test('Limit says the exact number of leads, whatever the page size', async () => {
		const buyer = customer();
		const { items } = await buyer.search({
			limit: 130,
			filters: iceland,
			options: { pageSize: 40 },
		});
		expect(items).toHaveLength(130);
		expect(buyer.account.spent.apiCredits).toBe(130);
	});

	test('max_results counts from the first row: Skip and Limit together', async () => {
		const buyer = customer();
		const { items } = await buyer.search({
			limit: 20,
			filters: iceland,
			options: { skip: 100 },
		});
		const expected = urlsOf(matching({ person_location_country: ['Iceland'] })).slice(100, 120);
		expect(jsonOf(items).map((lead) => lead.linkedin_url)).toEqual(expected);
		expect(buyer.requests().at(-1)?.body).toMatchObject({ max_results: 120 });
		expect(buyer.account.spent.apiCredits).toBe(20);
	});

	test('a search without a match returns nothing and costs nothing', async () => {
		const buyer = customer();
		const { items, error } = await buyer.search({
			returnAll: true,
			filters: { personLocationCountry: 'Atlantis' },
		});
		expect({ items, error }).toEqual({ items: [], error: undefined });
		expect(buyer.account.spent.apiCredits).toBe(0);
	});
});

describe('What the service is asked', () => {
	test('filters go out under the names of the contract', async () => {
		const buyer = customer();
		await buyer.search({
			limit: 1,
			filters: {
				jobTitles: 'engineer, head of sales',
				jobTitleSeniority: 'owner\ncxo',
				personLocationCountry: ['Iceland', 'Germany'],
				emailStatus: 'verified',
				otherFilters: '{"company_size": ["11-50"]}',
			},
		});
		expect(buyer.requests()[0]?.body).toEqual({
			job_titles: ['engineer', 'head of sales'],
			job_title_seniority: ['owner', 'cxo'],
			person_location_country: ['Iceland', 'Germany'],
			email_status: 'verified',
			company_size: ['11-50'],
			include_emails: true,
			include_phones: false,
			_include_raw: false,
			_page: 1,
			_per_page: 1,
			max_results: 1,
		});
	});

	test('the options Include Emails, Include Phones and Include Raw reach it', async () => {
		const buyer = customer();
		const { items } = await buyer.search({
			limit: 3,
			simplify: false,
			filters: iceland,
			options: { includeEmails: false, includePhones: true },
		});
		expect(buyer.requests()[0]?.body).toMatchObject({
			include_emails: false,
			include_phones: true,
			_include_raw: true,
		});
		expect(items[0]?.json).toHaveProperty('raw');
	});

	test('Simplify leaves raw out even when Include Raw was set before', async () => {
		const buyer = customer();
		await buyer.search({ limit: 1, simplify: true, options: { includeRaw: true } });
		expect(buyer.requests()[0]?.body).toMatchObject({ _include_raw: false });
	});
});

describe('What comes out', () => {
	test('Simplify returns at most 10 fields', async () => {
		const { items } = await customer().search({ limit: 5, filters: iceland });
		expect(LEAD_FIELDS.length).toBeLessThanOrEqual(10);
		for (const lead of jsonOf(items)) expect(LEAD_FIELDS).toEqual(Object.keys(lead));
	});

	test('without Simplify unknown fields pass through untouched', async () => {
		const buyer = shared.customer();
		buyer.addFault({
			kind: 'merge',
			merge: { preview_data: [{ full_name: 'A', novelty: { deep: [1, null] } }] },
		});
		const { items } = await buyer.search({ limit: 1, simplify: false });
		expect(jsonOf(items)).toEqual([{ full_name: 'A', novelty: { deep: [1, null] } }]);
	});

	test('every lead is paired with the input item whose search found it', async () => {
		const buyer = customer();
		const { items } = await buyer.search(
			{ limit: 2, filters: { personLocationCountry: '={{ $json.country }}' } },
			{ input: [{ country: 'Iceland' }, { country: 'Germany' }, { country: 'Atlantis' }] },
		);
		expect(pairsOf(items)).toEqual([0, 0, 1, 1]);
		expect(jsonOf(items).map(({ country }) => country)).toEqual([
			'Iceland',
			'Iceland',
			'Germany',
			'Germany',
		]);
	});
});

describe('Credential', () => {
	test.each(['bearer', 'xApiKey'])('with %s, Search sends the key as Bearer', async (kind) => {
		const buyer = customer();
		const { items } = await buyer.search(
			{ limit: 1 },
			{ credential: { authentication: kind } },
		);
		expect(items).toHaveLength(1);
		expect(buyer.requests()[0]?.headerStyle).toBe('bearer');
	});

	test('with a session token, Search stops before any request', async () => {
		const buyer = customer();
		const { error } = await buyer.search(
			{ limit: 1 },
			{
				credential: {
					authentication: 'sessionToken',
					sessionToken: buyer.account.sessionToken,
				},
			},
		);
		expect(error?.message).toBe(
			'A session token works for LinkedIn lookup only; Search needs an API key',
		);
		expect(buyer.requests()).toEqual([]);
	});
});
