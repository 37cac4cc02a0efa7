/**
 * How fast a program can be that does nothing else: undici, JSON.parse, and an array to hold the
 * rows. A job comes as a message, the outcome goes back as one.
 *
 * The job is how many `pages` to ask for, so many `inFlight` at the same time, from a `url` with an
 * `authorization` and a `body` that has everything but the page, and the field that has the rows.
 */
import { Agent, request } from 'undici';

process.on('message', async ({ url, authorization, body, rowsIn, inFlight, pages }) => {
	globalThis.gc();
	const headers = { 'content-type': 'application/json', authorization };
	const dispatcher = new Agent({ connections: inFlight });
	const answers = [];
	let next = 1;

	async function fetchPages() {
		while (next <= pages) {
			const page = next++;
			const json = JSON.stringify({ ...body, _page: page });
			const answer = await request(url, { method: 'POST', headers, body: json, dispatcher });
			const text = await answer.body.text();
			if (answer.statusCode !== 200) throw new Error(`Status ${answer.statusCode}: ${text}`);
			answers[page - 1] = JSON.parse(text);
		}
	}

	const started = performance.now();
	await Promise.all(Array.from({ length: inFlight }, fetchPages));
	const rows = answers.flatMap((answer) => answer[rowsIn]);
	const milliseconds = Math.round(performance.now() - started);
	const leads = new Set(rows.map((row) => row.linkedin_url)).size;
	await dispatcher.close();
	process.send({ milliseconds, items: rows.length, leads });
});
