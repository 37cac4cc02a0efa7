/**
 * `npm run test:soak`: searches for a breach of the credit promises in 100,000 random runs, which
 * takes about 20 minutes. Another number, or the seed of an earlier run, can be given:
 *
 *     npm run test:soak -- [runs] [seed]
 */
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const project = dirname(dirname(fileURLToPath(import.meta.url)));
const [runs = '100000', seed] = process.argv.slice(2);

const { status } = spawnSync(
	process.execPath,
	[
		join(project, 'node_modules/jest/bin/jest.js'),
		'--selectProjects',
		'node',
		'--',
		'credits.property',
	],
	{
		cwd: project,
		stdio: 'inherit',
		env: {
			...process.env,
			LEAD_SEARCH_RUNS: runs,
			...(seed !== undefined && { LEAD_SEARCH_SEED: seed }),
		},
	},
);
process.exit(status ?? 1);
