import { request } from 'undici';
import { SEARCH_PATH, type Behaviour } from '../../sandbox/service';
import { compile, violations } from '../../sandbox/service/contract/check';
import { searchAnswer } from '../../sandbox/service/contract/schemas';
import { RequestLog } from '../../sandbox/service/log/requestLog';
import { post, preview, search, useService } from './client';

const service = useService();

async function admin(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) {
	const { statusCode, body: answer } = await request(`${service.baseUrl}/_admin${path}`, {
		method,
		headers: body && { 'content-type': 'application/json' },
		body: body && JSON.stringify(body),
	});
	const text = await answer.text();
	return { status: statusCode, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
}

describe('the admin interface over HTTP', () => {
	test('opens accounts, tells their ledger and refills them', async () => {
		const opened = await admin('POST', '/accounts', { id: 'buyer', apiCredits: 5, leads: 9 });
		expect(opened).toMatchObject({
			status: 201,
			body: { id: 'buyer', behaviour: { leads: 9 } },
		});
		const { apiKey } = service.admin.account('buyer');
		expect((await search(service.baseUrl, apiKey)).body).toMatchObject({ count: 5 });
		expect(await admin('GET', '/accounts/buyer')).toMatchObject({
			status: 200,
			body: {
				apiCredits: 0,
				spent: { apiCredits: 5 },
				chargedLeads: 5,
				leadsChargedTwice: [],
			},
		});
		await admin('POST', '/accounts/buyer/credits', { apiCredits: 7 });
		await admin('POST', '/accounts/buyer/behaviour', { leads: 2 });
		expect((await search(service.baseUrl, apiKey)).body).toMatchObject({ count: 2 });
		expect(await admin('GET', '/accounts/buyer')).toMatchObject({
			body: { apiCredits: 5, spent: { apiCredits: 7 }, leadsChargedTwice: [0, 1] },
		});
	});

	test('gives the requests of an account since another one', async () => {
		const { id, apiKey } = service.admin.createAccount();
		await search(service.baseUrl, apiKey, { _page: 1 });
		await search(service.baseUrl, apiKey, { _page: 2 });
		const [first] = service.admin.requests({ account: id });
		const { body } = await admin('GET', `/requests?account=${id}&since=${first?.seq ?? 0}`);
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
				range: { from: 25, to: 50 },
				account: id,
			},
		]);
	});

	test('adds faults and takes them back', async () => {
		const fault = { kind: 'status', status: 503, times: 'always' };
		expect((await admin('POST', '/faults', fault)).status).toBe(204);
		expect((await preview(service.baseUrl)).status).toBe(503);
		expect((await admin('DELETE', '/faults')).status).toBe(204);
		expect((await preview(service.baseUrl)).status).toBe(200);
		await admin('POST', '/faults', { kind: 'merge', merge: { next_page: null } });
		expect((await preview(service.baseUrl)).body).toMatchObject({ next_page: null });
	});

	test('moves the rows of previews and tells schema breaches', async () => {
		await admin('POST', '/preview-behaviour', { answerShape: 'leads' });
		expect((await preview(service.baseUrl)).body).toHaveProperty('leads');
		await admin('POST', '/preview-behaviour', {});
		expect(await admin('GET', '/schema-breaches')).toEqual({ status: 200, body: [] });
	});

	test('takes every behaviour, of accounts and of previews', async () => {
		const behaviour: Required<Behaviour> = {
			leads: 90,
			clampPerPage: 50,
			silentClamp: 40,
			laterClamp: { fromPage: 2, size: 10 },
			minPerPage: 2,
			allowedPerPage: [10, 30],
			fixedPerPage: 30,
			echoesPerPage: true,
			perPageIsCount: true,
			perPageIsCut: true,
			answersAtZero: true,
			answersPerPage: false,
			refusesPerPageAbove: { size: 500, status: 413 },
			ignoresMaxResults: true,
			saysMoreWhenShort: true,
			deniesMoreAtZero: true,
			refusesAllAtZero: true,
			setsCreditsAside: true,
			ignoresPage: 'one',
			behindEnd: 'lastPage',
			sendsExtra: 3,
			lookupPagesBy: 'urls',
			renamesEvery: 4,
			twoRowsEvery: 5,
			omits: ['message'],
			omitsWhenEmpty: ['page'],
			omitsRowFields: ['city'],
			answerShape: 'otherName',
			limits: {
				perSecond: 1_000,
				concurrent: 8,
				headers: ['Retry-After', 'RateLimit'],
			},
		};
		const opened = await admin('POST', '/accounts', { id: 'bent', ...behaviour });
		expect(opened).toMatchObject({ status: 201, body: { behaviour } });
		expect((await admin('POST', '/accounts/bent/behaviour', behaviour)).status).toBe(200);
		expect((await admin('POST', '/preview-behaviour', behaviour)).status).toBe(204);
		expect((await preview(service.baseUrl)).body).toMatchObject({ count: 33 });
		expect((await admin('POST', '/preview-behaviour', {})).status).toBe(204);
		expect((await preview(service.baseUrl)).body).toMatchObject({ count: 25 });
	});

	test.each([
		{ kind: 'status', status: 500, charge: true },
		{ kind: 'wrongEncoding', charge: false },
		{ kind: 'hugeHeaders', charge: false },
	])('takes the fault %j', async (fault) => {
		expect((await admin('POST', '/faults', fault)).status).toBe(204);
		service.admin.clearFaults();
	});

	test.each([
		['POST', '/faults', { kind: 'earthquake' }],
		['POST', '/faults', { kind: 'status' }],
		['POST', '/faults', { kind: 'latency', ms: 1, status: 500 }],
		['POST', '/accounts/plenty/behaviour', { limits: { perSecond: 0 } }],
		['POST', '/preview-behaviour', { answerShape: 'round' }],
		['POST', '/accounts', { apiCredits: -1 }],
		['POST', '/accounts', { id: 'plenty' }],
		['GET', '/accounts/nobody', undefined],
	] as const)('refuses %s %s %j with 400', async (method, path, body) => {
		expect(await admin(method, path, body)).toMatchObject({
			status: 400,
			body: { success: false },
		});
	});

	test('leaves no trace in the log', async () => {
		const before = service.admin.requests().length;
		await admin('GET', '/health');
		expect(service.admin.requests()).toHaveLength(before);
	});
});

test('the built-in accounts have plenty, 60 and no credits', () => {
	const built = ['plenty', 'few', 'none'].map((id) => service.admin.account(id));
	expect(built.map(({ apiCredits }) => apiCredits)).toEqual([1_000_000, 60, 0]);
	expect(built.map(({ subscriptionCredits }) => subscriptionCredits)).toEqual([1_000_000, 60, 0]);
});

test('the answer schemas want every field and no other', async () => {
	const isSearchAnswer = compile(searchAnswer);
	expect(isSearchAnswer({ success: true })).toBe(false);
	expect(violations(isSearchAnswer, 'answer')).toContain('required');
	const { body } = await search(service.baseUrl, service.admin.account('plenty').apiKey);
	expect(isSearchAnswer(body)).toBe(true);
	expect(isSearchAnswer({ ...body, code: 1 })).toBe(false);
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
		expect(log.all()).toHaveLength(20_000);
		expect(log.all().at(-1)?.seq).toBe(23_000);
		expect(log.all().at(-500)?.body).toEqual({ linkedinUrls });
		expect(log.all().at(-501)?.body).toEqual({
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
