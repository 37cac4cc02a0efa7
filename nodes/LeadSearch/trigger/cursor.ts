/**
 * The cursor of a trigger, as it is saved in n8n's static data. Other code can write there too, and a wrong number would
 * cost money, so saved data are sealed.
 */
import { getGlobalState } from 'n8n-workflow';

import type { Json } from '../api/contract';
import type { PollPosition } from '../paging/leadList';
import { profileOf } from '../paging/pagedList';
import { digest } from '../parameters/canonical';
import type { FetchResult } from './fetch';

/**
 * The saved position in a search, from which the next poll continues. It extends the {@link PollPosition} by the
 * credits that the search has spent, the trigger's pause, and hashes of the last delivered leads.
 */
export interface SearchCursor extends PollPosition {
	/** A hash that identifies the search. It covers everything that selects leads: the filters and the Base URL. */
	fingerprint: string;
	/**
	 * The time when the cursor was saved, in milliseconds since 1970. Each save increases it, so the copy with the
	 * highest revision is the newest.
	 */
	revision: number;
	/**
	 * When a scheduled poll started the search, in milliseconds since 1970. It is 0 if the search started at an
	 * activation, because a user published the workflow.
	 */
	startedByScheduleAt: number;
	/**
	 * Polls send no request until this time, in milliseconds since 1970. It is set after a poll that was charged, or
	 * possibly charged, without moving the cursor. After any other poll that sent a request or moved the cursor, it is 0.
	 */
	pausedUntil: number;
	/** The credits that polls have spent since the search started, including possibly charged credits. */
	spentInTotal: number;
	/** The last leads that were delivered, as short hashes, so that the trigger recognizes a lead that comes again. */
	delivered: string[];
}

/**
 * The credits that all searches of a workflow have spent on each day, including possibly charged credits. The keys are
 * days in the workflow's time zone, such as '2026-11-28'.
 */
export type Days = Record<string, number>;

/** The saved state of a workflow. All its triggers share it. */
export interface Cursors {
	/** The last searches, most recently saved first. */
	searches: SearchCursor[];
	days: Days;
}

type SavedCursors = Cursors & { version: number; seal: string };

/**
 * The version of the format in which cursors are saved. All versions save under the same key of n8n's static data. So a
 * trigger finds data in the format of another version, and stops before it buys leads again.
 */
const VERSION = 1;

/** The number of leads by which the current search recognizes old ones. */
const MAX_DELIVERED = 1_000;
/** The number of leads by which an earlier search recognizes old ones, if a user restores its filters. */
export const MAX_DELIVERED_BEFORE = 100;
/** The number of searches, and the number of days with their spending, that are saved. Older ones are removed. */
export const MAX_SEARCHES = 10;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Returns a hash of 48 bits of a lead's profile URL, or of all fields of the lead if it has no profile URL. A wrong match
 * would lose a paid lead: with 1,000 leads to compare with, it is expected once in 280 billion leads.
 */
export function hashOf(lead: Json): string {
	return Buffer.from(digest(profileOf(lead) ?? lead), 'hex')
		.toString('base64url')
		.slice(0, 8);
}

/**
 * Returns the time zone in which days are counted.
 *
 * @param setting the time zone of the workflow. DEFAULT means the time zone of n8n
 * @returns undefined if the setting is invalid
 */
export function resolveTimeZone(setting: string): string | undefined {
	const timeZone = setting === 'DEFAULT' ? getGlobalState().defaultTimezone : setting;
	try {
		return new Intl.DateTimeFormat('en-CA', { timeZone }).resolvedOptions().timeZone;
	} catch {
		return undefined;
	}
}

/**
 * Returns the current day, and the credits that count as spent on it. Spending of a later day counts, too: otherwise
 * a limit would start again after the clock or the time zone is set back. A day that is more than two days ahead is
 * ignored, because the clock was wrong.
 */
export function spendingOn(days: Days, now: number, timeZone: string) {
	const format = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
	const [day, last] = [format.format(now), format.format(now + 2 * DAY_MS)];
	const counted = Object.entries(days).filter(([date]) => date >= day && date <= last);
	return { day, spent: Math.max(0, ...counted.map(([, spent]) => spent)) };
}

/**
 * Merges copies of the spending by day: n8n's static data and the memory of the process each have a copy. The largest
 * spending of each day is returned, because a copy with less spending isn't up to date.
 */
export function largestSpending(copies: readonly Days[]): Days {
	const most: Days = {};
	for (const [day, spent] of copies.flatMap((copy) => Object.entries(copy)))
		most[day] = Math.max(spent, most[day] ?? 0);
	return Object.fromEntries(Object.entries(most).slice(-MAX_SEARCHES));
}

/**
 * Returns the newest copy of each search's cursor, most recently saved first. A cursor can have several copies, because
 * n8n's static data and the memory of the process each have one. If two copies have the same revision, the first one is
 * returned.
 */
export function sortNewestFirst(copies: readonly SearchCursor[]): SearchCursor[] {
	const sorted = [...copies].sort((a, b) => b.revision - a.revision);
	const searches = sorted.map(({ fingerprint }) => fingerprint);
	return sorted.filter(({ fingerprint }, index) => searches.indexOf(fingerprint) === index);
}

/**
 * Creates the cursor of a new search.
 *
 * @param startedAt the current time if a scheduled poll starts the search. 0 if the search starts at an activation,
 * so that {@link hasTooManyNewSearches} doesn't count it: a user has published the workflow
 */
export function startCursor(fingerprint: string, startedAt: number): SearchCursor {
	return {
		fingerprint,
		revision: 0,
		startedByScheduleAt: startedAt,
		row: 0,
		isAccepted: false,
		mayEnd: false,
		pausedUntil: 0,
		spentInTotal: 0,
		delivered: [],
	};
}

/**
 * Whether scheduled polls have started more than three searches within 24 hours. The filters then seem to change with
 * each poll, for example because a filter contains `$now`, and each new search would buy the first leads again.
 */
export function hasTooManyNewSearches(searches: readonly SearchCursor[], now: number): boolean {
	return (
		searches.filter(({ startedByScheduleAt }) => Math.abs(now - startedByScheduleAt) < DAY_MS)
			.length > 3
	);
}

/** Whether the trigger pauses. A pause of more than a day is ignored, because the clock was wrong. */
export function isPaused({ pausedUntil }: SearchCursor, now: number): boolean {
	return pausedUntil > now && pausedUntil < now + DAY_MS;
}

/**
 * Returns the cursor after a poll: moved forward by the leads that the poll received, with the credits that the poll
 * spent. If the poll was charged, or may have been charged, without moving the cursor or without a new lead, the trigger pauses.
 *
 * @param cursor the cursor before the poll
 */
export function cursorAfter(cursor: SearchCursor, fetched: FetchResult, now: number): SearchCursor {
	const { spent, advance, isAccepted, mayEnd, rows } = fetched;
	const credits = spent.charged + spent.possiblyCharged;
	// The first pause is an hour, the following ones a day, both a little less than a schedule of this length.
	const pauseMs = HOUR_MS * (cursor.pausedUntil > 0 ? 22 : 0.95);
	// Leads that come again move the cursor, but a poll that pays for nothing else would go on for ever.
	const isWithoutProgress = credits > 0 && (advance === 0 || rows.length === 0);
	// A poll that only reused leads, without progress, doesn't change the pause.
	const until = advance + spent.requests > 0 ? 0 : cursor.pausedUntil;
	return {
		...cursor,
		row: cursor.row + advance,
		isAccepted,
		mayEnd,
		pausedUntil: isWithoutProgress ? now + pauseMs : until,
		spentInTotal: cursor.spentInTotal + credits,
		delivered: [...cursor.delivered, ...rows.map(hashOf)].slice(-MAX_DELIVERED),
	};
}

/**
 * Adds a checksum to the cursors of a workflow, so that the trigger notices if other code has changed them. The
 * checksum contains no secret, so it doesn't prevent deliberate changes.
 *
 * @returns the cursors with the checksum, to be saved in n8n's static data
 */
export function seal(cursors: Cursors): SavedCursors {
	return { version: VERSION, ...cursors, seal: digest([VERSION, cursors]) };
}

/** Whether a saved copy has the format of this version, and its checksum shows that other code hasn't changed it. */
export function isIntact(copy: unknown): copy is SavedCursors {
	const { version, searches, days, seal: hash } = Object(copy) as SavedCursors;
	return version === VERSION && hash === seal({ searches, days }).seal;
}
