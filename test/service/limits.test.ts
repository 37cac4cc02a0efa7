/** Limits on requests; the clock is the test's. */
import { request } from 'undici';
import { leadAt, LOOKUP_PATH, SEARCH_PATH, type Limits } from '../../sandbox/service';
import { bearer, lookup, post, preview, search, useService } from './client';

let now = Date.parse('2026-01-02T03:04:05Z');
const service = useService({ now: () => now });

/** An account with these limits, and a way to search with its key. */
function limited(limits: Limits) {
	const account = service.admin.createAccount({ limits });
	const ask = async () => {
		const { statusCode, headers, body } = await request(service.baseUrl + SEARCH_PATH, {
			method: 'POST',
			headers: { 'content-type': 'application/json', ...bearer(account.apiKey) },
			body: '{"_per_page":1}',
		});
		return { status: statusCode, headers, body: await body.json() };
	};
	const statuses = async (count: number) => {
		const seen: number[] = [];
		for (let i = 0; i < count; i++) seen.push((await ask()).status);
		return seen;
	};
	return { account, ask, statuses };
}

/** Sends requests that hang until they are let go of, and waits until they have arrived. */
async function hang(account: { id: string; apiKey: string }, count: number) {
	service.admin.addFault({ kind: 'hang', account: account.id, times: count });
	const leaving = new AbortController();
	const url = service.baseUrl + SEARCH_PATH;
	for (let i = 0; i < count; i++) {
		const answer = post(url, {}, bearer(account.apiKey), leaving.signal);
		answer.catch(() => undefined);
		await service.admin.whenRequest(
			(logged) =>
				logged.account === account.id && service.admin.requests({ account: account.id }).length > i,
		);
	}
	return async () => {
		leaving.abort();
		await service.admin.idle();
	};
}

describe('a limit of requests a second', () => {
	test('refuses what is too much with 429, uncharged, and takes more as time goes by', async () => {
		const { account, ask, statuses } = limited({ perSecond: 4 });
		expect(await statuses(5)).toEqual([200, 200, 200, 200, 429]);
		expect((await ask()).body).toEqual({ success: false, message: 'Too many requests' });
		expect(account.spent.apiCredits).toBe(4);
		now += 250;
		expect(await statuses(2)).toEqual([200, 429]);
		now += 60_000;
		expect(await statuses(5)).toEqual([200, 200, 200, 200, 429]);
		const last = service.admin.requests({ account: account.id }).at(-1);
		expect(last).toMatchObject({ status: 429, charged: 0, rows: 0, faults: [] });
	});

	test('holds for all endpoints and secrets of an account, and for no other account', async () => {
		const { account, statuses } = limited({ perSecond: 1 });
		expect(await statuses(1)).toEqual([200]);
		const body = { linkedinUrls: [leadAt(0).linkedin_url] };
		expect((await lookup(service.baseUrl, account.sessionToken, body)).status).toBe(429);
		const other = service.admin.createAccount();
		expect((await search(service.baseUrl, other.apiKey)).status).toBe(200);
		expect((await preview(service.baseUrl)).status).toBe(200);
	});

	test('can hold for previews', async () => {
		service.admin.setPreviewBehaviour({ limits: { perSecond: 1 } });
		const { apiKey } = service.admin.createAccount();
		expect((await preview(service.baseUrl)).status).toBe(200);
		expect((await preview(service.baseUrl)).status).toBe(429);
		expect((await search(service.baseUrl, apiKey)).status).toBe(200);
		service.admin.setPreviewBehaviour({});
		expect((await preview(service.baseUrl)).status).toBe(200);
	});

	test('injects no fault into a refused request', async () => {
		const { account, statuses } = limited({ perSecond: 1 });
		service.admin.addFault({ kind: 'status', status: 503, nthRequest: 2, account: account.id });
		expect(await statuses(2)).toEqual([200, 429]);
		now += 1_000;
		expect(await statuses(1)).toEqual([503]);
	});
});

describe('a limit of requests in flight', () => {
	test('refuses one more, until one has ended', async () => {
		const { account, statuses } = limited({ concurrent: 2 });
		const letGo = await hang(account, 2);
		expect(await statuses(2)).toEqual([429, 429]);
		await letGo();
		expect(await statuses(3)).toEqual([200, 200, 200]);
	});
});

describe('the headers of a limit', () => {
	const told = ({ headers }: { headers: Record<string, unknown> }) =>
		Object.fromEntries(Object.entries(headers).filter(([name]) => /ratelimit|retry/.test(name)));

	test('are none unless wanted', async () => {
		const { ask } = limited({ perSecond: 1 });
		expect(told(await ask())).toEqual({});
		expect(told(await ask())).toEqual({});
	});

	test('can tell when to come back, in whole seconds', async () => {
		const { ask } = limited({ perSecond: 0.4, headers: ['Retry-After'] });
		expect(told(await ask())).toEqual({});
		expect(told(await ask())).toEqual({ 'retry-after': '3' });
		now += 1_000;
		expect(told(await ask())).toEqual({ 'retry-after': '2' });
	});

	test('can tell what is left, with every answer', async () => {
		const { ask } = limited({ perSecond: 2, headers: ['RateLimit'] });
		expect(told(await ask())).toEqual({
			'ratelimit-limit': '2',
			'ratelimit-remaining': '1',
			'ratelimit-reset': '0',
		});
		await ask();
		expect(told(await ask())).toMatchObject({
			'ratelimit-remaining': '0',
			'ratelimit-reset': '1',
		});
	});

	test('do not promise a time where nobody knows it', async () => {
		const { account, ask } = limited({ concurrent: 1, headers: ['Retry-After'] });
		const letGo = await hang(account, 1);
		expect(told(await ask())).toEqual({ 'retry-after': '1' });
		await letGo();
	});
});

test('Limits are set later, too, and taken back', async () => {
	const { id, apiKey } = service.admin.createAccount();
	const set = (limits: Limits) => service.admin.setBehaviour(id, { limits });
	set({ perSecond: 1 });
	const body = { linkedinUrls: [] };
	const url = service.baseUrl + LOOKUP_PATH;
	expect((await post(url, body, bearer(apiKey))).status).toBe(200);
	expect((await post(url, body, bearer(apiKey))).status).toBe(429);
	set({});
	expect((await post(url, body, bearer(apiKey))).status).toBe(200);
});
