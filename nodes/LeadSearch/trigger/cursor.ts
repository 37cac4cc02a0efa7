/**
 * The trigger's cursor in its search, kept between polls: the offset, and of which search. Pure.
 */
import { createHash } from 'crypto';

import { MAX_RESULTS, type Json } from '../api/contract';
import type { FetchResult } from '../api/fetchPages';
import { canonical } from '../parameters/canonical';

/** What to do when the search has no further lead. */
export type WhenExhausted = 'stop' | 'startOver';

/** A cursor, as it is saved in the workflow's static data. */
export interface Cursor {
	/** Of this record's form. */
	version: 1;
	/** Tells one search from another. */
	fingerprint: string;
	/** Rows that come before the next one: skipped or delivered. */
	offset: number;
	/** Whether the search had no further lead. */
	exhausted: boolean;
}

/** Why a search starts at its first row. */
export type RestartReason = 'firstPoll' | 'searchChanged' | 'unreadable';

/** Tells searches apart by what they ask for: filters, and options that change what a lead holds. */
export function fingerprintOf(body: Json, skip: number): string {
	return createHash('sha256')
		.update(canonical([body, skip]))
		.digest('hex');
}

/**
 * Finds the cursor to go on from.
 *
 * @param saved what the static data holds, of whatever make
 * @param skip rows to pass over at the start of the search
 * @returns the cursor, and why it is at the start where it is
 */
export function findCursor(
	saved: unknown,
	fingerprint: string,
	skip: number,
): { cursor: Cursor; restart?: RestartReason } {
	const start: Cursor = { version: 1, fingerprint, offset: skip, exhausted: false };
	if (saved === undefined || saved === null) return { cursor: start, restart: 'firstPoll' };
	if (!isCursor(saved)) return { cursor: start, restart: 'unreadable' };
	return saved.fingerprint === fingerprint
		? { cursor: { ...saved } }
		: { cursor: start, restart: 'searchChanged' };
}

/**
 * The cursor after a poll: behind the last lead that was charged, or at the start again.
 *
 * @param offset rows of the search up to which all came
 */
export function cursorAfter(
	cursor: Cursor,
	{ end, offset }: Pick<FetchResult, 'end'> & { offset: number },
	{ whenExhausted, skip }: { whenExhausted: WhenExhausted; skip: number },
): Cursor {
	const isExhausted = end === 'endOfList' || end === 'ceiling';
	if (isExhausted && whenExhausted === 'startOver') {
		return { ...cursor, offset: skip, exhausted: false };
	}
	return { ...cursor, offset: Math.min(offset, MAX_RESULTS), exhausted: isExhausted };
}

function isCursor(value: unknown): value is Cursor {
	if (typeof value !== 'object' || value === null) return false;
	const { version, fingerprint, offset, exhausted } = value as Record<string, unknown>;
	return (
		version === 1 &&
		typeof fingerprint === 'string' &&
		typeof offset === 'number' &&
		Number.isInteger(offset) &&
		offset >= 0 &&
		offset <= MAX_RESULTS &&
		typeof exhausted === 'boolean'
	);
}
