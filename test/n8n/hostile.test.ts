/** Whatever comes in, n8n answers others meanwhile: it never computes for a second without a word. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

import { leadSearch, useN8n } from './harness';
import { publish } from './production';

const n8n = useN8n({ N8N_METRICS: 'true' });

/**
 * Asks n8n what it has computed, again and again until a run ends.
 * @returns the most between an answer and the next one, in seconds of a processor, however busy it is with others
 */
async function silenceOf(run: () => Promise<unknown>): Promise<number> {
	const computed = async () => {
		const text = await (await fetch(`${n8n.server.url}/metrics`)).text();
		return Number(/^n8n_process_cpu_seconds_total (.+)$/m.exec(text)?.[1]);
	};
	let [last, most, isOver] = [await computed(), 0, false];
	const ask = async () => {
		while (!isOver) {
			const now = await computed();
			most = Math.max(most, now - last);
			last = now;
		}
	};
	const end = run().finally(() => (isOver = true));
	await Promise.all([ask(), end]);
	return most;
}

/** n8n has other work now and then; what keeps it busy by itself does so in each try. */
async function expectNoSilence(run: () => Promise<unknown>): Promise<void> {
	const tries: number[] = [];
	while (tries.length < 3 && tries.every((silent) => silent >= 1)) tries.push(await silenceOf(run));
	expect(Math.min(...tries)).toBeLessThan(1);
}

describe('a small answer to a free Preview that becomes a large one', () => {
	const large = gzipSync(`[${'{},'.repeat(31_000_000)}{}]`);
	const server = createServer((request, response) => {
		request.resume().on('end', () => {
			const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
			response.writeHead(200, headers).end(large);
		});
	});
	beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
	afterAll(() => {
		server.closeAllConnections();
		server.close();
	});

	test('of 92 kB', async () => {
		expect(large.length).toBeLessThan(100_000);
		const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
		const { run } = await publish(n8n, [leadSearch({ operation: 'preview', baseUrl })]);
		await expectNoSilence(async () => {
			const { status, error } = await run();
			expect(status).toBe('error');
			expect(error?.message).toContain('The answer has more than 5 MB');
		});
	});
});

test.each<[string, string]>([
	['100,000 combining marks', `https://www.linkedin.com/in/a${'\u0301\u0316'.repeat(50_000)}`],
	...[400, 25_000, 26].map((times): [string, string] => [
		`${times} subdomains`,
		`https://${'www.'.repeat(times)}x`,
	]),
])('a webhook that hands %s to Check URLs', async (_, text) => {
	const parameters = {
		...{ resource: 'linkedInProfile', operation: 'check' },
		linkedinUrls: '={{ $json.body.text }}',
	};
	const { run } = await publish(n8n, [leadSearch(parameters)]);
	await expectNoSilence(async () => {
		const { status, items } = await run({ text });
		expect(status).toBe('success');
		expect(items('Lead Search')).toHaveLength(1);
	});
});
