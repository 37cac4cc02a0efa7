/** The trigger's place in its search, kept between polls: where it stands, and what it has spent. Pure. */
import { createHash } from 'crypto';

import { MAX_RESULTS } from '../api/contract';
import type { RestartReason } from '../messages/polls';
import { UNKNOWN_SIZES, type PageSizes } from '../paging/pageSizes';
import { canonical, sortLists } from '../parameters/canonical';

/** A cursor, as it is saved in the workflow's static data. */
export interface Cursor {
	/** Of this record's form. */
	version: 4;
	/** Grows with every poll that changes the cursor, so that the newest of several copies is known. */
	revision: number;
	/** Tells one search from another. */
	fingerprint: string;
	/** Rows that come before the next one: skipped or delivered. */
	row: number;
	/** What is known of the service's page sizes. */
	sizes: PageSizes;
	/** Whether the list may end at the row, so that it is asked for one row first. */
	isAtEnd: boolean;
	/** Whether the service sent something unexpected, for which each further poll would pay again. */
	isHalted: boolean;
	/** The day of `spentToday`, as YYYY-MM-DD in the workflow's time zone. */
	day: string;
	/** Credits, those that may have been charged included. */
	spentToday: number;
	/** Credits since the search began. */
	spentInTotal: number;
	/** When other searches took the place of earlier ones, within 24 hours; milliseconds since 1970. */
	restarts: number[];
}

const DAY_MS = 86_400_000;

/** New searches in 24 hours from which on a filter must be one that changes by itself. */
const MAX_RESTARTS = 3;

/** Tells searches apart by what selects leads, whatever the order of keys and list values. */
export function fingerprintOf(...parts: unknown[]): string {
	return createHash('sha256')
		.update(canonical(sortLists(parts)))
		.digest('hex');
}

/**
 * Finds the cursor to go on from: the newest of the copies that were saved.
 *
 * @param skip rows to pass over at the start of the search
 * @param time in milliseconds since 1970, and the day in the workflow's time zone as YYYY-MM-DD
 * @returns the cursor, and why it is at the start where it is
 */
export function findCursor(
	copies: readonly unknown[],
	fingerprint: string,
	skip: number,
	time: { now: number; day: string },
): { cursor: Cursor; restart?: RestartReason } {
	const { now, day } = time;
	const [saved] = copies.filter(isCursor).sort((one, other) => other.revision - one.revision);
	const start: Cursor = {
		version: 4,
		revision: 0,
		fingerprint,
		row: skip,
		sizes: { ...UNKNOWN_SIZES },
		isAtEnd: false,
		isHalted: false,
		day,
		spentToday: 0,
		spentInTotal: 0,
		restarts: [],
	};
	if (!saved) {
		const isNew = copies.every((copy) => copy === undefined || copy === null);
		return { cursor: start, restart: isNew ? 'firstPoll' : 'unreadable' };
	}
	const { revision } = saved;
	const spentToday = saved.day === day ? saved.spentToday : 0;
	if (saved.fingerprint === fingerprint) {
		const isAtEnd = saved.isAtEnd && saved.row >= skip;
		return { cursor: { ...saved, day, spentToday, isAtEnd, row: Math.max(saved.row, skip) } };
	}
	const restarts = [...saved.restarts.filter((at) => at > now - DAY_MS), now];
	return { cursor: { ...start, revision, spentToday, restarts }, restart: 'searchChanged' };
}

/** Whether filters change so often that something in them must change by itself. */
export function restartsTooOften({ restarts }: Cursor): boolean {
	return restarts.length >= MAX_RESTARTS;
}

/** The cursor after a poll that has spent so many credits. */
export function cursorAfter(
	cursor: Cursor,
	outcome: Pick<Cursor, 'row' | 'sizes' | 'isAtEnd' | 'isHalted'>,
	spent: number,
): Cursor {
	const { revision, spentToday, spentInTotal } = cursor;
	return {
		...cursor,
		...outcome,
		revision: revision + 1,
		spentToday: spentToday + spent,
		spentInTotal: spentInTotal + spent,
	};
}

/** What polls may spend, in credits; Infinity for any number. */
export interface Ceilings {
	/** Max Credits per Day. */
	perDay: number;
	/** Max Credits in Total. */
	inTotal: number;
}

/** What may still be spent, in credits. */
export function creditsLeft(cursor: Cursor, { perDay, inTotal }: Ceilings): number {
	return Math.max(0, Math.min(perDay - cursor.spentToday, inTotal - cursor.spentInTotal));
}

/** @returns which ceiling is reached, for people; undefined for none */
export function ceilingReached(cursor: Cursor, { perDay, inTotal }: Ceilings): string | undefined {
	if (inTotal <= cursor.spentInTotal) return `Max Credits in Total (${inTotal}) is spent`;
	if (perDay > cursor.spentToday) return undefined;
	return `Max Credits per Day (${perDay}) is spent for ${cursor.day}`;
}

function isCursor(value: unknown): value is Cursor {
	if (typeof value !== 'object' || value === null) return false;
	const cursor = value as Partial<Record<keyof Cursor, unknown>>;
	const { version, fingerprint, day, restarts, row } = cursor;
	const { served, most } = (cursor.sizes ?? {}) as Partial<PageSizes>;
	const counts = [row, served, most, cursor.revision, cursor.spentToday, cursor.spentInTotal];
	return (
		version === 4 &&
		typeof fingerprint === 'string' &&
		typeof day === 'string' &&
		Array.isArray(restarts) &&
		counts.every((count) => Number.isSafeInteger(count) && Number(count) >= 0) &&
		Number(row) <= MAX_RESULTS
	);
}
