/** Tests one request and its response. n8n's request helper and the body are replaced. */
import { getEventListeners } from 'node:events';
import { PassThrough, Readable } from 'node:stream';

import { requestPage } from '../../nodes/LeadSearch/api/request';
import type { OpenResponse } from '../../nodes/LeadSearch/api/network';
import type { Connection, Send } from '../../nodes/LeadSearch/api/request';

const BASE_URL = 'https://leads.example.com';
const SECRET = 'sk_live_123456';

/** Replaces the timeout of the request, because no time passes in the test. */
let timeout: AbortController;

beforeEach(() => {
	timeout = new AbortController();
	jest.spyOn(AbortSignal, 'timeout').mockReturnValue(timeout.signal);
});

afterEach(() => {
	jest.restoreAllMocks();
});

interface Response {
	statusCode?: number;
	headers?: Record<string, unknown>;
	/** The whole body, or a stream. */
	body?: string | Readable;
}

async function open({ statusCode = 200, headers = {}, body = '[]' }: Response) {
	const stream = typeof body === 'string' ? Readable.from([Buffer.from(body)]) : body;
	return await Promise.resolve<OpenResponse>({ statusCode, headers, body: stream });
}

/** `requestedRows` determines the size limit of the response. */
type More = Partial<Connection> & { requestedRows?: number };

async function post(respond: Response | Send, { requestedRows = 25, ...connection }: More = {}) {
	const send: Send = typeof respond === 'function' ? respond : async () => await open(respond);
	const all = { send, timeoutMs: 60_000, secrets: [SECRET], ...connection };
	const outcome = await requestPage(all, BASE_URL, 'search', { _page: 1 }, requestedRows);
	return 'failure' in outcome ? outcome.failure : outcome.value.rows;
}

const thrown = (code: string) => Object.assign(new Error('It failed'), { code });

const waitForEvents = async () => {
	await new Promise<void>((resolve) => {
		setImmediate(resolve);
	});
};

const lost = { kind: 'lostResponse' };
const timedOut = { ...lost, code: 'ETIMEDOUT' };
const cancelled = { kind: 'cancelled', mayBeCharged: true };

test('a request is not sent if the execution is cancelled already, so it is not charged', async () => {
	const send = jest.fn(async () => await open({}));
	expect(await post(send, { abandonSignal: AbortSignal.abort() })).toEqual({ kind: 'cancelled' });
	expect(send).not.toHaveBeenCalled();
});

const bytes = Buffer.from('[{"a": "Zoë 😀"}]');
test.each<[number, string | Readable, unknown]>([
	[299, ' \r\n\t[{"a": 1}]\n', [{ a: 1 }]],
	// Chunks can divide a character.
	[200, Readable.from(Array.from(bytes, (byte) => Buffer.from([byte]))), [{ a: 'Zoë 😀' }]],
	[201, '"text"', { kind: 'notTheService', status: 201 }],
	[200, '{"preview_data": [', { kind: 'unreadable', status: 200 }],
])(
	'a response with status %i and the body %j is read as %j',
	async (statusCode, body, expected) => {
		expect(await post({ statusCode, body })).toEqual(expected);
	},
);

describe('The body of a response', () => {
	const noCredits = { kind: 'noCredits', status: 402 };

	// The failure of a status that isn't a success is known without the body.
	test.each<[number, string, object, Error?]>([
		[200, 'ends early', lost],
		[200, 'takes too long', timedOut],
		[200, 'is cancelled', cancelled],
		[402, 'is lost', noCredits, thrown('ECONNRESET')],
		[402, 'takes too long', noCredits],
		[402, 'is cancelled', cancelled],
	])(
		'a response with status %i whose body %s is the failure %j',
		async (statusCode, how, failure, ...[error]) => {
			const cancel = new AbortController();
			const body = new PassThrough();
			const outcome = post({ statusCode, body }, { abandonSignal: cancel.signal });
			body.write('{"preview_data": [');
			await waitForEvents();
			if (how === 'takes too long') timeout.abort();
			else if (how === 'is cancelled') cancel.abort();
			else body.destroy(error);
			expect(await outcome).toEqual(failure);
			expect(body.destroyed).toBe(true);
			expect(getEventListeners(cancel.signal, 'abort')).toEqual([]);
		},
	);

	test.each<[requestedRows: number, maxBytes: number]>([
		[25, 5_000_000],
		[500, 25_000_000],
		[2_000, 50_000_000],
	])(
		'a body for %i rows is read up to %i bytes, and a larger body is a failure',
		async (requestedRows, maxBytes) => {
			const largest = `[{"a":"${'x'.repeat(maxBytes - 10)}"}]`;
			expect(await post({ body: largest }, { requestedRows })).toHaveLength(1);
			const failure = { kind: 'tooLarge', status: 200, text: `${maxBytes / 1_000_000} MB` };
			expect(await post({ body: `${largest} ` }, { requestedRows })).toEqual(failure);
		},
	);

	test('the body of an error is read up to 100 kB, and its message is found in that part', async () => {
		const body = new PassThrough();
		body.write(`No credits. ${' '.repeat(70_000)}`);
		body.write(' '.repeat(30_000));
		const failure = { kind: 'noCredits', status: 402, text: 'No credits.' };
		expect(await post({ statusCode: 402, body })).toEqual(failure);
		expect(body.destroyed).toBe(true);
	});
});

describe('Secrets', () => {
	const message = { message: `The key ${SECRET} is wrong` };
	const redacted = 'The key *** is wrong';
	const responseSaying = (statusCode: number, body: object): Response => ({
		statusCode,
		body: JSON.stringify(body),
	});
	const long = 'x'.repeat(295);
	const throwing = async () => await Promise.reject(new Error(`Bearer ${SECRET} is no header`));
	test.each<[string, Response | Send, unknown]>([
		[
			'the message of a 200',
			responseSaying(200, { success: false, ...message }),
			{ text: redacted },
		],
		['the message of a 401', responseSaying(401, message), { text: redacted }],
		["the text of n8n's error", throwing, { text: 'Bearer *** is no header' }],
		[
			'a truncated message',
			responseSaying(500, { message: long + SECRET }),
			{ text: `${long}***` },
		],
	])('a secret never appears in %s', async (_, respond, expected) => {
		expect(await post(respond)).toMatchObject(expected as object);
	});
});
