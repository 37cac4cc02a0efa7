/** Where a trigger is, as it stands in n8n's static data, where anything may stand, and a wrong number would cost money. */
import type { Json } from '../api/contract';
import { profileOf } from '../paging/ledger';
import { canonicalSearch, digest, sortLists } from '../parameters/canonical';
import type { Fetched } from './fetch';

/** How far one search has come. */
export interface SearchPlace {
	/** Tells it from other searches: {@link fingerprintOf}. */
	fingerprint: string;
	/** When it was saved, in milliseconds since 1970, and always more than before: the newest of several copies is known. */
	revision: number;
	/** When its first poll began, in milliseconds since 1970. */
	begun: number;
	/** Rows that come before the next one: skipped or delivered. */
	row: number;
	/** The page size in which pages certainly begin where they are asked for, in rows; 0: not known. */
	served: number;
	/** Whether the list may end at the row. */
	mayEnd: boolean;
	/** How long polls send nothing after the last one, which paid, or may have, and got no further; 0: not at all. In milliseconds. */
	waitMs: number;
	/** Credits, those that may have been charged included, since the search began. */
	spentInTotal: number;
	/** The day of `spentToday`, as YYYY-MM-DD in the workflow's time zone. */
	day: string;
	/** Credits of that day, those that may have been charged included. */
	spentToday: number;
	/** The last leads that were delivered, as short hashes, so that one that comes again is known. */
	delivered: string[];
}

/** What stands in n8n's data: the last searches of a workflow, whichever of its triggers polls for them. */
export interface Saved {
	/** Of the format: it changes with it. */
	version: number;
	searches: SearchPlace[];
}

export const VERSION = 1;
const MAX_DELIVERED = 100;
const HOUR_MS = 3_600_000;

/** Tells searches apart by what selects leads, whatever the order of keys and list values. */
export function fingerprintOf(filters: Json, baseUrl: string): string {
	return digest(sortLists([canonicalSearch(filters), baseUrl]));
}

/** @returns a short hash of a lead: of its profile, or of all its fields where it names none */
export function hashOf(lead: Json): string {
	return digest(profileOf(lead) ?? lead).slice(0, 12);
}

/** @returns the day as YYYY-MM-DD, in UTC where the time zone is none */
export function dayAt(now: number, timeZone: string): string {
	try {
		return new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(now);
	} catch {
		return new Date(now).toISOString().slice(0, 10);
	}
}

/** @returns of several copies of a search the newest, the first of two as new; the one that was saved last first */
export function newestOf(copies: readonly SearchPlace[]): SearchPlace[] {
	const newest = new Map<string, SearchPlace>();
	for (const copy of copies)
		if (copy.revision > (newest.get(copy.fingerprint)?.revision ?? -1))
			newest.set(copy.fingerprint, copy);
	return [...newest.values()].sort((one, other) => other.revision - one.revision);
}

/**
 * @param saved all searches of the workflow
 * @param search what is polled for, and the rows to pass over at its start
 * @returns the place to go on from
 */
export function openPlace(
	saved: readonly SearchPlace[],
	{ fingerprint, skip }: { fingerprint: string; skip: number },
	now: number,
): SearchPlace {
	const begun: SearchPlace = {
		...{ fingerprint, revision: 0, begun: now, row: 0, served: 0, mayEnd: false, waitMs: 0 },
		...{ spentInTotal: 0, day: '', spentToday: 0, delivered: [] },
	};
	const found = saved.find((one) => one.fingerprint === fingerprint) ?? begun;
	// Skip moves a place on, never back.
	return { ...found, row: Math.max(found.row, skip) };
}

/** @returns what all searches of a workflow have spent on a day, which never goes back: a clock that is set back begins no maximum anew */
export function spentOn(day: string, saved: readonly SearchPlace[]) {
	const days = saved.map((one) => one.day);
	const today = [day, ...days].sort().at(-1) ?? day;
	const spent = saved.reduce((sum, one) => sum + (one.day === today ? one.spentToday : 0), 0);
	return { day: today, spent };
}

/** Whether so many searches have begun within 24 hours that their filters seem to change by themselves. */
export function beginsTooMany(searches: readonly SearchPlace[], now: number): boolean {
	return searches.filter(({ begun }) => begun > now - 24 * HOUR_MS).length > 3;
}

/** @returns until when polls send nothing, since the last one paid and got no further; 0 for no such time */
export function waitsUntil({ revision, waitMs }: SearchPlace, now: number): number {
	// A clock that is set back by more ends it.
	return Math.abs(now - revision) < waitMs ? revision + waitMs : 0;
}

/** @returns the place after a poll on a day that fetched from there on */
export function placeAfter(place: SearchPlace, fetched: Fetched, day: string): SearchPlace {
	const { spent, placed, certain, mayEnd, rows } = fetched;
	const credits = spent.charged + spent.atRisk;
	const isInVain = placed === 0 && credits > 0;
	return {
		...{ ...place, row: place.row + placed, served: certain, mayEnd, day },
		// First an hour, as it may pass; then a day. Both a little less, for a schedule that is as long.
		waitMs: isInVain ? HOUR_MS * (place.waitMs > 0 ? 22 : 0.95) : 0,
		spentToday: (place.day === day ? place.spentToday : 0) + credits,
		spentInTotal: place.spentInTotal + credits,
		delivered: [...place.delivered, ...rows.map(hashOf)].slice(-MAX_DELIVERED),
	};
}

/** @returns a place as it is where what was fetched does not come: what was spent is spent */
export function unmoved(after: SearchPlace, { row, mayEnd, delivered }: SearchPlace): SearchPlace {
	return { ...after, row, mayEnd, delivered };
}

/** What is saved is like; of each list the first tells of the others. */
const SAMPLE: Saved = {
	version: VERSION,
	searches: [{ ...openPlace([], { fingerprint: '', skip: 0 }, 0), delivered: [''] }],
};

export function isSaved(copy: unknown): copy is Saved {
	return isLike(copy, SAMPLE) && (copy as Saved).version === VERSION;
}

/** Whether a value is of the form of another one; a number is one from 0 up. */
function isLike(value: unknown, sample: unknown): boolean {
	if (Array.isArray(sample))
		return Array.isArray(value) && value.every((one) => isLike(one, sample[0]));
	if (typeof sample === 'number') return Number.isSafeInteger(value) && (value as number) >= 0;
	if (typeof sample !== 'object') return typeof value === typeof sample;
	const fields = Object(value) as Json;
	return Object.entries(Object(sample) as Json).every(([name, field]) =>
		isLike(fields[name], field),
	);
}
