/**
 * Promise 4, from the service's ledger alone: what an account has paid for, when, and which execution may reuse it. The
 * rows of a search are one snapshot. Each profile is a snapshot of its own.
 */
interface Snapshot {
	rows: Set<number>;
	/** Whether all rows have the field `raw`. */
	isRaw: boolean;
	/** When the first row was paid for, when the latest execution began to add rows, and when the last row was paid for. */
	first: number;
	latestPart: number;
	last: number;
	/** The executions that have added rows. */
	parts: Set<string>;
	/** How old it was when an execution, or one that it retries, first used it. */
	ages: Map<string, number>;
	exclusiveTo?: string;
}

/** What an execution wants. */
interface Wants {
	executionId: string;
	/** Reuse Paid Results. */
	minutes: number;
	leads: readonly number[];
	/** Whether with the field `raw`. A search that has it serves requests without it, too. */
	isRaw?: boolean;
}

/** What a run reuses. */
export interface Reused {
	rows: ReadonlySet<number>;
	byKey: ReadonlyMap<string, Snapshot>;
}

const MINUTE_MS = 60_000;

export class PaidLeads {
	/** The snapshots of the search, or of each profile. */
	private readonly all = new Map<string, Snapshot[]>();
	/** The first execution in a chain of Retries. */
	private readonly firstOf = new Map<string, string>();
	private readonly saved = new Map<string, Array<readonly [key: string, saved: Snapshot]>>();

	constructor(private readonly isSearch: boolean) {}

	begin(executionId: string, retryOf = ''): void {
		const first = this.firstOf.get(retryOf) ?? executionId;
		this.firstOf.set(executionId, first);
		// The Retry may use what the failed execution saved, however old it is. Others judge it by its age.
		for (const [key, saved] of this.saved.get(retryOf) ?? [])
			this.at(key).push({ ...saved, ages: new Map([[first, 0]]), parts: new Set([retryOf]) });
	}

	/**
	 * What must not be paid for again.
	 *
	 * @param sendsRequest whether the run sends a request: then the list of a search lacks something, so it has to grow
	 */
	reusable(wants: Wants, now: number, sendsRequest = false): Reused {
		const { leads, isRaw } = wants;
		const byKey = new Map<string, Snapshot>();
		for (const key of new Set(leads.map((lead) => this.keyOf(lead)))) {
			const wanted = leads.filter((lead) => this.keyOf(lead) === key);
			const count = ({ rows }: Snapshot) => wanted.filter((lead) => rows.has(lead)).length;
			const isWhole = (one: Snapshot) =>
				count(one) === wanted.length && !(this.isSearch && sendsRequest);
			const [used] = this.at(key)
				.filter((one) => one.isRaw || !isRaw)
				.filter((one) => this.isReusable(one, wants, now))
				.filter((one) => isWhole(one) || this.canGrow(one, wants, now))
				.sort((one, other) => count(other) - count(one) || other.first - one.first);
			if (used) byKey.set(key, used);
		}
		const used = [...byKey.values()];
		return { rows: new Set(used.flatMap(({ rows }) => [...rows])), byKey };
	}

	/**
	 * Notes what a run has paid for.
	 *
	 * @param startedAt when it got what it reuses
	 * @returns what the run has then
	 */
	pay(
		leads: readonly number[],
		{ startedAt, now }: { startedAt: number; now: number },
		wants: Wants,
		{ byKey }: Reused,
	) {
		const first = this.firstExecution(wants);
		const has = new Map(byKey);
		for (const one of byKey.values())
			if (!one.ages.has(first)) one.ages.set(first, ageOf(one, startedAt));
		for (const lead of leads) {
			const key = this.keyOf(lead);
			const snapshot = has.get(key) ?? this.start(key, wants, now);
			has.set(key, snapshot);
			snapshot.rows.add(lead);
			if (!snapshot.parts.has(wants.executionId))
				snapshot.latestPart = Math.max(snapshot.latestPart, startedAt);
			snapshot.parts.add(wants.executionId);
			snapshot.last = now;
		}
		return has;
	}

	/** An execution has failed, so its Retry continues from what it wants and has. */
	save(wants: Wants, byKey: ReadonlyMap<string, Snapshot>): void {
		if (wants.minutes === 0) return;
		const wantedPart = (one: Snapshot): Snapshot => ({
			...one,
			rows: new Set(wants.leads.filter((lead) => one.rows.has(lead))),
		});
		this.saved.set(
			wants.executionId,
			[...byKey].map(([key, one]) => [key, wantedPart(one)] as const),
		);
	}

	private start(key: string, wants: Wants, now: number): Snapshot {
		const { executionId, minutes, isRaw = false } = wants;
		const snapshot: Snapshot = {
			rows: new Set(),
			isRaw,
			first: now,
			latestPart: now,
			last: now,
			parts: new Set([executionId]),
			ages: new Map([[this.firstExecution(wants), 0]]),
			...(minutes === 0 && { exclusiveTo: executionId }),
		};
		this.at(key).push(snapshot);
		return snapshot;
	}

	private isReusable(one: Snapshot, wants: Wants, now: number): boolean {
		const { exclusiveTo } = one;
		if (wants.minutes === 0 || exclusiveTo !== undefined)
			return exclusiveTo === wants.executionId && wants.minutes === 0;
		return this.isHeld(one, wants) || ageOf(one, now) < wants.minutes * MINUTE_MS;
	}

	private canGrow(one: Snapshot, wants: Wants, now: number): boolean {
		const sinceFirst = Math.max(0, now - one.first);
		return wants.minutes === 0 || this.isHeld(one, wants) || sinceFirst < wants.minutes * MINUTE_MS;
	}

	private isHeld({ ages }: Snapshot, wants: Wants): boolean {
		return (ages.get(this.firstExecution(wants)) ?? Infinity) < wants.minutes * MINUTE_MS;
	}

	private firstExecution({ executionId }: Wants): string {
		return this.firstOf.get(executionId) ?? executionId;
	}

	private keyOf(lead: number): string {
		return this.isSearch ? 'search' : String(lead);
	}

	private at(key: string): Snapshot[] {
		const snapshots = this.all.get(key) ?? [];
		this.all.set(key, snapshots);
		return snapshots;
	}
}

/** A list can grow for N minutes after its first purchase, and is reused for N minutes after its last one. */
function ageOf({ first, latestPart, last }: Snapshot, now: number): number {
	return Math.max(0, latestPart - first, now - last);
}
