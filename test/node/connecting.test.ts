/** Promise 1: what never left n8n is neither charged nor counted. Real sockets, on loopback alone. */
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import type { Duplex } from 'node:stream';
import tls from 'node:tls';
import { runInThisContext } from 'node:vm';
import { Worker } from 'node:worker_threads';

import { generate } from 'selfsigned';

import { continues, lost, useService } from './useService';

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

async function run(baseUrl: string, options: Record<string, number> = {}) {
	const all = { limit: 5, options: { maxRetries: 0, ...options } };
	const { search } = customer();
	return await search(all, { credential: { baseUrl }, ...continues });
}

const nothing = '0 leads for 0 credits';

test('no connection in time: nothing was sent, so nothing is counted', async () => {
	const baseUrl = `http://127.0.0.1:${await portOfFull()}`;
	const { errors, told } = await run(baseUrl, { timeout: 1 });
	expect(errors[0]).toMatchObject({
		error: `Can't reach the lead service at ${baseUrl}`,
		message:
			"Nothing was charged. The host did not answer (ECONNABORTED). Check 'Base URL' (in the credential, unless the node has one), and that n8n may connect to this address.",
	});
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
	const proxy = createHttpServer().on('connect', (_, socket) => {
		onConnect(socket.on('error', jest.fn()));
	});
	env.HTTPS_PROXY = `http://127.0.0.1:${await portOf(proxy)}`;
	endings.push(() => delete env.HTTPS_PROXY);
}

test.each([502, 503, 504])(
	'a proxy that answers %i to CONNECT: nothing was sent',
	async (status) => {
		await useProxy((socket) => {
			socket.end(`HTTP/1.1 ${status} Sorry\r\ncontent-length: 13\r\n\r\n<html></html>`);
		});
		const { errors, told } = await run('https://leads.example.com', { maxRetries: 1 });
		expect(errors[0]).toMatchObject({
			error: `A proxy could not reach the lead service at https://leads.example.com (${status})`,
			message:
				'Nothing was charged. Run again later. If it stays like this, check the proxy that n8n is given (HTTPS_PROXY), or leave it out for the service (NO_PROXY).',
		});
		expect(told).toBe(nothing);
	},
);

test('a proxy that lets a 504 of the service through: it may have been charged', async () => {
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
	await useProxy((socket) => {
		const onwards = connect(port, '127.0.0.1').on('error', jest.fn());
		socket.write('HTTP/1.1 200 OK\r\n\r\n');
		socket.pipe(onwards).pipe(socket);
	});
	const { errors, told } = await run('https://leads.example.com');
	expect(errors[0]?.error).toMatch(/is not answering \(504\); it may have been charged$/);
	expect(told).toBe(`${nothing}. ${lost('5 credits')}`);
});
