/**
 * `npm run bench`: measures Lead Search side by side with HTTP Request and with undici. See
 * `options.ts` for what it takes; this part installs what is missing first.
 */
import '../sandbox/node-version.mjs';
import process from 'node:process';

import { installN8n, installProject, StepFailed } from '../sandbox/setup.mjs';

process.exit(await bench(process.argv.slice(2)));

async function bench(args) {
	try {
		await installProject();
		const { tsImport } = await import('tsx/esm/api');
		const { readOptions, usage } = await tsImport('./options.ts', import.meta.url);
		const options = read(readOptions, args, usage);
		if (typeof options === 'number') return options;
		await installN8n();
		const { main } = await tsImport('./main.ts', import.meta.url);
		return await main(options);
	} catch (error) {
		process.stderr.write(`${error instanceof StepFailed ? error.message : error.stack}\n`);
		return 1;
	}
}

/** @returns the options, or the exit code if there is nothing to measure */
function read(readOptions, args, usage) {
	try {
		const options = readOptions(args);
		if (options !== 'help') return options;
		process.stdout.write(usage);
		return 0;
	} catch (error) {
		process.stderr.write(`${error.message}\n\n${usage}`);
		return 1;
	}
}
