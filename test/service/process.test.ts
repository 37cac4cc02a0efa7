import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { request } from 'undici';
import { search } from './client';

const CLI = resolve(__dirname, '../../sandbox/service/cli.ts');
const running: Array<ChildProcessByStdio<null, Readable, Readable>> = [];

function run(...args: string[]) {
	const child = spawn(process.execPath, ['--import', 'tsx', ...args], {
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	running.push(child);
	return child;
}

function start(...args: string[]) {
	return run(CLI, ...args);
}

/** The address that the service prints, among what people read. */
async function baseUrlOf(child: ReturnType<typeof start>): Promise<string> {
	let text = '';
	for await (const part of child.stdout.iterator({ destroyOnReturn: false })) {
		text += String(part);
		const [, url] = /Base URL +(\S+)\n/.exec(text) ?? [];
		if (url !== undefined) return url;
	}
	throw new Error(`The service ended without an address: ${text}`);
}

async function exitCode(child: ReturnType<typeof start>): Promise<number | null> {
	const [code] = (await once(child, 'exit')) as [number | null];
	return code;
}

async function textOf(stream: Readable): Promise<string> {
	let text = '';
	for await (const part of stream) text += String(part);
	return text;
}

afterEach(() => {
	for (const child of running.splice(0)) child.kill('SIGKILL');
});

describe('the service as a process of its own', () => {
	test('stays below 200 MB after 20,000 leads', async () => {
		const baseUrl = await baseUrlOf(start());
		let rows = 0;
		for (let page = 1; page <= 20; page++) {
			const body = { _page: page, _per_page: 1_000, max_results: 100_000 };
			rows += (await search(baseUrl, 'sandbox-key-plenty', body)).body.count;
		}
		expect(rows).toBe(20_000);
		const health = await request(`${baseUrl}/_admin/health`);
		const { rssBytes } = (await health.body.json()) as { rssBytes: number };
		expect(rssBytes).toBeLessThan(200_000_000);
	});

	test.each(['SIGINT', 'SIGTERM'] as const)(
		'stops cleanly on %s, even with a request hanging',
		async (signal) => {
			const child = start();
			const baseUrl = await baseUrlOf(child);
			await request(`${baseUrl}/_admin/addFault`, {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: '[{"kind":"hang"}]',
			});
			const hanging = request(`${baseUrl}/api/preview`, { method: 'POST' });
			hanging.catch(() => undefined);
			let logged: unknown[] = [];
			while (logged.length === 0) {
				const { body } = await request(`${baseUrl}/_admin/requests`);
				logged = (await body.json()) as unknown[];
			}
			child.kill(signal);
			const code = await exitCode(child);
			expect(code).toBe(0);
			await expect(hanging).rejects.toThrow();
		},
	);

	test('shows people keys, balances and calls to try', async () => {
		const child = start();
		let text = '';
		for await (const part of child.stdout) {
			text += String(part);
			if (text.includes('Stop with Ctrl+C.')) break;
		}
		for (const shown of ['sandbox-key-plenty', 'sandbox-session-few', '1,000,000', '60'])
			expect(text).toContain(shown);
		expect(text.match(/curl -s http:\/\/127\.0\.0\.1:\d+\/api\//g)).toHaveLength(3);
	});

	test('says so when the port is taken, and exits with 1', async () => {
		const taken = createServer().listen(0, '127.0.0.1');
		await once(taken, 'listening');
		const { port } = taken.address() as AddressInfo;
		const child = start('--port', String(port));
		const [said, code] = await Promise.all([textOf(child.stderr), exitCode(child)]);
		taken.close();
		expect(said).toContain(`Port ${port} is taken`);
		expect(said.trim().split('\n')).toHaveLength(1);
		expect(code).toBe(1);
	});

	test('says what is wrong with an argument, and exits with 1', async () => {
		const child = start('--port', 'http');
		const [said, code] = await Promise.all([textOf(child.stderr), exitCode(child)]);
		expect(said).toContain('--port takes a whole number, not "http"');
		expect(code).toBe(1);
	});
});
