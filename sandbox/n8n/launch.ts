import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import execa from 'execa';
import getPort from 'get-port';

import { homeFolder } from '../paths';
import { startPostgres, type Connection } from '../postgres';
import { startServer, type ServerProcess } from '../server-process';
import { n8nEnvironment } from './environment';
import { findInstallation, type InstallationName } from './installation';

/** How to start a process of n8n's. */
export interface LaunchOptions {
	/**
	 * What it is: n8n itself, unless it is to be a `worker` of n8n's queue mode. That needs the
	 * database of the n8n that it works for, and settings that name its Redis and encryption key; its
	 * port is the one of its health check.
	 */
	readonly command?: keyof typeof commands;
	/** Folder for its data; `createUserFolder` makes one that has the package installed. */
	readonly userFolder: string;
	/** Where it saves; a PostgreSQL of its own, with its data in `userFolder`, unless given. */
	readonly database?: Connection;
	/** Which n8n; the newest unless another one is named. */
	readonly installation?: InstallationName;
	/** Port to listen on; another one is taken if this isn't free. */
	readonly port?: number;
	/** Settings beside those of `n8nEnvironment`. */
	readonly env?: Readonly<Record<string, string>>;
}

/** A running process of n8n's, with everything it started. */
export interface N8nProcess extends ServerProcess {
	/** Address that it listens on, without a slash at the end. */
	readonly url: string;
	readonly port: number;
	readonly userFolder: string;
	readonly database: Connection;
}

/** Commands of n8n's that run until they are stopped, and what answers in JSON once each is up. */
const commands = {
	// `/healthz` answers before n8n can be used, and so does this, with a text.
	start: '/rest/settings',
	worker: '/healthz/readiness',
} as const;

const withoutSqlite = join(__dirname, 'without-sqlite.cjs');
const attempts = 4;
const startMilliseconds = 120_000;

/**
 * Starts a pinned n8n on 127.0.0.1 and waits until it can be used.
 *
 * It ends with this process, however this one ends. `kill` leaves a PostgreSQL of its own to run,
 * so that what n8n left there can be looked at; `stop` ends that too, also after `kill`.
 *
 * @throws Error when it isn't installed; with the end of its log when it doesn't start.
 */
export async function startN8n(options: LaunchOptions): Promise<N8nProcess> {
	const { userFolder, database } = options;
	if (database !== undefined) return await launch(options, database);
	const template = await newDatabase(options.installation);
	const postgres = await startPostgres(join(userFolder, 'postgres'), template);
	try {
		const n8n = await launch(options, postgres.connection);
		const stop = async () => {
			await n8n.stop();
			await postgres.stop();
		};
		return { ...n8n, stop };
	} catch (error) {
		await postgres.stop();
		throw error;
	}
}

/**
 * The folder of a PostgreSQL whose database is as a new n8n has it. n8n's 275 migrations take longer
 * than the rest of its start, so they are run once, and every n8n begins with a copy.
 */
async function newDatabase(name?: InstallationName): Promise<string> {
	const installation = findInstallation(name);
	const folder = join(homeFolder, 'databases', installation.version);
	const postgresFolder = join(folder, 'postgres');
	const ready = join(folder, 'ready');
	if (existsSync(ready)) return postgresFolder;
	await mkdir(folder, { recursive: true });
	const { connection: database, stop } = await startPostgres(postgresFolder);
	try {
		const place = { installation, userFolder: folder, database, port: await getPort() };
		// Any command of n8n's migrates the database first; this one does nothing else.
		await execa(installation.node, [installation.program, 'list:workflow'], {
			env: await n8nEnvironment(place),
			extendEnv: false,
		});
	} finally {
		await stop();
	}
	await writeFile(ready, '');
	return postgresFolder;
}

async function launch(
	options: LaunchOptions,
	database: Connection,
	attempt = 1,
): Promise<N8nProcess> {
	const { userFolder, command = 'start' } = options;
	// Where one was killed, the next would wait ten seconds.
	await rm(join(userFolder, '.n8n', 'crash.journal'), { force: true });
	const installation = findInstallation(options.installation);
	const host = '127.0.0.1';
	const port = await getPort({ host, ...(options.port && { port: options.port }) });
	const url = `http://${host}:${port}`;
	try {
		const server = await startServer({
			name: 'n8n',
			command: installation.node,
			args: ['--require', withoutSqlite, installation.program, command],
			folder: userFolder,
			env: {
				...(await n8nEnvironment({ installation, userFolder, database, port })),
				...options.env,
			},
			isUp: () => answersJson(url + commands[command]),
			timeout: startMilliseconds,
		});
		return { ...server, url, port, userFolder, database };
	} catch (error) {
		// Somebody else may take a port between our finding it and n8n's listening on it.
		const portWasTaken = /EADDRINUSE|already in use/.test(String(error));
		if (!portWasTaken || attempt === attempts) throw error;
		return await launch(options, database, attempt + 1);
	}
}

async function answersJson(url: string): Promise<boolean> {
	const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
	const text = await response.text();
	return response.ok && text.startsWith('{');
}
