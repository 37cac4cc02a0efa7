/**
 * What the bench sees from inside n8n, which loads this file by itself (EXTERNAL_HOOK_FILES): how
 * long each node took and what came out, without saving or sending the items; memory; a profile.
 *
 * It listens on 127.0.0.1 and writes its address into the file that BENCH_PROBE_FILE names.
 */
const { readFileSync, renameSync, writeFileSync } = require('node:fs');
const { createServer } = require('node:http');
const { Session } = require('node:inspector/promises');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

/** Runs that have ended and nobody has asked about, and those who wait for one. */
const ended = [];
const waiting = [];
let profiler;
let cpuBefore = process.cpuUsage();
let inUseBefore = 0;

exports.workflow = {
	postExecute: [
		async (run) => {
			// First of all, before looking at the items takes memory of its own.
			const peakBytes = memory('VmHWM');
			const { user, system } = process.cpuUsage(cpuBefore);
			const report = summary(run);
			// n8n still holds the items of all nodes. Buffers are let go of by the second one only.
			collectGarbage();
			collectGarbage();
			const heldBytes = inUse() - inUseBefore;
			ended.push({
				peakBytes,
				heldBytes,
				cpuMilliseconds: (user + system) / 1000,
				...report,
			});
			while (waiting.length > 0 && ended.length > 0) waiting.shift()(ended.shift());
		},
	],
};

function summary({ status, data }) {
	const { runData, error } = data.resultData;
	return {
		status,
		error: error && `${error.message} ${error.description ?? ''}`.trim(),
		nodes: Object.entries(runData).map(([name, runs]) => ({
			name,
			milliseconds: runs.reduce((sum, { executionTime }) => sum + executionTime, 0),
			...contents(runs.flatMap(({ data: output }) => output?.main?.[0] ?? [])),
		})),
	};
}

/** How many items there are, how many different leads, and the fields of the last one. */
function contents(items) {
	return {
		items: items.length,
		leads: new Set(items.map(({ json }) => json.linkedin_url)).size,
		fields: Object.keys(items.at(-1)?.json ?? {}).length,
	};
}

/** Bytes, where the system tells (Linux). */
function memory(field) {
	try {
		const status = readFileSync('/proc/self/status', 'utf8');
		return Number(new RegExp(`^${field}:\\s*(\\d+) kB`, 'm').exec(status)[1]) * 1024;
	} catch {
		return undefined;
	}
}

/** Bytes of everything that could not be collected. */
function inUse() {
	const { heapUsed, external } = process.memoryUsage();
	return heapUsed + external;
}

const routes = {
	'/next-run': () =>
		ended.length > 0 ? ended.shift() : new Promise((resolve) => waiting.push(resolve)),

	/** Collects garbage, and lets the peak of memory and the processor time begin anew. */
	'/settle': async () => {
		// What the first one finds unreachable may hold on to more, until timers have run. This kind
		// gives free memory back too: in what is left of it, a run's own need would not show.
		for (let time = 0; time < 2; time++) {
			collectGarbage({ type: 'major', execution: 'sync', flavor: 'last-resort' });
			await new Promise((resolve) => setTimeout(resolve, 50));
		}
		cpuBefore = process.cpuUsage();
		inUseBefore = inUse();
		try {
			writeFileSync('/proc/self/clear_refs', '5');
		} catch {
			return {};
		}
		return { idleBytes: memory('VmRSS') };
	},

	'/profile-start': async () => {
		profiler = new Session();
		profiler.connect();
		await profiler.post('Profiler.enable');
		await profiler.post('Profiler.setSamplingInterval', { interval: 500 });
		await profiler.post('Profiler.start');
		return {};
	},

	'/profile-stop': async () => {
		const { profile } = await profiler.post('Profiler.stop');
		profiler.disconnect();
		return profile;
	},
};

const server = createServer(async (request, response) => {
	const route = routes[request.url];
	response.statusCode = route === undefined ? 404 : 200;
	response.end(JSON.stringify((await route?.()) ?? {}));
});
server.listen(0, '127.0.0.1', () => {
	const file = process.env.BENCH_PROBE_FILE;
	// Renamed, so that nobody reads half of it.
	writeFileSync(`${file}.new`, `http://127.0.0.1:${server.address().port}`);
	renameSync(`${file}.new`, file);
});
server.unref();
