/** A real Redis to try n8n's queue mode with, which leaves nothing behind. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

import { findOrInstall } from '../debian-package';
import { freePort } from '../free-port';
import { startGuarded } from '../guarded-process';
import { logTail } from '../log-tail';
import { whenUp } from '../when-up';

const startMilliseconds = 20_000;

/** A running Redis. */
export interface Redis {
	readonly host: string;
	readonly port: number;
	readonly password: string;
	/** Ends it and removes its data. */
	stop(): Promise<void>;
}

/**
 * Starts a Redis on 127.0.0.1 that keeps its data in memory. It ends with this process, however
 * this one ends.
 *
 * @throws Error when Redis isn't installed; with the end of its log when it doesn't start.
 */
export async function startRedis(): Promise<Redis> {
	const program = await findOrInstall({ name: 'Redis', debianPackage: 'redis-server', find });
	const folder = await mkdtemp(join(tmpdir(), 'lead-search-redis-'));
	const place = {
		host: '127.0.0.1',
		port: await freePort(),
		password: randomBytes(12).toString('hex'),
	};
	const configuration = join(folder, 'redis.conf');
	const settings = [
		`bind ${place.host}`,
		`port ${place.port}`,
		`requirepass ${place.password}`,
		`dir ${folder}`,
		'save ""',
	];
	await writeFile(configuration, settings.join('\n'), { mode: 0o600 });
	const logFile = join(folder, 'redis.log');
	const server = startGuarded({
		command: program,
		args: [configuration],
		cwd: folder,
		env: process.env,
		logFile,
	});
	const stop = async () => {
		await server.stop();
		await rm(folder, { recursive: true, force: true });
	};
	if ((await whenUp(server, () => accepts(place), startMilliseconds)) === 'up') {
		return { ...place, stop };
	}
	const log = logTail(logFile);
	await stop();
	throw new Error(`Redis did not start. The end of its log:\n${log}`);
}

function find(): string | undefined {
	const folders = (process.env.PATH ?? '').split(delimiter);
	return folders.map((folder) => join(folder, 'redis-server')).find((file) => existsSync(file));
}

/** Whether it takes the password: somebody else's Redis on the same port would not. */
function accepts({ host, port, password }: Omit<Redis, 'stop'>): Promise<boolean> {
	return new Promise((resolve) => {
		const socket = createConnection({ host, port });
		const done = (accepted: boolean) => {
			socket.destroy();
			resolve(accepted);
		};
		socket.setTimeout(2_000, () => {
			done(false);
		});
		socket.once('error', () => {
			done(false);
		});
		socket.once('close', () => {
			done(false);
		});
		socket.once('data', (answer) => {
			done(answer.toString().startsWith('+OK'));
		});
		socket.once('connect', () => {
			socket.write(`AUTH ${password}\r\n`);
		});
	});
}
