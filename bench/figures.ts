/** What the measurements come to: medians and ratios. */
import { pageSize, type Case, type Subject } from './cases';

/** What came of some work: how long it took, and what it returned. */
export interface Outcome {
	/** Of n8n's nodes their execution time; of undici, first request to last row. */
	readonly milliseconds: number;
	/** Bytes of n8n's resident memory at its peak, above what it had before; where the system tells. */
	readonly peak?: number;
	/** Bytes that n8n held in the end, with the items of all its nodes, above what it held before. */
	readonly held?: number;
	readonly items: number;
	/** Different LinkedIn URLs among the items. */
	readonly leads: number;
}

/** A run that did its work, with all requests, and those answered with 429. */
export interface Run extends Omit<Outcome, 'items' | 'leads'> {
	readonly requests: number;
	readonly refused: number;
}

/** A case and what came of it. */
export interface Result {
	readonly case: Case;
	/** Of each subject the runs that count, in the order of the rounds. */
	readonly runs: Readonly<Partial<Record<Subject, readonly Run[]>>>;
	/** When it was measured, at which commit, and on what. */
	readonly measured: string;
}

/** What the limits of a service allow at best: their first burst of pages at once, then the others. */
export function leastOf({ leads, limits: { perSecond = Infinity } = {} }: Case): Run {
	const requests = leads / pageSize;
	return { milliseconds: Math.max(0, requests / perSecond - 1) * 1000, requests, refused: 0 };
}

/** The middle one, or the mean of the two in the middle; NaN without any. */
export function median(values: readonly number[]): number {
	const sorted = values.toSorted((one, other) => one - other);
	const [lower = NaN, upper = NaN] = sorted.slice((sorted.length - 1) / 2);
	return sorted.length % 2 === 1 ? lower : (lower + upper) / 2;
}

/** A figure of every run, in the order of the rounds; none where it wasn't measured. */
export function valuesOf(runs: readonly Run[] = [], name: keyof Run = 'milliseconds'): number[] {
	return runs.flatMap((run) => run[name] ?? []);
}

/** How many times as much one is as another, round by round: what slows a round slows both. */
export function ratiosOf(some: readonly number[], others: readonly number[]): number[] {
	const rounds = some.slice(0, others.length);
	return rounds.map((value, round) => value / (others[round] ?? NaN));
}
