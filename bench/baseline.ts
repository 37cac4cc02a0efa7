import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { projectFolder } from '../sandbox/paths';

const run = promisify(execFile);
const inProject = { cwd: projectFolder };

/**
 * Gets the build to compare with ready.
 *
 * @param baseline a folder that has a `dist`, or a git ref, which is built in `folder`
 * @returns the `dist` folder
 * @throws Error when there is neither, or it doesn't compile
 */
export async function distOf(baseline: string, folder: string): Promise<string> {
	const dist = join(resolve(baseline), 'dist');
	if (existsSync(dist)) return dist;
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
	const archive = join(folder, 'source.tar');
	const sources = ['nodes', 'credentials', 'tsconfig.json', 'tsconfig.build.json'];
	await run('git', ['archive', '-o', archive, baseline, ...sources], inProject);
	await run('tar', ['-xf', archive], { cwd: folder });
	await symlink(join(projectFolder, 'node_modules'), join(folder, 'node_modules'), 'junction');
	const compiler = join(projectFolder, 'node_modules', 'typescript', 'bin', 'tsc');
	await run(process.execPath, [compiler, '-p', 'tsconfig.build.json'], { cwd: folder });
	return join(folder, 'dist');
}

/** The commit that is checked out, marked when files differ from it; 'unknown' without git. */
export async function commit(): Promise<string> {
	try {
		const { stdout } = await run('git', ['describe', '--always', '--dirty'], inProject);
		return stdout.trim();
	} catch {
		return 'unknown';
	}
}
