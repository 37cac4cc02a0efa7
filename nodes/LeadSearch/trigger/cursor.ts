/** Where a trigger is, as it stands in n8n's static data, where anything may stand, and a wrong number would cost money. */
import { getGlobalState } from 'n8n-workflow';

import type { Json } from '../api/contract';
import type { PollPosition } from '../paging/leadList';
import { profileOf } from '../paging/pagedList';
import { digest } from '../parameters/canonical';
import type { FetchResult } from './fetch';

/** How far a search has come; its row, the size that is certain and whether the list may end are a {@link PollPosition}. */
export interface SearchCursor extends PollPosition {
	/** Tells it from other searches by what selects leads. */
	fingerprint: string;
	/** When it was saved, in milliseconds since 1970, and always more than before: the newest of several copies is known. */
	revision: number;
	/** When a poll of the schedule began it, as where its filters change by themselves; 0 where somebody did. */
	startedByScheduleAt: number;
	/** Until when polls send nothing, since the last poll paid, or may have, and got no further; 0 where it did get further. */
	pausedUntil: number;
	/** Credits, those that may have been charged included, since the search began. */
	spentInTotal: number;
	/** The last leads that were delivered, as short hashes, so that a lead that comes again is known. */
	delivered: string[];
}

/** Credits that all searches have spent, those that may have been charged included, by YYYY-MM-DD in the workflow's zone. */
export type Days = Record<string, number>;

/** What is known of a workflow, whichever of its triggers polls. */
export interface Cursors {
	/** The last searches, the last saved first. */
	searches: SearchCursor[];
	days: Days;
}

type SavedCursors = Cursors & { version: number; seal: string };

/** The format of what is saved. The key under which it is saved never changes, so a trigger finds data of other versions, and stops. */
const VERSION = 1;

const MAX_DELIVERED = 100;
/** So many searches are kept, and so many days: a clock that is wrong begins another. */
export const MAX_SEARCHES = 10;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** @returns a short hash of a lead: of its profile, or of all its fields where it names none */
export function hashOf(lead: Json): string {
	return digest(profileOf(lead) ?? lead).slice(0, 12);
}

/** @param setting of the workflow; DEFAULT is n8n's word for its own zone @returns undefined where it is none */
export function resolveTimeZone(setting: string): string | undefined {
	const timeZone = setting === 'DEFAULT' ? getGlobalState().defaultTimezone : setting;
	try {
		return new Intl.DateTimeFormat('en-CA', { timeZone }).resolvedOptions().timeZone;
	} catch {
		return undefined;
	}
}

/**
 * @returns the day, and what counts as spent on it: what was spent on a later day, too, or a maximum would begin anew where
 * the clock or the zone is set back. A day that is ahead by more than two is of a clock that was wrong
 */
export function spendingOn(days: Days, now: number, timeZone: string) {
	const format = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
	const [day, last] = [format.format(now), format.format(now + 2 * DAY_MS)];
	const counted = Object.entries(days).filter(([date]) => date >= day && date <= last);
	return { day, spent: Math.max(0, ...counted.map(([, spent]) => spent)) };
}

/** @returns of each day the most that any of the copies has */
export function largestSpending(copies: readonly Days[]): Days {
	const most: Days = {};
	for (const [day, spent] of copies.flatMap((copy) => Object.entries(copy)))
		most[day] = Math.max(spent, most[day] ?? 0);
	return Object.fromEntries(Object.entries(most).slice(-MAX_SEARCHES));
}

/** @returns of several copies of a search the newest, the first of two as new; the last saved first */
export function newestFirst(copies: readonly SearchCursor[]): SearchCursor[] {
	const newestFirst = [...copies].sort((a, b) => b.revision - a.revision);
	const searches = newestFirst.map(({ fingerprint }) => fingerprint);
	return newestFirst.filter(({ fingerprint }, index) => searches.indexOf(fingerprint) === index);
}

/** @param startedAt when, by the schedule; 0 where somebody begins it */
export function startCursor(fingerprint: string, startedAt: number): SearchCursor {
	return {
		...{
			fingerprint,
			revision: 0,
			startedByScheduleAt: startedAt,
			row: 0,
			confirmedSize: 0,
			mayEnd: false,
		},
		...{ pausedUntil: 0, spentInTotal: 0, delivered: [] },
	};
}

/** Whether so many searches have begun by themselves within 24 hours that their filters seem to change with each poll. */
export function hasTooManyNewSearches(searches: readonly SearchCursor[], now: number): boolean {
	return (
		searches.filter(({ startedByScheduleAt }) => Math.abs(now - startedByScheduleAt) < DAY_MS)
			.length > 3
	);
}

/** Whether polls send nothing, since the last poll paid and got no further; where a search waits for longer, the clock was wrong. */
export function isPaused({ pausedUntil }: SearchCursor, now: number): boolean {
	return pausedUntil > now && pausedUntil < now + DAY_MS;
}

/** @returns the place after a poll that fetched from there on */
export function cursorAfter(cursor: SearchCursor, fetched: FetchResult, now: number): SearchCursor {
	const { spent, advance, confirmedSize, mayEnd, rows } = fetched;
	const credits = spent.charged + spent.possiblyCharged;
	// First an hour, as it may pass; then a day. Both a little less, for a schedule that is as long.
	const pauseMs = HOUR_MS * (cursor.pausedUntil > 0 ? 22 : 0.95);
	// What was paid for before says nothing new.
	const until = advance + spent.requests > 0 ? 0 : cursor.pausedUntil;
	return {
		...{ ...cursor, row: cursor.row + advance, confirmedSize, mayEnd },
		pausedUntil: advance === 0 && credits > 0 ? now + pauseMs : until,
		spentInTotal: cursor.spentInTotal + credits,
		delivered: [...cursor.delivered, ...rows.map(hashOf)].slice(-MAX_DELIVERED),
	};
}

/**
 * Seals what is saved, so that a change by something else is noticed. That is no protection against intent.
 *
 * @returns what to save
 */
export function seal(cursors: Cursors): SavedCursors {
	return { version: VERSION, ...cursors, seal: digest([VERSION, cursors]) };
}

/** Whether a saved copy has the format of this version and is as it was saved. */
export function isSaved(copy: unknown): copy is SavedCursors {
	const { version, searches, days, seal: hash } = Object(copy) as SavedCursors;
	return version === VERSION && hash === seal({ searches, days }).seal;
}
