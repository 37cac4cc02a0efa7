/**
 * A snapshot is a cached list: the rows of one search with its end, or the rows of one profile. This file decides how old
 * a snapshot is, and whether a run may reuse it or add to it.
 */

const MINUTE_MS = 60_000;

/**
 * A cached list. All times are in milliseconds since 1970. Output items are copies of its rows, so later nodes can't
 * change it.
 */
export interface Snapshot<Value> {
	value: Value;
	/** Estimated memory of the rows. */
	bytes: number;
	/** When the first row was paid for. */
	firstPaidAt: number;
	/** When the latest part started. A part is what one execution pays for, however long that takes. */
	lastPartAt: number;
	/** When the last row was paid for. */
	lastPaidAt: number;
	/** The executions that have paid for a part of a search; a profile has one part. */
	parts?: Set<string>;
	/** The execution that alone may use it; undefined if all runs with the same account may. */
	exclusiveTo?: string | undefined;
}

/** The facts that decide whether an execution may use a snapshot. */
export interface Access {
	/** Reuse Paid Results, in minutes. */
	minutes: number;
	/** Milliseconds since 1970. */
	now: number;
	/** How old the snapshot was when this execution, or one that it retries, first used it; undefined if it never did. */
	ageAtFirstUse: number | undefined;
}

/**
 * The age in milliseconds that is compared with Reuse Paid Results, here N minutes. A list can grow until N minutes
 * after its first purchase, and is reused until N minutes after its last one. So rows are at most 2 N minutes old,
 * plus the time that the last execution took to pay for its part. If the clock was set back, the age is 0.
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

/** Whether a run may add rows. If not, a run that needs more rows starts a new snapshot. */
export function canGrow(snapshot: Snapshot<unknown>, access: Access): boolean {
	return hasNoAgeLimit(snapshot, access) || growthLeft(snapshot, access) > 0;
}

/** The time in which new executions may still add rows, in milliseconds; 0 if they may not add any more. */
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
	/** How many of the wanted rows it has. */
	rows: number;
	/** Whether it has all wanted rows. */
	isComplete: boolean;
	canGrow: boolean;
}

/**
 * Chooses the snapshot that a run works with: the one that leaves fewest rows to be paid for, and the newest of several.
 *
 * @returns undefined if the run starts a new snapshot, since no candidate has all rows and none can grow
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
 * @param startedAt when the run that paid started
 */
export function addPurchase(
	snapshot: Snapshot<unknown>,
	executionId: string,
	{ startedAt, now }: { startedAt: number; now: number },
): void {
	const parts = (snapshot.parts ??= new Set());
	if (!parts.has(executionId) && parts.size > 0)
		snapshot.lastPartAt = Math.max(snapshot.lastPartAt, startedAt);
	parts.add(executionId);
	snapshot.lastPaidAt = now;
}
