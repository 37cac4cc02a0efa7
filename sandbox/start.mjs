/**
 * `npm start`: tries the package in a real n8n, on this machine alone. See `start/main.ts` for what
 * it does; this part installs what is missing first.
 *
 *     npm start -- [--once] [--port <number>]
 */
import './node-version.mjs';
import process from 'node:process';
import { parseArgs } from 'node:util';

import { installN8n, installProject, StepFailed } from './setup.mjs';

const usage = `npm start -- [--once] [--port <number>]

  --once           end after the search, with exit code 0 only if leads came out
  --port <number>  the editor's port (5678; another one is taken if it isn't free)
`;

process.exit(await start());

async function start() {
	const options = readOptions();
	if (typeof options === 'number') return options;
	try {
		await installProject();
		await installN8n();
		const { tsImport } = await import('tsx/esm/api');
		const { main } = await tsImport('./start/main.ts', import.meta.url);
		return await main(options);
	} catch (error) {
		process.stderr.write(`${error instanceof StepFailed ? error.message : error.stack}\n`);
		return 1;
	}
}

/** @returns the options, or the exit code if there is nothing to start */
function readOptions() {
	try {
		const { values } = parseArgs({
			options: {
				once: { type: 'boolean', default: false },
				port: { type: 'string', default: '5678' },
				help: { type: 'boolean', default: false },
			},
		});
		const port = Number(values.port);
		if (!Number.isInteger(port) || port < 1 || port > 65535) {
			throw new TypeError(`--port takes a number from 1 to 65535, not "${values.port}"`);
		}
		if (!values.help) return { once: values.once, port };
		process.stdout.write(usage);
		return 0;
	} catch (error) {
		process.stderr.write(`${error.message}\n\n${usage}`);
		return 1;
	}
}
