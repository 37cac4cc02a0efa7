/**
 * `npm run bench`: measures Lead Search side by side with HTTP Request and with undici. See
 * `options.ts` for what it takes; this part installs what is missing first.
 */
import '../sandbox/node-version.mjs';
import process from 'node:process';

import { installN8n, installProject, StepFailed } from '../sandbox/setup.mjs';

try {
	await installProject();
	await installN8n();
	const { tsImport } = await import('tsx/esm/api');
	const { main } = await tsImport('./main.ts', import.meta.url);
	process.exit(await main(process.argv.slice(2)));
} catch (error) {
	process.stderr.write(`${error instanceof StepFailed ? error.message : error.stack}\n`);
	process.exit(1);
}
