/** Promise 4, "one owner", as the service's ledger sees it: what executions of one node keep, and go on from. */

interface KeptList {
	id: string;
	/** Whether it is one of a sub-workflow. */
	isSub: boolean;
	leads: ReadonlySet<number>;
	isStopped: boolean;
	paidAt: number;
	broughtBy?: string;
}

export interface Begun {
	id: string;
	isSub: boolean;
	/** Whether it may go on from runs that went well. */
	reusesAll: boolean;
	/** Since when others must have paid; Infinity for not at all. */
	since: number;
	/** The leads that are wanted. */
	wanted: ReadonlySet<number>;
	/** The execution whose Retry it is. */
	retryOf?: string | undefined;
}

/** What a try goes on from. */
export interface Source {
	isSub: boolean;
	from: readonly KeptList[];
}

interface Ended {
	charged: readonly number[];
	/** Whether it may go on from runs that went well. */
	reusesAll: boolean;
	returned: number;
	now: number;
	isThrown: boolean;
	/** Whether it leaves its list for a Retry where it threw. */
	leaves: boolean;
	/** Whether it failed, or what it has put out was dropped. */
	isFailed: boolean;
	isCut: boolean;
}

export class KeptLists {
	/** In the order of their last use. */
	private lists: KeptList[] = [];
	private readonly left = new Map<string, KeptList>();

	/** @param areProfiles whether all that may be reused and holds what is wanted is put together, and not one chosen */
	constructor(private readonly areProfiles: boolean) {}

	/** @returns what a try goes on from */
	begin({ id, reusesAll, since, wanted, retryOf, ...begun }: Begun): Source {
		const isBrought = (list: KeptList) => list.broughtBy === id;
		const brought = this.left.get(retryOf ?? '');
		if (brought && !this.lists.some(isBrought)) {
			// It may have come out since.
			const { isStopped } = this.lists.find((list) => list.id === brought.id) ?? brought;
			this.put({ ...brought, isStopped, broughtBy: id });
		}
		// A Retry knows it is one of a sub-workflow by what it brings along.
		const isSub =
			retryOf === undefined
				? begun.isSub
				: this.lists.some((list) => isBrought(list) && list.isSub);
		const usable = this.lists.filter(
			(list) =>
				list.isSub === isSub &&
				(list.id === id ||
					(isBrought(list) && since < Infinity) ||
					(list.paidAt > since && (reusesAll || list.isStopped))),
		);
		const own = usable.filter((list) => list.id === id);
		const ofRetry = usable.filter(isBrought);
		const holds = ({ leads }: KeptList) => [...leads].filter((lead) => wanted.has(lead)).length;
		const best = [...(own.length > 0 ? own : usable)].sort(
			(one, other) => holds(one) - holds(other) || one.paidAt - other.paidAt,
		);
		const isAbout = (list: KeptList) =>
			own.includes(list) || ofRetry.includes(list) || holds(list) > 0;
		const from = this.areProfiles ? usable.filter(isAbout) : best.slice(-1);
		// What else is kept may say of a profile that it is not there, and so be gone on from: nothing is claimed of it.
		for (const list of this.areProfiles ? usable : []) list.isStopped &&= from.includes(list);
		for (const list of from) this.put(list);
		return { isSub, from };
	}

	end(id: string, { isSub, from }: Source, ended: Ended): void {
		const { charged, returned, isCut, isFailed, isThrown, leaves, now, reusesAll } = ended;
		const leads = new Set([...from.flatMap((list) => [...list.leads]), ...charged]);
		const isOut = returned === leads.size && !isCut;
		const wasStopped = from.some((list) => list.isStopped);
		const isStopped = isFailed || isThrown || (wasStopped && !isOut);
		for (const list of from) list.isStopped = false;
		if (leads.size === 0) return;
		// What is left over of runs before, and not for runs that went well, stays as old as it is.
		const isOld = isStopped && !isFailed && !isThrown && !isCut && !reusesAll;
		const isNew = charged.length > 0 && !isOld;
		const paidAt = isNew ? now : Math.max(...from.map((list) => list.paidAt));
		const kept = { id, isSub, leads, isStopped, paidAt };
		this.put(kept);
		if (isThrown && leaves) this.left.set(id, { ...kept });
	}

	private put(list: KeptList): void {
		this.lists = [...this.lists.filter(({ id }) => id !== list.id), list];
	}
}
