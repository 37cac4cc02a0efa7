/** A real PostgreSQL for n8n's data, and for workflows that use one. */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import execa from 'execa';
import getPort from 'get-port';
import { Client } from 'pg';

import { startServer } from '../server-process';
import { findPrograms, isOpen, sharedFolder, type User } from './programs';

const startMilliseconds = 30_000;

/** How to connect to a database. */
export interface Connection {
	readonly host: string;
	readonly port: number;
	readonly database: string;
	readonly user: string;
	readonly password: string;
}

/** The data are in use by another PostgreSQL. */
export class InUseError extends Error {}

type Row = Readonly<Record<string, unknown>>;

/**
 * Starts a PostgreSQL on 127.0.0.1. It ends with this process, however this one ends.
 *
 * @param folder for its data; what is there from an earlier start is used.
 * @param template folder of another one, which is stopped, to begin with a copy of its data.
 * @returns how to connect to its first database, and what ends it, whoever is connected; its data
 * stays
 * @throws InUseError when another one uses that data; Error with the end of its log when it doesn't
 * start.
 */
export async function startPostgres(folder: string, template?: string) {
	const { initdb, postgres, user } = await findPrograms();
	const place = await createFolder(folder, user);
	if (!existsSync(join(place, 'data'))) {
		if (template === undefined) await createCluster(place, initdb, user);
		else await copyCluster(await createFolder(template, user), place, user);
	}
	const connection: Connection = {
		host: '127.0.0.1',
		port: await getPort({ host: '127.0.0.1' }),
		database: 'postgres',
		user: 'postgres',
		password: await readFile(join(place, 'password'), 'utf8'),
	};
	const logFile = join(place, 'postgres.log');
	await rm(logFile, { force: true });
	const starting = startServer({
		name: 'PostgreSQL',
		command: postgres,
		args: [
			...['-D', join(place, 'data'), '-h', connection.host, '-p', String(connection.port)],
			// No socket file: nothing outside of the folder. What a crash of the machine would lose
			// can be made again.
			...['-c', 'unix_socket_directories=', '-c', 'fsync=off'],
		],
		cwd: place,
		env: process.env,
		user,
		// A plain SIGTERM would wait for n8n to hang up.
		stopSignal: 'SIGINT',
		logFile,
		isUp: async () => (await query(connection, 'SELECT 1')).length === 1,
		timeout: startMilliseconds,
	});
	const { stop } = await starting.catch((error: unknown) => {
		const [, other] = /is another postmaster \(PID (\d+)\)/i.exec(String(error)) ?? [];
		if (other === undefined) throw error;
		throw new InUseError(`PostgreSQL, process ${other}, uses the data in ${folder}.`);
	});
	return { connection, stop };
}

/** Runs statements; resolves with the rows of a single one. */
export async function query(connection: Connection, statements: string): Promise<readonly Row[]> {
	const client = new Client({ ...connection, connectionTimeoutMillis: 5_000 });
	// Without a listener, the end of the server would be the end of this process.
	client.on('error', () => undefined);
	await client.connect();
	try {
		return (await client.query<Row>(statements)).rows;
	} finally {
		await client.end();
	}
}

/** The folder itself, or one that stands for it where the server's user could not reach it. */
async function createFolder(folder: string, user?: User): Promise<string> {
	await mkdir(dirname(folder), { recursive: true });
	const name = createHash('sha256').update(folder).digest('hex').slice(0, 16);
	const place = user === undefined || isOpen(dirname(folder)) ? folder : join(sharedFolder, name);
	await mkdir(place, { recursive: true });
	if (user !== undefined) await chown(place, user.uid, user.gid);
	return place;
}

async function copyCluster(from: string, place: string, user?: User): Promise<void> {
	const unfinished = join(place, 'unfinished');
	await rm(unfinished, { recursive: true, force: true });
	await cp(join(from, 'data'), unfinished, { recursive: true });
	await cp(join(from, 'password'), join(place, 'password'));
	if (user !== undefined) await execa('chown', ['-R', `${user.uid}:${user.gid}`, place]);
	await rename(unfinished, join(place, 'data'));
}

/** Makes the data folder; it gets its name last, so that there is none that is half done. */
async function createCluster(place: string, initdb: string, user?: User): Promise<void> {
	const unfinished = join(place, 'unfinished');
	const passwordFile = join(place, 'password');
	await rm(unfinished, { recursive: true, force: true });
	await writeFile(passwordFile, randomBytes(12).toString('hex'), { mode: 0o600 });
	if (user !== undefined) await chown(passwordFile, user.uid, user.gid);
	await execa(
		initdb,
		[
			`--pgdata=${unfinished}`,
			'--username=postgres',
			`--pwfile=${passwordFile}`,
			'--auth=scram-sha-256',
			'--encoding=UTF8',
			'--locale=C',
			'--no-sync',
		],
		{ cwd: place, timeout: startMilliseconds, ...user },
	);
	await rename(unfinished, join(place, 'data'));
}
