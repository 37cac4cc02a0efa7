/**
 * A snapshot is a cached list: the rows of one search with its end, or the rows of one profile. This file decides how old
 * a snapshot is, and whether a run may reuse it or add to it.
 */

const MINUTE_MS = 60_000;

/**
 * A cached list. All times are in milliseconds since 1970. Output items are copies of the rows, so later nodes can't
 * change the cache.
 */
export interface Snapshot<Value> {
	value: Value;
	/** Estimated memory of the rows, in bytes. */
	bytes: number;
	/** When the first row was paid for. */
	firstPaidAt: number;
	/**
	 * When the latest execution that added rows started to pay for them. How long that execution takes doesn't count.
	 */
	lastPartAt: number;
	/** When the last row was paid for. */
	lastPaidAt: number;
	/**
	 * The IDs of the executions that paid for the rows of a search. Undefined for a profile, because one execution
	 * pays for a whole profile.
	 */
	payers?: Set<string>;
	/**
	 * The ID of the only execution that may use the snapshot; undefined if all runs with the same account may use it.
	 */
	exclusiveTo?: string | undefined;
}

/** The facts that decide whether an execution may use a snapshot. */
export interface Access {
	/** The value of Reuse Paid Results, in minutes. */
	minutes: number;
	/** The current time, in milliseconds since 1970. */
	now: number;
	/** How old the snapshot was when this execution, or one that it retries, first used it; undefined if it never did. */
	ageAtFirstUse: number | undefined;
}

/**
 * Returns the age of a snapshot in milliseconds. It is the larger of two times: from the first purchase to the start of the
 * last execution that added rows, and from the last purchase to now. If the clock was set back, the age is 0.
 *
 * The age is compared with Reuse Paid Results, here N minutes. So a list can grow for N minutes after its first purchase,
 * and is reused for N minutes after its last one. A reused row is at most 2 N minutes old, plus the time that the last
 * execution needed to buy its rows.
 */
export function ageOf(snapshot: Snapshot<unknown>, now: number): number {
	const { firstPaidAt, lastPartAt, lastPaidAt } = snapshot;
	return Math.max(0, lastPartAt - firstPaidAt, now - lastPaidAt);
}

/**
 * Whether a run may reuse the rows. In an execution and its Retries, a snapshot keeps the age that it had at its
 * first use there. Each node of the execution compares this age with its own Reuse Paid Results.
 */
export function isReusable(snapshot: Snapshot<unknown>, access: Access): boolean {
	return (
		hasNoAgeLimit(snapshot, access) || ageOf(snapshot, access.now) < access.minutes * MINUTE_MS
	);
}

/** Whether a run may add rows to the snapshot. If it may not and needs more rows, it starts a new snapshot. */
export function canGrow(snapshot: Snapshot<unknown>, access: Access): boolean {
	return hasNoAgeLimit(snapshot, access) || growthLeft(snapshot, access) > 0;
}

/** Returns for how many milliseconds new executions may still add rows; 0 if that time is over. */
export function growthLeft(
	snapshot: Snapshot<unknown>,
	{ minutes, now }: Pick<Access, 'minutes' | 'now'>,
): number {
	if (snapshot.exclusiveTo !== undefined) return 0;
	const age = Math.max(0, now - snapshot.firstPaidAt);
	return Math.max(0, minutes * MINUTE_MS - age);
}

/** Whether an execution may use a snapshot whatever its age is. */
function hasNoAgeLimit(
	{ exclusiveTo }: Snapshot<unknown>,
	{ minutes, ageAtFirstUse }: Access,
): boolean {
	if (exclusiveTo !== undefined) return true;
	return ageAtFirstUse !== undefined && ageAtFirstUse < minutes * MINUTE_MS;
}

/** A snapshot that a run may reuse. */
export interface Candidate<Value> {
	snapshot: Snapshot<Value>;
	/** How many of the rows that the run requests are in the snapshot. */
	rows: number;
	/** Whether the snapshot has all rows that the run requests. */
	isComplete: boolean;
	canGrow: boolean;
}

/**
 * Chooses the snapshot that a run works with. A snapshot qualifies if it has all requested rows, or if the run may
 * add rows to it (see {@link canGrow}). Of these, the one with the most requested rows is chosen, and the newest one
 * if several have equally many.
 *
 * @returns undefined if none qualifies; the run then starts a new snapshot
 */
export function chooseSnapshot<Value>(
	candidates: ReadonlyArray<Candidate<Value>>,
): Snapshot<Value> | undefined {
	const [best] = candidates
		.filter(({ isComplete, canGrow }) => isComplete || canGrow)
		.sort((a, b) => b.rows - a.rows || b.snapshot.firstPaidAt - a.snapshot.firstPaidAt);
	return best?.snapshot;
}

/** Creates a snapshot of rows that one execution has just started to pay for. */
export function newSnapshot<Value>(
	value: Value,
	paidAt: number,
	exclusiveTo: string | undefined,
): Snapshot<Value> {
	const times = { firstPaidAt: paidAt, lastPartAt: paidAt, lastPaidAt: paidAt };
	return { value, bytes: 0, ...times, exclusiveTo };
}

/**
 * Notes that an execution has paid for rows of a search.
 *
 * @param startedAt when the run that paid for them started
 */
export function addPurchase(
	snapshot: Snapshot<unknown>,
	executionId: string,
	{ startedAt, now }: { startedAt: number; now: number },
): void {
	const payers = (snapshot.payers ??= new Set());
	if (!payers.has(executionId) && payers.size > 0)
		snapshot.lastPartAt = Math.max(snapshot.lastPartAt, startedAt);
	payers.add(executionId);
	snapshot.lastPaidAt = now;
}
