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
				typeof respond === 'function'
					? respond
					: async () => await Promise.resolve(open(respond)),
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

	test.each([
		['that was lost', 'ECONNRESET', { kind: 'lostResponse', timedOut: false }],
		['for which there was no connection', 'ECONNREFUSED', { kind: 'unreachable' }],
	])('%s is told by what n8n threw', async (_, code, failure) => {
		const send = async () => await Promise.reject(thrown(code));
		expect(await failureOf(send)).toEqual({ ...failure, code });
	});

	test('that n8n would not send is told in its words, in one line', async () => {
		const send = async () => await Promise.reject(new Error('Not an\nallowed host'));
		expect(await failureOf(send)).toEqual({ kind: 'notSent', text: 'Not an allowed host' });
	});

	test('that takes too long is lost, and may have been charged', async () => {
		const send = async () => {
			timeouts.get(TIMEOUT_MS)?.abort();
			return await Promise.reject(thrown('ERR_CANCELED'));
		};
		expect(await failureOf(send)).toEqual({ kind: 'lostResponse', timedOut: true });
	});

	test('that was on its way when the execution was cancelled says so', async () => {
		const cancel = new AbortController();
		const send = async () => {
			cancel.abort();
			return await Promise.reject(thrown('ERR_CANCELED'));
		};
		expect(await failureOf(send, { cancelSignal: cancel.signal })).toEqual({
			kind: 'cancelled',
			inFlight: true,
		});
	});
});

describe('The JSON of a success', () => {
	test.each<[string, unknown]>([
		['{"count": 1}', { count: 1 }],
		['[{"count": 1}]', [{ count: 1 }]],
		[' \r\n\t{"count": 1}\n', { count: 1 }],
	])('is parsed: %j', async (body, value) => {
		expect(await post({ body })).toEqual({ value });
	});

	test.each([200, 201, 299])('comes with any status of 2xx: %i', async (statusCode) => {
		expect(await post({ statusCode })).toEqual({ value: {} });
	});

	test('may come in any pieces, even such that cut a character', async () => {
		const bytes = Buffer.from('{"name": "Zoë 😀"}');
		const pieces = [...bytes].map((byte) => Buffer.from([byte]));
		expect(await post({ body: Readable.from(pieces) })).toEqual({ value: { name: 'Zoë 😀' } });
	});

	test('comes with what the service tells about its rate limit', async () => {
		const headers = { 'ratelimit-remaining': '3', 'ratelimit-reset': String(NOW / 1000 + 7) };
		const quota = { remaining: 3, resetMs: 7_000 };
		expect(await post({ headers })).toEqual({ value: {}, quota });
		expect(await post({ headers, statusCode: 500 })).toMatchObject({ quota });
	});

	test.each(['', 'OK', '"text"', '7', '<html>{}</html>'])(
		'is no %j, which is not what a lead service says',
		async (body) => {
			expect(await failureOf({ body, statusCode: 201 })).toEqual({
				kind: 'notTheService',
				status: 201,
			});
		},
	);

	test('that is broken can not be read', async () => {
		expect(await failureOf({ body: '{"preview_data": [' })).toEqual({
			kind: 'unreadable',
			status: 200,
		});
	});
});

describe('A body on its way', () => {
	test('of more than 100 MB is read no further', async () => {
		const body = new PassThrough();
		body.write(Buffer.alloc(60_000_000));
		body.write(Buffer.alloc(40_000_001));
		body.end('{}');
		expect(await failureOf({ body })).toEqual({
			kind: 'unreadable',
			status: 200,
			tooLarge: true,
		});
		expect(body.destroyed).toBe(true);
	});

	test('that ends early is lost, whether it ends now or has ended before it is read', async () => {
		const body = new PassThrough();
		const outcome = failureOf({ body });
		body.write('{"preview_data": [');
		await handled();
		body.destroy();
		expect(await outcome).toEqual({ kind: 'lostResponse' });

		const ended = new PassThrough().destroy();
		await handled();
		expect(await failureOf({ body: ended })).toEqual({ kind: 'lostResponse' });
	});

	test.each([
		['is lost', 'ECONNRESET', { kind: 'lostResponse' }],
		['can not be read', 'Z_DATA_ERROR', { kind: 'unreadable', status: 200 }],
	])('that fails %s with %s', async (_, code, failure) => {
		const body = new PassThrough();
		const outcome = failureOf({ body });
		await handled();
		body.destroy(thrown(code));
		expect(await outcome).toEqual(failure);
	});

	test('that takes too long is lost, and given up', async () => {
		const body = new PassThrough();
		const outcome = failureOf({ body });
		await handled();
		timeouts.get(TIMEOUT_MS)?.abort();
		expect(await outcome).toEqual({ kind: 'lostResponse', timedOut: true });
		expect(body.destroyed).toBe(true);
	});

	test('of a success has as long as the whole request', async () => {
		await post({});
		expect([...timeouts.keys()]).toEqual([TIMEOUT_MS]);
	});

	test.each([
		['before', 200],
		['while', 200],
		['while', 402],
	])(
		'is given up when the execution is cancelled %s it is read, with status %i',
		async (when, statusCode) => {
			const cancel = new AbortController();
			const body = new PassThrough();
			const send = async () => {
				if (when === 'before') cancel.abort();
				return await Promise.resolve(open({ body, statusCode }));
			};
			const outcome = failureOf(send, { cancelSignal: cancel.signal });
			await handled();
			cancel.abort();
			expect(await outcome).toEqual({ kind: 'cancelled', inFlight: true });
			expect(body.destroyed).toBe(true);
		},
	);

	test('leaves nothing on the signal of an execution that sends thousands', async () => {
		const { signal: cancelSignal } = new AbortController();
		await post({}, { cancelSignal });
		await post({ body: new PassThrough().destroy() }, { cancelSignal });
		expect(getEventListeners(cancelSignal, 'abort')).toEqual([]);
	});
});

describe('A status that is no success', () => {
	test.each([
		[300, 'notTheService'],
		[401, 'unauthorized'],
		[402, 'noCredits'],
		[503, 'upstreamDown'],
	])('%i is a failure, whatever the body holds', async (statusCode, kind) => {
		expect(await failureOf({ statusCode, body: '{"preview_data": []}' })).toMatchObject({
			kind,
			status: statusCode,
		});
	});

	test("comes with the service's words in one line", async () => {
		const body = '{"message": "No such\\nfilter"}';
		expect(await failureOf({ statusCode: 422, body })).toEqual({
			kind: 'refused',
			status: 422,
			text: 'No such filter',
		});
	});

	test('comes with how long to wait from now', async () => {
		const headers = { 'retry-after': new Date(NOW + 9_000).toUTCString() };
		expect(await failureOf({ statusCode: 429, headers })).toMatchObject({
			retryAfterMs: 9_000,
		});
	});

	test('comes with where a redirect points, in one line', async () => {
		const headers = { location: 'https://other.example/\u0007login' };
		expect(await failureOf({ statusCode: 302, headers })).toEqual({
			kind: 'notTheService',
			status: 302,
			location: 'https://other.example/ login',
		});
	});

	test('says enough where its body is lost, too large or not readable', async () => {
		const noCredits = { kind: 'noCredits', status: 402 };
		for (const code of ['ECONNRESET', 'Z_DATA_ERROR']) {
			const body = new PassThrough();
			const outcome = failureOf({ statusCode: 402, body });
			await handled();
			body.destroy(thrown(code));
			expect(await outcome).toEqual(noCredits);
		}
		const body = Readable.from([Buffer.alloc(100_000_001)]);
		expect(await failureOf({ statusCode: 402, body })).toEqual(noCredits);
	});

	test('says enough where its body takes more than five seconds', async () => {
		const outcome = failureOf({ statusCode: 402, body: new PassThrough() });
		await handled();
		timeouts.get(5_000)?.abort();
		expect(await outcome).toEqual({ kind: 'noCredits', status: 402 });
	});
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
