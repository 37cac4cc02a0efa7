/**
 * How fast a program can be that does nothing else: undici, JSON.parse, and an array to hold the
 * rows. A job comes as a message, the result goes back as one.
 *
 * @typedef {object} Job
 * @property {string} url
 * @property {string} authorization
 * @property {object} body everything but the page
 * @property {string} rowsIn the field that has the rows
 * @property {number} atOnce requests under way at the same time
 * @property {number} pages how many there are, which is used only when several are asked at once
 */
import { Agent, request } from 'undici';

process.on('disconnect', () => process.exit());
process.on('message', async (job) => {
	globalThis.gc();
	const dispatcher = new Agent({ connections: job.atOnce });
	const cpuBefore = process.cpuUsage();
	const started = performance.now();
	const rows = job.atOnce === 1 ? await oneByOne(job, dispatcher) : await many(job, dispatcher);
	const milliseconds = performance.now() - started;
	const { user, system } = process.cpuUsage(cpuBefore);
	const cpuMilliseconds = (user + system) / 1000;
	const leads = new Set(rows.map((row) => row.linkedin_url)).size;
	const fields = Object.keys(rows.at(-1) ?? {}).length;
	await dispatcher.close();
	process.send({ milliseconds, cpuMilliseconds, items: rows.length, leads, fields });
});

async function oneByOne(job, dispatcher) {
	const rows = [];
	for (let page = 1; page !== null;) {
		const answer = await fetchPage(job, dispatcher, page);
		for (const row of answer[job.rowsIn]) rows.push(row);
		page = answer.has_more ? answer.next_page : null;
	}
	return rows;
}

async function many(job, dispatcher) {
	const answers = [];
	let next = 1;
	const work = async () => {
		while (next <= job.pages) {
			const page = next++;
			answers[page - 1] = await fetchPage(job, dispatcher, page);
		}
	};
	await Promise.all(Array.from({ length: job.atOnce }, work));
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
