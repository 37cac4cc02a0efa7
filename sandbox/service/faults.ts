import type { Account } from './accounts';
import type { LoggedRequest } from './log';

/** Which requests a fault is injected into; every field that is there must fit. */
export interface FaultMatch {
	/** Id, API key or session token of the account. */
	account?: string;
	path?: string;
	/** Page and page size asked for, defaults included. */
	page?: number;
	perPage?: number;
	/** From this request on, counting from 1 those that fit the fields above since it was added. */
	nthRequest?: number;
	/** How many requests it is injected into: 1 unless said otherwise. */
	times?: number | 'always';
}

type Change =
	| { kind: 'latency'; ms: number }
	/** These fields laid over a normal answer with status 200, after charging. */
	| { kind: 'merge'; merge: Record<string, unknown> };

/** This answer instead of the normal one; a string is sent as it is, anything else as JSON. */
interface StatusFault {
	kind: 'status';
	status: number;
	headers?: Record<string, string>;
	body?: unknown;
	charge?: boolean;
}

/**
 * What replaces or spoils the way an answer is sent. Kinds with `charge` leave the request
 * unhandled unless it is true; then it is handled and charged first, as if the answer had got lost.
 * Those that spoil the normal answer are charged unless `charge` is false.
 */
export type SendingFault =
	| StatusFault
	/** The connection is cut: before the request is handled, charged but before any answer, or after half of its body. */
	| { kind: 'loseBeforeAnswer' | 'loseAfterAnswer' | 'loseMidAnswer' }
	/** No answer, until the client leaves or the service closes. */
	| { kind: 'hang'; charge?: boolean }
	| { kind: 'notJson'; charge?: boolean }
	/** The answer labelled as gzip, which it is not; with more than 20 kB of headers. */
	| { kind: 'wrongEncoding' | 'hugeHeaders'; charge?: boolean }
	/** A 200, unless said otherwise, whose JSON body keeps coming, slowly unless said otherwise, and never ends. */
	| { kind: 'endless'; status?: number; isFast?: boolean; charge?: boolean };

export type FaultAction = Change | SendingFault;
export type Fault = FaultMatch & FaultAction;
export type FaultKind = FaultAction['kind'];

export function isSending(fault: FaultAction): fault is SendingFault {
	return fault.kind !== 'latency' && fault.kind !== 'merge';
}

const CHARGED_BY_DEFAULT = ['loseAfterAnswer', 'loseMidAnswer', 'wrongEncoding', 'hugeHeaders'];

/** Whether the request is handled, and so charged, before the fault is injected. */
export function chargesFirst(fault: SendingFault): boolean {
	return ('charge' in fault ? fault.charge : undefined) ?? CHARGED_BY_DEFAULT.includes(fault.kind);
}

export type AddedFault = ReturnType<FaultStore['add']>;

export class FaultStore {
	private readonly entries = new Set<{ fault: Fault; matches: number; injections: number }>();

	/** Adds a fault. Returns a way to take it back. */
	add(fault: Fault) {
		const entry = { fault, matches: 0, injections: 0 };
		this.entries.add(entry);
		return { remove: () => void this.entries.delete(entry) };
	}

	clear(): void {
		this.entries.clear();
	}

	/** The faults for this request. Of those that replace the answer only the first is injected. */
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
