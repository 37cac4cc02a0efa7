/** The service as a process of its own. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { resolve } from 'node:path';
import execa, { type ExecaChildProcess } from 'execa';

const CLI = resolve(__dirname, '../../sandbox/service/cli.ts');
const running: ExecaChildProcess[] = [];

function start(...args: string[]): ExecaChildProcess {
	const child = execa(process.execPath, ['--import', 'tsx', CLI, ...args], { reject: false });
	running.push(child);
	return child;
}

afterEach(() => {
	for (const child of running.splice(0)) child.kill('SIGKILL');
});

test.each(['SIGINT', 'SIGTERM'] as const)(
	'it shows keys, balances and a call to try, and stops on %s, even with a request hanging',
	async (signal) => {
		const child = start();
		let text = '';
		for await (const part of child.stdout?.iterator({ destroyOnReturn: false }) ?? []) {
			text += String(part);
			if (text.includes('Stop with Ctrl+C.')) break;
		}
		for (const shown of ['sandbox-key-plenty', 'sandbox-session-few', '1,000,000', '60'])
			expect(text).toContain(shown);
		const [, url = '', port] = /curl -s (http:\/\/127\.0\.0\.1:(\d+))\/api\//.exec(text) ?? [];
		expect(text).toContain(`Base URL   ${url}\n`);
		const hanging = connect(Number(port), '127.0.0.1');
		hanging.on('error', () => undefined);
		hanging.write('POST /api/preview HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n');
		await once(hanging, 'connect');
		child.kill(signal);
		expect((await child).exitCode).toBe(0);
		hanging.destroy();
	},
);
