import { existsSync, statSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

export const projectFolder = resolve(__dirname, '..');
export const sandboxFolder = __dirname;

/**
 * Where everything made on this machine is kept; not under version control. Outside of the project
 * where that is for root alone, as what PostgreSQL needs can't be there.
 */
export const homeFolder = isReachable(sandboxFolder)
	? join(sandboxFolder, '.home')
	: join('/var/tmp/lead-search-sandbox', sandboxFolder);

/** A new folder for what is removed afterwards, through which other users may reach their own. */
export async function temporaryFolder(): Promise<string> {
	const parent = isReachable(tmpdir()) ? tmpdir() : '/var/tmp';
	const folder = await mkdtemp(join(parent, 'lead-search-'));
	await chmod(folder, 0o711);
	return folder;
}

/** Whether whoever runs PostgreSQL may enter a folder: ourselves, or as root anybody. */
export function isReachable(folder: string): boolean {
	if (process.getuid?.() !== 0) return true;
	if ((statSync(folder).mode & 0o001) === 0) return false;
	return dirname(folder) === folder || isReachable(dirname(folder));
}

/** Makes a folder unless it is there; it gets its name last, so that there is none half done. */
export async function makeOnce(
	folder: string,
	make: (unfinished: string) => Promise<unknown>,
): Promise<void> {
	if (existsSync(folder)) return;
	const unfinished = `${folder}.unfinished`;
	await rm(unfinished, { recursive: true, force: true });
	await mkdir(dirname(folder), { recursive: true });
	await make(unfinished);
	await rename(unfinished, folder);
}
