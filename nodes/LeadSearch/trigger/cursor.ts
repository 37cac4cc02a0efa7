/** The trigger's place in its search, kept between polls, and what a poll does by it. Pure. */
import { ENDPOINTS, type Json } from '../api/contract';
import type { ErrorText } from '../messages/failures';
import {
	END_COSTS,
	formatCeiling,
	HALTED,
	TOO_MANY_RESTARTS,
	type RestartReason,
} from '../messages/polls';
import { LeadList } from '../paging/leadList';
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
	/** Whether asking for leads after the last one costs a credit, as where the last page comes once more. */
	endCosts?: boolean;
	/** Whether the service sent something unexpected, for which each further poll would pay again. */
	isHalted: boolean;
	/** The day of `spentToday`, as YYYY-MM-DD in the workflow's time zone. */
	day: string;
	/** Credits, those that may have been charged included; in total since the search began. */
	spentToday: number;
	spentInTotal: number;
	/** When other searches took the place of earlier ones within 24 hours, in milliseconds since 1970. */
	restarts: number[];
}

/** New searches in 24 hours from which on a filter must be one that changes by itself. */
const MAX_RESTARTS = 3;
const DAY_MS = 86_400_000;

/** Tells searches apart by what selects leads, whatever the order of keys and list values. */
export function fingerprintOf(...parts: unknown[]): string {
	return digest(sortLists(parts));
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
	{ now, timeZone }: { now: number; timeZone: string },
): { cursor: Cursor; restart?: RestartReason } {
	const day = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(now);
	const [saved] = copies.filter(isCursor).sort((one, other) => other.revision - one.revision);
	const spentToday = saved?.day === day ? saved.spentToday : 0;
	if (saved?.fingerprint === fingerprint) {
		const row = Math.max(saved.row, skip);
		const isAtEnd = saved.isAtEnd && row === saved.row;
		return { cursor: { ...saved, day, spentToday, row, isAtEnd } };
	}
	const { revision = 0, restarts: earlier = [] } = saved ?? {};
	const restarts = saved ? [...earlier.filter((at) => at > now - DAY_MS), now] : [];
	const isFirst = copies.every((copy) => copy === undefined || copy === null);
	const unknown = isFirst ? 'firstPoll' : 'unreadable';
	const start = { served: 0, isAtEnd: false, isHalted: false, spentInTotal: 0 };
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
	{ restarts, spentToday, spentInTotal, day, isAtEnd, endCosts, isHalted }: Cursor,
	{ perDay, inTotal }: { perDay: number; inTotal: number },
	isTest: boolean,
): { room: number } | { note: string } | { refusal: ErrorText } {
	if (restarts.length >= MAX_RESTARTS) return { refusal: TOO_MANY_RESTARTS };
	let spent = '';
	if (spentToday >= perDay) spent = `Max Credits per Day (${perDay}) is spent for ${day}`;
	if (spentInTotal >= inTotal) spent = `Max Credits in Total (${inTotal}) is spent`;
	if (spent !== '') return isTest ? { refusal: formatCeiling(spent) } : { note: spent };
	if (isHalted && !isTest) return { note: HALTED };
	if (isAtEnd && endCosts && spentToday > 0 && !isTest) return { note: END_COSTS };
	return { room: Math.min(perDay - spentToday, inTotal - spentInTotal, isTest ? 1 : Infinity) };
}

/** A list of which only the place is known. @param lead the one there, where a test has paid for it */
export function listAt({ row, served, isAtEnd }: Cursor, lead?: Json): LeadList {
	const isBegun = row > 0 || isAtEnd || lead !== undefined;
	return new LeadList().restore({
		cells: lead ? [[row, lead]] : [],
		strays: [],
		// A poll keeps no rows in doubt, so it asks for none.
		doubts: [],
		sizes: {
			// By a test, too, the search was accepted.
			served: lead ? Math.max(1, served) : served,
			tried: 0,
			...(isBegun && { most: served || ENDPOINTS.search.documentedPageSize }),
		},
		end: {
			...(isAtEnd && { reported: { at: row, mayGoOn: false, isSaid: true } }),
			// Credits may have run out there as well, or with the last lead of the poll before.
			cameShort: isAtEnd || row > 0,
		},
	});
}

/** The cursor after a poll that fetched the list from there on. @param paidBefore credits for leads of it */
export function cursorAfter(
	cursor: Cursor,
	list: LeadList,
	{ end, failure }: Result,
	paidBefore = 0,
): Cursor {
	let { row } = cursor;
	while (list.rowAt(row)) row++;
	const spent = list.charged + list.atRisk + paidBefore;
	return {
		...cursor,
		row,
		served: list.isAccepted ? list.sizes.safe : 0,
		// A service may take the end of what a request asked for as the end of the list.
		isAtEnd: end !== 'limit' && list.end.questionAt <= row,
		endCosts: list.end.priceAfter === 'charged' || cursor.endCosts === true,
		isHalted: failure?.kind === 'protocolViolation',
		spentToday: cursor.spentToday + spent,
		spentInTotal: cursor.spentInTotal + spent,
	};
}

/** Anything may stand where cursors are saved, and a wrong number would cost money. */
function isCursor(value: unknown): value is Cursor {
	const cursor = Object(value) as Partial<Cursor>;
	const { revision, row, served, spentToday, spentInTotal, restarts } = cursor;
	const counts = [revision, row, served, spentToday, spentInTotal];
	const areCounts = counts.every((count = -1) => Number.isSafeInteger(count) && count >= 0);
	return areCounts && Array.isArray(restarts);
}
