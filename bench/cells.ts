import { atOnce, requestsOf, type Contestant, type Work } from './work';

/** The parts of the bench, to choose from with `--only`. */
export const groups = {
	a: '100,000 leads, 1,000 a page',
	b: 'the service’s own page size of 25',
	c: '10,000 LinkedIn URLs from 10,000 input items',
	d: 'growth from 1,000 to 100,000 leads',
	e: 'eight pages at once',
} as const;

export type Group = keyof typeof groups;

/** One row of the figures: some work, done by several. */
export interface Cell {
	readonly id: string;
	/** The parts it belongs to. */
	readonly groups: readonly Group[];
	readonly work: Work;
	/** Milliseconds that the service lets each request wait. */
	readonly latencyMs: number;
	readonly contestants: readonly Contestant[];
	/** Whether peak memory is measured too, each time in an n8n of its own. */
	readonly memory: boolean;
}

const three: readonly Contestant[] = ['ours', 'httpRequest', 'undici'];
const withHelper: readonly Contestant[] = ['ours', 'helper', 'httpRequest', 'undici'];

/**
 * Every cell.
 *
 * @param scale 1 for the real thing, less for a try: so many times the leads.
 */
export function cellsOf(scale = 1): readonly Cell[] {
	const search = (leads: number, pageSize = 1_000, raw = false): Work => ({
		kind: 'search',
		leads: Math.max(pageSize, Math.round((leads * scale) / pageSize) * pageSize),
		pageSize,
		raw,
	});
	const lookUp = (leads: number): Work => ({
		kind: 'lookUp',
		leads: Math.round(leads * scale),
		pageSize: 1_000,
	});
	const cell = (
		id: string,
		inGroups: readonly Group[],
		work: Work,
		latencyMs: number,
		more: Partial<Cell> = {},
	): Cell => ({
		id,
		groups: inGroups,
		work,
		latencyMs,
		contestants: three,
		memory: false,
		...more,
	});
	return [
		cell('d-1k', ['d'], search(1_000), 0),
		cell('d-10k', ['d'], search(10_000), 0),
		cell('100k', ['a', 'd'], search(100_000), 0, { contestants: withHelper, memory: true }),
		// About what the stand-in takes for a page whose answer it doesn't keep.
		cell('100k-10ms', ['a', 'd'], search(100_000), 10, { contestants: withHelper }),
		cell('100k-raw', ['a'], search(100_000, 1_000, true), 0),
		cell('100k-150ms', ['a', 'e'], search(100_000), 150, {
			contestants: ['ours', 'oursParallel', 'httpRequest', 'undici', 'undiciParallel'],
		}),
		cell('100k-raw-150ms', ['a'], search(100_000, 1_000, true), 150),
		cell('size-25', ['b'], search(100_000, 25), 0),
		// 4,000 pages of 150 ms would take ten minutes a run.
		cell('size-25-150ms', ['b'], search(2_000, 25), 150),
		cell('urls', ['c'], lookUp(10_000), 50, { memory: true }),
	];
}

/** Seconds that it takes to start n8n anew. */
export const restartSeconds = 8;

/** Seconds that go into starting a run and looking at what came out. */
const aroundSeconds = 0.7;

/** About how many seconds one run takes, to tell how long the rest will take. */
export function seconds({ work, latencyMs }: Cell, contestant: Contestant): number {
	const requests = requestsOf(work, contestant);
	const computing = aroundSeconds + requests * 0.003 + work.leads * 0.000_02;
	// HTTP Request sends the requests of several input items without waiting for each other.
	if (work.kind === 'lookUp' && contestant === 'httpRequest') return computing;
	const several = contestant === 'oursParallel' || contestant === 'undiciParallel' ? atOnce : 1;
	return computing + (requests * latencyMs) / 1000 / several;
}
