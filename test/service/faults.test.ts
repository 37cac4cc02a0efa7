import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, request } from 'undici';
import {
	SEARCH_PATH,
	startService,
	type Account,
	type FaultAction,
	type SearchRequest,
} from '../../sandbox/service';
import { bearer, post, search, useService } from './client';

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

const add = (fault: FaultAction) => service.admin.addFault({ account: account.apiKey, ...fault });
const ask = (body: SearchRequest = {}) => search(service.baseUrl, account.apiKey, body);
const lastLogged = () => service.admin.requests({ account: account.id }).at(-1);

/** The answer as text, for bodies that are no JSON. */
async function askForText() {
	const answer = await request(service.baseUrl + SEARCH_PATH, {
		method: 'POST',
		headers: { 'content-type': 'application/json', ...bearer(account.apiKey) },
		body: '{}',
	});
	const { statusCode: status, headers } = answer;
	return { status, headers, text: await answer.body.text() };
}

describe('a fault that answers', () => {
	test('with a status sends its headers and body and charges nothing', async () => {
		add({ kind: 'status', status: 429, headers: { 'retry-after': '7' }, body: { wait: true } });
		const { status, headers, text } = await askForText();
		expect({ status, text }).toEqual({ status: 429, text: '{"wait":true}' });
		expect(headers).toMatchObject({ 'retry-after': '7' });
		expect(headers['content-type']).toContain('application/json');
		expect(account.spent.apiCredits).toBe(0);
		expect(lastLogged()).toMatchObject({ status: 429, faults: ['status'], rows: 0 });
		expect((await ask()).status).toBe(200);
	});

	test('with a status sends text as another type, too', async () => {
		add({ kind: 'status', status: 502, body: '<h1>Bad', contentType: 'text/html' });
		const { status, headers, text } = await askForText();
		expect({ status, text }).toEqual({ status: 502, text: '<h1>Bad' });
		expect(headers['content-type']).toContain('text/html');
	});

	test('with a status is charged when told so', async () => {
		add({ kind: 'status', status: 504, charge: true });
		expect((await ask()).status).toBe(504);
		expect(account.spent.apiCredits).toBe(25);
		expect(lastLogged()).toMatchObject({ status: 504, rows: 25, charged: 25 });
	});

	test.each([
		[undefined, 25],
		[false, 0],
	])('with a wrong encoding (charge: %s) costs %i credits', async (charge, credits) => {
		add({ kind: 'wrongEncoding', charge });
		const { status, headers, text } = await askForText();
		expect(status).toBe(200);
		expect(headers['content-encoding']).toBe('gzip');
		expect(text.startsWith('{')).toBe(true);
		expect(Object.keys(JSON.parse(text) as object).includes('count')).toBe(credits > 0);
		expect(account.spent.apiCredits).toBe(credits);
		expect(lastLogged()).toMatchObject({ status: 200, charged: credits });
	});

	test.each([
		[undefined, 25],
		[false, 0],
	])('with huge headers (charge: %s) costs %i credits', async (charge, credits) => {
		add({ kind: 'hugeHeaders', charge });
		await expect(ask()).rejects.toMatchObject({ code: 'UND_ERR_HEADERS_OVERFLOW' });
		expect(account.spent.apiCredits).toBe(credits);
		const roomy = new Client(service.baseUrl, { maxHeaderSize: 65_536 });
		add({ kind: 'hugeHeaders', charge });
		const answer = await roomy.request({
			path: SEARCH_PATH,
			method: 'POST',
			headers: { 'content-type': 'application/json', ...bearer(account.apiKey) },
			body: '{}',
		});
		expect(answer.statusCode).toBe(200);
		expect(JSON.stringify(answer.headers).length).toBeGreaterThan(20_000);
		await answer.body.dump();
		await roomy.close();
	});

	test('with HTML', async () => {
		add({ kind: 'notJson' });
		const { status, text } = await askForText();
		expect(status).toBe(200);
		expect(text).toContain('<html>');
	});

	test('with half of the JSON charges for it', async () => {
		add({ kind: 'truncatedJson' });
		const { status, text } = await askForText();
		expect(status).toBe(200);
		expect(text.startsWith('{"success":true')).toBe(true);
		expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
		expect(account.spent.apiCredits).toBe(25);
	});

	test('with a redirect', async () => {
		add({ kind: 'redirect', location: 'https://elsewhere.example/api', status: 307 });
		expect(await askForText()).toMatchObject({
			status: 307,
			headers: { location: 'https://elsewhere.example/api' },
		});
	});

	test('with any body', async () => {
		add({ kind: 'raw', body: 'null', charge: true });
		expect((await askForText()).text).toBe('null');
		expect(account.spent.apiCredits).toBe(25);
	});

	test('with as many bytes of JSON as wanted', async () => {
		add({ kind: 'huge', bytes: 1_000_003 });
		const { text } = await askForText();
		expect(text).toHaveLength(1_000_003);
		expect(JSON.parse(text)).toMatchObject({ success: true });
	});

	test('without end', async () => {
		add({ kind: 'endless' });
		const { statusCode, body } = await request(service.baseUrl + SEARCH_PATH, {
			method: 'POST',
			headers: bearer(account.apiKey),
		});
		let parts = 0;
		for await (const part of body) {
			expect(String(part).length).toBeGreaterThan(0);
			if (++parts === 5) break;
		}
		expect(statusCode).toBe(200);
		const gone = await service.admin.whenRequest((r) => r.account === account.id && r.aborted);
		expect(gone.status).toBeNull();
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
		expect(lastLogged()).toMatchObject({
			status: null,
			aborted: false,
			charged: credits,
			rows: credits,
			faults: [kind],
		});
	});

	test('mid-answer lets half of it through', async () => {
		add({ kind: 'loseMidAnswer' });
		const { statusCode, headers, body } = await request(service.baseUrl + SEARCH_PATH, {
			method: 'POST',
			headers: { 'content-type': 'application/json', ...bearer(account.apiKey) },
			body: '{}',
		});
		expect(statusCode).toBe(200);
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
		expect(lastLogged()).toMatchObject({ aborted: true, status: null, charged: credits });
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
		await service.admin.whenRequest((r) => r.account === account.id);
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
