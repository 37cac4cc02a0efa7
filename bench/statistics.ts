/** The middle and the two ends of some measurements, in their unit. */
export interface Spread {
	readonly median: number;
	readonly min: number;
	readonly max: number;
	/** Every measurement, in the order in which they were made. */
	readonly runs: readonly number[];
}

/**
 * The middle one, or the mean of the two in the middle.
 *
 * @throws RangeError without any
 */
export function median(values: readonly number[]): number {
	const sorted = [...values].sort((one, other) => one - other);
	const upper = sorted[Math.floor(sorted.length / 2)];
	const lower = sorted[Math.ceil(sorted.length / 2) - 1];
	if (upper === undefined || lower === undefined) throw new RangeError('There is no measurement');
	return (lower + upper) / 2;
}

/** @throws RangeError without any */
export function spreadOf(runs: readonly number[]): Spread {
	return { median: median(runs), min: Math.min(...runs), max: Math.max(...runs), runs };
}

/**
 * How many times as much the median of one is as that of another.
 *
 * @throws RangeError when the other is 0
 */
export function ratio(one: Pick<Spread, 'median'>, other: Pick<Spread, 'median'>): number {
	if (other.median === 0) throw new RangeError('Nothing can be compared with 0');
	return one.median / other.median;
}
