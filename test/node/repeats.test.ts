/** Tests lists whose order isn't stable: rows that tie change places between two requests. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';

import { runNode } from './n8nCore';

interface Served {
	rows: number;
	positions: Set<number>;
	requests: number;
}

/** Serves a list whose rows tie in groups of `tie`, and shuffles each group for each request, as a database may. */
async function serve(leads: number, tie: number) {
	let seed = 1;
	const random = () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
	const served: Served = { rows: 0, positions: new Set(), requests: 0 };
	const shuffled = () => {
		const order = Array.from({ length: leads }, (_, position) => position);
		for (let start = 0; start < leads; start += tie)
			for (let at = Math.min(leads, start + tie) - 1; at > start; at--) {
				const other = start + Math.floor(random() * (at - start + 1));
				[order[at], order[other]] = [order[other] ?? 0, order[at] ?? 0];
			}
		return order;
	};
	const server = http.createServer((request, response) => {
		let text = '';
		request.on('data', (chunk: string) => (text += chunk));
		request.on('end', () => {
			const body = JSON.parse(text) as Record<'_page' | '_per_page' | 'max_results', number>;
			const from = (body._page - 1) * body._per_page;
			const to = Math.min(from + body._per_page, body.max_results);
			const rows = shuffled().slice(from, to);
			served.requests += 1;
			served.rows += rows.length;
			for (const position of rows) served.positions.add(position);
			const data = rows.map((position) => ({
				full_name: `P ${position}`,
				linkedin_url: `https://www.linkedin.com/in/p-${position}`,
			}));
			const isFull = rows.length === body._per_page;
			response.setHeader('content-type', 'application/json');
			response.end(
				JSON.stringify({
					success: true,
					message: 'ok',
					preview_data: data,
					page: body._page,
					per_page: body._per_page,
					has_more: isFull,
					next_page: isFull ? body._page + 1 : null,
				}),
			);
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const search = async (parameters: object, credentialId: string) => {
		const result = await runNode({
			parameters: {
				operation: 'buyLeads',
				filters: { personLocationCountry: 'Iceland' },
				...parameters,
			},
			credential: { baseUrl: `http://127.0.0.1:${port}`, apiKey: 'key' },
			credentialId,
		} as Parameters<typeof runNode>[0]);
		const urls = result.items.map(({ json }) => json.linkedin_url);
		return {
			urls,
			error: result.error?.message,
			hints: result.hints.map(({ message }) => message),
		};
	};
	return { server, served, search };
}

test.each([
	[5_000, 100, { returnAll: true, options: { pageSize: 25 } }],
	[5_000, 300, { returnAll: true, options: {} }],
	[2_000, 700, { returnAll: true, options: { pageSize: 100 } }],
	[1_000, 60, { limit: 1_000, options: { pageSize: 100 } }],
	[500, 30, { limit: 500, options: { parallelPages: 1 } }],
	[300, 300, { limit: 300, options: { pageSize: 10 } }],
])(
	'each of %i leads that tie in groups of %i is returned once, and the repeats are counted, to the next run, too',
	async (leads, tie, parameters) => {
		const { server, served, search } = await serve(leads, tie);
		const id = `ties ${leads} ${tie}`;
		const first = await search(parameters, id);
		expect(first.error).toBeUndefined();
		expect(new Set(first.urls).size).toBe(first.urls.length);
		expect(first.urls).toHaveLength(served.positions.size);
		expect(served.rows).toBe(leads);
		const repeats = leads - served.positions.size;
		expect(repeats).toBeGreaterThan(0);
		const hint = `${repeats.toLocaleString('en')} leads were sent and charged twice.`;
		expect(first.hints.join()).toContain(hint);
		const again = await search(parameters, id);
		expect(again.urls).toEqual(first.urls);
		expect(again.hints.join()).toContain(hint);
		expect(served.rows).toBe(leads);
		server.close();
	},
);

test('a larger Limit in a second execution returns each lead once', async () => {
	const { server, served, search } = await serve(200, 200);
	await search({ limit: 60, options: { pageSize: 20 } }, 'larger');
	const { urls, hints } = await search({ limit: 120, options: { pageSize: 20 } }, 'larger');
	expect(new Set(urls).size).toBe(urls.length);
	expect([urls.length, served.rows]).toEqual([served.positions.size, 120]);
	expect(hints.join()).toContain(`${120 - urls.length} leads were sent and charged twice.`);
	server.close();
});
