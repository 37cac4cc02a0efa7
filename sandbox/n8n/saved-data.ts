import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { query } from '../postgres';
import type { N8nProcess } from './launch';

/** The package itself, and n8n's own files for browsers, were not written by a run. */
const notSaved = /(^|[\\/])(nodes|\.cache|postgres)([\\/]|$)/;

/**
 * Everything n8n has written while it ran: its logs, the binary data, and the database's rows as
 * XML. Works while n8n runs.
 * @returns the bytes, to search for what must not be there.
 */
export async function readEverythingSaved({
	userFolder,
	database,
}: Pick<N8nProcess, 'userFolder' | 'database'>): Promise<Buffer> {
	const paths = await readdir(userFolder, { recursive: true });
	const saved = paths.filter((path) => !notSaved.test(path)).map((path) => join(userFolder, path));
	// Some are folders; log files are rotated, and temporary files go, while we look.
	const contents = await Promise.all(
		saved.map((path) => readFile(path).catch(() => Buffer.alloc(0))),
	);
	const everyTable = "SELECT schema_to_xml('public', true, false, '')::text AS xml";
	const [rows] = await query(database, everyTable);
	return Buffer.concat([...contents, Buffer.from(String(rows?.xml))]);
}
