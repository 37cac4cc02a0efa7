/** A real Redis to try n8n's queue mode with. */
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import getPort from 'get-port';

import { startServer } from './server-process';
import { needProgram } from './system-program';

/**
 * Starts a Redis on 127.0.0.1 that keeps its data in memory. It ends with this process, however
 * this one ends.
 * @param folder for its configuration and its log
 * @returns how to connect to it, and what ends it
 * @throws Error when Redis isn't installed; with the end of its log when it doesn't start.
 */
export async function startRedis(folder: string) {
	const command = needProgram('redis-server');
	const host = '127.0.0.1';
	const port = await getPort({ host });
	const password = randomBytes(12).toString('hex');
	const configuration = join(folder, 'redis.conf');
	const settings = [`bind ${host}`, `port ${port}`, `requirepass ${password}`, 'save ""'];
	await writeFile(configuration, settings.join('\n'), { mode: 0o600 });
	const { stop } = await startServer({
		name: 'Redis',
		command,
		args: [configuration],
		folder,
		// Its own word for it: on the port, somebody else's Redis might answer.
		isUp: async (log) => /ready to accept connections/i.test(await readFile(log, 'utf8')),
		timeout: 20_000,
	});
	return { host, port, password, stop };
}
