/** What the measurements come to: medians, spreads, ratios, and whether targets are met. */
import { leastMilliseconds, type Case, type Subject, type Target } from './cases';

/** The middle and the two ends of some measurements, in their unit. */
export type Spread = ReturnType<typeof spreadOf>;

/** What a subject needed for a case. */
export interface Figures {
	/** Milliseconds: of n8n's nodes their execution time; of undici, first request to last row. */
	readonly time: Spread;
	/** Bytes of n8n's resident memory at its peak, above what it had before the run. */
	readonly peak?: Spread;
	/** Bytes that n8n held in the end, with the items of all its nodes, above what it held before. */
	readonly held?: Spread;
	/** Requests of a run, and those answered with 429. */
	readonly requests: Spread;
	readonly refused: Spread;
}

/** A case and what came of it. */
export interface Result {
	readonly case: Case;
	readonly figures: Readonly<Partial<Record<Subject, Figures>>>;
	/** When it was measured, at which commit, and on what. */
	readonly measured: string;
}

/** A target and how it was met; the ratio is that of each round. */
export interface Verdict extends Target {
	readonly ratio: Spread;
	readonly isMet: boolean;
}

/**
 * The middle one, or the mean of the two in the middle.
 * @throws RangeError without any
 */
export function median(values: readonly number[]): number {
	const sorted = [...values].sort((one, other) => one - other);
	const upper = sorted[Math.floor(sorted.length / 2)];
	const lower = sorted[Math.ceil(sorted.length / 2) - 1];
	if (upper === undefined || lower === undefined) throw new RangeError('There is no measurement');
	return (lower + upper) / 2;
}

/**
 * @param runs every measurement, in the order of the rounds
 * @throws RangeError without any
 */
export function spreadOf(runs: readonly number[]) {
	return { median: median(runs), min: Math.min(...runs), max: Math.max(...runs), runs };
}

/**
 * How many times as much one is as another, round by round: what slows a round down slows both.
 * @throws RangeError when the other is 0
 */
export function ratioOf(one: Spread, other: Spread): Spread {
	const rounds = one.runs.slice(0, other.runs.length);
	if (other.min === 0) throw new RangeError('Nothing can be compared with 0');
	return spreadOf(rounds.map((value, round) => value / (other.runs[round] ?? NaN)));
}

/** Judges the targets that the results tell something about. */
export function judge(targets: readonly Target[], results: readonly Result[]): Verdict[] {
	const figuresOf = ([id, subject]: Target['of']) =>
		results.find((result) => result.case.id === id)?.figures[subject];
	const ratioFor = ({ of, by }: Target): Spread | undefined => {
		const measured = results.find((result) => result.case.id === of[0]);
		const figures = figuresOf(of);
		if (measured === undefined || figures === undefined) return undefined;
		if (by === 'refused') return ratioOf(figures.refused, figures.requests);
		const least = leastMilliseconds(measured.case);
		if (by === 'least') return spreadOf(figures.time.runs.map((run) => run / least));
		const other = figuresOf(by);
		return other && ratioOf(figures.time, other.time);
	};
	return targets.flatMap((target) => {
		const { atMost = Infinity, atLeast = 0 } = target;
		const ratio = ratioFor(target);
		if (ratio === undefined) return [];
		return [{ ...target, ratio, isMet: ratio.median <= atMost && ratio.median >= atLeast }];
	});
}
