/**
 * The trigger's place in its search, kept between polls: the row reached, and of which search. Pure.
 */
import { createHash } from 'crypto';

import type { Json } from '../service/contract';
import { MAX_RESULTS } from '../service/contract';
import type { PullResult } from '../service/pull';

/** What to do when the search has no further lead. */
export type WhenExhausted = 'stop' | 'startOver';

/** A place, as it is saved in the workflow's static data. */
export interface Place {
	/** Of this record's form. */
	version: 1;
	/** Tells one search from another. */
	fingerprint: string;
	/** Rows passed: skipped or delivered. */
	passed: number;
	/** Whether the search had no further lead. */
	exhausted: boolean;
}

/** Why a search starts at its first row. */
export type Anew = 'firstPoll' | 'searchChanged' | 'unreadable';

/** Tells searches apart by what they ask for: filters, and options that change what a lead holds. */
export function fingerprintOf(body: Json, skip: number): string {
	const sorted = Object.entries(body).sort(([one], [other]) => (one < other ? -1 : 1));
	return createHash('sha256')
		.update(JSON.stringify([sorted, skip]))
		.digest('hex');
}

/**
 * Finds the place to go on from.
 *
 * @param saved what the static data holds, of whatever make
 * @param skip rows to pass over at the start of the search
 * @returns the place, and why it is the start where it is
 */
export function findPlace(
	saved: unknown,
	fingerprint: string,
	skip: number,
): { place: Place; anew?: Anew } {
	const start: Place = { version: 1, fingerprint, passed: skip, exhausted: false };
	if (saved === undefined || saved === null) return { place: start, anew: 'firstPoll' };
	if (!isPlace(saved)) return { place: start, anew: 'unreadable' };
	return saved.fingerprint === fingerprint
		? { place: { ...saved } }
		: { place: start, anew: 'searchChanged' };
}

/** The place after a poll: behind the last lead that was charged, or at the start again. */
export function placeAfter(
	place: Place,
	result: PullResult,
	{ whenExhausted, skip }: { whenExhausted: WhenExhausted; skip: number },
): Place {
	const isExhausted = result.end === 'endOfList' || result.end === 'ceiling';
	if (isExhausted && whenExhausted === 'startOver') {
		return { ...place, passed: skip, exhausted: false };
	}
	return {
		...place,
		// A page can bring more rows than were asked for.
		passed: Math.min(result.reached, MAX_RESULTS),
		exhausted: isExhausted,
	};
}

function isPlace(value: unknown): value is Place {
	if (typeof value !== 'object' || value === null) return false;
	const { version, fingerprint, passed, exhausted } = value as Record<string, unknown>;
	return (
		version === 1 &&
		typeof fingerprint === 'string' &&
		typeof passed === 'number' &&
		Number.isInteger(passed) &&
		passed >= 0 &&
		passed <= MAX_RESULTS &&
		typeof exhausted === 'boolean'
	);
}
