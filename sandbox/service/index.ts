import type { AddressInfo } from 'node:net';
import { AccountBook } from './accounts/accountBook';
import { Admin } from './admin/admin';
import type { Filters, LeadRecord } from './contract/types';
import { DEFAULT_LEADS, DEFAULT_SEED, LeadBook } from './data/leadBook';
import { FaultBook } from './faults/faultBook';
import { KeptAnswers } from './keptAnswers';
import { RequestLog } from './log/requestLog';
import { buildServer } from './server';
import type { SchemaBreach } from './handle';

export type { Account, AccountOptions, Balances, Behaviour } from './accounts/account';
export { leadsChargedTwice } from './accounts/account';
export type { Admin, RequestQuery } from './admin/admin';
export type * from './contract/types';
export { LOOKUP_PATH, PREVIEW_PATH, SEARCH_PATH } from './contract/paths';
export { DEFAULT_LEADS, DEFAULT_SEED } from './data/leadBook';
export { ICELAND_LEADS } from './data/places';
export type { PreviewShape } from './endpoints/previewShape';
export type { Fault, FaultAction, FaultKind, FaultMatch } from './faults/fault';
export type { AddedFault } from './faults/faultBook';
export type { SchemaBreach } from './handle';
export type { UrlListSummary } from './log/body';
export type { LoggedRequest } from './log/requestLog';

/** How to start a service; everything has a default. */
export interface ServiceOptions {
	/** A free one unless given. */
	port?: number;
	/** Number of leads: 120,000. */
	leads?: number;
	/** The same seed gives the same leads on every machine. */
	seed?: number;
	/** Milliseconds that every request waits before it is handled: 0. */
	latencyMs?: number;
	/** Bytes of answers to keep ready, so that asking again costs the service no time: 0. */
	keptBytes?: number;
}

/** A running service. */
export interface LeadService {
	/** `http://127.0.0.1:<port>`, without a slash at the end. */
	readonly baseUrl: string;
	readonly port: number;
	readonly admin: Admin;
	/** The leads, for expectations. */
	readonly book: LeadBook;
	/** Cuts every connection, hanging ones too, and frees the port. */
	close(): Promise<void>;
}

let usual: LeadBook | undefined;

function usualBook(): LeadBook {
	return (usual ??= new LeadBook());
}

/**
 * The lead with this number, from 0, in a service with the usual leads: every contact detail, no
 * `raw`.
 * @throws RangeError when there is none
 */
export function leadAt(lead: number): LeadRecord {
	return usualBook().leadAt(lead);
}

/** Numbers of the leads that fit the filters, in the order a service with the usual leads serves. */
export function matching(filters?: Filters): Uint32Array {
	return usualBook().matching(filters);
}

/** LinkedIn URLs of the leads that fit the filters, in the order they are served. */
export function urlsMatching(filters?: Filters): string[] {
	return Array.from(matching(filters), (lead) => leadAt(lead).linkedin_url);
}

/**
 * Starts a stand-in for the lead service on 127.0.0.1.
 * @throws an error with code EADDRINUSE when the port is taken
 */
export async function startService(options: ServiceOptions = {}): Promise<LeadService> {
	const {
		port = 0,
		leads = DEFAULT_LEADS,
		seed = DEFAULT_SEED,
		latencyMs = 0,
		keptBytes = 0,
	} = options;
	const isUsual = leads === DEFAULT_LEADS && seed === DEFAULT_SEED;
	const book = isUsual ? usualBook() : new LeadBook(leads, seed);
	const breaches: SchemaBreach[] = [];
	const stopping = new AbortController();
	const stores = {
		shop: {
			book,
			previewShape: 'preview_data' as const,
			previewBehaviour: {},
			breaches,
			...(keptBytes > 0 && { kept: new KeptAnswers(keptBytes) }),
		},
		accounts: new AccountBook(),
		faults: new FaultBook(),
		log: new RequestLog(),
	};
	const admin = new Admin(stores);
	const server = buildServer({ ...stores, latencyMs, closing: stopping.signal }, admin);
	await server.listen({ host: '127.0.0.1', port });
	const { port: taken } = server.server.address() as AddressInfo;
	return {
		baseUrl: `http://127.0.0.1:${taken}`,
		port: taken,
		admin,
		book,
		close: async () => {
			stopping.abort();
			await server.close();
		},
	};
}
