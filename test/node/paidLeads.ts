/**
 * Promise 4, as the service's ledger sees it: what was paid for with an account, when, and who may reuse it. Of a search
 * that is a snapshot, used whole or not at all; each profile is one of its own.
 */
interface Snapshot {
	rows: Set<number>;
	/** Whether all have the field `raw`. */
	isRaw: boolean;
	/** When the first of it was paid for: that is its age. */
	first: number;
	/** Executions that go on to use it, since they have paid for some of it. */
	buyers: Set<string>;
	onlyFor?: string;
}

/** What an execution wants, as the ledger names it. */
interface Wants {
	executionId: string;
	/** Reuse Paid Results. */
	minutes: number;
	leads: readonly number[];
	/** Whether with the field `raw`; a search that has it serves those who want none, too. */
	isRaw?: boolean;
}

/** What a run reuses. */
export interface Reused {
	rows: ReadonlySet<number>;
	byKey: ReadonlyMap<string, Snapshot>;
}

export class PaidLeads {
	/** A search, or each profile. */
	private readonly all = new Map<string, Snapshot[]>();
	/** Which execution an execution is, or retries, and when that began. */
	private readonly beginnings = new Map<string, { id: string; at: number }>();
	private readonly left = new Map<string, Array<readonly [key: string, left: Snapshot]>>();

	constructor(private readonly isSearch: boolean) {}

	begin(executionId: string, now: number, retryOf = ''): void {
		const beginning = this.beginnings.get(retryOf) ?? { id: executionId, at: now };
		this.beginnings.set(executionId, beginning);
		const buyers = new Set([beginning.id]);
		// However old it is, its own Retry uses it; others by its age.
		for (const [key, left] of this.left.get(retryOf) ?? []) this.at(key).push({ ...left, buyers });
	}

	/** What is not to be paid for again: what was paid for since the execution began, or by it, or within the minutes. */
	reusable(wants: Wants, now: number): Reused {
		const { executionId, minutes, leads, isRaw } = wants;
		const { id, at } = this.beginnings.get(executionId) ?? { id: executionId, at: now };
		const isFresh = ({ first, buyers }: Snapshot) =>
			first >= at || buyers.has(id) || Math.round((now - first) / 60_000) < minutes;
		const byKey = new Map<string, Snapshot>();
		const wanted = ({ rows }: Snapshot) => leads.filter((lead) => rows.has(lead)).length;
		for (const key of new Set(leads.map((lead) => this.keyOf(lead)))) {
			const [best] = this.at(key)
				.filter(isFresh)
				.filter((one) => one.onlyFor === ownerOf(wants) && (one.isRaw || !isRaw))
				.sort((one, other) => wanted(other) - wanted(one) || other.first - one.first);
			if (best) byKey.set(key, best);
		}
		const used = [...byKey.values()];
		return { rows: new Set(used.flatMap(({ rows }) => [...rows])), byKey };
	}

	/** @returns what the run has then */
	pay(leads: readonly number[], now: number, wants: Wants, { byKey }: Reused) {
		const begun = new Map(byKey);
		for (const lead of leads) {
			const key = this.keyOf(lead);
			const onlyFor = ownerOf(wants);
			const snapshot = begun.get(key) ?? {
				rows: new Set(),
				isRaw: wants.isRaw === true,
				first: now,
				buyers: new Set<string>(),
				...(onlyFor && { onlyFor }),
			};
			if (!begun.has(key)) this.at(key).push(snapshot);
			begun.set(key, snapshot);
			snapshot.rows.add(lead);
			snapshot.buyers.add(this.beginnings.get(wants.executionId)?.id ?? wants.executionId);
		}
		return begun;
	}

	/** An execution has failed, so that its Retry goes on from what it wants and has. */
	leave(wants: Wants, byKey: ReadonlyMap<string, Snapshot>): void {
		if (wants.minutes === 0) return;
		const wanted = (one: Snapshot): Snapshot => ({
			...one,
			rows: new Set(wants.leads.filter((lead) => one.rows.has(lead))),
		});
		this.left.set(
			wants.executionId,
			[...byKey].map(([key, one]) => [key, wanted(one)] as const),
		);
	}

	private keyOf(lead: number): string {
		return this.isSearch ? 'search' : String(lead);
	}

	private at(key: string): Snapshot[] {
		const there = this.all.get(key) ?? [];
		this.all.set(key, there);
		return there;
	}
}

/** Whose the lists are that a run begins. */
function ownerOf({ minutes, executionId }: Wants): string | undefined {
	return minutes === 0 ? executionId : undefined;
}
