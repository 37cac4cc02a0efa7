/** Who may go on from what was paid for, and from which of several lists. Pure. */
import type { Failure } from '../api/failures';
import type { RowRange } from '../paging/leadList';

/**
 * What is known of a list that was kept.
 *
 * @example { key: '9f…', executionId: '7', hasRaw: false, isStopped: true, paidFrom: 1764187200000, paidAt: 1764187200000, ranges: [[0, 60]] }
 */
export interface Kept {
	/** What tells its search from others. */
	key: string;
	/** The execution that paid, or that took it over from another. */
	executionId: string;
	hasRaw: boolean;
	/** Whether it came out of no run, or not all of it, so that other executions may go on from here. */
	isStopped: boolean;
	/** When the first of it was paid for, which is the age that people read, in milliseconds since 1970. */
	paidFrom: number;
	/** When something was paid for last, or a run that failed said that it is kept: so long others may go on from it. */
	paidAt: number;
	/** When the first of what its execution took over from others was paid for; undefined for nothing. */
	takenFrom?: number | undefined;
	/** Where a list of leads holds rows; none of profiles. */
	ranges: readonly RowRange[];
	/** What an answer contradicted: its execution asks no more, and what was wrong then may be right in another. */
	broken?: Failure | undefined;
	/** The execution that found it in its data, as n8n's Retry does. */
	broughtBy?: string;
}

/** What a run wants. */
export interface Wanted {
	key: string;
	executionId: string;
	/** Whether rows are to have their field `raw`. */
	hasRaw: boolean;
	/** Of leads, which rows. */
	ranges: readonly RowRange[];
	/** Whether it may go on from runs that went well, too. */
	reusesAll: boolean;
	/** Since when other executions must have paid, in milliseconds since 1970; Infinity for not at all. */
	since: number;
}

/**
 * What a run may go on from: what its execution paid for, always; what n8n's Retry brings along, however old it is;
 * of other executions what is young enough, and of runs that stopped or, where that is allowed, of any.
 */
export function reusable(all: readonly Kept[], wanted: Wanted): Kept[] {
	const { key, executionId, hasRaw, reusesAll, since } = wanted;
	return all.filter((kept) => {
		if (kept.key !== key || (hasRaw && !kept.hasRaw)) return false;
		if (kept.executionId === executionId) return true;
		const isBrought = kept.broughtBy === executionId && since < Infinity;
		return isBrought || (kept.paidAt > since && (reusesAll || kept.isStopped));
	});
}

/**
 * The one list that a run goes on from: its own execution's, else of those that it may the one that holds most of what
 * is wanted, of equals the newest. So a second Retry of an execution goes on from what the first one has bought.
 *
 * @param all in the order of their last use
 */
export function choose(all: readonly Kept[], wanted: Wanted): Kept | undefined {
	const usable = reusable(all, wanted);
	const own = usable.filter(({ executionId }) => executionId === wanted.executionId);
	const wantedIn = ({ ranges }: Kept) => rowsInBoth(ranges, wanted.ranges);
	return [...(own.length > 0 ? own : usable)]
		.sort((one, other) => wantedIn(one) - wantedIn(other) || one.paidAt - other.paidAt)
		.at(-1);
}

function rowsInBoth(held: readonly RowRange[], wanted: readonly RowRange[]): number {
	let rows = 0;
	for (const [from, to] of held)
		for (const [first, end] of wanted)
			rows += Math.max(0, Math.min(to, end) - Math.max(from, first));
	return rows;
}
