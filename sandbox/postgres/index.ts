/** A real PostgreSQL to try and test workflows with, which leaves nothing behind. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { freePort } from '../free-port';
import { startGuarded, type GuardedProcess } from '../guarded-process';
import { logTail } from '../log-tail';
import { whenUp } from '../when-up';
import { postgresPrograms } from './binaries';
import { commandAs, databaseUser, type DatabaseUser } from './user';

const run = promisify(execFile);
const startMilliseconds = 30_000;

/** How to connect to a database. */
export interface Connection {
	readonly host: string;
	readonly port: number;
	readonly database: string;
	readonly user: string;
	readonly password: string;
}

/** A running PostgreSQL with one database. */
export interface Postgres {
	readonly connection: Connection;
	/** Runs statements that return nothing. */
	run(statements: string): Promise<void>;
	/** Runs one SELECT; resolves with its rows, as JSON has them. */
	select(query: string): Promise<ReadonlyArray<Readonly<Record<string, unknown>>>>;
	/** Ends it, whoever is connected, and removes its data. */
	stop(): Promise<void>;
}

/**
 * Starts a PostgreSQL on 127.0.0.1, with its data in a temporary folder. It ends with this process,
 * however this one ends.
 *
 * @throws Error when PostgreSQL isn't installed; with the end of its log when it doesn't start.
 */
export async function startPostgres(): Promise<Postgres> {
	const programs = await postgresPrograms();
	const user = await databaseUser();
	const folder = await mkdtemp(join(tmpdir(), 'lead-search-postgres-'));
	const connection: Connection = {
		host: '127.0.0.1',
		port: await freePort(),
		database: 'postgres',
		user: 'crm',
		password: randomBytes(12).toString('hex'),
	};
	try {
		await createCluster({ programs, user, folder, connection });
		const server = await startServer({ programs, user, folder, connection });
		const psql = (statement: string) => runPsql(programs, connection, statement);
		return {
			connection,
			run: async (statements) => {
				await psql(statements);
			},
			select: async (query) => {
				const json = await psql(
					`SELECT coalesce(json_agg(found), '[]') FROM (${query}) AS found`,
				);
				return JSON.parse(json) as ReadonlyArray<Readonly<Record<string, unknown>>>;
			},
			stop: async () => {
				await stopServer(programs, user, folder, server);
				await rm(folder, { recursive: true, force: true });
			},
		};
	} catch (error) {
		await rm(folder, { recursive: true, force: true });
		throw error;
	}
}

interface Place {
	readonly programs: string;
	readonly user: DatabaseUser;
	readonly folder: string;
	readonly connection: Connection;
}

const dataIn = (folder: string) => join(folder, 'data');

async function createCluster({ programs, user, folder, connection }: Place): Promise<void> {
	const passwordFile = join(folder, 'password');
	await writeFile(passwordFile, connection.password, { mode: 0o600 });
	if (user.ids) {
		await chown(folder, ...user.ids);
		await chown(passwordFile, ...user.ids);
	}
	const { command, args } = commandAs(user, join(programs, 'initdb'), [
		`--pgdata=${dataIn(folder)}`,
		`--username=${connection.user}`,
		`--pwfile=${passwordFile}`,
		'--auth=scram-sha-256',
		'--encoding=UTF8',
		'--locale=C',
		'--no-sync',
	]);
	await run(command, [...args], { cwd: folder, timeout: startMilliseconds });
	await rm(passwordFile);
}

async function startServer(place: Place): Promise<GuardedProcess> {
	const { programs, user, folder, connection } = place;
	const logFile = join(folder, 'postgres.log');
	const { command, args } = commandAs(user, join(programs, 'postgres'), [
		...['-D', dataIn(folder), '-h', connection.host, '-p', String(connection.port)],
		// No socket file: nothing outside of the folder.
		...['-c', 'unix_socket_directories=', '-c', 'fsync=off'],
	]);
	const server = startGuarded({ command, args, cwd: folder, env: process.env, logFile });
	const isUp = async () => (await runPsql(programs, connection, 'SELECT 1')).trim() === '1';
	if ((await whenUp(server, isUp, startMilliseconds)) === 'up') return server;
	const log = logTail(logFile);
	await server.stop();
	throw new Error(`PostgreSQL did not start. The end of its log:\n${log}`);
}

/** A plain SIGTERM would wait for n8n to hang up. */
async function stopServer(
	programs: string,
	user: DatabaseUser,
	folder: string,
	server: GuardedProcess,
): Promise<void> {
	const { command, args } = commandAs(user, join(programs, 'pg_ctl'), [
		...['stop', '-D', dataIn(folder), '-m', 'fast', '-t', '20'],
	]);
	await run(command, [...args], { cwd: folder, timeout: startMilliseconds }).catch(
		() => undefined,
	);
	await server.stop();
}

async function runPsql(
	programs: string,
	{ host, port, database, user, password }: Connection,
	statement: string,
): Promise<string> {
	const { stdout } = await run(
		join(programs, 'psql'),
		['-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-c', statement],
		{
			env: {
				...process.env,
				PGHOST: host,
				PGPORT: String(port),
				PGDATABASE: database,
				PGUSER: user,
				PGPASSWORD: password,
				PGCONNECT_TIMEOUT: '5',
			},
			timeout: startMilliseconds,
		},
	);
	return stdout;
}
