/** Faults that tests inject into responses. */
import type { Account } from './accounts';
import type { LoggedRequest } from './log';

/** Selects the requests that get a fault. All fields that are set must match. */
export interface FaultMatch {
	/** ID, API key or session token of the account. */
	account?: string;
	path?: string;
	/** Requested page and page size, including defaults. */
	page?: number;
	perPage?: number;
	/** First request that gets the fault, counted from 1 among the requests that match the fields above. */
	nthRequest?: number;
	/** Number of requests that get the fault. Default 1. */
	times?: number | 'always';
}

type Change =
	| { kind: 'latency'; ms: number }
	/** Merges these fields into a normal response with status 200, after charging. */
	| { kind: 'merge'; merge: Record<string, unknown> };

/** Replaces the response. A string is sent as it is, other bodies as JSON. */
interface StatusFault {
	kind: 'status';
	status: number;
	headers?: Record<string, string>;
	body?: unknown;
	charge?: boolean;
}

/**
 * Faults that replace or break the response. If `charge` is true, the request is handled and charged first, as if its
 * response had been lost. By default, only kinds that break a normal response are charged.
 */
export type SendingFault =
	| StatusFault
	/** Closes the connection: before the request is handled; after charging, without a response; or after half of the body. */
	| { kind: 'loseBeforeAnswer' | 'loseAfterAnswer' | 'loseMidAnswer' }
	/** Sends no response until the client disconnects or the service closes. */
	| { kind: 'hang'; charge?: boolean }
	| { kind: 'notJson'; charge?: boolean }
	/** Labels the response as gzip although it isn't; or sends more than 20 kB of headers. */
	| { kind: 'wrongEncoding' | 'hugeHeaders'; charge?: boolean }
	/** A gateway that replaces a response with more rows than `maxRows` by this status, after it was charged. */
	| { kind: 'gateway'; maxRows: number; status: number }
	/** Sends a JSON body that never ends, slowly unless `isFast`. The default status is 200. */
	| { kind: 'endless'; status?: number; isFast?: boolean; charge?: boolean };

export type FaultAction = Change | SendingFault;
export type Fault = FaultMatch & FaultAction;
export type FaultKind = FaultAction['kind'];

/** Whether a fault replaces or breaks the response. */
export function isSending(fault: FaultAction): fault is SendingFault {
	return fault.kind !== 'latency' && fault.kind !== 'merge';
}

const CHARGED_BY_DEFAULT = [
	'loseAfterAnswer',
	'loseMidAnswer',
	'wrongEncoding',
	'hugeHeaders',
	'gateway',
];

/** Whether the request is handled, and so charged, before the fault is injected. */
export function chargesFirst(fault: SendingFault): boolean {
	return ('charge' in fault ? fault.charge : undefined) ?? CHARGED_BY_DEFAULT.includes(fault.kind);
}

export type AddedFault = ReturnType<FaultStore['add']>;

/** The faults that are active. */
export class FaultStore {
	private readonly entries = new Set<{ fault: Fault; matches: number; injections: number }>();

	/** Adds a fault. The returned `remove` removes it again. */
	add(fault: Fault) {
		const entry = { fault, matches: 0, injections: 0 };
		this.entries.add(entry);
		return { remove: () => void this.entries.delete(entry) };
	}

	clear(): void {
		this.entries.clear();
	}

	/** Returns the faults for a request. Only the first one that replaces or breaks the response is injected. */
	inject({ path, page, perPage }: LoggedRequest, account: Account | undefined): FaultAction[] {
		const injected: FaultAction[] = [];
		const names = [undefined, account?.id, account?.apiKey, account?.sessionToken];
		for (const entry of this.entries) {
			const { fault } = entry;
			const isMatch =
				names.includes(fault.account) &&
				(fault.path ?? path) === path &&
				(fault.page ?? page) === page &&
				(fault.perPage ?? perPage) === perPage;
			if (!isMatch) continue;
			entry.matches++;
			const times = fault.times === 'always' ? Infinity : (fault.times ?? 1);
			if (entry.matches < (fault.nthRequest ?? 1) || entry.injections >= times) continue;
			if (isSending(fault) && injected.some(isSending)) continue;
			entry.injections++;
			injected.push(fault);
		}
		return injected;
	}
}
