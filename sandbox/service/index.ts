import type { AddressInfo } from 'node:net';
import { AccountStore } from './accounts/accountStore';
import { adminOf, type Admin } from './admin/admin';
import type { Filters, LeadRecord } from './contract/schemas';
import { LeadStore } from './data/leadStore';
import { FaultStore } from './faults/faultStore';
import { RequestLog } from './log/requestLog';
import { ReadyAnswers } from './readyAnswers';
import { buildServer } from './server';
import type { State } from './state';

export type { Account, AccountOptions } from './accounts/account';
export { leadsChargedTwice } from './accounts/account';
export type { Behaviour } from './accounts/behaviour';
export type * from './contract/schemas';
export { LOOKUP_PATH, PREVIEW_PATH, SEARCH_PATH } from './contract/paths';
export { DEFAULT_LEADS, ICELAND_LEADS } from './data/leadStore';
export type { FaultAction, FaultMatch } from './faults/fault';
export type { AddedFault } from './faults/faultStore';
export type { Limits } from './limits/limits';
export type { LoggedRequest } from './log/requestLog';

/** How to start a service; everything has a default. */
export interface ServiceOptions {
	/** A free one unless given. */
	port?: number;
	/** Milliseconds that every request waits before it is handled: 0. */
	latencyMs?: number;
	/** Bytes of answers to keep ready, so that asking again costs the service no time: 0. */
	keptBytes?: number;
	/** The clock of rate limits, in milliseconds since 1970. */
	now?: () => number;
}

/** A running service. */
export interface LeadService {
	/** `http://127.0.0.1:<port>`, without a slash at the end. */
	readonly baseUrl: string;
	readonly port: number;
	readonly admin: Admin;
	/** Cuts every connection, hanging ones too, and frees the port. */
	close(): Promise<void>;
}

const store = new LeadStore();

/**
 * The lead with this number, from 0: every contact detail, no `raw`.
 * @throws RangeError when there is none
 */
export function leadAt(lead: number): LeadRecord {
	return store.leadAt(lead);
}

/** Numbers of the leads that fit the filters, in the order they are served. */
export function matching(filters?: Filters): Uint32Array {
	return store.matching(filters);
}

/** LinkedIn URLs of the leads that fit the filters, in the order they are served. */
export function urlsMatching(filters?: Filters): string[] {
	return Array.from(matching(filters), (lead) => leadAt(lead).linkedin_url);
}

/** Wall-clock time that goes on when a test has set the clock. */
function systemTime(): number {
	return performance.timeOrigin + performance.now();
}

/**
 * Starts a mock of the lead service on 127.0.0.1.
 * @throws an error with code EADDRINUSE when the port is taken
 */
export async function startService(options: ServiceOptions = {}): Promise<LeadService> {
	const { port = 0, keptBytes = 0 } = options;
	const stopping = new AbortController();
	const state: State = {
		store,
		accounts: new AccountStore(),
		faults: new FaultStore(),
		log: new RequestLog(),
		breaches: [],
		anonymous: {},
		limiters: new Map(),
		...(keptBytes > 0 && { ready: new ReadyAnswers(keptBytes) }),
		latencyMs: options.latencyMs ?? 0,
		now: options.now ?? systemTime,
		closing: stopping.signal,
	};
	const admin = adminOf(state);
	const server = buildServer(state, admin);
	await server.listen({ host: '127.0.0.1', port });
	const { port: taken } = server.server.address() as AddressInfo;
	return {
		baseUrl: `http://127.0.0.1:${taken}`,
		port: taken,
		admin,
		close: async () => {
			stopping.abort();
			await server.close();
		},
	};
}
