import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Arena } from './arena';
import type { Cell } from './cells';
import { hottest, type Profile } from './hottest';
import { workFolder } from './report/files';

/**
 * Notes what n8n's processor time goes into while Lead Search works, after it has practised. Writes
 * a file for each cell, for Chrome's or VS Code's viewer, and prints the functions that took most.
 */
export async function profileCells(arena: Arena, cells: readonly Cell[]): Promise<void> {
	const folder = join(workFolder, 'profiles');
	mkdirSync(folder, { recursive: true });
	for (const cell of cells) {
		const ours = cell.contestants.filter(
			(contestant) => contestant === 'ours' || contestant === 'oursParallel',
		);
		for (const contestant of ours) {
			for (let practice = 0; practice < 2; practice++) {
				await arena.run(contestant, { ...cell, latencyMs: 0 });
			}
			await arena.n8n.inside.startProfile();
			const { milliseconds } = await arena.run(contestant, cell);
			const profile = (await arena.n8n.inside.stopProfile()) as Profile;
			const file = join(folder, `${cell.id}-${contestant}.cpuprofile`);
			writeFileSync(file, JSON.stringify(profile));
			process.stdout.write(`\n${file}\n${(milliseconds / 1000).toFixed(2)} s\n`);
			for (const { milliseconds: own, where } of hottest(profile, 25)) {
				process.stdout.write(`${own.toFixed(0).padStart(8)} ms  ${where}\n`);
			}
		}
	}
}
