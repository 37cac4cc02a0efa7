import {
	ICELAND_LEADS,
	leadAt,
	leadsChargedTwice,
	matching,
	SEARCH_PATH,
	type SearchRequest,
} from '../../sandbox/service';
import { bearer, post, search, someText, useService } from './client';

const service = useService();

function as(account: { apiKey: string }) {
	return async (body: SearchRequest = {}) => {
		const answer = await search(service.baseUrl, account.apiKey, body);
		expect(answer.status).toBe(200);
		return answer.body;
	};
}

const withUnknown = { company_size: ['1-10'], email_status: 'all' as const };
const iceland = { person_location_country: ['Iceland'] };
const urlsOf = (leads: Iterable<number>) => [...leads].map((lead) => leadAt(lead).linkedin_url);

describe('a search', () => {
	test('answers 25 rows of at most 500, with raw and emails, without phones, unless told', async () => {
		const answer = await as(service.admin.createAccount())();
		expect(answer).toMatchObject({
			success: true,
			count: 25,
			preview_count: 25,
			page: 1,
			per_page: 25,
			total_pages: 20,
			total_count: 500,
			has_more: true,
			next_page: 2,
			search_id: null,
			counting: false,
			max_results: 500,
		});
		expect(answer.preview_data).toHaveLength(25);
		for (const [i, { raw, ...row }] of answer.preview_data.entries()) {
			expect(raw).toMatchObject({ organization: { name: row.company } });
			expect(row).toEqual({ ...leadAt(i), mobile_phone: null });
		}
	});

	test('leaves out raw and emails and gives phones when asked to', async () => {
		const { preview_data } = await as(service.admin.createAccount())({
			_include_raw: false,
			include_emails: false,
			include_phones: true,
		});
		expect(preview_data).toEqual(
			Array.from({ length: 25 }, (_, i) => ({
				...leadAt(i),
				work_email: null,
				personal_emails: [],
			})),
		);
	});

	test('serves the matching leads in order and each once, page by page', async () => {
		const account = service.admin.createAccount();
		const ask = as(account);
		const urls: string[] = [];
		let page: number | null = 1;
		while (page !== null) {
			const answer = await ask({
				...iceland,
				_page: page,
				_per_page: 1_000,
				max_results: 100_000,
			});
			urls.push(...answer.preview_data.map((row) => row.linkedin_url));
			expect(answer.has_more).toBe(answer.next_page !== null);
			page = answer.next_page;
		}
		expect(urls).toEqual(urlsOf(matching(iceland)));
		expect(account.spent.apiCredits).toBe(ICELAND_LEADS);
		expect(leadsChargedTwice(account)).toEqual([]);
	});

	test('accepts filters that the contract does not show', async () => {
		const { count } = await as(service.admin.createAccount())(withUnknown);
		expect(count).toBe(25);
	});
});

describe('rule 1: total_count', () => {
	test('equals max_results on a full page, whatever there is', async () => {
		const answer = await as(service.admin.createAccount())({
			...iceland,
			_per_page: 10,
			max_results: 50_000,
		});
		expect(answer).toMatchObject({ total_count: 50_000, total_pages: 5_000 });
	});

	test('counts up to the last row on a short page', async () => {
		const answer = await as(service.admin.createAccount())({
			...iceland,
			_page: 3,
			_per_page: 1_000,
			max_results: 100_000,
		});
		expect(answer).toMatchObject({ count: 350, total_count: 2_350, has_more: false });
	});

	test('is capped by max_results, and so are the rows', async () => {
		const ask = as(service.admin.createAccount());
		expect(await ask({ _page: 3, _per_page: 20, max_results: 50 })).toMatchObject({
			count: 10,
			total_count: 50,
			has_more: false,
			next_page: null,
		});
		expect(await ask({ _page: 9, _per_page: 20, max_results: 50 })).toMatchObject({
			count: 0,
			total_count: 50,
		});
	});

	test('goes up to 100,000 results, no further', async () => {
		const account = service.admin.createAccount();
		const last = await as(account)({ _page: 1_000, _per_page: 100, max_results: 100_000 });
		expect(last).toMatchObject({ count: 100, has_more: false });
		const { status } = await search(service.baseUrl, account.apiKey, { max_results: 100_001 });
		expect(status).toBe(400);
	});
});

describe('rules 2 and 3: credits', () => {
	test('are spent one per lead, of the API balance', async () => {
		const account = service.admin.createAccount({ apiCredits: 100, subscriptionCredits: 100 });
		await as(account)({ _page: 2, _per_page: 30 });
		expect(account).toMatchObject({ apiCredits: 70, subscriptionCredits: 100 });
		expect(account.chargedLeads).toEqual(Array.from({ length: 30 }, (_, i) => 30 + i));
	});

	test('cut the page when fewer are left than rows were asked for, which looks like the end', async () => {
		const account = service.admin.createAccount({ apiCredits: 60 });
		expect(await as(account)({ _per_page: 100 })).toMatchObject({
			count: 60,
			total_count: 60,
			has_more: false,
			next_page: null,
		});
		expect(account.apiCredits).toBe(0);
	});

	test('that are used up give 402 for a row', async () => {
		const account = service.admin.createAccount({ apiCredits: 10 });
		await as(account)({ _per_page: 10 });
		const answer = await search(service.baseUrl, account.apiKey, { _page: 2, _per_page: 10 });
		expect(answer).toEqual({
			status: 402,
			body: { success: false, message: 'Not enough credits' },
		});
	});

	test('are not needed where no row is left', async () => {
		const account = service.admin.createAccount({ apiCredits: 0 });
		const ask = as(account);
		expect(await ask({ person_location_country: ['Atlantis'] })).toMatchObject({ count: 0 });
		expect(await ask({ _page: 3, _per_page: 25, max_results: 50 })).toMatchObject({ count: 0 });
		expect(account.spent.apiCredits).toBe(0);
	});

	test('never go below zero when requests come at once', async () => {
		const account = service.admin.createAccount({ apiCredits: 120 });
		const answers = await Promise.all(
			Array.from({ length: 10 }, (_, i) =>
				search(service.baseUrl, account.apiKey, { _page: i + 1, _per_page: 25 }),
			),
		);
		const rows = answers.reduce(
			(sum, { status, body }) => sum + (status === 200 ? body.count : 0),
			0,
		);
		expect(rows).toBe(120);
		expect(account.spent.apiCredits).toBe(120);
		expect(account.apiCredits).toBe(0);
	});
});

test.each([
	['a page below 1', { _page: 0 }],
	['a page that is no integer', { _page: '1' }],
	['an empty page', { _per_page: 0 }],
	['an unknown email status', { email_status: 'maybe' }],
	['a filter that is no list', { job_titles: 'Founder' }],
	['max_results of 0', { max_results: 0 }],
	['an array', []],
	['broken JSON', '{"_page": 1'],
])('%s is refused with 400 and costs nothing', async (_what, body) => {
	const account = service.admin.createAccount();
	const answer = await post(service.baseUrl + SEARCH_PATH, body, bearer(account.apiKey));
	expect(answer.status).toBe(400);
	expect(answer.body).toEqual({ success: false, message: someText });
	expect(account.spent.apiCredits).toBe(0);
});
