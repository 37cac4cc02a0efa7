/**
 * `node sandbox/run.mjs <start, bench or release> [arguments]`: installs missing packages and calls the program's
 * `main(arguments)`, which returns the exit code.
 */
import './node-version.mjs';
import process from 'node:process';

import { install } from './setup.mjs';

const programs = {
	start: { file: './start/main.ts' },
	bench: { file: '../bench/main.ts' },
	release: { file: './release/check.ts', parts: ['n8n-1', 'node-cli'] },
};

const [name, ...args] = process.argv.slice(2);
const { file, parts = [] } = programs[name];
try {
	await install('project', 'n8n', ...parts);
	const { tsImport } = await import('tsx/esm/api');
	const { main } = await tsImport(file, import.meta.url);
	process.exit(await main(args));
} catch (error) {
	process.stderr.write(`${error.isForUser ? error.message : error.stack}\n`);
	process.exit(1);
}
