import { join } from 'node:path';

import { stopAllServers } from '../sandbox/server-process';
import { buildPackage } from '../sandbox/start/build';
import { whenInterrupted } from '../sandbox/start/interrupt';
import { say, step } from '../sandbox/start/steps';
import { Arena, type Memory } from './arena';
import { cellsOf, type Cell } from './cells';
import { thisCommit, thisMachine } from './machine';
import type { Options } from './options';
import { clock, Pace } from './pace';
import { profileCells } from './profile';
import { keep, resultsFile, workFolder, writeAside } from './report/files';
import { targetText } from './report/rows';
import { screenTable } from './report/table';
import type { BatchingResult, CellResult, Results } from './results';
import { measureMemory, plannedSeconds, resultOf, runCell, tryBatchings } from './rounds';
import { targetsOf } from './targets';
import { contestants, type Contestant } from './work';

/**
 * Measures, and tells what came of it.
 *
 * @returns the exit code
 * @throws Error when a run did not do its work.
 */
export async function main(options: Options): Promise<number> {
	const interrupted = whenInterrupted().then(() => undefined);
	const work = bench(options);
	// Once interrupted, what was under way fails, and nobody has to hear of it.
	work.catch(() => undefined);
	try {
		return (await Promise.race([work, interrupted])) === undefined ? 130 : 0;
	} finally {
		await stopAllServers();
	}
}

async function bench(options: Options): Promise<true> {
	const cells = cellsOf(options.scale).filter((cell) =>
		cell.groups.some((group) => options.only.includes(group)),
	);
	await step('Building the package', buildPackage);
	const arena = await step('Starting the lead service, n8n and undici', () =>
		Arena.open(join(workFolder, 'n8n')),
	);
	if (options.profile) {
		await profileCells(arena, cells);
	} else {
		report(await measure(arena, cells, options), options);
	}
	await arena.close();
	return true;
}

/** Measures cell by cell. What is saved is saved after each, so that a late failure loses little. */
async function measure(
	arena: Arena,
	cells: readonly Cell[],
	{ runs, memory, save }: Options,
): Promise<Results> {
	const planned = plannedSeconds(cells, runs, memory);
	const pace = new Pace(planned);
	say(`${cells.length} kinds of work, ${runs} runs each: about ${clock(planned * 1000)}`);
	const commit = await thisCommit();
	const machine = await thisMachine();
	let batching: BatchingResult[] = [];
	const results: CellResult[] = [];
	for (const cell of cells) {
		if (cell.work.kind === 'lookUp') {
			batching = await tryBatchings(arena, cell, 2, pace);
			arena.batching = batching[0] ?? arena.batching;
		}
		const counted = await runCell(arena, cell, runs, pace);
		const bytes =
			cell.memory && memory
				? await measureMemory(arena, cell, runs, pace)
				: new Map<Contestant, Memory[]>();
		const result = resultOf(cell, counted, bytes, commit);
		results.push(result);
		if (save) keep({ machine, batching, cells: [result] });
	}
	return { machine, batching, cells: results };
}

function report(results: Results, { save }: Options): void {
	const lines = [
		'',
		screenTable(results),
		...results.batching.map(
			({ batchSize, milliseconds, items }) =>
				`${contestants.httpRequest}, ${items} URLs, ${batchSize < 0 ? 'no batches' : `batches of ${batchSize}`}: ${milliseconds.median} ms`,
		),
		'',
		...targetsOf(results).map(targetText),
		'',
	];
	process.stdout.write(`${lines.join('\n')}\n`);
	say(`The figures are in ${save ? resultsFile : writeAside(results)}`);
}
