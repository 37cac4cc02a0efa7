/** What the mock service adds to its model: who is let in, whose credits are spent, what is refused. */
import {
	leadAt,
	leadsChargedTwice,
	LOOKUP_PATH,
	matching,
	PREVIEW_PATH,
	SEARCH_PATH,
	type Account,
} from '../../sandbox/service';
import { bearer, lookup, post, preview, search, someText, useService } from './client';

const service = useService();
const open = (credits = 1_000) =>
	service.admin.createAccount({ apiCredits: credits, subscriptionCredits: credits });
const urlOf = (lead: number) => leadAt(lead).linkedin_url;
const urls = (count: number) => Array.from({ length: count }, (_, lead) => urlOf(lead));
const everybody = { onlyWithEmails: false };

type Headers = (of: Account) => Record<string, string>;
test.each<[string, Headers, number, number]>([
	['Bearer API key', ({ apiKey }) => bearer(apiKey), 200, 200],
	['Bearer session token', ({ sessionToken }) => bearer(sessionToken), 401, 200],
	['X-API-Key', ({ apiKey }) => ({ 'x-api-key': apiKey }), 401, 200],
	['session token as X-API-Key', ({ sessionToken }) => ({ 'x-api-key': sessionToken }), 401, 401],
	['an unknown key', () => bearer('unknown'), 401, 401],
	['a key without Bearer', ({ apiKey }) => ({ authorization: apiKey }), 401, 401],
	['nothing', () => ({}), 401, 401],
])('with %s: search %i, lookup %i, preview always', async (_, headers, searched, lookedUp) => {
	const account = open();
	const to = async (path: string, body: object) =>
		(await post(service.baseUrl + path, body, headers(account))).status;
	expect(await to(SEARCH_PATH, { _per_page: 1 })).toBe(searched);
	expect(await to(SEARCH_PATH, { _page: 'x' })).toBe(searched === 200 ? 400 : 401);
	expect(await to(LOOKUP_PATH, { linkedinUrls: [urlOf(0)] })).toBe(lookedUp);
	expect(await to(PREVIEW_PATH, {})).toBe(200);
});

test('the leads that match come in order and each once, page by page, for a credit each', async () => {
	const account = open(10_000);
	const filters = { person_location_country: ['Iceland'], company_size: ['1-10'] };
	const found: string[] = [];
	for (let page: number | null = 1; page !== null;) {
		const paging = { _page: page, _per_page: 1_000, max_results: 100_000 };
		const { body } = await search(service.baseUrl, account.apiKey, { ...filters, ...paging });
		found.push(...body.preview_data.map(({ linkedin_url }) => linkedin_url));
		page = body.next_page;
	}
	expect(found).toEqual([...matching(filters)].map(urlOf));
	expect(account.spent).toEqual({ apiCredits: found.length, subscriptionCredits: 0 });
	expect(leadsChargedTwice(account)).toEqual([]);
});

test('requests at once never spend more than there is', async () => {
	const account = open(120);
	const answers = await Promise.all(
		Array.from({ length: 10 }, (_, index) =>
			search(service.baseUrl, account.apiKey, { _page: index + 1, _per_page: 25 }),
		),
	);
	const rows = answers.reduce(
		(sum, { status, body }) => sum + (status === 200 ? body.count : 0),
		0,
	);
	expect([rows, account.spent.apiCredits, account.apiCredits]).toEqual([120, 120, 0]);
	expect(answers.find(({ status }) => status === 402)?.body).toEqual({
		success: false,
		message: 'Not enough credits',
	});
});

test('a lookup with a session token spends subscription credits', async () => {
	const account = open();
	const body = { linkedinUrls: urls(10), ...everybody };
	expect((await lookup(service.baseUrl, account.sessionToken, body)).status).toBe(200);
	expect(account.spent).toEqual({ apiCredits: 0, subscriptionCredits: 10 });
});

test('a lookup has profiles with an email only, unless told otherwise', async () => {
	const { body } = await lookup(service.baseUrl, open().apiKey, { linkedinUrls: urls(40) });
	const expected = Array.from({ length: 40 }, (_, lead) => leadAt(lead))
		.filter((lead) => lead.work_email !== null || lead.personal_emails.length > 0)
		.map(({ linkedin_url }) => linkedin_url);
	expect(body.data.map((row) => row.linkedin_url)).toEqual(expected);
	expect(expected.length).toBeLessThan(40);
	const all = { linkedinUrls: urls(40), ...everybody };
	expect((await lookup(service.baseUrl, open().apiKey, all)).body.count).toBe(40);
});

test('a lookup knows a profile by any spelling of its URL, and nobody else', async () => {
	const url = urlOf(1);
	const spellings = [
		url.toUpperCase().replace('HTTPS://', 'http://'),
		url.replace('https://www.', ''),
		url.replace('www', 'de'),
		`${url}/?trk=abc#top`,
		`${url}/details/experience/`,
		decodeURIComponent(url),
	];
	const others = [url.replace(/-\d+$/, ''), url.replace('linkedin', 'linkedout'), '%E0%A4%A', ''];
	const countOf = async (linkedinUrls: string[]) => {
		const body = { linkedinUrls, ...everybody };
		return (await lookup(service.baseUrl, open().apiKey, body)).body.count;
	};
	for (const spelling of spellings) expect(await countOf([spelling])).toBe(1);
	expect(await countOf(others)).toBe(0);
});

test('a lookup takes 100,000 URLs and not one more', async () => {
	const account = open();
	const all = [...matching().subarray(0, 100_000)].map(urlOf);
	const { body } = await lookup(service.baseUrl, account.apiKey, { linkedinUrls: all });
	expect(body.count).toBe(100);
	const more = { linkedinUrls: [...all, 'one more'] };
	expect((await lookup(service.baseUrl, account.apiKey, more)).status).toBe(400);
});

test('a preview is free, and hides emails and phones', async () => {
	const paging = { _page: 2, _per_page: 50 };
	const filters = { person_location_country: ['Iceland'] };
	const { body } = await preview(service.baseUrl, {
		...filters,
		...paging,
	});
	expect(body).toMatchObject({ count: 50, has_more: true, next_page: 3, total_count: 2_350 });
	for (const row of body.preview_data) {
		expect(row.country).toBe('Iceland');
		expect(row.work_email ?? 'x***@y').toMatch(/^.\*\*\*@/);
		expect(row).toMatchObject({ personal_emails: [], mobile_phone: null });
	}
	expect(service.admin.requests({ path: PREVIEW_PATH }).at(-1)).toMatchObject({
		rows: 50,
		charged: 0,
	});
});

test.each([
	['a page below 1', { _page: 0 }],
	['a page that is no integer', { _page: '1' }],
	['an empty page', { _per_page: 0 }],
	['more results than any search has', { max_results: 100_001 }],
	['an unknown email status', { email_status: 'maybe' }],
	['a filter that is no list', { job_titles: 'Founder' }],
	['an array', []],
	['broken JSON', '{"_page": 1'],
	['no list of URLs', {}, LOOKUP_PATH],
	['a URL that is no string', { linkedinUrls: [1] }, LOOKUP_PATH],
	['a field that lookup does not have', { linkedinUrls: [], includePhone: true }, LOOKUP_PATH],
] as Array<[string, unknown, string?]>)(
	'%s is refused with 400 and costs nothing',
	async (_, body, path = SEARCH_PATH) => {
		const account = open();
		const answer = await post(service.baseUrl + path, body, bearer(account.apiKey));
		expect(answer).toEqual({ status: 400, body: { success: false, message: someText } });
		expect(account.spent.apiCredits).toBe(0);
	},
);

test('an unknown path is 404, and logged', async () => {
	const { status } = await post(`${service.baseUrl}/api/api/preview`, {});
	expect(status).toBe(404);
	const logged = { path: '/api/api/preview', status: 404, page: null };
	expect(service.admin.requests().at(-1)).toMatchObject(logged);
});
