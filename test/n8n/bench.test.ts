/** The bench itself, small: everybody does all of the work, in the real processes. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Arena } from '../../bench/arena';
import { cellsOf } from '../../bench/cells';
import { Pace } from '../../bench/pace';
import { resultOf, runCell } from '../../bench/rounds';

let folder: string;
let arena: Arena | undefined;

jest.setTimeout(120_000);

beforeAll(async () => {
	jest.spyOn(process.stdout, 'write').mockReturnValue(true);
	folder = await mkdtemp(join(tmpdir(), 'lead-search-bench-'));
	arena = await Arena.open(join(folder, 'n8n'));
});

afterAll(async () => {
	await arena?.close();
	await rm(folder, { recursive: true, force: true });
	jest.restoreAllMocks();
});

test.each(cellsOf(0.05).filter(({ id }) => ['100k', '100k-150ms', 'size-25', 'urls'].includes(id)))(
	'$id: everybody does all of the work, and is timed',
	async (cell) => {
		if (arena === undefined) throw new Error('The arena did not open');
		const runs = await runCell(arena, { ...cell, latencyMs: 5 }, 1, new Pace(60));
		const { figures } = resultOf(cell, runs, new Map(), 'none');
		expect(Object.keys(figures)).toEqual(cell.contestants);
		for (const name of cell.contestants) {
			expect(figures[name]?.credits).toBe(cell.work.leads);
			expect(figures[name]?.milliseconds.median).toBeGreaterThanOrEqual(5);
			const several = name === 'oursParallel' || name === 'undiciParallel';
			if (several) expect(figures[name]?.atOnce).toBeGreaterThan(1);
		}
	},
);
