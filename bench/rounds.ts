import type { Arena, Memory, Run } from './arena';
import { restartSeconds, seconds, type Cell } from './cells';
import type { Batching } from './n8n/workflows';
import type { Pace } from './pace';
import type { BatchingResult, CellResult, Figures } from './results';
import { spreadOf } from './statistics';
import type { Contestant } from './work';

/**
 * Lets the contestants of a cell do its work in turns, so that whatever else the machine does hits
 * all of them, each once more before that, which doesn't count: it warms everybody up, the
 * service's pages included.
 *
 * @param runs that count, of each contestant
 */
export async function runCell(
	arena: Arena,
	cell: Cell,
	runs: number,
	pace: Pace,
): Promise<Map<Contestant, Run[]>> {
	const counted = new Map<Contestant, Run[]>(cell.contestants.map((name) => [name, []]));
	for (const contestant of cell.contestants) {
		// Without the waiting, since only computing gets faster by practice.
		const practice = { ...cell, latencyMs: 0 };
		await pace.time(practice, contestant, 'warm-up', seconds(practice, contestant), () =>
			arena.run(contestant, practice),
		);
	}
	for (let round = 0; round < runs; round++) {
		for (const contestant of inTurn(cell.contestants, round)) {
			const what = `run ${round + 1} of ${runs}`;
			const run = await pace.time(cell, contestant, what, seconds(cell, contestant), () =>
				arena.run(contestant, cell),
			);
			counted.get(contestant)?.push(run);
		}
	}
	return counted;
}

/** Another one begins each time. */
function inTurn<T>(all: readonly T[], round: number): T[] {
	const first = round % all.length;
	return [...all.slice(first), ...all.slice(0, first)];
}

/** Those whose memory is measured. */
export const memoryContestants = ['ours', 'httpRequest'] as const;

/**
 * Measures memory: each time in an n8n that has just been started and has done the work once,
 * with a few leads, so that the code is loaded and nothing else.
 *
 * @returns bytes above what n8n had before the run; nothing where the system doesn't tell
 */
export async function measureMemory(
	arena: Arena,
	cell: Cell,
	runs: number,
	pace: Pace,
): Promise<Map<Contestant, Memory[]>> {
	const measured = new Map<Contestant, Memory[]>(memoryContestants.map((name) => [name, []]));
	for (let round = 0; round < runs; round++) {
		for (const contestant of inTurn(memoryContestants, round)) {
			const { memory } = await pace.time(
				cell,
				contestant,
				`memory ${round + 1} of ${runs}`,
				restartSeconds + seconds(cell, contestant),
				async () => {
					await arena.n8n.restart();
					const little = {
						...cell,
						work: { ...cell.work, leads: 1_000, pageSize: 1_000 },
					};
					await arena.run(contestant, little);
					return arena.run(contestant, cell);
				},
			);
			if (memory !== undefined) measured.get(contestant)?.push(memory);
		}
	}
	return measured;
}

const batchings: readonly Batching[] = [
	{ batchSize: -1, batchInterval: 0 },
	{ batchSize: 50, batchInterval: 1 },
	{ batchSize: 200, batchInterval: 1 },
	{ batchSize: 1_000, batchInterval: 1 },
];

/** A fifth of the work shows which way is the fastest. */
function batchingCell(cell: Cell): Cell {
	return { ...cell, work: { ...cell.work, leads: Math.ceil(cell.work.leads / 5) } };
}

/** Seconds that it all takes, as far as can be known before. */
export function plannedSeconds(cells: readonly Cell[], runs: number, withMemory: boolean): number {
	const sums = cells.flatMap((cell) => [
		...cell.contestants.map(
			(name) => seconds({ ...cell, latencyMs: 0 }, name) + runs * seconds(cell, name),
		),
		...(cell.memory && withMemory
			? memoryContestants.map((name) => runs * (restartSeconds + seconds(cell, name)))
			: []),
		cell.work.kind === 'lookUp'
			? batchings.length * 2 * seconds(batchingCell(cell), 'httpRequest')
			: 0,
	]);
	return sums.reduce((sum, more) => sum + more, 0);
}

/** Tries ways of batching the requests of HTTP Request; the fastest comes first. */
export async function tryBatchings(
	arena: Arena,
	cell: Cell,
	runs: number,
	pace: Pace,
): Promise<BatchingResult[]> {
	const fewer = batchingCell(cell);
	const times = new Map<Batching, number[]>(batchings.map((batching) => [batching, []]));
	for (let round = 0; round < runs; round++) {
		for (const batching of inTurn(batchings, round)) {
			const what = batching.batchSize < 0 ? 'no batches' : `batches of ${batching.batchSize}`;
			const { milliseconds } = await pace.time(
				fewer,
				'httpRequest',
				what,
				seconds(fewer, 'httpRequest'),
				() => arena.run('httpRequest', fewer, batching),
			);
			times.get(batching)?.push(milliseconds);
		}
	}
	return [...times]
		.map(([batching, all]) => ({
			...batching,
			milliseconds: spreadOf(all),
			items: fewer.work.leads,
		}))
		.sort((one, other) => one.milliseconds.median - other.milliseconds.median);
}

/** The figures of a cell. */
export function resultOf(
	{ id, work, latencyMs }: Cell,
	runs: ReadonlyMap<Contestant, readonly Run[]>,
	memory: ReadonlyMap<Contestant, readonly Memory[]>,
	commit: string,
): CellResult {
	const figures = [...runs].map(([contestant, counted]): [Contestant, Figures] => {
		const bytes = memory.get(contestant) ?? [];
		return [
			contestant,
			{
				milliseconds: spreadOf(counted.map(({ milliseconds }) => Math.round(milliseconds))),
				cpuMilliseconds: spreadOf(
					counted.map(({ cpuMilliseconds }) => Math.round(cpuMilliseconds)),
				),
				...(bytes.length > 0 && {
					memory: spreadOf(bytes.map(({ peak }) => peak)),
					held: spreadOf(bytes.map(({ held }) => held)),
				}),
				requests: counted[0]?.outcome.requests ?? 0,
				credits: counted[0]?.outcome.charged ?? 0,
				atOnce: Math.max(...counted.map(({ atOnce }) => atOnce)),
			},
		];
	});
	const date = new Date().toISOString();
	return { id, work, latencyMs, figures: Object.fromEntries(figures), date, commit };
}
