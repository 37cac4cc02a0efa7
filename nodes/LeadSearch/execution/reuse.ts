/** Who may go on from what was paid for, and from which of several lists. Pure. */
import type { Range } from '../resources/operation';

/** What is known of a list that was kept. */
export interface Kept {
	/** What tells its search from others. */
	key: string;
	/** The execution that paid, or that took it over from another. */
	executionId: string;
	hasRaw: boolean;
	/** Whether it came out of no run, or not all of it, so that other executions may go on from here. */
	isStopped: boolean;
	/** When something was paid for last, in milliseconds since 1970. */
	paidAt: number;
	/** The rows that it holds, of a list of leads. */
	held: readonly Range[];
	/** The execution that found it in its data, as n8n's Retry does. */
	broughtBy?: string;
}

/** What a run wants. */
export interface Wanted {
	key: string;
	executionId: string;
	/** Whether rows are to have their field `raw`. */
	hasRaw: boolean;
	isManual: boolean;
	/** Since when other executions must have paid, in milliseconds since 1970; Infinity for not at all. */
	since: number;
	/** The rows wanted, of a list of leads. */
	rows: readonly Range[];
}

/** What a run may go on from: what its execution paid for, always; of others, what stopped, or by hand anything. */
export function reusable(all: readonly Kept[], wanted: Wanted): Kept[] {
	const { key, executionId, hasRaw, isManual, since } = wanted;
	return all.filter((kept) => {
		if (kept.key !== key || (hasRaw && !kept.hasRaw)) return false;
		return (
			kept.executionId === executionId || (kept.paidAt > since && (isManual || kept.isStopped))
		);
	});
}

/**
 * The one list that a run goes on from: its own execution's, else what this Retry brings along, else any that
 * it may; of several, the one that holds most of what is wanted, of equals the newest.
 *
 * @param all in the order of their last use
 */
export function choose(all: readonly Kept[], wanted: Wanted): Kept | undefined {
	const usable = reusable(all, wanted);
	const own = usable.filter(({ executionId }) => executionId === wanted.executionId);
	const brought = usable.filter(({ broughtBy }) => broughtBy === wanted.executionId);
	const [nearest = []] = [own, brought, usable].filter(({ length }) => length > 0);
	const holds = (kept: Kept) => rowsIn(kept.held, wanted.rows);
	const best = [...nearest].sort(
		(one, other) => holds(one) - holds(other) || one.paidAt - other.paidAt,
	);
	return best.at(-1);
}

/** @param places of rows, in any order */
export function rangesOf(places: readonly number[]): Range[] {
	const ranges: Array<[number, number]> = [];
	for (const place of [...places].sort((one, other) => one - other)) {
		const last = ranges.at(-1);
		if (last?.[1] === place) last[1] += 1;
		else ranges.push([place, place + 1]);
	}
	return ranges;
}

/** How many of the rows wanted are held, each counted once. */
function rowsIn(held: readonly Range[], wanted: readonly Range[]): number {
	let rows = 0;
	let counted = 0;
	for (const [from, to] of [...wanted].sort(([one], [other]) => one - other)) {
		const start = Math.max(from, counted);
		for (const [first, end] of held)
			rows += Math.max(0, Math.min(end, to) - Math.max(first, start));
		counted = Math.max(counted, to);
	}
	return rows;
}
