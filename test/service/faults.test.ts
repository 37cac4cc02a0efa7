import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'undici';
import {
	LOOKUP_PATH,
	SEARCH_PATH,
	startService,
	type Account,
	type FaultAction,
	type FaultMatch,
	type SearchRequest,
} from '../../sandbox/service';
import { bearer, lookup, post, search, send, useService } from './client';

jest.mock('node:timers/promises', () => ({
	setTimeout: jest.fn(
		jest.requireActual<typeof import('node:timers/promises')>('node:timers/promises').setTimeout,
	),
}));

const service = useService();
let account: Account;
beforeEach(() => {
	service.admin.clearFaults();
	account = service.admin.createAccount({ apiCredits: 1_000 });
});

const add = (fault: FaultAction & FaultMatch) =>
	service.admin.addFault({ account: account.apiKey, ...fault });
const ask = (body: SearchRequest = {}) => search(service.baseUrl, account.apiKey, body);
const lastLogged = () => service.admin.requests({ account: account.id }).at(-1);
const askRaw = () => send(service.baseUrl + SEARCH_PATH, {}, bearer(account.apiKey));

/** The answer as text, for bodies that are no JSON. */
async function askForText() {
	const { status, headers, body } = await askRaw();
	return { status, headers, text: await body.text() };
}

describe('a fault is injected into', () => {
	const status = 500;
	const statuses = async (count: number, body: SearchRequest = {}) => {
		const seen: number[] = [];
		for (let i = 0; i < count; i++) seen.push((await ask(body)).status);
		return seen;
	};

	test('one request unless said otherwise, in the order they were added', async () => {
		add({ kind: 'status', status });
		add({ kind: 'status', status: 503 });
		expect(await statuses(3)).toEqual([500, 503, 200]);
	});

	test('so many requests, from the nth on', async () => {
		const fault = add({ kind: 'status', status, nthRequest: 2, times: 2 });
		expect(await statuses(5)).toEqual([200, 500, 500, 200, 200]);
		expect(fault).toMatchObject({ seen: 5, met: 2 });
	});

	test('all of them, until it is removed', async () => {
		const fault = add({ account: account.id, kind: 'status', status, times: 'always' });
		expect(await statuses(3)).toEqual([500, 500, 500]);
		fault.remove();
		expect(await statuses(1)).toEqual([200]);
	});

	test('one page, one page size, one path, one account', async () => {
		const always = { account: account.sessionToken, times: 'always', kind: 'status', status };
		add({ ...always, page: 2, perPage: 25 } as FaultAction);
		add({ ...always, path: LOOKUP_PATH } as FaultAction);
		expect(await statuses(1, { _page: 1 })).toEqual([200]);
		expect(await statuses(1, { _page: 2 })).toEqual([500]);
		expect(await statuses(1, { _page: 2, _per_page: 10 })).toEqual([200]);
		const body = { linkedinUrls: [] };
		expect((await lookup(service.baseUrl, account.sessionToken, body)).status).toBe(500);
		const other = service.admin.createAccount();
		expect((await search(service.baseUrl, other.apiKey, { _page: 2 })).status).toBe(200);
	});
});

const byDefaultAndNot: Array<[boolean | undefined, number]> = [
	[undefined, 25],
	[false, 0],
];

describe('a fault that answers', () => {
	test('with a status sends its headers and body and charges nothing', async () => {
		add({ kind: 'status', status: 429, headers: { 'retry-after': '7' }, body: { wait: true } });
		const { status, headers, text } = await askForText();
		expect({ status, text }).toEqual({ status: 429, text: '{"wait":true}' });
		expect(headers).toMatchObject({ 'retry-after': '7' });
		expect(headers['content-type']).toContain('application/json');
		expect(account.spent.apiCredits).toBe(0);
		expect(lastLogged()).toMatchObject({ status: 429, faults: ['status'], rows: 0 });
	});

	test('with a status is charged when told so', async () => {
		add({ kind: 'status', status: 504, charge: true });
		expect((await ask()).status).toBe(504);
		expect(account.spent.apiCredits).toBe(25);
		expect(lastLogged()).toMatchObject({ status: 504, rows: 25, charged: 25 });
	});

	test.each<[FaultAction, object, RegExp]>([
		[
			{ kind: 'status', status: 502, body: '<h1>Bad', contentType: 'text/html' },
			{ status: 502, headers: { 'content-type': 'text/html' } },
			/^<h1>Bad$/,
		],
		[
			{ kind: 'notJson' },
			{ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } },
			/<html>/,
		],
		[
			{ kind: 'status', status: 307, headers: { location: 'https://elsewhere.example' }, body: '' },
			{ status: 307, headers: { location: 'https://elsewhere.example' } },
			/^$/,
		],
		[{ kind: 'status', status: 200, body: 'null' }, { status: 200 }, /^null$/],
	])('%j', async (fault, expected, text) => {
		add(fault);
		const found = await askForText();
		expect(found).toMatchObject(expected);
		expect(found.text).toMatch(text);
	});

	test.each(byDefaultAndNot)(
		'with a wrong encoding (charge: %s) costs %i credits',
		async (charge, credits) => {
			add({ kind: 'wrongEncoding', charge });
			const { status, headers, text } = await askForText();
			expect(status).toBe(200);
			expect(headers['content-encoding']).toBe('gzip');
			expect(text.includes('"count":25')).toBe(credits > 0);
			expect(lastLogged()).toMatchObject({ status: 200, charged: credits });
		},
	);

	test.each(byDefaultAndNot)(
		'with huge headers (charge: %s) costs %i credits',
		async (charge, credits) => {
			add({ kind: 'hugeHeaders', charge, times: 2 });
			await expect(ask()).rejects.toMatchObject({ code: 'UND_ERR_HEADERS_OVERFLOW' });
			expect(account.spent.apiCredits).toBe(credits);
			const roomy = new Client(service.baseUrl, { maxHeaderSize: 65_536 });
			const headers = { 'content-type': 'application/json', ...bearer(account.apiKey) };
			const sent = { path: SEARCH_PATH, method: 'POST', headers, body: '{}' } as const;
			const answer = await roomy.request(sent);
			expect(answer.statusCode).toBe(200);
			expect(JSON.stringify(answer.headers).length).toBeGreaterThan(20_000);
			await answer.body.dump();
			await roomy.close();
		},
	);

	test('with as many bytes of JSON as wanted', async () => {
		add({ kind: 'huge', bytes: 1_000_003 });
		const { text } = await askForText();
		expect(text.length).toBe(1_000_003);
		expect(JSON.parse(text)).toMatchObject({ success: true });
	});

	test('without end', async () => {
		add({ kind: 'endless' });
		const { status, body } = await askRaw();
		let parts = 0;
		for await (const part of body) {
			expect(String(part).length).toBeGreaterThan(0);
			if (++parts === 5) break;
		}
		expect(status).toBe(200);
		await service.admin.idle();
		expect(lastLogged()?.status).toBeNull();
	});
});

describe('a fault that cuts the connection', () => {
	test.each([
		['loseBeforeAnswer', 0],
		['loseAfterAnswer', 25],
		['loseMidAnswer', 25],
	] as const)('%s costs %i credits', async (kind, credits) => {
		add({ kind });
		await expect(ask()).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
		await service.admin.idle();
		expect(account.spent.apiCredits).toBe(credits);
		const counted = { charged: credits, rows: credits };
		expect(lastLogged()).toMatchObject({
			status: null,
			faults: [kind],
			...counted,
		});
	});

	test('mid-answer lets half of it through', async () => {
		add({ kind: 'loseMidAnswer' });
		const { status, headers, body } = await askRaw();
		expect(status).toBe(200);
		let bytes = 0;
		const reading = async () => {
			for await (const part of body) bytes += (part as Buffer).length;
		};
		await expect(reading()).rejects.toThrow();
		expect(bytes).toBe(Math.floor(Number(headers['content-length']) / 2));
	});
});

describe('a fault that keeps the client waiting', () => {
	test.each([
		[false, 0],
		[true, 25],
	])('hangs (charge: %s) until the client leaves', async (charge, credits) => {
		add({ kind: 'hang', charge });
		const leaving = new AbortController();
		const answer = post(service.baseUrl + SEARCH_PATH, {}, bearer(account.apiKey), leaving.signal);
		answer.catch(() => undefined);
		await service.admin.whenRequest((r) => r.account === account.id);
		leaving.abort();
		await expect(answer).rejects.toThrow();
		await service.admin.idle();
		expect(lastLogged()).toMatchObject({ status: null, charged: credits });
		expect(account.spent.apiCredits).toBe(credits);
	});

	test('hangs until the service closes', async () => {
		const other = await startService();
		other.admin.addFault({ kind: 'hang' });
		const answer = search(other.baseUrl, 'sandbox-key-plenty');
		answer.catch(() => undefined);
		await other.admin.whenRequest((r) => r.faults.includes('hang'));
		await other.close();
		await expect(answer).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
	});

	test('answers late', async () => {
		add({ kind: 'latency', ms: 120 });
		const time = new EventEmitter();
		jest.mocked(sleep).mockReturnValueOnce(once(time, 'passed'));
		const answer = ask();
		await service.admin.whenRequest((r) => r.faults.length > 0 && r.account === account.id);
		expect(sleep).toHaveBeenLastCalledWith(120, undefined, expect.anything());
		expect(lastLogged()).toMatchObject({ status: null, charged: 0 });
		time.emit('passed');
		expect((await answer).status).toBe(200);
	});
});

describe('a fault that changes the answer', () => {
	test('lays fields over it, after charging', async () => {
		add({ kind: 'merge', merge: { next_page: 1, has_more: null } });
		const { body } = await ask();
		expect(body).toMatchObject({ next_page: 1, has_more: null, count: 25 });
		expect(account.spent.apiCredits).toBe(25);
	});

	test('leaves refusals alone', async () => {
		service.admin.setCredits(account.id, { apiCredits: 0 });
		add({ kind: 'merge', merge: { success: true } });
		expect(await ask()).toMatchObject({ status: 402, body: { success: false } });
	});

	test('and another that answers late work together', async () => {
		add({ kind: 'latency', ms: 1 });
		add({ kind: 'merge', merge: { a: 1 } });
		add({ kind: 'merge', merge: { b: 2 } });
		expect((await ask()).body).toMatchObject({ a: 1, b: 2 });
		expect(lastLogged()?.faults).toEqual(['latency', 'merge', 'merge']);
	});
});
