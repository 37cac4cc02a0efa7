import { mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { startGuarded } from '../guarded-process';
import { logTail } from '../log-tail';
import { homeFolder, projectFolder } from '../paths';

/**
 * Builds the package.
 *
 * @throws Error with the end of the compiler's output.
 */
export async function buildPackage(): Promise<void> {
	const logs = join(homeFolder, 'logs');
	mkdirSync(logs, { recursive: true });
	const logFile = join(logs, 'build.log');
	await rm(logFile, { force: true });
	const build = startGuarded({
		command: 'npm',
		args: ['run', 'build'],
		cwd: projectFolder,
		env: process.env,
		logFile,
	});
	const code = await build.ended;
	if (code !== 0) {
		throw new Error(`"npm run build" ended with exit code ${code}:\n${logTail(logFile)}`);
	}
}
