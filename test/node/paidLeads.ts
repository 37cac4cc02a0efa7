/**
 * A model of promise 4 that uses only the service's ledger. It says which rows an account has paid for, when, and which
 * executions may reuse them. The rows of a search are one snapshot. Each profile is a snapshot of its own.
 */
interface Snapshot {
	rows: Set<number>;
	/** Whether all rows have the field `raw`. */
	isRaw: boolean;
	/** The time at which the first row was paid for. */
	firstPaidAt: number;
	/** The time at which the latest execution began to add rows. */
	latestStartAt: number;
	/** The time at which the last row was paid for. */
	lastPaidAt: number;
	/** The executions that have added rows. */
	executionIds: Set<string>;
	/** The age of the snapshot when an execution first used it. The key is the first execution of a chain of Retries. */
	ages: Map<string, number>;
	exclusiveTo?: string;
}

/** The leads that an execution requests, and the parameters that decide which cached rows it may reuse. */
interface RunRequest {
	executionId: string;
	/** The value of Reuse Paid Results. */
	minutes: number;
	leads: readonly number[];
	/** Whether the leads must have the field `raw`. Snapshots with the field can be reused for requests without it, too. */
	isRaw?: boolean;
}

/** The rows that a run reuses, and the snapshots that they belong to. */
export interface Reused {
	rows: ReadonlySet<number>;
	byKey: ReadonlyMap<string, Snapshot>;
}

const MINUTE_MS = 60_000;

export class PaidLeads {
	/** The snapshots by key. All searches of the model have the same key, and each profile has its own. */
	private readonly all = new Map<string, Snapshot[]>();
	/** The first execution of the chain of Retries that an execution belongs to. */
	private readonly firstOf = new Map<string, string>();
	private readonly saved = new Map<string, Array<readonly [key: string, saved: Snapshot]>>();

	constructor(private readonly isSearch: boolean) {}

	begin(executionId: string, retryOf = ''): void {
		const first = this.firstOf.get(retryOf) ?? executionId;
		this.firstOf.set(executionId, first);
		// The Retry may use the saved snapshots of the failed execution at any age. Other executions judge them by age.
		for (const [key, saved] of this.saved.get(retryOf) ?? [])
			this.at(key).push({
				...saved,
				ages: new Map([[first, 0]]),
				executionIds: new Set([retryOf]),
			});
	}

	/**
	 * Returns the rows that must not be paid for again.
	 *
	 * @param sendsRequest whether the run sends a request, which means that the list of a search has to grow
	 */
	reusable(request: RunRequest, now: number, sendsRequest = false): Reused {
		const { leads, isRaw } = request;
		const byKey = new Map<string, Snapshot>();
		for (const key of new Set(leads.map((lead) => this.keyOf(lead)))) {
			const requested = leads.filter((lead) => this.keyOf(lead) === key);
			const count = ({ rows }: Snapshot) => requested.filter((lead) => rows.has(lead)).length;
			const isComplete = (one: Snapshot) =>
				count(one) === requested.length && !(this.isSearch && sendsRequest);
			const [used] = this.at(key)
				.filter((one) => one.isRaw || !isRaw)
				.filter((one) => this.isReusable(one, request, now))
				.filter((one) => isComplete(one) || this.canGrow(one, request, now))
				.sort((one, other) => count(other) - count(one) || other.firstPaidAt - one.firstPaidAt);
			if (used) byKey.set(key, used);
		}
		const used = [...byKey.values()];
		return { rows: new Set(used.flatMap(({ rows }) => [...rows])), byKey };
	}

	/**
	 * Adds the rows that a run has paid for.
	 *
	 * @param startedAt the time at which the run got the rows that it reuses
	 * @returns the snapshots of the run, by key
	 */
	pay(
		leads: readonly number[],
		{ startedAt, now }: { startedAt: number; now: number },
		request: RunRequest,
		{ byKey }: Reused,
	) {
		const first = this.firstExecution(request);
		const snapshots = new Map(byKey);
		for (const one of byKey.values())
			if (!one.ages.has(first)) one.ages.set(first, ageOf(one, startedAt));
		for (const lead of leads) {
			const key = this.keyOf(lead);
			const snapshot = snapshots.get(key) ?? this.start(key, request, now);
			snapshots.set(key, snapshot);
			snapshot.rows.add(lead);
			if (!snapshot.executionIds.has(request.executionId))
				snapshot.latestStartAt = Math.max(snapshot.latestStartAt, startedAt);
			snapshot.executionIds.add(request.executionId);
			snapshot.lastPaidAt = now;
		}
		return snapshots;
	}

	/** Saves the snapshots of a failed execution for its Retry, with the requested rows alone. */
	save(request: RunRequest, byKey: ReadonlyMap<string, Snapshot>): void {
		if (request.minutes === 0) return;
		const withRequestedRows = (one: Snapshot): Snapshot => ({
			...one,
			rows: new Set(request.leads.filter((lead) => one.rows.has(lead))),
		});
		this.saved.set(
			request.executionId,
			[...byKey].map(([key, one]) => [key, withRequestedRows(one)] as const),
		);
	}

	private start(key: string, request: RunRequest, now: number): Snapshot {
		const { executionId, minutes, isRaw = false } = request;
		const snapshot: Snapshot = {
			rows: new Set(),
			isRaw,
			firstPaidAt: now,
			latestStartAt: now,
			lastPaidAt: now,
			executionIds: new Set([executionId]),
			ages: new Map([[this.firstExecution(request), 0]]),
			...(minutes === 0 && { exclusiveTo: executionId }),
		};
		this.at(key).push(snapshot);
		return snapshot;
	}

	private isReusable(one: Snapshot, request: RunRequest, now: number): boolean {
		const { exclusiveTo } = one;
		if (request.minutes === 0 || exclusiveTo !== undefined)
			return exclusiveTo === request.executionId && request.minutes === 0;
		return this.isInUse(one, request) || ageOf(one, now) < request.minutes * MINUTE_MS;
	}

	private canGrow(one: Snapshot, request: RunRequest, now: number): boolean {
		const sinceFirst = Math.max(0, now - one.firstPaidAt);
		return (
			request.minutes === 0 ||
			this.isInUse(one, request) ||
			sinceFirst < request.minutes * MINUTE_MS
		);
	}

	private isInUse({ ages }: Snapshot, request: RunRequest): boolean {
		return (ages.get(this.firstExecution(request)) ?? Infinity) < request.minutes * MINUTE_MS;
	}

	private firstExecution({ executionId }: RunRequest): string {
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

/**
 * Returns the age that limits reuse. A list can grow for N minutes after its first purchase, and is reused for N minutes
 * after its last one.
 */
function ageOf({ firstPaidAt, latestStartAt, lastPaidAt }: Snapshot, now: number): number {
	return Math.max(0, latestStartAt - firstPaidAt, now - lastPaidAt);
}
