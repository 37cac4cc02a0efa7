import { request } from 'undici';
import { SEARCH_PATH, type Behaviour } from '../../sandbox/service';
import { checker } from '../../sandbox/service/contract/check';
import { RequestLog } from '../../sandbox/service/log/requestLog';
import { contract } from '../../sandbox/service/model';
import { searchAnswer } from './answers';
import { post, preview, search, useService } from './client';

const service = useService();

async function get(method: string) {
	const { statusCode, body } = await request(`${service.baseUrl}/_admin/${method}`);
	return { status: statusCode, body: await body.json() };
}

async function call(method: string, ...args: unknown[]) {
	return await post<unknown>(`${service.baseUrl}/_admin/${method}`, args);
}

const done = { status: 200, body: { success: true } };

describe('the admin interface over HTTP', () => {
	test('opens accounts, tells their ledger and refills them', async () => {
		const opened = await call('createAccount', { id: 'buyer', apiCredits: 5, leads: 9 });
		expect(opened).toMatchObject({
			status: 200,
			body: { id: 'buyer', behaviour: { leads: 9 } },
		});
		const { apiKey } = service.admin.account('buyer');
		expect((await search(service.baseUrl, apiKey)).body).toMatchObject({ count: 5 });
		expect(await call('account', 'buyer')).toMatchObject({
			status: 200,
			body: {
				apiCredits: 0,
				spent: { apiCredits: 5 },
				chargedLeads: 5,
				leadsChargedTwice: [],
			},
		});
		await call('setCredits', 'buyer', { apiCredits: 7 });
		await call('setBehaviour', 'buyer', { leads: 2 });
		expect((await search(service.baseUrl, apiKey)).body).toMatchObject({ count: 2 });
		expect(await call('account', 'buyer')).toMatchObject({
			body: { apiCredits: 5, spent: { apiCredits: 7 }, leadsChargedTwice: [0, 1] },
		});
	});

	test('gives the requests of an account since another one', async () => {
		const { id, apiKey } = service.admin.createAccount();
		await search(service.baseUrl, apiKey, { _page: 1 });
		await search(service.baseUrl, apiKey, { _page: 2 });
		const [first] = service.admin.requests({ account: id });
		const { body } = await call('requests', { account: id, since: first?.seq });
		expect(body).toMatchObject([
			{
				path: SEARCH_PATH,
				method: 'POST',
				body: { _page: 2 },
				page: 2,
				perPage: 25,
				status: 200,
				rows: 25,
				charged: 25,
				account: id,
			},
		]);
	});

	test('needs no arguments where a method needs none', async () => {
		expect((await call('createAccount')).body).toMatchObject({ apiCredits: 1_000_000 });
		const { body } = await get('accounts');
		expect(body).toHaveLength(service.admin.accounts().length);
		expect(body).toContainEqual(expect.objectContaining({ id: 'few', leadsChargedTwice: [] }));
		await preview(service.baseUrl);
		expect((await get('requests')).body).toHaveLength(service.admin.requests().length);
	});

	test('adds faults and takes them back', async () => {
		const fault = { kind: 'status', status: 503, times: 'always' };
		expect(await call('addFault', fault)).toMatchObject({ status: 200, body: { fault } });
		expect((await preview(service.baseUrl)).status).toBe(503);
		expect(await call('clearFaults')).toEqual(done);
		expect((await preview(service.baseUrl)).status).toBe(200);
		await call('addFault', { kind: 'merge', merge: { next_page: null } });
		expect((await preview(service.baseUrl)).body).toMatchObject({ next_page: null });
	});

	test('takes every behaviour, of accounts and of previews', async () => {
		const behaviour: Required<Behaviour> = {
			leads: 90,
			readings: { ...contract, pageSize: 30, profiles: { renamedEvery: 7 } },
			deviation: { moreRows: 3 },
			limits: {
				perSecond: 1_000,
				concurrent: 8,
				headers: ['Retry-After', 'RateLimit'],
			},
		};
		const opened = await call('createAccount', { id: 'bent', ...behaviour });
		expect(opened).toMatchObject({ status: 200, body: { behaviour } });
		expect((await call('setBehaviour', 'bent', behaviour)).status).toBe(200);
		const { apiKey } = service.admin.account('bent');
		const { body } = await search(service.baseUrl, apiKey, { _per_page: 100 });
		expect(body).toMatchObject({ count: 33, per_page: 30 });
		expect(await call('setPreviewBehaviour', behaviour)).toEqual(done);
		expect((await preview(service.baseUrl)).body).toMatchObject({ count: 28, total_count: 90 });
		expect(await call('setPreviewBehaviour', {})).toEqual(done);
		expect((await preview(service.baseUrl)).body).toMatchObject({ count: 25 });
	});

	test.each([
		{ kind: 'status', status: 500, charge: true },
		{ kind: 'wrongEncoding', charge: false },
		{ kind: 'hugeHeaders', charge: false },
	])('takes the fault %j', async (fault) => {
		expect((await call('addFault', fault)).status).toBe(200);
		service.admin.clearFaults();
	});

	test.each([
		['addFault', [{ kind: 'earthquake' }], 'arguments/0 value of tag "kind"'],
		['addFault', [{ kind: 'status' }], "arguments/0 must have required property 'status'"],
		['addFault', [{ kind: 'latency', ms: 1, status: 500 }], 'additional properties'],
		['setBehaviour', ['plenty', { limits: { perSecond: 0 } }], '/perSecond must be > 0'],
		['setBehaviour', ['plenty'], 'arguments must NOT have fewer than 2 items'],
		['setPreviewBehaviour', [{ readings: { perPage: 5 } }], '/readings/perPage must be equal'],
		['createAccount', [{ deviation: { jump: {} } }], "jump must have required property 'page'"],
		['createAccount', [{ apiCredits: -1 }], 'arguments/0/apiCredits must be >= 0'],
		['createAccount', [{}, {}], 'arguments must NOT have more than 1 items'],
		['createAccount', [{ id: 'plenty' }], 'plenty is taken'],
		['requests', [{ since: '5' }], 'arguments/0/since must be integer'],
		['account', ['nobody'], 'There is no such account'],
	])('refuses %s of %j with 400', async (method, args, problem) => {
		const message: unknown = expect.stringContaining(problem);
		const refused = { status: 400, body: { success: false, message } };
		expect(await call(method, ...args)).toEqual(refused);
	});

	test.each(['whenRequest', 'constructor', 'accounts/plenty', ''])(
		'knows no method %j',
		async (method) => {
			const message: unknown = expect.stringContaining('there are account, accounts,');
			expect(await get(method)).toEqual({ status: 404, body: { success: false, message } });
		},
	);

	test('leaves no trace in the log', async () => {
		const before = service.admin.requests().length;
		await get('health');
		expect(service.admin.requests()).toHaveLength(before);
	});
});

test('the built-in accounts have plenty, 60 and no credits', () => {
	const built = ['plenty', 'few', 'none'].map((id) => service.admin.account(id));
	expect(built.map(({ apiCredits }) => apiCredits)).toEqual([1_000_000, 60, 0]);
	expect(built.map(({ subscriptionCredits }) => subscriptionCredits)).toEqual([1_000_000, 60, 0]);
});

test('the answer schemas want every field and no other', async () => {
	const wrongIn = checker(searchAnswer, 'answer');
	expect(wrongIn({ success: true })).toContain('answer must have required property');
	const { body } = await search(service.baseUrl, service.admin.account('plenty').apiKey);
	expect(wrongIn(body)).toBeUndefined();
	expect(wrongIn({ ...body, code: 1 })).toContain('additional properties');
});

describe('the request log', () => {
	test('keeps the last 20,000 requests, and long lists of URLs of the last 500', () => {
		const log = new RequestLog();
		const linkedinUrls = ['0', '1', '2'];
		for (let i = 0; i < 23_000; i++) {
			const entry = log.arrived('POST', '/', {});
			log.understood(entry, { body: { linkedinUrls } });
			log.ended();
		}
		expect(log.requests).toHaveLength(20_000);
		expect(log.requests.at(-1)?.seq).toBe(23_000);
		expect(log.requests.at(-500)?.body).toEqual({ linkedinUrls });
		expect(log.requests.at(-501)?.body).toEqual({
			linkedinUrls: { count: 3, first: '0', last: '2' },
		});
	});

	test('tells of a request that was already there, or comes later', async () => {
		const later = service.admin.whenRequest((r) => r.path === '/later');
		await post(`${service.baseUrl}/later`, {});
		const { seq } = await later;
		expect(await service.admin.whenRequest((r) => r.path === '/later')).toMatchObject({ seq });
	});
});
