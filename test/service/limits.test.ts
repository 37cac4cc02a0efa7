/** Limits on requests; the clock is the test's. */
import { SEARCH_PATH, type Limits } from '../../sandbox/service';
import { bearer, send, useService } from './client';

let now = Date.parse('2026-01-02T03:04:05Z');
const service = useService({ now: () => now });

function limited(limits: Limits) {
	const account = service.admin.createAccount({ limits });
	const ask = async (signal?: AbortSignal) => {
		const url = service.baseUrl + SEARCH_PATH;
		const { headers, body, status } = await send(url, '{}', bearer(account.apiKey), signal);
		await body.dump();
		return { status, retryAfter: headers['retry-after'] };
	};
	const statuses = async (count: number) => {
		const seen: number[] = [];
		for (let i = 0; i < count; i++) seen.push((await ask()).status);
		return seen;
	};
	return { account, ask, statuses };
}

test('too many requests a second get 429, uncharged and without a fault, until time has gone by', async () => {
	const { account, statuses } = limited({ perSecond: 4 });
	service.admin.addFault({ kind: 'status', status: 503, nthRequest: 5, account: account.id });
	expect(await statuses(5)).toEqual([200, 200, 200, 200, 429]);
	expect(account.spent.apiCredits).toBe(100);
	const last = service.admin.requests({ account: account.id }).at(-1);
	expect(last).toMatchObject({ status: 429, charged: 0, rows: 0, faults: [] });
	now += 250;
	expect(await statuses(2)).toEqual([503, 429]);
	now += 60_000;
	expect(await statuses(5)).toEqual([200, 200, 200, 200, 429]);
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
	expect(await ask()).toEqual({ status: 429, retryAfter: '1' });
	leaving.abort();
	await admin.idle();
	expect(await statuses(3)).toEqual([200, 200, 200]);
});
