/** Builds the package, packs it as for publishing, and installs it for an n8n. */
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

import execa from 'execa';

import { projectFolder } from '../paths';

/** A packed package (npm pack). */
export interface PackedPackage {
	/** Absolute path. */
	readonly filename: string;
	/** Size in bytes. */
	readonly size: number;
	readonly files: ReadonlyArray<{ readonly path: string }>;
}

/** Packs the package. @throws Error if it wasn't built since its sources changed */
export async function packPackage(folder: string): Promise<PackedPackage> {
	if (!(await isBuilt()))
		throw new Error(
			'The package is not built, or its sources have changed since: run `npm run build`',
		);
	await mkdir(folder, { recursive: true });
	const flags = ['--json', '--ignore-scripts', '--pack-destination', folder];
	const { stdout } = await execa('npm', ['pack', ...flags], { cwd: projectFolder });
	const [packed] = Object.values(JSON.parse(stdout) as Readonly<Record<string, PackedPackage>>);
	if (packed === undefined) throw new Error(`npm pack packed nothing: ${stdout}`);
	return { ...packed, filename: join(folder, packed.filename) };
}

/** Whether `dist` is newer than all sources. */
export async function isBuilt(): Promise<boolean> {
	const [built = 0, ...sources] = await Promise.all(
		['dist', 'nodes', 'credentials'].map((folder) => lastChangeOf(join(projectFolder, folder))),
	);
	return Math.max(...sources) < built;
}

/** Returns when something in a folder was last changed, in milliseconds; 0 if the folder doesn't exist. */
async function lastChangeOf(folder: string): Promise<number> {
	const paths = await readdir(folder, { recursive: true }).catch(() => []);
	const all = await Promise.all(paths.map((path) => stat(join(folder, path))));
	return Math.max(0, ...all.map(({ mtimeMs }) => mtimeMs));
}

/** Runs `npm run build`. */
export async function buildPackage(): Promise<void> {
	await execa('npm', ['run', '--silent', 'build'], { cwd: projectFolder });
}

/** Flags for an installation without network: the package has no dependencies, and n8n itself is its peer. */
const installFlags = [
	'--offline',
	'--legacy-peer-deps',
	'--ignore-scripts',
	'--no-package-lock',
	'--no-audit',
	'--no-fund',
	'--no-bin-links',
];

/** Installs the package in the same place as a user's community nodes. The folder becomes N8N_USER_FOLDER. */
export async function createUserFolder(folder: string, { filename }: PackedPackage): Promise<void> {
	const nodesFolder = join(folder, '.n8n', 'nodes');
	await rm(nodesFolder, { recursive: true, force: true });
	await mkdir(nodesFolder, { recursive: true });
	await execa('npm', ['install', ...installFlags, '--prefix', nodesFolder, filename]);
}
