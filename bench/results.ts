/** The figures of a bench, as they stand in `bench/results`. */
import { isDeepStrictEqual } from 'node:util';

import { cellsOf } from './cells';
import type { Batching } from './n8n/workflows';
import type { Spread } from './statistics';
import type { Contestant, Work } from './work';

/** What one contestant needed for some work. */
export interface Figures {
	/** Node time in n8n; for undici the time from the first request to the last row. */
	readonly milliseconds: Spread;
	/** Processor time that its process took for it, on all cores together. */
	readonly cpuMilliseconds: Spread;
	/** Peak of n8n's resident memory above what it had before the run, in bytes. */
	readonly memory?: Spread;
	/** What n8n held in the end, with the items of all its nodes, above what it held before, in bytes. */
	readonly held?: Spread;
	readonly requests: number;
	readonly credits: number;
	/** Requests that were under way at the same time. */
	readonly atOnce: number;
}

/** Some work, and what each contestant needed. */
export interface CellResult {
	readonly id: string;
	readonly work: Work;
	readonly latencyMs: number;
	readonly figures: Readonly<Partial<Record<Contestant, Figures>>>;
	/** When it was measured, in ISO 8601, and at which commit. */
	readonly date: string;
	readonly commit: string;
}

/** How fast HTTP Request was with its batches set in one way. */
export interface BatchingResult extends Batching {
	readonly milliseconds: Spread;
	/** Input items. */
	readonly items: number;
}

/** What the bench ran on. */
export interface Machine {
	readonly cpu: string;
	readonly cores: number;
	/** Bytes. */
	readonly memory: number;
	readonly system: string;
	/** Versions: of n8n, of its Node, of undici. */
	readonly n8n: string;
	readonly node: string;
	readonly undici: string;
}

export interface Results {
	readonly machine: Machine;
	/** The ways of batching tried for HTTP Request, the one taken first. */
	readonly batching: readonly BatchingResult[];
	readonly cells: readonly CellResult[];
}

/** Puts new figures in place of older ones of the same cells. Those of another machine go. */
export function merged(older: Results | undefined, newer: Results): Results {
	const cells = newer.cells.map((cell) => cell.id);
	const isSame = older !== undefined && isDeepStrictEqual(older.machine, newer.machine);
	const kept = isSame ? older.cells.filter(({ id }) => !cells.includes(id)) : [];
	const order = cellsOf().map(({ id }) => id);
	return {
		machine: newer.machine,
		batching: newer.batching.length > 0 || !isSame ? newer.batching : older.batching,
		cells: [...kept, ...newer.cells].sort(
			(one, other) => order.indexOf(one.id) - order.indexOf(other.id),
		),
	};
}
