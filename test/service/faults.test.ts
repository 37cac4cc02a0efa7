import timers from 'node:timers/promises';

import { LOOKUP_PATH, SEARCH_PATH } from '../../sandbox/service';
import type { Account, FaultAction, FaultMatch, SearchRequest } from '../../sandbox/service';
import { bearer, lookup, search, send, useService } from './client';

const service = useService();
let account: Account;
beforeEach(() => {
	service.admin.clearFaults();
	account = service.admin.createAccount({ apiCredits: 1_000 });
});

const add = (fault: FaultAction & FaultMatch) =>
	service.admin.addFault({ account: account.apiKey, ...fault });
const ask = (body: SearchRequest = {}) => search(service.baseUrl, account.apiKey, body);
const askRaw = (signal?: AbortSignal) =>
	send(service.baseUrl + SEARCH_PATH, {}, bearer(account.apiKey), signal);
const lastLogged = () => service.admin.requests({ account: account.id }).at(-1);

describe('a fault is injected into', () => {
	test('one request, or so many from the nth on, one after the other, until it is removed', async () => {
		add({ kind: 'status', status: 500 });
		add({ kind: 'status', status: 501 });
		add({ kind: 'status', status: 502, nthRequest: 3, times: 2 });
		const last = { account: account.id, nthRequest: 6, times: 'always' } as const;
		const fault = add({ kind: 'status', status: 503, ...last });
		const statuses: number[] = [];
		for (let i = 0; i < 8; i++) statuses.push((await ask()).status);
		expect(statuses).toEqual([500, 501, 502, 502, 200, 503, 503, 503]);
		fault.remove();
		expect((await ask()).status).toBe(200);
	});

	test('one page, one page size, one path, one account', async () => {
		const always = { account: account.sessionToken, times: 'always', kind: 'status', status: 500 };
		add({ ...always, page: 2, perPage: 25 } as FaultAction);
		add({ ...always, path: LOOKUP_PATH } as FaultAction);
		const other = service.admin.createAccount();
		const answers = [
			...[await ask({ _page: 1 }), await ask({ _page: 2 }), await ask({ _page: 2, _per_page: 10 })],
			await lookup(service.baseUrl, account.sessionToken, { linkedinUrls: [] }),
			await search(service.baseUrl, other.apiKey, { _page: 2 }),
		];
		expect(answers.map(({ status }) => status)).toEqual([200, 500, 200, 500, 200]);
	});
});

test.each<[FaultAction, number]>([
	[{ kind: 'status', status: 429 }, 0],
	[{ kind: 'status', status: 504, charge: true }, 25],
	[{ kind: 'notJson' }, 0],
	[{ kind: 'endless' }, 0],
	[{ kind: 'wrongEncoding' }, 25],
	[{ kind: 'wrongEncoding', charge: false }, 0],
	[{ kind: 'hugeHeaders' }, 25],
	[{ kind: 'loseBeforeAnswer' }, 0],
	[{ kind: 'loseAfterAnswer' }, 25],
	[{ kind: 'loseMidAnswer' }, 25],
	[{ kind: 'hang' }, 0],
	[{ kind: 'hang', charge: true }, 25],
])('%j costs a client that leaves %i credits', async (fault, credits) => {
	add(fault);
	const leaving = new AbortController();
	askRaw(leaving.signal).catch(() => undefined);
	await service.admin.whenRequest((r) => r.account === account.id && r.faults.length > 0);
	leaving.abort();
	await service.admin.idle();
	expect(account.spent.apiCredits).toBe(credits);
	expect(lastLogged()).toMatchObject({ charged: credits, rows: credits });
});

const waiting = { status: 429, headers: { 'retry-after': '7' } };
const json = { 'content-type': 'application/json; charset=utf-8' };
const html = { 'content-type': 'text/html; charset=utf-8' };
test.each<[FaultAction, object, RegExp]>([
	[{ kind: 'status', ...waiting, body: { wait: true } }, waiting, /^\{"wait":true\}$/],
	[{ kind: 'status', status: 500 }, { status: 500, headers: json }, /^\{"success":false,/],
	[{ kind: 'status', status: 502, body: '<h1>', contentType: 'a/b' }, { status: 502 }, /^<h1>$/],
	[{ kind: 'notJson' }, { status: 200, headers: html }, /<html>/],
	[{ kind: 'wrongEncoding' }, { headers: { 'content-encoding': 'gzip' } }, /"count":25/],
	[{ kind: 'huge', bytes: 70_003 }, { status: 200 }, /^\{"success":true,"message":"\.{69974}"\}$/],
])('%j is sent', async (fault, expected, text) => {
	add(fault);
	const { body, ...answer } = await askRaw();
	expect(answer).toMatchObject(expected);
	expect(await body.text()).toMatch(text);
	expect(lastLogged()).toMatchObject({ status: answer.status, faults: [fault.kind] });
});

test('fields are laid over an answer, late ones too, that was charged, and not over a refusal', async () => {
	const sleep = jest.spyOn(timers, 'setTimeout');
	add({ kind: 'latency', ms: 100 });
	add({ kind: 'merge', merge: { next_page: 1, has_more: true } });
	add({ kind: 'merge', merge: { has_more: null } });
	expect((await ask()).body).toMatchObject({ next_page: 1, has_more: null, count: 25 });
	expect(sleep.mock.calls[0]?.[0]).toBe(100);
	sleep.mockRestore();
	expect(account.spent.apiCredits).toBe(25);
	expect(lastLogged()?.faults).toEqual(['latency', 'merge', 'merge']);
	service.admin.setCredits(account.id, { apiCredits: 0 });
	add({ kind: 'merge', merge: { success: true } });
	expect(await ask()).toMatchObject({ status: 402, body: { success: false } });
});
