import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** The project's folder. */
export const projectFolder = resolve(__dirname, '..');

/** The folder of everything that the package is tried and tested with. */
export const sandboxFolder = __dirname;

/** Where everything made on this machine is kept; not under version control. */
export const homeFolder = join(sandboxFolder, '.home');

/** A new folder for what is removed afterwards, through which other users may reach their own. */
export async function temporaryFolder(): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), 'lead-search-'));
	await chmod(folder, 0o711);
	return folder;
}
