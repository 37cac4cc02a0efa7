import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import execa from 'execa';
import getPort from 'get-port';

import { homeFolder } from '../paths';
import { startPostgres } from '../postgres';
import { n8nEnvironment } from './environment';
import { pinnedVersion, type Installation } from './installation';

/**
 * The folder of a PostgreSQL whose database is as a new n8n has it. n8n's 275 migrations take longer
 * than the rest of its start, so they are run once, and every n8n begins with a copy.
 */
export async function newDatabase(installation: Installation): Promise<string> {
	const folder = join(homeFolder, 'databases', pinnedVersion(installation.name));
	const postgresFolder = join(folder, 'postgres');
	const ready = join(folder, 'ready');
	if (existsSync(ready)) return postgresFolder;
	await mkdir(folder, { recursive: true });
	const { connection: database, stop } = await startPostgres(postgresFolder);
	try {
		const [port, brokerPort] = [await getPort(), await getPort()];
		const { node, program } = installation;
		// Any command of n8n's migrates the database first; this one does nothing else.
		await execa(node, [program, 'list:workflow'], {
			env: n8nEnvironment({ installation, userFolder: folder, database, port, brokerPort }),
			extendEnv: false,
		});
	} finally {
		await stop();
	}
	await writeFile(ready, '');
	return postgresFolder;
}
