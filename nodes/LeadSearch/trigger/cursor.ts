/**
 * The trigger's cursor in its search, kept between polls: where it stands, what it has spent, and what
 * is known of the service. Pure.
 */
import { createHash } from 'crypto';

import { MAX_RESULTS, type Json } from '../api/contract';
import type { FetchResult } from '../api/fetchPages';
import type { KnownSizes } from '../api/servedSizes';
import type { RestartReason } from '../messages/polls';
import { canonical, sortLists } from '../parameters/canonical';

/** What to do when the search has no further lead. */
export type WhenExhausted = 'stop' | 'startOver';

/** A cursor, as it is saved in the workflow's static data. */
export interface Cursor extends KnownSizes {
	/** Of this record's form. */
	version: 2;
	/** Grows with every poll that changes the cursor, so that the latest of several copies is known. */
	revision: number;
	/** Tells one search from another. */
	fingerprint: string;
	/** Rows that come before the next one: skipped or delivered. */
	offset: number;
	/** Whether the search had no further lead. */
	exhausted: boolean;
	/** The day of `spentToday`, as YYYY-MM-DD in the workflow's time zone. */
	day: string;
	/** Credits, those that may have been charged included. */
	spentToday: number;
	/** Credits since the search began; starting over does not reset it. */
	spentInTotal: number;
	/** When other searches took the place of earlier ones, within 24 hours; milliseconds since 1970. */
	restarts: number[];
	/** A hash of the latest poll's first lead, to notice a service that sends one page for ever. */
	latestLead?: string;
	/** Whether the service was charging for leads that had come before. */
	isRepeating?: boolean;
	/** The node's name when it was saved. */
	nodeName?: string;
}

/** What n8n has saved as cursors: in the data of the node, and in those of the workflow. */
export interface CursorCopies {
	ofNode: unknown;
	ofWorkflow: unknown;
}

const DAY_MS = 86_400_000;

/** New searches in 24 hours from which on a filter must be one that changes by itself. */
const MAX_RESTARTS = 3;

/** Tells searches apart by what selects leads, whatever the order of keys and list values. */
export function fingerprintOf(filters: Json, baseUrl: string): string {
	return createHash('sha256')
		.update(canonical(sortLists([filters, baseUrl])))
		.digest('hex');
}

/** The latest of the copies of a cursor that were saved; undefined where none can be read. */
function latestOf(copies: readonly unknown[]): Cursor | undefined {
	return copies
		.filter(isCursor)
		.reduce<Cursor | undefined>(
			(latest, cursor) => (latest && latest.revision >= cursor.revision ? latest : cursor),
			undefined,
		);
}

/**
 * Whether the workflow's copy is of leads that no execution was started with. With durable cursors,
 * n8n saves it first, and then the node's together with the execution. Otherwise both are saved at
 * once, and only under another name the node has an older copy, or none.
 */
function isUndelivered({ ofNode, ofWorkflow }: CursorCopies, nodeName: string): boolean {
	if (!isCursor(ofWorkflow) || ofWorkflow.nodeName !== nodeName) return false;
	const delivered = isCursor(ofNode) ? ofNode.revision : 0;
	return ofWorkflow.revision === delivered + 1;
}

/** Where and when a poll takes place. */
export interface PollPlace {
	nodeName: string;
	/** Milliseconds since 1970. */
	now: number;
	/** As YYYY-MM-DD in the workflow's time zone. */
	day: string;
}

/**
 * Finds the cursor to go on from.
 *
 * @param skip rows to pass over at the start of the search
 * @returns the cursor, and why it is at the start where it is
 */
export function findCursor(
	copies: CursorCopies,
	fingerprint: string,
	skip: number,
	{ nodeName, now, day }: PollPlace,
): { cursor: Cursor; restart?: RestartReason } {
	const found = isUndelivered(copies, nodeName)
		? [copies.ofNode]
		: [copies.ofNode, copies.ofWorkflow];
	const saved = latestOf(found);
	const start: Cursor = {
		version: 2,
		revision: 0,
		fingerprint,
		offset: skip,
		exhausted: false,
		provenSize: 0,
		day,
		spentToday: 0,
		spentInTotal: 0,
		restarts: [],
	};
	if (!saved) {
		const isNew = found.every((copy) => copy === undefined || copy === null);
		return { cursor: start, restart: isNew ? 'firstPoll' : 'unreadable' };
	}
	const { revision } = saved;
	const spentToday = saved.day === day ? saved.spentToday : 0;
	if (saved.fingerprint === fingerprint) {
		const offset = Math.max(saved.offset, skip);
		return { cursor: { ...saved, day, spentToday, offset } };
	}
	const restarts = [...saved.restarts.filter((at) => at > now - DAY_MS), now];
	return {
		cursor: { ...start, revision, spentToday, restarts },
		restart: 'searchChanged',
	};
}

/** Whether filters change so often that something in them must change by itself. */
export function restartsTooOften({ restarts }: Cursor): boolean {
	return restarts.length >= MAX_RESTARTS;
}

/** What a poll came to. */
export interface PollOutcome extends Pick<FetchResult, 'end'> {
	/** Rows of the search up to which all came. */
	offset: number;
	/** Credits, those that may have been charged included. */
	spent: number;
	sizes: KnownSizes;
	/** The first of the rows that came; undefined where none did. */
	firstRow?: Json;
}

/** The cursor after a poll: behind the last lead that was charged, or at the start again. */
export function cursorAfter(
	cursor: Cursor,
	outcome: PollOutcome,
	{ whenExhausted, skip }: { whenExhausted: WhenExhausted; skip: number },
): Cursor {
	const { end, offset, spent, sizes, firstRow } = outcome;
	const isExhausted = end === 'endOfList' || end === 'maxResults';
	const startsOver = isExhausted && whenExhausted === 'startOver';
	return {
		...cursor,
		...sizes,
		revision: cursor.revision + 1,
		offset: startsOver ? skip : Math.min(offset, MAX_RESULTS),
		exhausted: isExhausted && !startsOver,
		spentToday: cursor.spentToday + spent,
		spentInTotal: cursor.spentInTotal + spent,
		latestLead: startsOver || !firstRow ? undefined : hashOf(firstRow),
	};
}

/** Whether a poll brought the leads of the one before, although it asked for those behind them. */
export function isSamePage({ latestLead }: Cursor, firstRow: Json | undefined): boolean {
	return firstRow !== undefined && latestLead === hashOf(firstRow);
}

function hashOf(row: Json): string {
	return createHash('sha256').update(canonical(row)).digest('hex');
}

function isCursor(value: unknown): value is Cursor {
	if (typeof value !== 'object' || value === null) return false;
	const { version, fingerprint, offset, exhausted, day, restarts, ...figures } = value as Record<
		string,
		unknown
	>;
	const { revision, provenSize, spentToday, spentInTotal } = figures;
	return (
		version === 2 &&
		typeof fingerprint === 'string' &&
		typeof exhausted === 'boolean' &&
		typeof day === 'string' &&
		Array.isArray(restarts) &&
		[offset, revision, provenSize, spentToday, spentInTotal].every(isCount) &&
		Number(offset) <= MAX_RESULTS
	);
}

function isCount(value: unknown): boolean {
	return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}
