import { delimiter, dirname } from 'node:path';

import getPort from 'get-port';

import type { Connection } from '../postgres';
import type { Installation } from './installation';

/** Which n8n, where it keeps its data, and the port it listens on. */
export interface N8nPlace {
	readonly installation: Installation;
	readonly userFolder: string;
	readonly database: Connection;
	readonly port: number;
}

/**
 * Environment for an n8n that listens on loopback only, and contacts nobody else.
 *
 * Nothing but the search path and the language is passed on: a proxy, an n8n setting or a Node
 * option of the machine would change what is tested.
 */
export async function n8nEnvironment(place: N8nPlace): Promise<NodeJS.ProcessEnv> {
	const { PATH = '', LANG, TMPDIR, TEMP, SystemRoot } = process.env;
	const { installation, userFolder, database } = place;
	return {
		// n8n starts processes with "node".
		PATH: [dirname(installation.node), PATH].join(delimiter),
		LANG,
		TMPDIR,
		TEMP,
		SystemRoot,
		HOME: userFolder,
		USERPROFILE: userFolder,
		NODE_ENV: 'production',
		N8N_USER_FOLDER: userFolder,
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: database.host,
		DB_POSTGRESDB_PORT: String(database.port),
		DB_POSTGRESDB_DATABASE: database.database,
		DB_POSTGRESDB_USER: database.user,
		DB_POSTGRESDB_PASSWORD: database.password,
		N8N_HOST: '127.0.0.1',
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_PORT: String(place.port),
		// Where it listens for the processes that run Code nodes.
		N8N_RUNNERS_BROKER_PORT: String(await getPort({ host: '127.0.0.1' })),
		// The same for a worker of queue mode.
		QUEUE_HEALTH_CHECK_ACTIVE: 'true',
		QUEUE_HEALTH_CHECK_PORT: String(place.port),
		N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
		N8N_SECURE_COOKIE: 'false',
		N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '5',
		N8N_DISABLED_MODULES: installation.disabledModules.join(),
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_HIRING_BANNER_ENABLED: 'false',
		// From here on, everything that would call home, besides modules.
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_DYNAMIC_BANNERS_ENABLED: 'false',
		N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
		// Installed community packages are loaded; n8n GmbH's list of those it vetted isn't fetched.
		N8N_COMMUNITY_PACKAGES_ENABLED: 'true',
		N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
		N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	};
}
