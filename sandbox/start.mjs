/** `npm start`: see `start/main.ts`; this part reads the command line, and installs what is missing. */
import './node-version.mjs';
import process from 'node:process';
import { parseArgs } from 'node:util';

import { runMain } from './setup.mjs';

const usage = `npm start -- [--once] [--port <number>]

  --once           end after the search, with exit code 0 only if leads came out
  --port <number>  the editor's port (5678; another one is taken if it isn't free)
`;

try {
	const { help, once, port } = parseArgs({
		options: {
			once: { type: 'boolean', default: false },
			port: { type: 'string', default: '5678' },
			help: { type: 'boolean', default: false },
		},
	}).values;
	if (!/^[1-9]\d{0,4}$/.test(port) || Number(port) > 65535)
		throw new TypeError(`--port takes a number from 1 to 65535, not "${port}"`);
	if (help) process.stdout.write(usage);
	else await runMain(new URL('start/main.ts', import.meta.url), { once, port: Number(port) });
} catch (error) {
	process.stderr.write(`${error.message}\n\n${usage}`);
	process.exitCode = 1;
}
