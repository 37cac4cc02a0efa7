/** A mock of the lead service. */
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
export { TOP_UP_PATH } from './topUpPage';

/** Options of the mock service. */
export interface ServiceOptions {
	/** Port to listen on. By default, a free one. */
	port?: number;
	/**
	 * Whether responses are cached, so that a benchmark measures the client and not the service. Works only for accounts
	 * that have enough credits for all responses and follow the contract.
	 */
	cachesResponses?: boolean;
}

export type LeadService = Awaited<ReturnType<typeof startService>>;

/** Returns the LinkedIn URLs of the leads that match the filters, in the order of the service. */
export function urlsMatching(filters?: Filters): string[] {
	return Array.from(matching(filters), (lead) => leadAt(lead).linkedin_url);
}

/**
 * Starts a mock of the lead service on 127.0.0.1.
 *
 * @throws Error with the code EADDRINUSE if the port is taken
 */
export async function startService({
	port: requestedPort = 0,
	cachesResponses,
}: ServiceOptions = {}) {
	const stopping = new AbortController();
	// Every waiting request adds a listener.
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
		/** Closes all connections, even hanging ones, and the port. */
		close: async () => {
			stopping.abort();
			await server.close();
		},
	};
}

/** Functions with which tests set up and inspect a service. They throw a RangeError for an unknown account. */
function createAdmin(state: State) {
	const { accounts, faults, log } = state;
	const account = (idOrSecret: string): Account => {
		const found = accounts.find(idOrSecret);
		if (found) return found;
		throw new RangeError('There is no such account');
	};
	return {
		account,
		/** Sets the behaviour of all previews, and the limits of unknown credentials. By default, they follow the contract. */
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
		/** Returns all requests so far, the oldest first. Can be filtered by account and path. */
		requests: (filter: { account?: string; path?: string } = {}): LoggedRequest[] => {
			const { path } = filter;
			const own = filter.account ? log.listFor(account(filter.account).id) : log.requests;
			return path === undefined ? own.slice() : own.filter((request) => request.path === path);
		},
		/** Resolves with the first request, past or future, that the predicate accepts. */
		waitForRequest: (wanted: (request: LoggedRequest) => boolean) => log.waitFor(wanted),
		/** Resolves when all responses are sent and all closed connections are logged. */
		idle: () => log.idle(),
	};
}
