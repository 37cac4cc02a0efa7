/** Tests the mock service over HTTP: accepted credentials, spent balances, and rejected requests. */
import { leadAt, leadsChargedTwice, type Account } from '../../sandbox/service';
import { LOOKUP_PATH, PREVIEW_PATH, SEARCH_PATH } from '../../sandbox/service';
import { bearer, post, search, useService } from './client';

const service = useService();
const open = (apiCredits = 1_000) => service.admin.createAccount({ apiCredits });
const urlOf = (lead: number) => leadAt(lead).linkedin_url;
const urls = (count: number) => Array.from({ length: count }, (_, lead) => urlOf(lead));

type Headers = (account: Account) => Record<string, string>;
type Spent = [apiCredits: number, subscriptionCredits: number];
test.each<[string, Headers, number, number, Spent]>([
	['Bearer API key', ({ apiKey }) => bearer(apiKey), 200, 200, [3, 0]],
	['Bearer session token', ({ sessionToken }) => bearer(sessionToken), 401, 200, [0, 2]],
	['X-API-Key', ({ apiKey }) => ({ 'x-api-key': apiKey }), 401, 200, [2, 0]],
	['X-API-Key token', ({ sessionToken }) => ({ 'x-api-key': sessionToken }), 401, 401, [0, 0]],
	['an unknown key', () => bearer('unknown'), 401, 401, [0, 0]],
])(
	'a request with %s gets the status %i for search, %i for lookup, and 200 for preview',
	async (_, headers, searchStatus, lookUpStatus, spent) => {
		const account = open();
		const statusOf = async (path: string, body: object) =>
			(await post(service.baseUrl + path, body, headers(account))).status;
		expect(await statusOf(SEARCH_PATH, { _per_page: 1 })).toBe(searchStatus);
		expect(await statusOf(SEARCH_PATH, { _page: 'x' })).toBe(searchStatus === 200 ? 400 : 401);
		expect(await statusOf(LOOKUP_PATH, { linkedinUrls: urls(2), onlyWithEmails: false })).toBe(
			lookUpStatus,
		);
		expect(await statusOf(PREVIEW_PATH, {})).toBe(200);
		expect(Object.values(account.spent)).toEqual(spent);
	},
);

test('concurrent requests never spend more than the balance', async () => {
	const account = open(120);
	const bodies = Array.from({ length: 10 }, (_, index) => ({ _page: index + 1, _per_page: 25 }));
	const responses = await Promise.all(
		bodies.map((body) => search(service.baseUrl, account.apiKey, body)),
	);
	const rows = responses.reduce((sum, one) => sum + (one.status === 200 ? one.body.count : 0), 0);
	expect([rows, account.spent.apiCredits, account.apiCredits]).toEqual([120, 120, 0]);
	const refused = { success: false, message: 'Not enough credits' };
	expect(responses.find(({ status }) => status === 402)?.body).toEqual(refused);
});

test.each<[path: string, body: unknown]>([
	[SEARCH_PATH, { _page: 0 }],
	[SEARCH_PATH, { max_results: 100_001 }],
	[SEARCH_PATH, '{"_page": 1'],
	[SEARCH_PATH, { email_status: 'maybe' }],
	[LOOKUP_PATH, {}],
	[LOOKUP_PATH, { linkedinUrls: [], includePhone: true }],
])('a request to %s with the body %j gets a 400, which costs nothing', async (path, body) => {
	const account = open();
	const response = await post(service.baseUrl + path, body, bearer(account.apiKey));
	expect(response).toMatchObject({ status: 400, body: { success: false } });
	expect(typeof response.body.message).toBe('string');
	expect(account.spent.apiCredits).toBe(0);
});

test('a request to an unknown path gets a 404 and is logged, and can be waited for before and after it is sent', async () => {
	const path = '/api/api/preview';
	const waitForRequest = () => service.admin.waitForRequest((request) => request.path === path);
	const pending = waitForRequest();
	expect((await post(service.baseUrl + path, {})).status).toBe(404);
	expect(await pending).toMatchObject({ path, status: 404, page: null });
	expect(await waitForRequest()).toBe(await pending);
});

test('an account can be created, refilled and given another behaviour, and shows what it was charged for', async () => {
	const { admin, baseUrl } = service;
	const account = admin.createAccount({ id: 'buyer', apiCredits: 5, leads: 9 });
	expect((await search(baseUrl, account.apiKey)).body).toMatchObject({ count: 5 });
	expect(account).toMatchObject({ apiCredits: 0, spent: { apiCredits: 5 } });
	admin.setCredits('buyer', { apiCredits: 7 });
	admin.setBehaviour('buyer', { leads: 2 });
	expect((await search(baseUrl, account.apiKey)).body).toMatchObject({ count: 2 });
	expect(account).toMatchObject({ apiCredits: 5, spent: { apiCredits: 7 } });
	expect(leadsChargedTwice(account)).toEqual([0, 1]);
	for (const [id, credits] of Object.entries({ plenty: 1_000_000, few: 60, none: 0 }))
		expect(admin.account(id)).toMatchObject({ apiCredits: credits, subscriptionCredits: credits });
	expect(() => admin.createAccount({ id: 'plenty' })).toThrow('plenty is taken');
	expect(() => admin.account('nobody')).toThrow('There is no such account');
});
