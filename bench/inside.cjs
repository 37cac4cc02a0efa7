/**
 * Hooks that measure runs inside n8n, which loads this file (EXTERNAL_HOOK_FILES). The result of each run is written to
 * the file BENCH_OUTCOME_FILE.
 */
const { readFileSync, renameSync, writeFileSync } = require('node:fs');
const { setTimeout: sleep } = require('node:timers/promises');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

let idleBytes;
let idleProcessor;
let heldIdle = Infinity;

exports.workflow = {
	preExecute: [
		async () => {
			// n8n keeps the items of the previous run for a while. This kind of collection also releases free memory.
			let before;
			do {
				before = held();
				await sleep(250);
				collectGarbage({ type: 'major', execution: 'sync', flavor: 'last-resort' });
			} while (held() < before - 1_000_000);
			// n8n may still keep some of the previous run, so the smallest value is used.
			heldIdle = Math.min(heldIdle, held());
			idleBytes = resident('VmRSS');
			if (idleBytes !== undefined) writeFileSync('/proc/self/clear_refs', '5');
			idleProcessor = process.threadCpuUsage();
		},
	],
	postExecute: [
		async ({ status, data: { resultData } }) => {
			const { user, system } = process.threadCpuUsage(idleProcessor);
			// Read this first, because reading the items uses memory, too.
			const peakBytes = resident('VmHWM');
			const { start: _start, input: _input, ...workers } = resultData.runData;
			const runs = Object.values(workers).flat();
			const items = runs.at(-1)?.data?.main[0] ?? [];
			const outcome = {
				error: status === 'success' ? undefined : `${status}: ${resultData.error?.message}`,
				milliseconds: runs.reduce((sum, { executionTime }) => sum + executionTime, 0),
				processor: (user + system) / 1000,
				items: items.length,
				different: new Set(items.map(({ json }) => json.linkedin_url)).size,
			};
			// n8n still holds the items of all nodes. Only the second collection releases buffers.
			collectGarbage();
			collectGarbage();
			const memory = idleBytes && { peak: peakBytes - idleBytes, held: held() - heldIdle };
			const file = process.env.BENCH_OUTCOME_FILE;
			// Rename the complete file, so that a reader never sees half of it.
			writeFileSync(`${file}.new`, JSON.stringify({ ...outcome, ...memory }));
			renameSync(`${file}.new`, file);
		},
	],
};

/** Returns a value of the process's memory in bytes, or undefined if the system isn't Linux. */
function resident(field) {
	if (process.platform !== 'linux') return undefined;
	const status = readFileSync('/proc/self/status', 'utf8');
	return Number(new RegExp(`^${field}:\\s*(\\d+) kB`, 'm').exec(status)[1]) * 1024;
}

function held() {
	const { heapUsed, external } = process.memoryUsage();
	return heapUsed + external;
}
