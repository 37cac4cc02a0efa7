/** The service as a process of its own. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { resolve } from 'node:path';
import execa from 'execa';

const CLI = resolve(__dirname, '../../sandbox/service/cli.ts');
test('it shows keys, balances and a call to try, and stops on SIGTERM, even with a request hanging', async () => {
	const child = execa(process.execPath, ['--import', 'tsx', CLI], { reject: false });
	let text = '';
	for await (const part of child.stdout?.iterator({ destroyOnReturn: false }) ?? []) {
		text += String(part);
		if (text.includes('Stop with Ctrl+C.')) break;
	}
	for (const shown of ['sandbox-key-plenty', 'sandbox-session-few', '1,000,000', '60'])
		expect(text).toContain(shown);
	const [, url = '', port] = /curl -s (http:\/\/127\.0\.0\.1:(\d+))\/api\//.exec(text) ?? [];
	expect(text).toContain(`Base URL   ${url}\n`);
	const hanging = connect(Number(port), '127.0.0.1').on('error', () => undefined);
	hanging.write('POST /api/preview HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n');
	await once(hanging, 'connect');
	child.kill('SIGTERM');
	expect((await child).exitCode).toBe(0);
	hanging.destroy();
});
