/** The trigger's place in its search, kept between polls, and what a poll does by it. Pure. */
import { mayHaveBeenCharged, type FailureKind } from '../api/failures';
import type { ErrorText } from '../messages/failures';
import {
	formatCeiling,
	formatPaused,
	TOO_MANY_RESTARTS,
	type RestartReason,
} from '../messages/polls';
import type { LeadList } from '../paging/leadList';
import type { Result } from '../paging/run';
import { digest, sortLists } from '../parameters/canonical';

/** A cursor, as it is saved in the workflow's static data. */
export interface Cursor {
	/** Grows whenever it is saved, so that the newest of several copies is known. */
	revision: number;
	/** Tells one search from another. */
	fingerprint: string;
	/** Rows that come before the next one: skipped or delivered. */
	row: number;
	/** The page size in which pages certainly begin where they are asked for, in rows; 0: not known. */
	served: number;
	/** Whether the list may end at the row. */
	isAtEnd: boolean;
	/** The day on which nothing more is asked, since each poll would pay for the same again. */
	pausedOn?: string;
	/** The day of `spentToday`, as YYYY-MM-DD in the workflow's time zone. */
	day: string;
	/** Credits, those that may have been charged included; in total since the search began. */
	spentToday: number;
	spentInTotal: number;
	/** The same of other days: a time zone that changes, or a clock set back, begins none of them anew. */
	spentBefore: Readonly<Record<string, number>>;
	/** When other searches took the place of earlier ones within 24 hours, in milliseconds since 1970. */
	restarts: number[];
}

/** New searches in 24 hours from which on a filter must be one that changes by itself. */
const MAX_RESTARTS = 3;
const DAY_MS = 86_400_000;
/** So many days are known on which something was spent. */
const MAX_DAYS = 31;

/** Tells searches apart by what selects leads, whatever the order of keys and list values. */
export function fingerprintOf(...parts: unknown[]): string {
	return digest(sortLists(parts));
}

/** @returns the day as YYYY-MM-DD; undefined for a time zone that is none */
export function dayAt(now: number, timeZone: string): string | undefined {
	try {
		return new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(now);
	} catch {
		return undefined;
	}
}

/**
 * Finds the cursor to go on from, and why it is at the start where it is: the newest of the saved copies.
 *
 * @param skip rows to pass over at the start of the search
 */
export function findCursor(
	copies: readonly unknown[],
	fingerprint: string,
	skip: number,
	{ now, day }: { now: number; day: string },
): { cursor: Cursor; restart?: RestartReason } {
	const [saved] = copies.filter(isCursor).sort((one, other) => other.revision - one.revision);
	const { [day]: spentToday = 0, ...others } = {
		...saved?.spentBefore,
		...(saved && { [saved.day]: saved.spentToday }),
	};
	const spentBefore = Object.fromEntries(Object.entries(others).slice(-MAX_DAYS));
	if (saved?.fingerprint === fingerprint) {
		const row = Math.max(saved.row, skip);
		const isAtEnd = saved.isAtEnd && row === saved.row;
		return { cursor: { ...saved, day, spentToday, spentBefore, row, isAtEnd } };
	}
	const { revision = 0, restarts: earlier = [] } = saved ?? {};
	const restarts = saved ? [...earlier.filter((at) => at > now - DAY_MS), now] : [];
	const isFirst = copies.every((copy) => copy === undefined || copy === null);
	const unknown = isFirst ? 'firstPoll' : 'unreadable';
	const start = { served: 0, isAtEnd: false, spentInTotal: 0, spentBefore };
	return {
		cursor: { ...start, revision, fingerprint, row: skip, day, spentToday, restarts },
		restart: saved ? 'searchChanged' : unknown,
	};
}

/**
 * @param isTest whether somebody tests the trigger in the editor: for one lead, and with an answer
 * @returns the credits that a poll may spend, or what it says instead of fetching anything
 */
export function decide(
	{ restarts, spentToday, spentInTotal, day, pausedOn }: Cursor,
	{ perDay, inTotal }: { perDay: number; inTotal: number },
	isTest: boolean,
): { room: number } | { note: string } | { refusal: ErrorText } {
	if (restarts.length >= MAX_RESTARTS) return { refusal: TOO_MANY_RESTARTS };
	let spent = '';
	if (spentToday >= perDay) spent = `'Max Credits per Day' (${perDay}) is spent for ${day}`;
	if (spentInTotal >= inTotal) spent = `'Max Credits in Total' (${inTotal}) is spent`;
	if (spent !== '') return isTest ? { refusal: formatCeiling(spent) } : { note: spent };
	if (pausedOn === day && !isTest) return { note: formatPaused(day) };
	return { room: Math.min(perDay - spentToday, inTotal - spentInTotal, isTest ? 1 : Infinity) };
}

/** The cursor after a poll that fetched the list from there on. @param paidBefore credits for leads of it */
export function cursorAfter(
	cursor: Cursor,
	list: LeadList,
	{ end }: Result,
	paidBefore = 0,
): Cursor {
	let { row } = cursor;
	while (list.rowAt(row)) row++;
	return {
		...afterSpending(cursor, spentOn(list) + paidBefore),
		row,
		served: list.isAccepted ? list.certain : 0,
		// A service may take the end of what a request asked for as the end of the list.
		isAtEnd: end !== 'limit' && list.end !== undefined && list.end.at <= row,
	};
}

/** @returns the cursor at the same place, after so many credits */
export function afterSpending(cursor: Cursor, credits: number): Cursor {
	const { spentToday, spentInTotal } = cursor;
	return { ...cursor, spentToday: spentToday + credits, spentInTotal: spentInTotal + credits };
}

/** Credits that were, or may have been, spent on a list; what is still on its way among them. */
export function spentOn({ cost, pending }: LeadList): number {
	return cost.charged + cost.atRisk + pending;
}

/**
 * Whether each further poll would pay for the same again: for an answer that can't be used, and that the service
 * would give once more; or, at the end of the list, for the question whether leads have come since.
 *
 * @param paid credits for what the poll has fetched or had before @param delivered leads of it
 */
export function isPaidAgain({ end, failure }: Result, paid: number, delivered: number): boolean {
	if (!failure) return end === 'whole' && paid > delivered;
	if (failure.kind === 'protocolViolation') return true;
	return mayHaveBeenCharged(failure) && SAME_AGAIN.includes(failure.kind);
}

/** What a service would answer once more. */
const SAME_AGAIN: readonly FailureKind[] = ['notTheService', 'unreadable', 'tooLarge'];

/** Anything may stand where cursors are saved, and a wrong number would cost money. */
function isCursor(value: unknown): value is Cursor {
	const cursor = Object(value) as Partial<Cursor>;
	const { revision, row, served, spentToday, spentInTotal, spentBefore, restarts } = cursor;
	const ofDays = spentBefore ? Object.values(spentBefore) : [undefined];
	const counts = [revision, row, served, spentToday, spentInTotal, ...ofDays];
	const areCounts = counts.every((count = -1) => Number.isSafeInteger(count) && count >= 0);
	return areCounts && Array.isArray(restarts);
}
