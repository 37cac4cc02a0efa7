/** Starts a mock service, and an n8n that is stopped and started again while its database remains. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import {
	createUserFolder,
	migratedDatabase,
	N8nClient,
	packPackage,
	startN8n,
	startN8nWithSqlite,
} from '../../sandbox/n8n/index';
import { temporaryFolder } from '../../sandbox/paths';
import { startPostgres } from '../../sandbox/postgres';
import { startService } from '../../sandbox/service';
import { openGate } from './gate';

type Settings = Readonly<Record<string, string>>;

/** Starts n8n with a PostgreSQL behind a gate. */
export function startOnPostgres(env: Settings) {
	return open(async ({ folder, userFolder, closers }) => {
		const postgres = await startPostgres(join(folder, 'postgres'), await migratedDatabase());
		closers.push(postgres.stop);
		const gate = await openGate(postgres.connection);
		closers.push(gate.close);
		const start = () => startN8n({ userFolder, database: gate.connection, env });
		return { start, more: { gate } };
	});
}

/** Starts n8n with a SQLite. */
export function startOnSqlite(env: Settings) {
	return open(({ userFolder }) =>
		Promise.resolve({ start: () => startN8nWithSqlite({ userFolder, env }), more: {} }),
	);
}

/** Where the data of a test are, and what must be ended after it. */
interface Place {
	readonly folder: string;
	readonly userFolder: string;
	readonly closers: Array<() => Promise<unknown>>;
}

type Server = Awaited<ReturnType<typeof startN8nWithSqlite>>;

/**
 * Starts the mock service, the database and n8n. `start` starts n8n again after `server` has ended, and replaces `server`
 * and `client`. `close` ends everything and removes its data.
 */
async function open<S extends Server, T extends object>(
	prepare: (at: Place) => Promise<{ start: () => Promise<S>; more: T }>,
) {
	const closers: Place['closers'] = [];
	const close = async () => {
		for (const closer of closers.splice(0).reverse()) await closer();
	};
	try {
		const folder = await temporaryFolder();
		closers.push(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
		const service = await startService();
		closers.push(service.close);
		const userFolder = join(folder, 'user');
		await createUserFolder(userFolder, await packPackage(folder));
		const { start, more } = await prepare({ folder, userFolder, closers });
		const server = await start();
		const n8n = {
			service,
			server,
			client: new N8nClient(server.url),
			close,
			start: async () => {
				n8n.server = await start();
				n8n.client = new N8nClient(n8n.server.url);
				await n8n.client.logIn();
			},
		};
		closers.push(() => n8n.server.stop());
		await n8n.client.setupOwner();
		return Object.assign(n8n, more);
	} catch (error) {
		await close();
		throw error;
	}
}
