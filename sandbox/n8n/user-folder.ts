import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import execa from 'execa';

import type { PackedPackage } from './package-tarball';

/** No network: the package has no dependencies, and n8n itself, its peer, is there already. */
const installFlags = [
	...['--offline', '--legacy-peer-deps', '--ignore-scripts', '--no-package-lock'],
	...['--no-audit', '--no-fund', '--no-bin-links'],
];

/**
 * Makes a folder for n8n's data, with a packed community package installed in it, or puts another
 * version in a folder that exists.
 *
 * @param folder N8N_USER_FOLDER; the package goes to `.n8n/nodes` in it, where n8n puts those that
 * a user installs.
 */
export async function createUserFolder(folder: string, { filename }: PackedPackage): Promise<void> {
	const nodesFolder = join(folder, '.n8n', 'nodes');
	await rm(nodesFolder, { recursive: true, force: true });
	await mkdir(nodesFolder, { recursive: true });
	await execa('npm', ['install', ...installFlags, '--prefix', nodesFolder, filename], {
		cwd: nodesFolder,
	});
}
