/**
 * `node sandbox/run.mjs <start, bench or release> [arguments]`: installs missing packages and calls the program's
 * `main`, which returns the exit code.
 */
import './node-version.mjs';
import process from 'node:process';

import { install } from './setup.mjs';
import { readOptions, usage } from './start/options.mjs';

const programs = {
	start: { file: './start/main.ts', read: readOptions },
	bench: { file: '../bench/main.ts' },
	release: { file: './release/check.ts', parts: ['n8n-1', 'node-cli'] },
};

const [name, ...args] = process.argv.slice(2);
const { file, parts = [], read = (all) => all } = programs[name];
try {
	const input = read(args);
	if (input.help) {
		process.stdout.write(`${usage}\n`);
		process.exit(0);
	}
	await install('project', 'n8n', ...parts);
	const { tsImport } = await import('tsx/esm/api');
	const { main } = await tsImport(file, import.meta.url);
	process.exit(await main(input));
} catch (error) {
	process.stderr.write(`${error.isForUser ? error.message : error.stack}\n`);
	process.exit(1);
}
