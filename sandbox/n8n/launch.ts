/** Starts real n8ns. */
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';

import execa from 'execa';
import getPort from 'get-port';

import { homeFolder, makeOnce, sandboxFolder } from '../paths';
import pinned from '../pinned.json';
import { startPostgres, type Connection } from '../postgres';
import { startServer } from '../server-process';
import manifest from './package.json';

export interface LaunchOptions {
	/** n8n's command, `start` by default. A `worker` needs the database, Redis and encryption key of its n8n. */
	readonly command?: keyof typeof readinessPaths;
	/** N8N_USER_FOLDER. */
	readonly userFolder: string;
	/** Database of n8n. By default, a PostgreSQL of its own is started, with its data in `userFolder`. */
	readonly database?: Connection;
	readonly installation?: InstallationName;
	/** If the port isn't free, another one is used. */
	readonly port?: number;
	readonly env?: Readonly<Record<string, string>>;
}

export type N8n = Awaited<ReturnType<typeof startN8n>>;

/** Path that responds with JSON when a command of n8n is ready. */
const readinessPaths = {
	// `/healthz` responds too early. So does this path, but then with text instead of JSON.
	start: '/rest/settings',
	worker: '/healthz/readiness',
} as const;

const host = '127.0.0.1';
const sqlite = join(__dirname, 'sqlite.cjs');

/**
 * Starts a pinned n8n on 127.0.0.1 and waits until it can be used. `kill` ends n8n but not its own PostgreSQL, so that
 * tests can read the data. `stop` ends both, also after `kill`.
 *
 * @throws Error if it isn't installed; Error with the end of its log if it doesn't start
 */
export async function startN8n(options: LaunchOptions) {
	const { userFolder, database } = options;
	const installation = findInstallation(options.installation);
	if (database !== undefined)
		return { ...(await launch(options, installation, onPostgres(database))), database };
	const template = await migratedDatabase(options.installation);
	const postgres = await startPostgres(join(userFolder, 'postgres'), template);
	try {
		const n8n = await launch(options, installation, onPostgres(postgres.connection));
		const stop = async () => {
			await n8n.stop();
			await postgres.stop();
		};
		return { ...n8n, database: postgres.connection, stop };
	} catch (error) {
		await postgres.stop();
		throw error;
	}
}

/** Starts an n8n like `startN8n`, with its data in a file of SQLite in `userFolder`. */
export async function startN8nWithSqlite(options: Omit<LaunchOptions, 'database'>) {
	return await launch(options, findInstallation(options.installation), { DB_TYPE: 'sqlite' });
}

/**
 * Prepares a migrated PostgreSQL that each n8n copies, because 275 migrations take longer than the rest of its start.
 * Resolves with its folder.
 */
export async function migratedDatabase(name?: InstallationName): Promise<string> {
	const installation = findInstallation(name);
	const folder = join(homeFolder, 'templates', installation.version);
	await makeOnce(folder, async (unfinished) => {
		const { connection, stop } = await startPostgres(unfinished);
		try {
			const settings = await environmentOf(installation, unfinished, await getPort());
			const env = { ...settings, ...onPostgres(connection) };
			// Every command of n8n migrates the database first. This one has no other effect.
			const args = [installation.program, 'list:workflow'];
			await execa(installation.node, args, { env, extendEnv: false });
		} finally {
			await stop();
		}
	});
	return folder;
}

async function launch(
	{ userFolder, command = 'start', ...options }: LaunchOptions,
	installation: Installation,
	databaseSettings: Readonly<Record<string, string>>,
) {
	// After a kill, n8n would wait ten seconds at its next start.
	await rm(join(userFolder, '.n8n', 'crash.journal'), { force: true });
	const port = await getPort({ host, ...(options.port && { port: options.port }) });
	const url = `http://${host}:${port}`;
	const env = await environmentOf(installation, userFolder, port);
	const server = await startServer({
		name: 'n8n',
		command: installation.node,
		args: ['--require', sqlite, installation.program, command],
		folder: userFolder,
		env: { ...env, ...databaseSettings, ...options.env },
		isUp: async () => {
			const response = await fetch(url + readinessPaths[command], {
				signal: AbortSignal.timeout(2_000),
			});
			return response.ok && (await response.text()).startsWith('{');
		},
		timeout: 180_000,
	});
	return { ...server, url, port, userFolder };
}

/**
 * Returns the environment of an n8n that listens only on loopback and makes no connections of its own. Our own environment
 * isn't passed on, because a proxy, n8n's settings or Node's options would change the test.
 */
async function environmentOf(
	installation: Installation,
	userFolder: string,
	port: number,
): Promise<NodeJS.ProcessEnv> {
	const { PATH = '', LANG, TMPDIR, TEMP, SystemRoot } = process.env;
	return {
		LANG,
		TMPDIR,
		TEMP,
		SystemRoot,
		// n8n starts processes with the command "node".
		PATH: [dirname(installation.node), PATH].join(delimiter),
		HOME: userFolder,
		USERPROFILE: userFolder,
		NODE_ENV: 'production',
		N8N_USER_FOLDER: userFolder,
		N8N_HOST: host,
		N8N_LISTEN_ADDRESS: host,
		N8N_PORT: String(port),
		// Port for the processes that run Code nodes.
		N8N_RUNNERS_BROKER_PORT: String(await getPort({ host })),
		// Port and address of a worker in queue mode.
		QUEUE_HEALTH_CHECK_ACTIVE: 'true',
		QUEUE_HEALTH_CHECK_PORT: String(port),
		N8N_WORKER_SERVER_ADDRESS: host,
		N8N_SECURE_COOKIE: 'false',
		N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '5',
		...(installation.disabledModules && { N8N_DISABLED_MODULES: installation.disabledModules }),
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_HIRING_BANNER_ENABLED: 'false',
		// The following settings turn off all connections to n8n GmbH, except those of modules.
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_DYNAMIC_BANNERS_ENABLED: 'false',
		N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
		// Loads installed community packages, but doesn't fetch n8n GmbH's list of verified ones.
		N8N_COMMUNITY_PACKAGES_ENABLED: 'true',
		N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
		N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	};
}

function onPostgres({ host: server, port, database, user, password }: Connection) {
	return {
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: server,
		DB_POSTGRESDB_PORT: String(port),
		DB_POSTGRESDB_DATABASE: database,
		DB_POSTGRESDB_USER: user,
		DB_POSTGRESDB_PASSWORD: password,
	};
}

/** `n8n` is the newest version, `n8n-1` the last 1.x version. */
export type InstallationName = 'n8n' | 'n8n-1';

export type Installation = ReturnType<typeof findInstallation>;
/** Modules of n8n to turn off. n8n doesn't start if it doesn't know the name. */
const disabledModules = {
	// This module fetches a list of servers from n8n GmbH at every start.
	n8n: 'mcp-registry',
	'n8n-1': undefined,
};

/** Finds an installed n8n. @throws Error if it isn't installed */
export function findInstallation(name: InstallationName = 'n8n') {
	const version = pinnedVersion(name);
	const folder = name === 'n8n' ? name : join('.home', name);
	const program = join(sandboxFolder, folder, 'node_modules', 'n8n', 'bin', 'n8n');
	if (existsSync(program))
		return { version, program, node: findNode(), disabledModules: disabledModules[name] };
	const command = name === 'n8n' ? 'test:n8n' : 'release:check';
	throw new Error(`n8n ${version} is not installed: \`npm run ${command}\` installs it`);
}

/** Returns the Node that the newest n8n contains, otherwise our own Node, which may be too old. */
function findNode(): string {
	const system = `${process.platform}-${process.arch}`.replace('win32', 'win');
	const candidates = [`node-${system}`, `node-bin-${system}`].flatMap((name) =>
		['node', 'node.exe'].map((file) => join(sandboxFolder, 'n8n/node_modules', name, 'bin', file)),
	);
	return candidates.find((file) => existsSync(file)) ?? process.execPath;
}

/** Returns the exact version of an n8n. */
export function pinnedVersion(name: InstallationName): string {
	return (name === 'n8n' ? manifest : pinned[name]).dependencies.n8n;
}
