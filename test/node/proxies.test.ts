/**
 * Tests proxies that don't open a connection to the service. Whatever a proxy answers to CONNECT, no request was sent, so
 * it is free, is retried, and leaves the page size as it is.
 */
import { once } from 'node:events';
import { createServer as createHttpsServer } from 'node:https';
import { createServer, request as httpRequest } from 'node:http';
import { runInThisContext } from 'node:vm';

import { RequestError, Server, type PrepareRequestFunction } from 'proxy-chain';
import { generate } from 'selfsigned';

import { continueOnError, first, useService } from './useService';

const shared = useService();
const HOST = 'leads.example';
const baseUrl = `https://${HOST}`;

/** n8n-core reads the environment of the process. Jest gives tests a copy of it. */
const { env } = runInThisContext('process') as NodeJS.Process;

/** What the proxy does with a CONNECT. 'deaf': it connects to a server that never answers. */
type Answer = 'silence' | 'close' | 'deaf' | number | undefined;
/** The answers to the next CONNECTs. If there is none, the proxy connects to the service. */
let answers: Answer[] = [];
let connects = 0;
let close: () => Promise<unknown>;

beforeAll(async () => {
	const { cert, private: key } = await generate([{ name: 'commonName', value: HOST }], {
		keyType: 'ec',
		algorithm: 'sha256',
		extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: HOST }] }],
	});
	const front = createHttpsServer({ cert, key }, (incoming, outgoing) => {
		const { method, url = '', headers } = incoming;
		const forwarded = httpRequest(shared.service.baseUrl + url, { method, headers }, (response) => {
			outgoing.writeHead(response.statusCode ?? 500, response.headers);
			response.pipe(outgoing);
		});
		forwarded.on('error', () => incoming.socket.destroy());
		incoming.pipe(forwarded);
	}).listen(0, '127.0.0.1');
	await once(front, 'listening');
	const deaf = createServer().removeAllListeners('connection');
	const prepareRequestFunction: PrepareRequestFunction = async ({ request }) => {
		connects += 1;
		const answer = answers.shift();
		if (answer === 'silence') await once(request.socket, 'close');
		if (answer === 'close') request.socket.destroy();
		if (typeof answer === 'number') throw new RequestError('Not now', answer);
		// Only its event "connection" is used, which a server of either kind has.
		return { customConnectServer: answer === 'deaf' ? deaf : front };
	};
	const proxy = new Server({ host: '127.0.0.1', port: 0, prepareRequestFunction });
	await proxy.listen();
	env.HTTPS_PROXY = `http://127.0.0.1:${proxy.port}`;
	env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
	close = async () => {
		await proxy.close(true);
		await once(front.close(), 'close');
	};
});

beforeEach(() => {
	answers = [];
	connects = 0;
});

afterAll(async () => {
	delete env.HTTPS_PROXY;
	delete env.NODE_TLS_REJECT_UNAUTHORIZED;
	await close();
});

const run = { credential: { baseUrl }, ...continueOnError };

test.each<[string, Answer]>([
	['closes the connection', 'close'],
	['does not answer within the timeout', 'silence'],
	['connects it to a server that does not set up TLS', 'deaf'],
	...[201, 402, 504].map((status): [string, Answer] => [`answers with ${status}`, status]),
])(
	'a search whose third CONNECT gets a proxy that %s returns all leads in pages of 100 for one credit each',
	async (_, answer) => {
		const { search } = shared.customer();
		answers = [undefined, undefined, answer];
		const options = { timeout: typeof answer === 'number' ? 300 : 2 };
		const result = await search({ limit: 500, maxCredits: 500, options }, run);
		expect(result).toMatchObject({ urls: first(500), spent: 500, errors: [], warnings: [] });
		expect([result.sizes, connects]).toEqual([[100, 100, 100, 100, 100], 6]);
	},
);

test.each<[Answer, string]>([
	['close', 'A proxy did not connect n8n to the host (CONNECT)'],
	['silence', 'The host did not answer (ECONNABORTED)'],
	[504, 'A proxy did not connect n8n to the host (CONNECT 504)'],
	[404, 'A proxy did not connect n8n to the host (CONNECT 404)'],
])(
	'a search whose every CONNECT gets %j ends after its retries, and costs nothing',
	async (answer, reason) => {
		const { search } = shared.customer();
		answers = [answer, answer];
		const options = { maxRetries: 1, timeout: 1 };
		const { errors, customData, spent } = await search({ limit: 50, options }, run);
		expect(errors).toMatchObject([
			{
				error: `Can't reach the lead service at ${baseUrl}`,
				message: `Check 'Base URL' (in the node, or else in the credential), and whether n8n may connect to this address. ${reason}. Nothing was charged.`,
			},
		]);
		expect([customData, spent, connects]).toEqual(['0 leads for 0 credits', 0, 2]);
	},
);

test('a proxy that asks for a login has a message of its own, and is asked once', async () => {
	const { search } = shared.customer();
	answers = [407];
	const { errors } = await search({ limit: 50 }, run);
	expect(errors).toMatchObject([
		{ error: 'A proxy between n8n and the lead service asks for a login (407)' },
	]);
	expect(connects).toBe(1);
});

test.each([402, 413, 500, 504])(
	'a %i of the service through a proxy is a response of the service',
	async (status) => {
		const { search } = shared.customer({ faults: [{ kind: 'status', status, times: 'always' }] });
		const { errors } = await search({ limit: 5, options: { maxRetries: 0 } }, run);
		expect(errors).toMatchObject([{ details: { status } }]);
		expect(errors[0]?.error).toContain(`(${status})`);
	},
);

test('a response that is lost behind a proxy may have been charged', async () => {
	const { search } = shared.customer({ faults: [{ kind: 'loseAfterAnswer', times: 'always' }] });
	const { errors, spent } = await search({ limit: 5, options: { maxRetries: 0 } }, run);
	expect(spent).toBe(5);
	expect(errors[0]?.message).toContain('up to 5 credits may have been charged');
});
