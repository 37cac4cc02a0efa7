import { execFile } from 'node:child_process';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { findInstallation } from './installation';

const run = promisify(execFile);

/** The package itself, and n8n's own files for browsers, were not written by a run. */
const notSaved = /(^|\/)(nodes|\.cache)(\/|$)/;

/**
 * Everything n8n has written while it ran: its logs, its database with the write-ahead log, the
 * binary data, and once more the database's rows, as text, because a long value lies in pieces in
 * the database file. Works while n8n runs.
 *
 * @returns the bytes, to search for what must not be there.
 */
export async function readEverythingSaved(userFolder: string): Promise<Buffer> {
	const entries = await readdir(userFolder, { recursive: true, withFileTypes: true });
	const files = entries
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name))
		.filter((file) => !notSaved.test(file.slice(userFolder.length)));
	const contents = await Promise.all(files.map(readIfThere));
	return Buffer.concat([...contents, await readRows(userFolder)]);
}

/** Log files are rotated, and temporary files go, while we look. */
async function readIfThere(file: string): Promise<Buffer> {
	try {
		return await readFile(file);
	} catch {
		return Buffer.alloc(0);
	}
}

/** Reads the rows with n8n's Node, which has SQLite built in. */
async function readRows(userFolder: string): Promise<Buffer> {
	const script = join(__dirname, 'print-rows.mjs');
	const database = join(userFolder, '.n8n', 'database.sqlite');
	const { stdout } = await run(findInstallation().node, ['--no-warnings', script, database], {
		encoding: 'buffer',
		maxBuffer: 2 ** 30,
	});
	return stdout;
}
