import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { npm } from './npm';

const run = promisify(execFile);

interface Manifest {
	readonly name: string;
	readonly version: string;
	readonly [field: string]: unknown;
}

/** The flags n8n passes on, and `--offline`: this package has no dependencies to fetch. */
const installFlags = [
	'--audit=false',
	'--fund=false',
	'--bin-links=false',
	'--install-strategy=shallow',
	'--ignore-scripts=true',
	'--package-lock=false',
	'--offline',
];

/**
 * Makes a folder for n8n's data, with a packed community package installed in it, or puts another
 * version in a folder that exists.
 *
 * It follows n8n's own steps (`downloadPackage` in its community packages service): unpack, drop
 * the development and peer dependencies from the manifest, install the rest, and list the package.
 * `npm install` of a tarball would fetch n8n's own code as a peer dependency.
 *
 * @param folder N8N_USER_FOLDER; the package goes to `.n8n/nodes` in it.
 * @param tarball what `packPackage` made.
 */
export async function createUserFolder(folder: string, tarball: string): Promise<void> {
	const nodesFolder = join(folder, '.n8n', 'nodes');
	const name = await packageName(tarball);
	const packageFolder = join(nodesFolder, 'node_modules', name);
	await rm(packageFolder, { recursive: true, force: true });
	await mkdir(packageFolder, { recursive: true });
	await run('tar', ['-xzf', tarball, '-C', packageFolder, '--strip-components=1']);

	const manifestFile = join(packageFolder, 'package.json');
	const manifest = await readManifest(manifestFile);
	const installed = Object.fromEntries(
		Object.entries(manifest).filter(([field]) => !notInstalled.has(field)),
	);
	await writeJson(manifestFile, installed);
	await npm(['install', ...installFlags], packageFolder);
	await writeJson(join(nodesFolder, 'package.json'), {
		name: 'installed-nodes',
		private: true,
		dependencies: { [name]: manifest.version },
	});
}

const notInstalled = new Set(['devDependencies', 'peerDependencies', 'optionalDependencies']);

async function packageName(tarball: string): Promise<string> {
	const { stdout } = await run('tar', ['-xzOf', tarball, 'package/package.json']);
	return (JSON.parse(stdout) as Manifest).name;
}

async function readManifest(file: string): Promise<Manifest> {
	return JSON.parse(await readFile(file, 'utf8')) as Manifest;
}

async function writeJson(file: string, value: unknown): Promise<void> {
	await writeFile(file, `${JSON.stringify(value, null, '\t')}\n`);
}
