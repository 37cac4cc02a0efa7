/**
 * Decides how old a snapshot is, and whether a run may reuse its rows or add rows to it. A snapshot is a cached list:
 * the rows of one search with the end of the list, or the rows of one profile.
 */

/** One minute in milliseconds. Reuse Paid Results is in minutes, and ages are in milliseconds. */
const MINUTE_MS = 60_000;

/**
 * A cached list: the rows of one search, or the rows of one profile. All times are in milliseconds since 1970. The
 * node's output items are copies of the rows, so later nodes can't change the cache.
 *
 * @example
 * // Execution 7 paid for 100 leads from 9:00 to 9:01. Execution 8 started at 9:10, and paid for 50 more until 9:12.
 * // Then firstPaidAt is 9:00, lastPartAt is 9:10, lastPaidAt is 9:12, and payers are 7 and 8.
 */
export interface Snapshot<Value> {
	value: Value;
	/** The estimated memory that the rows take, in bytes. */
	bytes: number;
	/** The time at which the first row was paid for. */
	firstPaidAt: number;
	/**
	 * The time at which the latest part started. A part is all rows that one execution has paid for. The start of the
	 * part counts for the age of the snapshot, and not its end, so that a slow execution doesn't make the snapshot
	 * older.
	 */
	lastPartAt: number;
	/** The time at which the last row was paid for. */
	lastPaidAt: number;
	/**
	 * The IDs of the executions that paid for the rows of a search. It is undefined for a profile, because a single
	 * execution pays for all rows of a profile.
	 */
	payers?: Set<string>;
	/**
	 * The ID of the only execution that may use the snapshot; undefined if all runs with the same account may use it.
	 */
	exclusiveTo?: string | undefined;
}

/** The facts about an execution and a snapshot that decide whether the execution may use the snapshot. */
export interface Access {
	/** The value of Reuse Paid Results, in minutes. */
	minutes: number;
	/** The current time, in milliseconds since 1970. */
	now: number;
	/**
	 * The age of the snapshot, in milliseconds, when this execution, or one that it retries, used the snapshot for the
	 * first time. It is undefined if none of these executions has used the snapshot.
	 */
	ageAtFirstUse: number | undefined;
}

/**
 * Returns the age of a snapshot in milliseconds. A snapshot expires when its age reaches Reuse Paid Results.
 *
 * Several executions can have paid for the rows of a snapshot, so two times matter. The age is the longer one:
 *
 * - how far apart the rows were bought: from the payment of the first row to the start of the last execution that
 *   added rows;
 * - how long ago the newest row was bought: from the payment of the last row to now.
 *
 * The age is 0 if the clock was set back.
 *
 * @example
 * // Rows were paid for at 9:00. An execution that started at 9:10 paid for more rows until 9:12.
 * ageOf(snapshot, at('9:15')); // 10 minutes, from 9:00 to 9:10
 * ageOf(snapshot, at('9:30')); // 18 minutes, from 9:12 to 9:30
 */
export function ageOf(snapshot: Snapshot<unknown>, now: number): number {
	const { firstPaidAt, lastPartAt, lastPaidAt } = snapshot;
	return Math.max(0, lastPartAt - firstPaidAt, now - lastPaidAt);
}

/**
 * Whether a run may reuse the rows of a snapshot: its age is less than Reuse Paid Results, or it has no age limit for
 * the run's execution (see {@link hasNoAgeLimit}).
 *
 * The age at which an execution first used a snapshot stays valid in all nodes of the execution and in its Retries.
 * Each node compares this age with its own Reuse Paid Results.
 *
 * @example
 * // An execution first used the snapshot at the age of 20 minutes. Its Retry, two hours later, may still reuse it.
 * isReusable(snapshot, { minutes: 30, now, ageAtFirstUse: 20 * MINUTE_MS }); // true
 */
export function isReusable(snapshot: Snapshot<unknown>, access: Access): boolean {
	return (
		hasNoAgeLimit(snapshot, access) || ageOf(snapshot, access.now) < access.minutes * MINUTE_MS
	);
}

/**
 * Whether a run may add rows to a snapshot. A new execution may until N minutes after the snapshot's first row was paid
 * for; N is the option Reuse Paid Results. An execution that has used the snapshot before, and its Retries, may at any
 * age (see {@link hasNoAgeLimit}). If a run may not add the rows that it needs, it starts a new snapshot.
 */
export function canGrow(snapshot: Snapshot<unknown>, access: Access): boolean {
	return hasNoAgeLimit(snapshot, access) || growthLeft(snapshot, access) > 0;
}

/**
 * Returns for how many milliseconds from now new executions may add rows to a snapshot. Returns 0 if that time is
 * over, or if only one execution may use the snapshot.
 */
export function growthLeft(
	snapshot: Snapshot<unknown>,
	{ minutes, now }: Pick<Access, 'minutes' | 'now'>,
): number {
	if (snapshot.exclusiveTo !== undefined) return 0;
	const age = Math.max(0, now - snapshot.firstPaidAt);
	return Math.max(0, minutes * MINUTE_MS - age);
}

/**
 * Whether an execution may use a snapshot at any age, in two cases:
 *
 * - Only this execution may use the snapshot (`exclusiveTo`).
 * - The execution, or one that it retries, has used the snapshot before, and its age at that first use was less than
 *   Reuse Paid Results.
 */
function hasNoAgeLimit(
	{ exclusiveTo }: Snapshot<unknown>,
	{ minutes, ageAtFirstUse }: Access,
): boolean {
	if (exclusiveTo !== undefined) return true;
	return ageAtFirstUse !== undefined && ageAtFirstUse < minutes * MINUTE_MS;
}

/** A snapshot that a run may reuse, with the facts by which {@link chooseSnapshot} compares it with others. */
export interface Candidate<Value> {
	snapshot: Snapshot<Value>;
	/** The number of requested rows that the snapshot has. Other rows of the snapshot don't count. */
	rows: number;
	/** Whether the snapshot has all rows that the run requests. */
	isComplete: boolean;
	/** Whether the run may add rows to the snapshot. */
	canGrow: boolean;
}

/**
 * Chooses the snapshot that a run uses. A snapshot qualifies if it has all requested rows, or if the run may
 * add the missing rows to it (see {@link canGrow}). The qualifying snapshot with the most requested rows is chosen.
 * If several have equally many, the one with the latest payment for its first row is chosen.
 *
 * @returns undefined if no snapshot qualifies; the run then starts a new snapshot
 */
export function chooseSnapshot<Value>(
	candidates: ReadonlyArray<Candidate<Value>>,
): Snapshot<Value> | undefined {
	const [best] = candidates
		.filter(({ isComplete, canGrow }) => isComplete || canGrow)
		.sort((a, b) => b.rows - a.rows || b.snapshot.firstPaidAt - a.snapshot.firstPaidAt);
	return best?.snapshot;
}

/**
 * Creates a snapshot for the first rows that an execution has paid for.
 *
 * @param value the rows: the facts of a search's list, or an array with the rows of a profile
 * @param paidAt the time at which the execution received its first rows, in milliseconds since 1970
 * @param exclusiveTo the ID of the only execution that may use the snapshot; undefined if all executions may
 */
export function newSnapshot<Value>(
	value: Value,
	paidAt: number,
	exclusiveTo: string | undefined,
): Snapshot<Value> {
	const times = { firstPaidAt: paidAt, lastPartAt: paidAt, lastPaidAt: paidAt };
	return { value, bytes: 0, ...times, exclusiveTo };
}

/**
 * Notes in a search's snapshot that an execution has just paid for rows. If it is the first purchase of this execution
 * in this snapshot, and other executions have paid for rows before, `lastPartAt` becomes the start of the run.
 *
 * @param executionId the execution that has paid for the rows
 * @param startedAt when the run that paid for the rows started, in milliseconds since 1970
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
