import type { Account } from '../accounts/account';
import type { LoggedRequest } from '../log/requestLog';
import { isSending, type Fault, type FaultAction } from './fault';

/** A fault that was added: how often it was used, and a way to take it back. */
export interface AddedFault {
	readonly fault: Fault;
	/** Requests that fit its account, path, page and page size. */
	seen: number;
	/** Requests that it was injected into. */
	met: number;
	readonly remove: () => void;
}

/** The faults that wait for their requests. */
export class FaultStore {
	private entries: AddedFault[] = [];

	/** Adds a fault; the first added comes first. */
	add(fault: Fault): AddedFault {
		const remove = () => {
			this.entries = this.entries.filter((other) => other !== entry);
		};
		const entry: AddedFault = { fault, seen: 0, met: 0, remove };
		this.entries.push(entry);
		return entry;
	}

	clear(): void {
		this.entries = [];
	}

	/**
	 * The faults to inject into this request. Of those that replace the answer only the first is;
	 * the others wait for the next request.
	 * @param account undefined when the credential is nobody's
	 */
	inject(request: LoggedRequest, account: Account | undefined): FaultAction[] {
		const names = account && [account.id, account.apiKey, account.sessionToken];
		const injected: FaultAction[] = [];
		for (const entry of this.entries) {
			const { fault } = entry;
			if (!fits(fault, request, names)) continue;
			entry.seen++;
			const times = fault.times === 'always' ? Infinity : (fault.times ?? 1);
			if (entry.seen < (fault.nthRequest ?? 1) || entry.met >= times) continue;
			if (isSending(fault) && injected.some(isSending)) continue;
			entry.met++;
			injected.push(fault);
		}
		return injected;
	}
}

function fits(fault: Fault, { path, page, perPage }: LoggedRequest, names: string[] = []): boolean {
	return (
		(fault.account === undefined || names.includes(fault.account)) &&
		(fault.path === undefined || fault.path === path) &&
		(fault.page === undefined || fault.page === page) &&
		(fault.perPage === undefined || fault.perPage === perPage)
	);
}
