/** One request and its response, with a helper of n8n and a body that are in the test's hands. */
import { getEventListeners } from 'node:events';
import { PassThrough, Readable } from 'node:stream';

import type { IHttpRequestOptions } from 'n8n-workflow';

import { postJson, type Connection, type OpenResponse } from '../../nodes/LeadSearch/api/request';

const URL_OF_SEARCH = 'https://leads.example.com/api/public/search';
const SECRET = 'sk_live_123456';
const TIMEOUT_MS = 60_000;
const NOW = 2_000_000_000_000;

/** The signals of AbortSignal.timeout by their milliseconds, since no time passes. */
const timeouts = new Map<number, AbortController>();

beforeEach(() => {
	timeouts.clear();
	jest.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
		const timeout = new AbortController();
		timeouts.set(milliseconds, timeout);
		return timeout.signal;
	});
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

function open({ statusCode = 200, headers = {}, body = '{}' }: Response): OpenResponse {
	const stream = typeof body === 'string' ? Readable.from([Buffer.from(body)]) : body;
	return { statusCode, headers, body: stream };
}

/** Posts to a service that responds so, or does something else. */
async function post(
	respond: Response | ((request: IHttpRequestOptions) => Promise<OpenResponse>),
	connection: Partial<Connection> = {},
) {
	return await postJson(
		{
			send:
				typeof respond === 'function' ? respond : async () => await Promise.resolve(open(respond)),
			timeoutMs: TIMEOUT_MS,
			secrets: [SECRET],
			now: () => NOW,
			...connection,
		},
		URL_OF_SEARCH,
		{ _page: 1 },
	);
}

async function failureOf(...args: Parameters<typeof post>) {
	const outcome = await post(...args);
	return 'failure' in outcome ? outcome.failure : outcome;
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
			url: URL_OF_SEARCH,
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
			if (isLate) timeouts.get(TIMEOUT_MS)?.abort();
			if (isCancelled) cancel.abort();
			return await Promise.reject(thrown('ERR_CANCELED'));
		};
		expect(await failureOf(send, { cancelSignal: cancel.signal })).toEqual(
			isLate ? { kind: 'lostResponse', timedOut: true } : { kind: 'cancelled', inFlight: true },
		);
	});
});

describe('The JSON of a success', () => {
	test.each<[number, string, unknown]>([
		[200, '{"count": 1}', { count: 1 }],
		[201, '[{"count": 1}]', [{ count: 1 }]],
		[299, ' \r\n\t{"count": 1}\n', { count: 1 }],
	])('is parsed, with any status of 2xx: %i %j', async (statusCode, body, value) => {
		expect(await post({ statusCode, body })).toEqual({ value });
	});

	test('may come in any pieces, even such that cut a character', async () => {
		const bytes = Buffer.from('{"name": "Zoë 😀"}');
		const pieces = [...bytes].map((byte) => Buffer.from([byte]));
		expect(await post({ body: Readable.from(pieces) })).toEqual({ value: { name: 'Zoë 😀' } });
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
			'takes too long': () => timeouts.get(TIMEOUT_MS)?.abort(),
			'takes more than five seconds': () => timeouts.get(5_000)?.abort(),
			'is cancelled': () => {
				cancel.abort();
			},
		};
		return { body, cancelSignal: cancel.signal, ends };
	};
	const lost = { kind: 'lostResponse' };
	const noCredits = { kind: 'noCredits', status: 402 };
	const cancelled = { kind: 'cancelled', inFlight: true };

	// A status that is no success says enough without its body.
	test.each([
		[200, 'ends early', lost],
		[200, 'is lost', lost],
		[200, 'can not be decoded', { kind: 'unreadable', status: 200 }],
		[200, 'takes too long', { ...lost, timedOut: true }],
		[200, 'is cancelled', cancelled],
		[402, 'ends early', noCredits],
		[402, 'is lost', noCredits],
		[402, 'can not be decoded', noCredits],
		[402, 'takes more than five seconds', noCredits],
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
		[200, { kind: 'unreadable', status: 200, tooLarge: true }],
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

	test('of a success has as long as the whole request', async () => {
		await post({});
		expect([...timeouts.keys()]).toEqual([TIMEOUT_MS]);
	});
});

describe('A status that is no success', () => {
	const body = '{"preview_data": [], "message": "No such\\nfilter"}';
	const text = 'No such filter';
	const waits = { 'retry-after': new Date(NOW + 9_000).toUTCString() };
	const points = { location: 'https://other.example/\u0007login' };

	test.each<[number, Record<string, string>, object]>([
		[300, {}, { kind: 'notTheService' }],
		[302, points, { kind: 'notTheService', location: 'https://other.example/ login' }],
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
		const said = JSON.stringify({ message: `The key ${SECRET} is wrong` });
		expect(await post({ body: said })).toEqual({ value: { message: 'The key *** is wrong' } });
		expect(await failureOf({ statusCode: 401, body: said })).toMatchObject({
			text: 'The key *** is wrong',
		});
		const headers = { location: `https://other.example/?key=${SECRET}` };
		expect(await failureOf({ statusCode: 302, headers })).toMatchObject({
			location: 'https://other.example/?key=***',
		});
		const send = async () => await Promise.reject(new Error(`Bearer ${SECRET} is no header`));
		expect(await failureOf(send)).toMatchObject({ text: 'Bearer *** is no header' });
	});
});
