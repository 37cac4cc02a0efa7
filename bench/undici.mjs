/** The fastest program for the same work, for comparison: undici, JSON.parse, and an array of rows. */
import { Agent, request } from 'undici';

process.on('message', async ({ url, authorization, body, inFlight, pages }) => {
	globalThis.gc();
	const headers = { 'content-type': 'application/json', authorization };
	const dispatcher = new Agent({ connections: inFlight });
	const { linkedinUrls: urls, _per_page: size } = body;
	const pagesOfRows = [];
	let next = 1;

	async function fetchPages() {
		while (next <= pages) {
			const page = next++;
			// The same URLs with each page would be 5 MB a request for 100,000 of them.
			const part = urls
				? { linkedinUrls: urls.slice((page - 1) * size, page * size) }
				: { _page: page };
			const json = JSON.stringify({ ...body, ...part });
			const response = await request(url, { method: 'POST', headers, body: json, dispatcher });
			pagesOfRows[page - 1] = await response.body.json();
		}
	}

	const started = performance.now();
	await Promise.all(Array.from({ length: inFlight }, fetchPages));
	const rows = pagesOfRows.flatMap(({ preview_data, data }) => preview_data ?? data);
	const milliseconds = Math.round(performance.now() - started);
	const different = new Set(rows.map((row) => row.linkedin_url)).size;
	await dispatcher.close();
	process.send({ milliseconds, items: rows.length, different });
});
