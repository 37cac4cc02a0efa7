import { setMaxListeners } from 'node:events';
import type { AddressInfo } from 'node:net';
import { AccountStore } from './accounts';
import { adminOf } from './admin';
import type { Filters } from './contract';
import { FaultStore } from './faults';
import { leadAt, matching } from './leads';
import { RequestLog } from './log';
import { buildServer, type State } from './server';

export { leadsChargedTwice, type Account, type AccountOptions, type Behaviour } from './accounts';
export { LOOKUP_PATH, PREVIEW_PATH, SEARCH_PATH } from './contract';
export type * from './contract';
export type { AddedFault, FaultAction, FaultMatch } from './faults';
export { DEFAULT_LEADS, ICELAND_LEADS, leadAt, matching } from './leads';
export type { Limits } from './limits';
export type { LoggedRequest } from './log';
export type { Deviation, Readings } from './model';

export interface ServiceOptions {
	port?: number;
	/**
	 * Whether answers are kept ready to be sent again, so that a client is measured and not the
	 * service. Only for accounts that can pay for every answer, and have no behaviour of their own.
	 */
	keepsAnswers?: boolean;
	/** The clock of rate limits, in milliseconds since 1970. */
	now?: () => number;
}

export type LeadService = Awaited<ReturnType<typeof startService>>;

/** LinkedIn URLs of the leads that fit the filters, in the order they are served. */
export function urlsMatching(filters?: Filters): string[] {
	return Array.from(matching(filters), (lead) => leadAt(lead).linkedin_url);
}

/**
 * Starts a mock of the lead service on 127.0.0.1.
 * @throws an error with code EADDRINUSE when the port is taken
 */
export async function startService({ port: wanted = 0, keepsAnswers, now }: ServiceOptions = {}) {
	const stopping = new AbortController();
	// Every request that waits listens to it.
	setMaxListeners(0, stopping.signal);
	const state: State = {
		closing: stopping.signal,
		// The time of day that goes on when a test has set the clock.
		now: now ?? (() => performance.timeOrigin + performance.now()),
		accounts: new AccountStore(),
		faults: new FaultStore(),
		log: new RequestLog(),
		anonymous: {},
		ready: keepsAnswers ? new Map() : undefined,
	};
	const server = buildServer(state);
	await server.listen({ host: '127.0.0.1', port: wanted });
	const { port } = server.server.address() as AddressInfo;
	return {
		baseUrl: `http://127.0.0.1:${port}`,
		admin: adminOf(state),
		/** Cuts every connection, hanging ones too, and frees the port. */
		close: async () => {
			stopping.abort();
			await server.close();
		},
	};
}
