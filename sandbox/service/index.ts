import { setMaxListeners } from 'node:events';
import type { AddressInfo } from 'node:net';
import { AccountStore, type Account, type AccountOptions } from './accounts';
import type { Balances, Behaviour } from './accounts';
import type { Filters } from './contract';
import { FaultStore, type Fault } from './faults';
import { leadAt, matching } from './leads';
import { RequestLog, type LoggedRequest } from './log';
import { buildServer, type State } from './server';

export { leadsChargedTwice, type Account, type AccountOptions, type Behaviour } from './accounts';
export { LOOKUP_PATH, PREVIEW_PATH, SEARCH_PATH } from './contract';
export type * from './contract';
export type { AddedFault, FaultAction, FaultMatch } from './faults';
export { DEFAULT_LEADS, ICELAND_LEADS, leadAt, matching, opaqueUrlOf } from './leads';
export type { Limits } from './limits';
export type { LoggedRequest } from './log';
export type { Deviation, Readings } from './model';

export interface ServiceOptions {
	port?: number;
	/**
	 * Whether answers are kept ready to be sent again, so that a client is measured and not the
	 * service. Only for accounts that can pay for every answer, and have no behaviour of their own.
	 */
	cachesResponses?: boolean;
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
export async function startService({
	port: requestedPort = 0,
	cachesResponses,
}: ServiceOptions = {}) {
	const stopping = new AbortController();
	// Every request that waits listens to it.
	setMaxListeners(0, stopping.signal);
	const state: State = {
		closing: stopping.signal,
		accounts: new AccountStore(),
		faults: new FaultStore(),
		log: new RequestLog(),
		anonymous: {},
		responseCache: cachesResponses ? new Map() : undefined,
	};
	const server = buildServer(state);
	await server.listen({ host: '127.0.0.1', port: requestedPort });
	const { port } = server.server.address() as AddressInfo;
	return {
		baseUrl: `http://127.0.0.1:${port}`,
		admin: createAdmin(state),
		/** Cuts every connection, hanging ones too, and frees the port. */
		close: async () => {
			stopping.abort();
			await server.close();
		},
	};
}

/** What tests set up in a service, and look at. Unknown accounts are refused with a RangeError. */
function createAdmin(state: State) {
	const { accounts, faults, log } = state;
	const account = (idOrSecret: string): Account => {
		const found = accounts.find(idOrSecret);
		if (found) return found;
		throw new RangeError('There is no such account');
	};
	return {
		account,
		/**
		 * From now on every preview is answered this way, and unknown credentials have these limits;
		 * what isn't named follows the contract.
		 */
		setPreviewBehaviour: (behaviour: Behaviour): void => {
			state.anonymous = behaviour;
		},
		accounts: () => accounts.all(),
		createAccount: (options?: AccountOptions) => accounts.create(options),
		setCredits: (idOrSecret: string, balances: Partial<Balances>): Account =>
			Object.assign(account(idOrSecret), balances),
		setBehaviour: (idOrSecret: string, behaviour: Behaviour) =>
			Object.assign(account(idOrSecret).behaviour, behaviour),
		addFault: (fault: Fault) => faults.add(fault),
		clearFaults: () => {
			faults.clear();
		},
		/** All requests so far, oldest first; of an account or to a path alone, if one is given. */
		requests: (filter: { account?: string; path?: string } = {}): LoggedRequest[] => {
			const { path } = filter;
			const own = filter.account ? log.listFor(account(filter.account).id) : log.requests;
			return path === undefined ? own.slice() : own.filter((request) => request.path === path);
		},
		/** The first request, logged already or still to come, that the predicate wants. */
		waitForRequest: (wanted: (request: LoggedRequest) => boolean) => log.waitFor(wanted),
		/** Resolves when every answer is out and every connection that was cut is noted. */
		idle: () => log.idle(),
	};
}
