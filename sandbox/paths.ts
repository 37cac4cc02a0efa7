/** Folders of the project, and folders for generated files. */
import { existsSync, statSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/** Root folder of the project. */
export const projectFolder = resolve(__dirname, '..');
/** The folder `sandbox`. */
export const sandboxFolder = __dirname;

/**
 * Folder for all generated files, not under version control. If only root can read the project, the folder is outside
 * of it, because PostgreSQL runs as another user.
 */
export const homeFolder = isReachable(sandboxFolder)
	? join(sandboxFolder, '.home')
	: join('/var/tmp/lead-search-sandbox', sandboxFolder);

/** Creates a temporary folder. Other users can enter it, so that PostgreSQL can reach its own folder in it. */
export async function temporaryFolder(): Promise<string> {
	const parent = isReachable(tmpdir()) ? tmpdir() : '/var/tmp';
	const folder = await mkdtemp(join(parent, 'lead-search-'));
	await chmod(folder, 0o711);
	return folder;
}

/** Whether the user that runs PostgreSQL can enter a folder: the current user, or for root any user. */
export function isReachable(folder: string): boolean {
	if (process.getuid?.() !== 0) return true;
	if ((statSync(folder).mode & 0o001) === 0) return false;
	return dirname(folder) === folder || isReachable(dirname(folder));
}

/** Creates a folder unless it exists. It is renamed when it is complete, so that no unfinished folder is used. */
export async function makeOnce(
	folder: string,
	make: (unfinished: string) => Promise<unknown>,
): Promise<void> {
	if (existsSync(folder)) return;
	// Another process may create the same folder meanwhile.
	const unfinished = `${folder}.${process.pid}.unfinished`;
	await rm(unfinished, { recursive: true, force: true });
	await mkdir(dirname(folder), { recursive: true });
	await make(unfinished);
	try {
		await rename(unfinished, folder);
	} catch (error) {
		await rm(unfinished, { recursive: true, force: true });
		if (!existsSync(folder)) throw error;
	}
}
