import { existsSync } from 'node:fs';
import { mkdir, rm, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import execa from 'execa';

import { projectFolder } from '../sandbox/paths';

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
	const git = ['--git-dir', join(projectFolder, '.git'), '--work-tree', folder];
	const sources = ['nodes', 'credentials', 'tsconfig.json', 'tsconfig.build.json'];
	const restore = ['restore', '--worktree', '--source', baseline, '--', ...sources];
	await execa('git', [...git, ...restore], { cwd: folder });
	await symlink(join(projectFolder, 'node_modules'), join(folder, 'node_modules'), 'junction');
	await execa('tsc', ['-p', 'tsconfig.build.json'], { cwd: folder, preferLocal: true });
	return join(folder, 'dist');
}
