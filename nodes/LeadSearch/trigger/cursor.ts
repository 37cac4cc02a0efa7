/** The cursor of a trigger, as it is saved in n8n's static data. */
import { isObject, type Json } from '../api/contract';
import { profileOf } from '../paging/pagedList';
import { digest } from '../parameters/canonical';
import { isAmount, SAVED_VERSIONS } from '../spending/savedData';
import type { FetchResult } from './fetch';

/** The position in a search from which the next poll continues. */
export interface SearchCursor {
	/** A hash of everything that selects leads: the filters and the Base URL. */
	fingerprint: string;
	/** When the cursor was saved, in milliseconds since 1970, but always later than before. The newest copy counts. */
	revision: number;
	/** The index of the next row that the trigger delivers. */
	row: number;
	/** It is set if the service has named a page size, or refused a larger one. */
	pageSize?: number;
	/** Whether a response suggested that the list ends at `row`, so that an end check is due. */
	mayEnd: boolean;
	/** When a scheduled poll started the search, in milliseconds since 1970; 0 if it started at an activation. */
	startedByScheduleAt: number;
	/** Polls send no request until this time, in milliseconds since 1970. */
	pausedUntil: number;
	/** The credits that the search has spent, including possibly charged ones. */
	spentInTotal: number;
	/** Hashes of the last 1,000 delivered leads, or fewer if other searches followed. */
	delivered: string[];
}

/**
 * The credits that a workflow has spent, including possibly charged ones, by day ('2026-11-28') and by month
 * ('2026-11') in its time zone.
 */
export type SpentByPeriod = Record<string, number>;

/** The saved state of a workflow. All its triggers share it. */
export interface Cursors {
	/** The search that was saved last comes first. */
	searches: SearchCursor[];
	spent: SpentByPeriod;
}

type SavedCursors = Cursors & { version: number; seal: string };

const MAX_SEARCHES = 10;
/** The limit of {@link SearchCursor.delivered} for each of the three searches that were saved last. */
const MAX_DELIVERED = 1_000;
/** The same limit for older searches. */
const MAX_DELIVERED_BEFORE = 100;
/** The limit of saved days and months. A month is followed by at most 31 days, so it is never removed first. */
const MAX_PERIODS = 40;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Returns a hash of 48 bits by which a lead is recognized. A wrong match would lose a paid lead: with 1,000 leads to
 * compare with, it is expected once in 280 billion leads.
 */
export function hashOf(lead: Json): string | undefined {
	const profile = profileOf(lead);
	if (profile === undefined) return undefined;
	const { full_name: name, job_title: title, company } = lead;
	return Buffer.from(digest([profile, name, title, company]), 'hex')
		.toString('base64url')
		.slice(0, 8);
}

/**
 * Returns the credits spent on the current day and in the current month. Spending of a later day or month counts, too:
 * otherwise a limit would start again after the clock or the time zone is set back. A day that is more than two days
 * ahead is ignored, because the clock was wrong.
 */
export function spendingOn(spent: SpentByPeriod, now: number, timeZone: string) {
	const format = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
	const [day, lastDay] = [format.format(now), format.format(now + 2 * DAY_MS)];
	const [month, lastMonth] = [day.slice(0, 7), lastDay.slice(0, 7)];
	const mostIn = (from: string, to: string) => {
		const isCounted = (period: string) =>
			period.length === from.length && period >= from && period <= to;
		const counted = Object.entries(spent).filter(([period]) => isCounted(period));
		return Math.max(0, ...counted.map(([, credits]) => credits));
	};
	return { day, spent: mostIn(day, lastDay), month, spentThisMonth: mostIn(month, lastMonth) };
}

/** Merges copies of the spending. The largest sum of each period counts, because a smaller one isn't up to date. */
export function largestSpending(copies: readonly SpentByPeriod[]): SpentByPeriod {
	const largest: SpentByPeriod = {};
	for (const [period, credits] of copies.flatMap((copy) => Object.entries(copy)))
		largest[period] = Math.max(credits, largest[period] ?? 0);
	return Object.fromEntries(Object.entries(largest).sort().slice(-MAX_PERIODS));
}

/** Merges copies of cursors. The newest copy of a search counts, but with the largest spending of all copies. */
export function sortNewestFirst(copies: readonly SearchCursor[]): SearchCursor[] {
	const merged = new Map<string, SearchCursor>();
	for (const copy of [...copies].sort((a, b) => b.revision - a.revision)) {
		const newest = merged.get(copy.fingerprint) ?? copy;
		const spentInTotal = Math.max(newest.spentInTotal, copy.spentInTotal);
		merged.set(copy.fingerprint, { ...newest, spentInTotal });
	}
	return [...merged.values()];
}

/** Removes old searches, and the oldest hashes of the others. */
export function limitSize(newestFirst: readonly SearchCursor[]): SearchCursor[] {
	return newestFirst.slice(0, MAX_SEARCHES).map((search, index) => {
		const count = index < 3 ? MAX_DELIVERED : MAX_DELIVERED_BEFORE;
		return { ...search, delivered: search.delivered.slice(-count) };
	});
}

/**
 * @param startedAt 0 if the search starts at an activation, so that {@link hasTooManyNewSearches} doesn't count it: a
 * user has published the workflow
 */
export function startCursor(fingerprint: string, startedAt: number): SearchCursor {
	return {
		fingerprint,
		revision: 0,
		startedByScheduleAt: startedAt,
		row: 0,
		mayEnd: false,
		pausedUntil: 0,
		spentInTotal: 0,
		delivered: [],
	};
}

/**
 * Whether scheduled polls have started more than three searches within 24 hours. The filters then seem to change with
 * each poll, for example because a filter contains `$now`. Each new search would buy the first leads again.
 */
export function hasTooManyNewSearches(searches: readonly SearchCursor[], now: number): boolean {
	return (
		searches.filter(({ startedByScheduleAt }) => Math.abs(now - startedByScheduleAt) < DAY_MS)
			.length > 3
	);
}

/** A pause of more than a day is ignored, because the clock was wrong. */
export function isPaused({ pausedUntil }: SearchCursor, now: number): boolean {
	return pausedUntil > now && pausedUntil < now + DAY_MS;
}

/** Returns the cursor after a fetch. If it cost or may have cost credits, and delivered nothing, a pause starts. */
export function cursorAfter(cursor: SearchCursor, fetched: FetchResult, now: number): SearchCursor {
	const { spent, advance, pageSize, mayEnd, rows } = fetched;
	const credits = spent.charged + spent.possiblyCharged;
	// The first pause is an hour, the following ones a day, both a little less than a schedule of this length.
	const pauseMs = HOUR_MS * (cursor.pausedUntil > 0 ? 22 : 0.95);
	// A poll that only reused leads, without progress, doesn't change the pause.
	const until = advance + spent.requests > 0 ? 0 : cursor.pausedUntil;
	const hashes = rows.map(hashOf).filter((hash) => hash !== undefined);
	return {
		...cursor,
		row: cursor.row + advance,
		...(pageSize !== undefined && { pageSize }),
		mayEnd,
		pausedUntil: credits > 0 && rows.length === 0 ? now + pauseMs : until,
		spentInTotal: cursor.spentInTotal + credits,
		delivered: [...cursor.delivered, ...hashes].slice(-MAX_DELIVERED),
	};
}

/** Adds the version and a checksum. Other code can write to static data, and a wrong number would cost money. */
export function seal(cursors: Cursors): SavedCursors {
	const { cursors: version } = SAVED_VERSIONS;
	return { version, ...cursors, seal: digest([version, cursors]) };
}

/**
 * @returns the saved cursors; undefined if other code has changed the data, or if neither this version nor the one
 * before has saved them
 */
export function readCursors(saved: unknown): Cursors | undefined {
	if (saved === undefined) return { searches: [], spent: {} };
	if (!isObject(saved)) return undefined;
	const { version, searches, spent, days, seal: hash } = saved;
	const cursors = version === 1 ? { searches, days } : { searches, spent };
	if (hash !== digest([version, cursors])) return undefined;
	if (version === 1) return readVersion1(searches, days);
	const isReadable = version === SAVED_VERSIONS.cursors && areCursors(searches) && isSpent(spent);
	return isReadable ? { searches, spent } : undefined;
}

/** Version 1 recognized leads by other fields, so its hashes are dropped. */
function readVersion1(searches: unknown, days: unknown): Cursors | undefined {
	if (!Array.isArray(searches) || !isSpent(days)) return undefined;
	const converted = searches.filter(isObject).map(({ confirmedSize, ...search }) => ({
		...search,
		...(isAmount(confirmedSize) && isSmallSize(confirmedSize) && { pageSize: confirmedSize }),
		delivered: [],
	}));
	const isWhole = converted.length === searches.length && areCursors(converted);
	return isWhole ? { searches: converted, spent: days } : undefined;
}

/** A size of 100 or more isn't kept, because the default is 100. */
const isSmallSize = (size: number): boolean => size > 0 && size < 100;

function areCursors(searches: unknown): searches is SearchCursor[] {
	return Array.isArray(searches) && searches.every(isSearchCursor);
}

function isSearchCursor(search: unknown): search is SearchCursor {
	if (!isObject(search)) return false;
	const { fingerprint, mayEnd, delivered, revision, row, pageSize = 1 } = search;
	const times = [revision, search.startedByScheduleAt, search.pausedUntil];
	return (
		typeof fingerprint === 'string' &&
		typeof mayEnd === 'boolean' &&
		[...times, search.spentInTotal].every(isAmount) &&
		[row, pageSize].every((rows) => isAmount(rows) && Number.isInteger(rows)) &&
		pageSize !== 0 &&
		Array.isArray(delivered) &&
		delivered.every((hash) => typeof hash === 'string')
	);
}

function isSpent(spent: unknown): spent is SpentByPeriod {
	return isObject(spent) && Object.values(spent).every(isAmount);
}
