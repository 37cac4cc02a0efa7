import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';

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
	test.each(['SIGINT', 'SIGTERM'] as const)(
		'stops cleanly on %s, even with a request hanging',
		async (signal) => {
			const child = start();
			const baseUrl = await baseUrlOf(child);
			const { hostname, port } = new URL(baseUrl);
			const hanging = connect(Number(port), hostname);
			hanging.on('error', () => undefined);
			// A body that never comes.
			hanging.write('POST /api/preview HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n');
			await once(hanging, 'connect');
			child.kill(signal);
			const code = await exitCode(child);
			expect(code).toBe(0);
			hanging.destroy();
		},
	);

	test('shows people keys, balances and a call to try', async () => {
		const child = start();
		let text = '';
		for await (const part of child.stdout) {
			text += String(part);
			if (text.includes('Stop with Ctrl+C.')) break;
		}
		for (const shown of ['sandbox-key-plenty', 'sandbox-session-few', '1,000,000', '60'])
			expect(text).toContain(shown);
		expect(text).toMatch(/curl -s http:\/\/127\.0\.0\.1:\d+\/api\//);
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
