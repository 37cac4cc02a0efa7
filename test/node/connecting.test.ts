/** Tests that requests which never left n8n aren't counted as charged (promise 1). The tests use sockets on loopback. */
import { once } from 'node:events';
import { createServer as createTlsServer } from 'node:https';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { Worker } from 'node:worker_threads';

import { generate } from 'selfsigned';

import { containing, continueOnError, useService } from './useService';

const { customer } = useService();

/** Functions that release the resources of a test. They run after it, the last one first. */
const cleanups: Array<() => unknown> = [];

afterEach(async () => {
	for (const end of cleanups.splice(0).reverse()) await end();
});

/** The code of a worker that listens and then blocks, so its queue of connections stays full. */
const FULL = `
	const { parentPort, workerData } = require('node:worker_threads');
	const server = require('node:net').createServer();
	server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
		parentPort.postMessage(server.address().port);
		setImmediate(() => Atomics.wait(new Int32Array(workerData), 0, 0));
	});
`;

async function startFullHost(): Promise<number> {
	const worker = new Worker(FULL, { eval: true, workerData: new SharedArrayBuffer(4) });
	cleanups.push(async () => await worker.terminate());
	const [port] = (await once(worker, 'message')) as [number];
	const waiting = Array.from({ length: 6 }, () =>
		connect(port, '127.0.0.1').on('error', jest.fn()),
	);
	cleanups.push(() => {
		for (const socket of waiting) socket.destroy();
	});
	await once(waiting[0] ?? worker, 'connect');
	return port;
}

async function listen(server: Server): Promise<number> {
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	cleanups.push(() => server.close());
	return (server.address() as AddressInfo).port;
}

async function run(baseUrl: string, options: Record<string, number> = {}) {
	const all = { limit: 5, options: { maxRetries: 0, ...options } };
	const { search } = customer();
	return await search(all, { credential: { baseUrl }, ...continueOnError });
}

const noCost = '0 leads for 0 credits';

test("a request whose connection isn't made in time counts as not sent, and costs nothing", async () => {
	const baseUrl = `http://127.0.0.1:${await startFullHost()}`;
	const { errors, customData } = await run(baseUrl, { timeout: 1 });
	expect(errors[0]).toMatchObject({
		error: `Can't reach the lead service at ${baseUrl}`,
		message:
			"Check 'Base URL' (in the node, or else in the credential), and whether n8n may connect to this address. The host did not answer (ECONNABORTED). Nothing was charged.",
	});
	expect(customData).toBe(noCost);
});

test('a request counts as not sent if the host closes the connection before TLS is set up', async () => {
	const port = await listen(createServer((socket) => socket.resume().end()));
	const { errors, customData } = await run(`https://127.0.0.1:${port}`);
	expect(errors[0]?.error).toBe(`Can't reach the lead service at https://127.0.0.1:${port}`);
	expect(customData).toBe(noCost);
});

test("a certificate that n8n doesn't trust is reported after one attempt", async () => {
	const { private: key, cert } = await generate([{ name: 'commonName', value: '127.0.0.1' }]);
	const server = createTlsServer({ key, cert });
	const connected = jest.fn();
	server.on('connection', connected);
	const baseUrl = `https://127.0.0.1:${await listen(server)}`;
	const { errors, customData } = await run(baseUrl, { maxRetries: 3 });
	expect(errors[0]).toMatchObject({
		error: `n8n does not trust the certificate of ${baseUrl} (DEPTH_ZERO_SELF_SIGNED_CERT)`,
		message: containing('set NODE_EXTRA_CA_CERTS'),
	});
	expect(connected).toHaveBeenCalledTimes(1);
	expect(customData).toBe(noCost);
});
