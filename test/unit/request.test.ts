/** One request and its response, with a helper of n8n and a body that are in the test's hands. */
import { getEventListeners } from 'node:events';
import { PassThrough, Readable } from 'node:stream';

import type { IHttpRequestOptions } from 'n8n-workflow';

import {
	requestPage,
	type Connection,
	type OpenResponse,
} from '../../nodes/LeadSearch/api/request';

const BASE_URL = 'https://leads.example.com';
const SECRET = 'sk_live_123456';
const TIMEOUT_MS = 60_000;
const NOW = 2_000_000_000_000;

/** The timeout of the request, since no time passes. */
let timeout: AbortController;

beforeEach(() => {
	timeout = new AbortController();
	jest.spyOn(Date, 'now').mockReturnValue(NOW);
	jest.spyOn(AbortSignal, 'timeout').mockReturnValue(timeout.signal);
});

afterEach(() => {
	jest.restoreAllMocks();
});

interface Response {
	statusCode?: number;
	headers?: Record<string, unknown>;
	/** The whole body, or a body on its way. */
	body?: string | Readable;
}

function open({ statusCode = 200, headers = {}, body = '[]' }: Response): OpenResponse {
	const stream = typeof body === 'string' ? Readable.from([Buffer.from(body)]) : body;
	return { statusCode, headers, body: stream };
}

/** Requests a page of a service that responds so, or does something else. */
async function post(
	respond: Response | ((request: IHttpRequestOptions) => Promise<OpenResponse>),
	connection: Partial<Connection> = {},
) {
	return await requestPage(
		{
			send:
				typeof respond === 'function' ? respond : async () => await Promise.resolve(open(respond)),
			timeoutMs: TIMEOUT_MS,
			secrets: [SECRET],
			...connection,
		},
		BASE_URL,
		'search',
		{ _page: 1 },
	);
}

async function failureOf(...args: Parameters<typeof post>) {
	const outcome = await post(...args);
	return 'failure' in outcome ? outcome.failure : outcome;
}

async function rowsOf(...args: Parameters<typeof post>) {
	const outcome = await post(...args);
	return 'value' in outcome ? outcome.value.rows : outcome;
}

/** An error as Node throws it. */
const thrown = (code: string) => Object.assign(new Error('It failed'), { code });

/** Lets what has been sent or has come be handled. */
const handled = async () => {
	await new Promise<void>((resolve) => {
		setImmediate(resolve);
	});
};

describe('A request', () => {
	test('carries the JSON body to the address, and neither follows redirects nor throws statuses', async () => {
		const send = jest.fn(async () => await Promise.resolve(open({})));
		await post(send);
		expect(send).toHaveBeenCalledTimes(1);
		expect(send).toHaveBeenCalledWith({
			method: 'POST',
			url: `${BASE_URL}/api/public/search`,
			body: { _page: 1 },
			headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
			encoding: 'stream',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			timeout: TIMEOUT_MS,
		});
	});

	test('is not sent once the execution is cancelled, so nothing was on its way', async () => {
		const send = jest.fn(async () => await Promise.resolve(open({})));
		const cancelSignal = AbortSignal.abort();
		expect(await failureOf(send, { cancelSignal })).toEqual({ kind: 'cancelled' });
		expect(send).not.toHaveBeenCalled();
	});

	test('that fails is told by what n8n threw, in one line', async () => {
		const failing = (error: Error) => failureOf(async () => await Promise.reject(error), {});
		const code = 'ECONNREFUSED';
		expect(await failing(thrown(code))).toEqual({ kind: 'unreachable', code });
		expect(await failing(new Error('Not an\nallowed host'))).toEqual({
			kind: 'notSent',
			text: 'Not an allowed host',
		});
	});

	test.each([
		['that takes too long is lost, and may have been charged', true, false],
		['that was on its way when the execution was cancelled says so', false, true],
	])('%s', async (_, isLate, isCancelled) => {
		const cancel = new AbortController();
		const send = async () => {
			if (isLate) timeout.abort();
			if (isCancelled) cancel.abort();
			return await Promise.reject(thrown('ERR_CANCELED'));
		};
		expect(await failureOf(send, { cancelSignal: cancel.signal })).toEqual(
			isLate
				? { kind: 'lostResponse', code: 'ETIMEDOUT' }
				: { kind: 'cancelled', mayBeCharged: true },
		);
	});
});

describe('The JSON of a success', () => {
	test.each<[number, string]>([
		[200, '{"preview_data": [{"a": 1}]}'],
		[201, '[{"a": 1}]'],
		[299, ' \r\n\t[{"a": 1}]\n'],
	])('is read, with any status of 2xx: %i %j', async (statusCode, body) => {
		expect(await rowsOf({ statusCode, body })).toEqual([{ a: 1 }]);
	});

	test('may come in any pieces, even such that cut a character', async () => {
		const bytes = Buffer.from('[{"name": "Zoë 😀"}]');
		const pieces = [...bytes].map((byte) => Buffer.from([byte]));
		expect(await rowsOf({ body: Readable.from(pieces) })).toEqual([{ name: 'Zoë 😀' }]);
	});

	test('loses keys that reach into a prototype, at any depth', async () => {
		const body = '[{"a": {"__proto__": {"admin": true}, "b": 1}, "__proto__": {"admin": true}}]';
		expect(JSON.stringify(await rowsOf({ body }))).toBe('[{"a":{"b":1}}]');
	});

	test.each([
		...['', 'OK', '"text"', '7', '<html>{}</html>'].map((one) => [one, 'notTheService']),
		['{"preview_data": [', 'unreadable'],
	])('is none: %j is %s', async (body = '', kind) => {
		expect(await failureOf({ body, statusCode: 201 })).toEqual({ kind, status: 201 });
	});
});

describe('A body on its way', () => {
	/** A body of a response, and what ends it. */
	const begin = () => {
		const cancel = new AbortController();
		const body = new PassThrough();
		const ends = {
			'ends early': () => body.destroy(),
			'is lost': () => body.destroy(thrown('ECONNRESET')),
			'can not be decoded': () => body.destroy(thrown('Z_DATA_ERROR')),
			'takes too long': () => {
				timeout.abort();
			},
			'is cancelled': () => {
				cancel.abort();
			},
		};
		return { body, cancelSignal: cancel.signal, ends };
	};
	const lost = { kind: 'lostResponse' };
	const noCredits = { kind: 'noCredits', status: 402 };
	const cancelled = { kind: 'cancelled', mayBeCharged: true };

	// A status that is no success says enough without its body.
	test.each([
		[200, 'ends early', lost],
		[200, 'is lost', lost],
		[200, 'can not be decoded', { kind: 'unreadable', status: 200, code: 'Z_DATA_ERROR' }],
		[200, 'takes too long', { ...lost, code: 'ETIMEDOUT' }],
		[200, 'is cancelled', cancelled],
		[402, 'ends early', noCredits],
		[402, 'is lost', noCredits],
		[402, 'can not be decoded', noCredits],
		[402, 'takes too long', noCredits],
		[402, 'is cancelled', cancelled],
	] as const)('of status %i that %s', async (statusCode, how, failure) => {
		const { body, cancelSignal, ends } = begin();
		const outcome = failureOf({ statusCode, body }, { cancelSignal });
		body.write('{"preview_data": [');
		await handled();
		ends[how]();
		expect(await outcome).toEqual(failure);
		expect(body.destroyed).toBe(true);
		expect(getEventListeners(cancelSignal, 'abort')).toEqual([]);
	});

	test.each([
		[200, { kind: 'tooLarge', status: 200 }],
		[402, noCredits],
	])('of status %i and more than 100 MB is read no further', async (statusCode, failure) => {
		const body = new PassThrough();
		body.write(Buffer.alloc(60_000_000));
		body.write(Buffer.alloc(40_000_001));
		body.end('{}');
		expect(await failureOf({ statusCode, body })).toEqual(failure);
		expect(body.destroyed).toBe(true);
	});

	test('that has ended, or is cancelled, before it is read', async () => {
		const ended = new PassThrough().destroy();
		await handled();
		expect(await failureOf({ body: ended })).toEqual(lost);
		const { body, cancelSignal, ends } = begin();
		const send = async () => {
			ends['is cancelled']();
			return await Promise.resolve(open({ body }));
		};
		expect(await failureOf(send, { cancelSignal })).toEqual(cancelled);
		expect(body.destroyed).toBe(true);
	});
});

describe('A status that is no success', () => {
	const body = '{"preview_data": [], "message": "No such\\nfilter"}';
	const text = 'No such filter';
	const waits = { 'retry-after': new Date(NOW + 9_000).toUTCString() };
	const points = { location: 'https://other.example/\u0007login' };

	test.each<[number, Record<string, string>, object]>([
		[300, {}, { kind: 'notTheService' }],
		[302, points, { kind: 'notTheService', text: 'https://other.example/ login' }],
		[401, {}, { kind: 'unauthorized', text }],
		[402, {}, { kind: 'noCredits', text }],
		[422, {}, { kind: 'refused', text }],
		[429, waits, { kind: 'tooManyRequests', text, retryAfterMs: 9_000 }],
		[503, {}, { kind: 'upstreamDown', text }],
	])(
		'%i is a failure, with what the service says in one line',
		async (status, headers, failure) => {
			expect(await failureOf({ statusCode: status, headers, body })).toEqual({
				status,
				...failure,
			});
		},
	);
});

describe('Secrets never appear', () => {
	test('in a response, a message, an address, or what n8n throws', async () => {
		const said = { message: `The key ${SECRET} is wrong` };
		const told = 'The key *** is wrong';
		expect(await rowsOf({ body: JSON.stringify([{ in: [said] }]) })).toEqual([
			{ in: [{ message: told }] },
		]);
		for (const statusCode of [200, 401]) {
			const body = JSON.stringify({ success: false, ...said });
			expect(await failureOf({ statusCode, body })).toMatchObject({ text: told });
		}
		const headers = { location: `https://other.example/?key=${SECRET}` };
		expect(await failureOf({ statusCode: 302, headers })).toMatchObject({
			text: 'https://other.example/?key=***',
		});
		const send = async () => await Promise.reject(new Error(`Bearer ${SECRET} is no header`));
		expect(await failureOf(send)).toMatchObject({ text: 'Bearer *** is no header' });
	});

	test('however JSON spells them; what else looks like one stays', async () => {
		const rows = [{ note: 'xkey/12345678y', '12345678': 12345678 }];
		const json = JSON.stringify(rows);
		const escapes = ['/', '\\/', '\\u002F', '\\u002f'];
		for (const body of escapes.map((slash) => json.replaceAll('/', slash))) {
			const found = await rowsOf({ body }, { secrets: ['key/12345678'] });
			expect(found).toEqual([{ ...rows[0], note: 'x***y' }]);
		}
		expect(await rowsOf({ body: json }, { secrets: ['12345678'] })).toEqual([
			{ note: 'xkey/***y', '12345678': 12345678 },
		]);
	});

	test('in part, where a long text is cut', async () => {
		const body = JSON.stringify({ message: `${'x'.repeat(295)}${SECRET}` });
		expect(await failureOf({ statusCode: 500, body })).toMatchObject({
			text: `${'x'.repeat(295)}***`,
		});
	});
});
