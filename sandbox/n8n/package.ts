/** The package itself: built, packed as it would be published, and installed for an n8n. */
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

import execa from 'execa';

import { projectFolder } from '../paths';

export interface PackedPackage {
	/** The whole path. */
	readonly filename: string;
	/** In bytes. */
	readonly size: number;
	readonly files: ReadonlyArray<{ readonly path: string }>;
}

/** @throws Error when the package has not been built since its source changed. */
export async function packPackage(folder: string): Promise<PackedPackage> {
	if (!(await isBuilt()))
		throw new Error('The package is not built, or has changed since: run `npm run build`');
	await mkdir(folder, { recursive: true });
	const flags = ['--json', '--ignore-scripts', '--pack-destination', folder];
	const { stdout } = await execa('npm', ['pack', ...flags], { cwd: projectFolder });
	const [packed] = Object.values(JSON.parse(stdout) as Readonly<Record<string, PackedPackage>>);
	if (packed === undefined) throw new Error(`npm pack packed nothing: ${stdout}`);
	return { ...packed, filename: join(folder, packed.filename) };
}

export async function isBuilt(): Promise<boolean> {
	const [built = 0, ...sources] = await Promise.all(
		['dist', 'nodes', 'credentials'].map((folder) => lastChangeOf(join(projectFolder, folder))),
	);
	return Math.max(...sources) < built;
}

/** When something below a folder was last written, made or removed; 0 without the folder. */
async function lastChangeOf(folder: string): Promise<number> {
	const paths = await readdir(folder, { recursive: true }).catch(() => []);
	const all = await Promise.all(paths.map((path) => stat(join(folder, path))));
	return Math.max(0, ...all.map(({ mtimeMs }) => mtimeMs));
}

export async function buildPackage(): Promise<void> {
	await execa('npm', ['run', '--silent', 'build'], { cwd: projectFolder });
}

/** No network: the package has no dependencies, and n8n itself, its peer, is there already. */
const installFlags = [
	...['--offline', '--legacy-peer-deps', '--ignore-scripts', '--no-package-lock'],
	...['--no-audit', '--no-fund', '--no-bin-links'],
];

/** Puts the package where n8n puts those that a user installs; the folder is N8N_USER_FOLDER. */
export async function createUserFolder(folder: string, { filename }: PackedPackage): Promise<void> {
	const nodesFolder = join(folder, '.n8n', 'nodes');
	await rm(nodesFolder, { recursive: true, force: true });
	await mkdir(nodesFolder, { recursive: true });
	await execa('npm', ['install', ...installFlags, '--prefix', nodesFolder, filename]);
}
