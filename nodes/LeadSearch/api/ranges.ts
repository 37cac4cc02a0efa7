/** Ranges of rows of a list. Pure. */

/** Rows `from + 1` to `to` of a list, so `to - from` rows; `from` is an offset. */
export interface RowRange {
	from: number;
	to: number;
}

/** Takes a range out of ranges that are in order and don't overlap. */
export function withoutRange(ranges: readonly RowRange[], taken: RowRange): RowRange[] {
	if (taken.to <= taken.from) return [...ranges];
	return ranges.flatMap(({ from, to }) =>
		[
			{ from, to: Math.min(to, taken.from) },
			{ from: Math.max(from, taken.to), to },
		].filter((range) => range.to > range.from),
	);
}

/** Number of rows in ranges. */
export function countRows(ranges: readonly RowRange[]): number {
	return ranges.reduce((sum, { from, to }) => sum + to - from, 0);
}
