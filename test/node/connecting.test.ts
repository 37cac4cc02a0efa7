/** Promise 1: what never left n8n is neither charged nor counted. Real sockets, on loopback alone. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import dns from 'node:dns';
import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import tls from 'node:tls';
import { runInThisContext } from 'node:vm';
import { Worker } from 'node:worker_threads';

import { generate } from 'selfsigned';

import { continues, lost, useService, waitForLastAnswers } from './useService';

const { customer } = useService();

/** What is left over from a test. */
const endings: Array<() => unknown> = [];

afterEach(async () => {
	for (const end of endings.splice(0).reverse()) await end();
});

/** A host with room for no connection, and nobody who takes one out of the queue. */
const FULL = `
	const { parentPort, workerData } = require('node:worker_threads');
	const server = require('node:net').createServer();
	server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
		parentPort.postMessage(server.address().port);
		setImmediate(() => Atomics.wait(new Int32Array(workerData), 0, 0));
	});
`;

async function portOfFull(): Promise<number> {
	const worker = new Worker(FULL, { eval: true, workerData: new SharedArrayBuffer(4) });
	endings.push(async () => await worker.terminate());
	const [port] = (await once(worker, 'message')) as [number];
	const waiting = Array.from({ length: 6 }, () =>
		connect(port, '127.0.0.1').on('error', jest.fn()),
	);
	endings.push(() => {
		for (const socket of waiting) socket.destroy();
	});
	await once(waiting[0] ?? worker, 'connect');
	return port;
}

async function portOf(server: Server): Promise<number> {
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	endings.push(() => server.close());
	return (server.address() as AddressInfo).port;
}

/** Lets any host name mean these addresses. */
function nameMeans(...addresses: string[]): void {
	type Answer = (error: null, found: Array<{ address: string; family: number }>) => void;
	jest.spyOn(dns, 'lookup').mockImplementation(((_host: string, _: object, answer: Answer) => {
		answer(
			null,
			addresses.map((address) => ({ address, family: 4 })),
		);
	}) as unknown as typeof dns.lookup);
}

/** The sockets that are opened from now on. */
function watchSockets(onOpen: (socket: Socket) => void): void {
	const listener = (message: unknown) => {
		onOpen((message as { socket: Socket }).socket);
	};
	subscribe('net.client.socket', listener);
	endings.push(() => unsubscribe('net.client.socket', listener));
}

async function run(baseUrl: string, options: Record<string, number> = {}, more = {}) {
	const all = { limit: 5, options: { maxRetries: 0, ...options } };
	const { search } = customer();
	return await search(all, { credential: { baseUrl }, ...continues, ...more });
}

const nothing = '0 leads for 0 credits';

test('no connection in time: nothing was sent, so nothing is counted', async () => {
	const port = await portOfFull();
	// At the first address it times out, and nobody listens at the second one.
	nameMeans('127.0.0.1', '127.0.0.2');
	const baseUrl = `http://leads.example.com:${port}`;
	const { errors, told } = await run(baseUrl);
	expect(errors[0]).toMatchObject({
		error: `Can't reach the lead service at ${baseUrl}`,
		message:
			"Nothing was charged. The host did not answer (ETIMEDOUT). Check 'Base URL' (in the credential, unless the node has one), and that n8n may connect to this address.",
	});
	expect(told).toBe(nothing);
	const preview = await customer().preview({ baseUrl, options: { maxRetries: 0 } });
	expect(preview.message).toBe(`Can't reach the lead service at ${baseUrl}`);
});

test('the same where Timeout ends before the system gives up', async () => {
	const baseUrl = `http://127.0.0.1:${await portOfFull()}`;
	const { errors, told } = await run(baseUrl, { timeout: 1 });
	expect(errors[0]).toMatchObject({
		error: `Can't reach the lead service at ${baseUrl}`,
		message:
			"Nothing was charged. The host did not answer (ECONNABORTED). Check 'Base URL' (in the credential, unless the node has one), and that n8n may connect to this address.",
	});
	expect(told).toBe(nothing);
});

test('the same where people stop the execution while it waits for a connection', async () => {
	waitForLastAnswers(300);
	const port = await portOfFull();
	const cancelWhen = new Promise<void>((resolve) => {
		watchSockets((socket) => socket.once('connectionAttempt', resolve));
	});
	const { told } = await run(`http://127.0.0.1:${port}`, {}, { cancelWhen });
	expect(told).toBe(nothing);
});

test('a host that hangs up before there is a secure connection: nothing was sent', async () => {
	const port = await portOf(createServer((socket) => socket.resume().end()));
	const { errors, told } = await run(`https://127.0.0.1:${port}`);
	expect(errors[0]?.error).toBe(`Can't reach the lead service at https://127.0.0.1:${port}`);
	expect(told).toBe(nothing);
});

/** That which n8n-core sees: it runs outside of the realm of the tests. */
const { env } = runInThisContext('process') as typeof process;

/** Leads n8n through a proxy, whatever host it asks for. @param onConnect is handed what n8n's CONNECT came by */
async function useProxy(onConnect: (socket: Duplex) => void): Promise<void> {
	const proxy = createHttpServer().on('connect', (_: IncomingMessage, socket: Duplex) => {
		onConnect(socket.on('error', jest.fn()));
	});
	env.HTTPS_PROXY = `http://127.0.0.1:${await portOf(proxy)}`;
	endings.push(() => delete env.HTTPS_PROXY);
}

describe('A proxy', () => {
	const baseUrl = 'https://leads.example.com';

	test.each([502, 503, 504])('that answers %i to CONNECT: nothing was sent', async (status) => {
		await useProxy((socket) => {
			socket.end(`HTTP/1.1 ${status} Sorry\r\ncontent-length: 13\r\n\r\n<html></html>`);
		});
		const { errors, told } = await run(baseUrl, { maxRetries: 1 });
		expect(errors[0]).toMatchObject({
			error: `A proxy could not reach the lead service at ${baseUrl} (${status})`,
			message:
				'Nothing was charged. Run again later. If it stays like this, check the proxy that n8n is given (HTTPS_PROXY), or leave it out for the service (NO_PROXY).',
		});
		expect(told).toBe(nothing);
		const preview = await customer().preview({ baseUrl, options: { maxRetries: 0 } });
		expect(preview.message).toBe(errors[0]?.error);
	});

	test('that lets a 504 of the service through: it may have been charged', async () => {
		const { cert, private: key } = await generate([{ name: 'commonName', value: 'leads' }]);
		const service = createHttpsServer({ cert, key }, (request, response) => {
			request.resume().on('end', () => response.writeHead(504).end());
		});
		const port = await portOf(service);
		const { connect: securely } = tls;
		jest
			.spyOn(tls, 'connect')
			.mockImplementation(((options: tls.ConnectionOptions) =>
				securely({ ...options, rejectUnauthorized: false })) as typeof tls.connect);
		const direct = await run(`https://127.0.0.1:${port}`);
		await useProxy((socket) => {
			const onwards = connect(port, '127.0.0.1').on('error', jest.fn());
			socket.write('HTTP/1.1 200 OK\r\n\r\n');
			socket.pipe(onwards).pipe(socket);
		});
		for (const { errors, told } of [direct, await run(baseUrl)]) {
			expect(errors[0]?.error).toMatch(/is not answering \(504\); it may have been charged$/);
			expect(told).toBe(`${nothing}. ${lost('5 credits')}`);
		}
	});
});
