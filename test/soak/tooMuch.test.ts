/** Tests small compressed responses that become large. n8n can do other work meanwhile, and no charged rows are lost. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

import type { INodeParameters } from 'n8n-workflow';

import { runNode } from '../node/n8nCore';
import { containing } from '../node/useService';

/** The response to every request. */
let nextResponse = { status: 200, body: gzipSync('[]') };
let server: Server;
let baseUrl: string;

beforeAll(async () => {
	server = createServer((request, response) => {
		request.resume().on('end', () => {
			const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
			response.writeHead(nextResponse.status, headers).end(nextResponse.body);
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
	server.closeAllConnections();
	server.close();
});

const free = { resource: 'lead', operation: 'preview' };
const filters = { jobTitles: 'CEO' };
const paid = { resource: 'lead', operation: 'buyLeads', filters, limit: 1, simplify: false };

/** Runs the node. Also returns the longest CPU time during which n8n couldn't do other work, in milliseconds. */
async function run(text: string, parameters: INodeParameters, status = 200) {
	nextResponse = { status, body: gzipSync(text) };
	const cpuTime = () => {
		const { user, system } = process.cpuUsage();
		return (user + system) / 1_000;
	};
	let last = cpuTime();
	let maxBlockedMs = 0;
	let isOver = false;
	const watch = () => {
		const now = cpuTime();
		maxBlockedMs = Math.max(maxBlockedMs, now - last);
		last = now;
		if (!isOver) setImmediate(watch);
	};
	watch();
	const options = { maxRetries: 0 };
	const result = await runNode({
		parameters: { ...parameters, options, ...(parameters === free && { baseUrl }) },
		...(parameters !== free && { credential: { baseUrl, apiKey: 'sk_live_123456' } }),
		onError: 'continueRegularOutput',
	});
	isOver = true;
	watch();
	return { ...result, maxBlockedMs, sent: nextResponse.body.length };
}

const listOf = (piece: string, bytes: number) =>
	`[${Array.from({ length: Math.ceil(bytes / (piece.length + 1)) }, () => piece).join()}]`;
const asLeads = (text: string) => `{"preview_data":${text}}`;

/** Limit of CPU time in milliseconds: six times that of the slowest case, and half of that of quadratic code. */
const MAX_CPU_MS = 6_000;

const tooLarge = (limit: string) => ({
	error: `The response is larger than ${limit}`,
	message: containing('The node stopped reading'),
});
const BYTES = tooLarge('5 MB');

test.each<[string, string, object]>([
	['{}', listOf('{}', 95e6), BYTES],
	['long numbers', listOf('7615917337495251231', 99e6), BYTES],
	['brackets', '['.repeat(50e6) + ']'.repeat(50e6), BYTES],
])('a small gzip of %s in a free preview does not block n8n', async (_, text, expected) => {
	const { maxBlockedMs, sent, items } = await run(text, free);
	expect(sent).toBeLessThan(500_000);
	expect(items.map(({ json }) => json)).toEqual([expected]);
	expect(maxBlockedMs).toBeLessThan(MAX_CPU_MS);
});

const asOneString = (spelling: string) =>
	`[{"a":"${spelling.repeat(Math.floor(4.9e6 / spelling.length))}"}]`;
test.each<[string, string]>([
	['"\\u0000" as a value', listOf('"\\u0000"', 4.9e6)],
	['"\\u0000" in names', listOf('{"a\\u0000":1}', 4.9e6)],
	['{}', listOf('{}', 4.9e6)],
	['one row with all of it', `[{${listOf('"b":1', 3e6).slice(1, -1)}}]`],
	['long numbers', listOf('7615917337495251231', 4.9e6)],
	['nested objects', '[' + '{"a\\u0000":'.repeat(400_000) + '1' + '}'.repeat(400_000) + ']'],
	...['\\u0041', '%41', '%2541', '\\\\', '&amp;', 'sk_live_', 's'].map(
		(spelling): [string, string] => [`a text of ${spelling}`, asOneString(spelling)],
	),
])(
	'a response of a paid search with %s does not block n8n, and its rows are returned',
	async (_, text) => {
		const { maxBlockedMs, items } = await run(asLeads(text), paid);
		expect(items.length).toBeGreaterThan(0);
		expect(JSON.stringify(items)).not.toContain('has more than');
		expect(maxBlockedMs).toBeLessThan(MAX_CPU_MS);
	},
);

test('the body of an error is read up to 100 kB, and the message contains its text up to there', async () => {
	for (const text of [`The key is old. ${' '.repeat(95e6)}`, listOf('{"message":"No"}', 95e6)]) {
		const { maxBlockedMs, items, sent } = await run(text, paid, 500);
		expect(sent).toBeLessThan(500_000);
		expect(items[0]?.json.message).toContain(`The service said: "${text.slice(0, 15)}`);
		expect(maxBlockedMs).toBeLessThan(MAX_CPU_MS);
	}
});
