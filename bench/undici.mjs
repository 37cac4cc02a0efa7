/**
 * How fast a program can be that does nothing else: undici, JSON.parse, and an array to hold the
 * rows. A job comes as a message, the result goes back as one.
 *
 * @typedef {object} Job
 * @property {string} url
 * @property {string} authorization
 * @property {object} body everything but the page
 * @property {string} rowsIn the field that has the rows
 * @property {number} inFlight requests in flight at the same time
 * @property {number} pages how many there are
 */
import { Agent, request } from 'undici';

process.on('message', async (job) => {
	globalThis.gc();
	const dispatcher = new Agent({ connections: job.inFlight });
	const started = performance.now();
	const rows = await fetchAll(job, dispatcher);
	const milliseconds = Math.round(performance.now() - started);
	const leads = new Set(rows.map((row) => row.linkedin_url)).size;
	await dispatcher.close();
	process.send({ milliseconds, items: rows.length, leads });
});

async function fetchAll(job, dispatcher) {
	const answers = [];
	let next = 1;
	const work = async () => {
		while (next <= job.pages) {
			const page = next++;
			answers[page - 1] = await fetchPage(job, dispatcher, page);
		}
	};
	await Promise.all(Array.from({ length: job.inFlight }, work));
	return answers.flatMap((answer) => answer[job.rowsIn]);
}

async function fetchPage({ url, authorization, body }, dispatcher, page) {
	const answer = await request(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json', authorization },
		body: JSON.stringify({ ...body, _page: page }),
		dispatcher,
	});
	const text = await answer.body.text();
	if (answer.statusCode !== 200) throw new Error(`Status ${answer.statusCode}: ${text}`);
	return JSON.parse(text);
}
