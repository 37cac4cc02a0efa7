/** Limits on requests; the clock is the test's. */
import { leadAt, SEARCH_PATH, type Limits } from '../../sandbox/service';
import { bearer, lookup, preview, search, send, useService } from './client';

let now = Date.parse('2026-01-02T03:04:05Z');
const service = useService({ now: () => now });
const statusOf = async (asked: Promise<{ status: number }>) => (await asked).status;

function limited(limits: Limits) {
	const account = service.admin.createAccount({ limits });
	const ask = async (signal?: AbortSignal) => {
		const url = service.baseUrl + SEARCH_PATH;
		const { headers, body, status } = await send(url, '{}', bearer(account.apiKey), signal);
		return { status, body: await body.json(), retryAfter: headers['retry-after'] };
	};
	const statuses = async (count: number) => {
		const seen: number[] = [];
		for (let i = 0; i < count; i++) seen.push(await statusOf(ask()));
		return seen;
	};
	return { account, ask, statuses };
}

test('too many requests a second get 429, uncharged, and more are taken as time goes by', async () => {
	const { account, ask, statuses } = limited({ perSecond: 4 });
	expect(await statuses(5)).toEqual([200, 200, 200, 200, 429]);
	expect((await ask()).body).toEqual({ success: false, message: 'Too many requests' });
	expect(account.spent.apiCredits).toBe(100);
	now += 250;
	expect(await statuses(2)).toEqual([200, 429]);
	now += 60_000;
	expect(await statuses(5)).toEqual([200, 200, 200, 200, 429]);
	const last = service.admin.requests({ account: account.id }).at(-1);
	expect(last).toMatchObject({ status: 429, charged: 0, rows: 0, faults: [] });
});

test('a limit holds for all endpoints and secrets of an account, until it is taken back', async () => {
	const { account, statuses } = limited({ perSecond: 1 });
	expect(await statuses(1)).toEqual([200]);
	const body = { linkedinUrls: [leadAt(0).linkedin_url] };
	const lookUp = () => statusOf(lookup(service.baseUrl, account.sessionToken, body));
	expect(await lookUp()).toBe(429);
	const other = service.admin.createAccount();
	expect(await statusOf(search(service.baseUrl, other.apiKey))).toBe(200);
	expect(await statusOf(preview(service.baseUrl))).toBe(200);
	service.admin.setBehaviour(account.id, { limits: {} });
	expect(await lookUp()).toBe(200);
});

test('a limit can hold for previews', async () => {
	service.admin.setPreviewBehaviour({ limits: { perSecond: 1 } });
	expect(await statusOf(preview(service.baseUrl))).toBe(200);
	expect(await statusOf(preview(service.baseUrl))).toBe(429);
	expect(await limited({}).statuses(1)).toEqual([200]);
	service.admin.setPreviewBehaviour({});
	expect(await statusOf(preview(service.baseUrl))).toBe(200);
});

test('a refused request meets no fault', async () => {
	const { account, statuses } = limited({ perSecond: 1 });
	service.admin.addFault({ kind: 'status', status: 503, nthRequest: 2, account: account.id });
	expect(await statuses(2)).toEqual([200, 429]);
	now += 1_000;
	expect(await statuses(1)).toEqual([503]);
});

test('a limit of requests in flight refuses one more, until one has ended', async () => {
	const { account, ask, statuses } = limited({ concurrent: 2, retryAfter: true });
	const { admin } = service;
	admin.addFault({ kind: 'hang', account: account.id, times: 2 });
	const leaving = new AbortController();
	for (const count of [1, 2]) {
		ask(leaving.signal).catch(() => undefined);
		await admin.whenRequest(() => admin.requests({ account: account.id }).length === count);
	}
	// Nobody knows when.
	expect(await ask()).toMatchObject({ status: 429, retryAfter: '1' });
	leaving.abort();
	await admin.idle();
	expect(await statuses(3)).toEqual([200, 200, 200]);
});

test('a 429 can tell when to come back, in whole seconds', async () => {
	const silent = limited({ perSecond: 1 });
	await silent.ask();
	expect((await silent.ask()).retryAfter).toBeUndefined();
	const { ask } = limited({ perSecond: 0.4, retryAfter: true });
	expect((await ask()).retryAfter).toBeUndefined();
	expect((await ask()).retryAfter).toBe('3');
	now += 1_000;
	expect((await ask()).retryAfter).toBe('2');
});
