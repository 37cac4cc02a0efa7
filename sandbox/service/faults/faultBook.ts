import type { Fault, FaultAction, FaultKind } from './fault';

/** What faults are matched against. */
export interface Encounter {
	path: string;
	page: number | null;
	perPage: number | null;
	/** Id and secrets of the account, empty when the credential is nobody's. */
	accountNames: readonly string[];
}

/** A fault that was added: how it fares, and a way to take it back. */
export interface AddedFault {
	readonly kind: FaultKind;
	/** Requests that fit its account, path, page and page size. */
	readonly seen: number;
	/** Requests that it met. */
	readonly met: number;
	remove(): void;
}

interface Entry {
	fault: Fault;
	seen: number;
	met: number;
}

/** Kinds that change a request or an answer without replacing it: any number of them may meet. */
const STACKING: ReadonlySet<FaultKind> = new Set(['latency', 'merge', 'patch']);

/** The faults that wait for their requests. */
export class FaultBook {
	private entries: Entry[] = [];

	/** Adds a fault; the first added comes first. */
	add(fault: Fault): AddedFault {
		const entry = { fault, seen: 0, met: 0 };
		this.entries.push(entry);
		return {
			kind: fault.kind,
			get seen() {
				return entry.seen;
			},
			get met() {
				return entry.met;
			},
			remove: () => {
				this.entries = this.entries.filter((other) => other !== entry);
			},
		};
	}

	/** Forgets every fault. */
	clear(): void {
		this.entries = [];
	}

	/**
	 * The faults that this request meets. Of those that replace the answer only the first does; the
	 * others wait for the next request.
	 */
	meet(encounter: Encounter): FaultAction[] {
		const met: FaultAction[] = [];
		let replaced = false;
		for (const entry of this.entries) {
			const { fault } = entry;
			if (!fits(fault, encounter)) continue;
			entry.seen++;
			const times = fault.times === 'always' ? Infinity : (fault.times ?? 1);
			if (entry.seen < (fault.nthRequest ?? 1) || entry.met >= times) continue;
			if (!STACKING.has(fault.kind)) {
				if (replaced) continue;
				replaced = true;
			}
			entry.met++;
			met.push(fault);
		}
		return met;
	}
}

function fits(fault: Fault, { path, page, perPage, accountNames }: Encounter): boolean {
	return (
		(fault.account === undefined || accountNames.includes(fault.account)) &&
		(fault.path === undefined || fault.path === path) &&
		(fault.page === undefined || fault.page === page) &&
		(fault.perPage === undefined || fault.perPage === perPage)
	);
}
