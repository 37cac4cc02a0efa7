import { setMaxListeners } from 'node:events';
import type { AddressInfo } from 'node:net';
import { adminOf } from './admin/admin';
import type { Filters } from './contract/schemas';
import { leadAt, matching } from './data/leads';
import { buildServer } from './server';
import { createState, type ServiceOptions } from './state';

export type { Account, AccountOptions } from './accounts/account';
export { leadsChargedTwice } from './accounts/account';
export type { Behaviour } from './accounts/behaviour';
export type * from './contract/schemas';
export { LOOKUP_PATH, PREVIEW_PATH, SEARCH_PATH } from './contract/schemas';
export { DEFAULT_LEADS, ICELAND_LEADS, leadAt, matching } from './data/leads';
export type { FaultAction, FaultMatch } from './faults/fault';
export type { AddedFault } from './faults/faultStore';
export type { Limits } from './limits/limits';
export type { Deviation, Readings } from './model';
export type { LoggedRequest } from './log/requestLog';
export type { ServiceOptions } from './state';

/** A running service. */
export type LeadService = Awaited<ReturnType<typeof startService>>;

/** LinkedIn URLs of the leads that fit the filters, in the order they are served. */
export function urlsMatching(filters?: Filters): string[] {
	return Array.from(matching(filters), (lead) => leadAt(lead).linkedin_url);
}

/**
 * Starts a mock of the lead service on 127.0.0.1.
 * @throws an error with code EADDRINUSE when the port is taken
 */
export async function startService(options: ServiceOptions = {}) {
	const stopping = new AbortController();
	// Every request that waits listens to it.
	setMaxListeners(0, stopping.signal);
	const state = createState(options, stopping.signal);
	const admin = adminOf(state);
	const server = buildServer(state);
	await server.listen({ host: '127.0.0.1', port: options.port ?? 0 });
	const { port } = server.server.address() as AddressInfo;
	return {
		/** Without a slash at the end. */
		baseUrl: `http://127.0.0.1:${port}`,
		admin,
		/** Cuts every connection, hanging ones too, and frees the port. */
		close: async () => {
			stopping.abort();
			await server.close();
		},
	};
}
