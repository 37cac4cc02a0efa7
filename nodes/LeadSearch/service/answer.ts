/** Reads the pages of the three endpoints out of parsed JSON. Pure. */
import type { Json, PageAnswer } from './contract';
import type { Failure, Outcome } from './failures';
import { tidy } from './words';

/** The deepest nesting of a row that is handed on; n8n itself can't save much deeper ones. */
const DEEPEST_ROW = 100;

const TOO_DEEP = `is nested more than ${DEEPEST_ROW} levels deep`;

/** Names under which a preview's leads may stand; its shape isn't shown (contract, endpoint 1). */
const PREVIEW_ROWS = ['preview_data', 'data', 'leads', 'results'];

/**
 * Reads a page of paid search or lookup.
 *
 * @param field the field that holds the rows: `preview_data` or `data`
 * @param secrets taken out of the service's words
 * @returns a failure where the service says no, or the answer has no rows
 */
export function readPaidPage(
	answer: Json | unknown[],
	field: 'preview_data' | 'data',
	secrets: readonly string[],
): Outcome<PageAnswer> {
	if (Array.isArray(answer)) return { failure: { kind: 'notTheService', status: 200 } };
	const failure = saidNo(answer, field, secrets);
	if (failure) return { failure };
	const rows = answer[field];
	if (!Array.isArray(rows)) return { failure: { kind: 'notTheService', status: 200 } };
	return { value: readPage(answer, rows) };
}

/**
 * Reads a preview, whose shape isn't shown: a list of leads under one of the names the service uses
 * elsewhere, or bare; otherwise the whole answer is handed on as one row, the only one.
 */
export function readPreviewPage(
	answer: Json | unknown[],
	secrets: readonly string[],
): Outcome<PageAnswer> {
	if (Array.isArray(answer)) return { value: readPage({}, answer) };
	const field = PREVIEW_ROWS.find((name) => Array.isArray(answer[name]));
	const failure = saidNo(answer, field, secrets);
	if (failure) return { failure };
	if (field === undefined) return { value: { ...readPage({}, [answer]), hasMore: false } };
	return { value: readPage(answer, answer[field] as unknown[]) };
}

function saidNo(
	answer: Json,
	field: string | undefined,
	secrets: readonly string[],
): Failure | undefined {
	const rows = field === undefined ? undefined : answer[field];
	const hasRows = Array.isArray(rows) && rows.length > 0;
	// Rows that came along were charged, so they are kept whatever `success` says.
	if (answer.success !== false || hasRows) return undefined;
	const words = typeof answer.message === 'string' ? tidy(answer.message, secrets) : undefined;
	return { kind: 'saidNo', status: 200, words };
}

function readPage(answer: Json, found: unknown[]): PageAnswer {
	const page: PageAnswer = { rows: [] };
	const misfits: string[] = [];
	found.forEach((row, index) => {
		const complaint = makeSafe(row);
		if (complaint !== undefined) misfits.push(`row ${index + 1} of the page ${complaint}`);
		page.rows.push(isObject(row) ? row : { value: row });
	});
	if (answer.success === false) misfits.push('it says that it was not successful');

	page.page = readCount(answer, 'page', misfits);
	page.perPage = readCount(answer, 'per_page', misfits);
	page.nextPage = answer.next_page === null ? null : readCount(answer, 'next_page', misfits);
	if (typeof answer.has_more === 'boolean') page.hasMore = answer.has_more;
	else if (isGiven(answer.has_more)) misfits.push('has_more is neither true nor false');
	if (misfits[0] !== undefined) page.misfit = misfits[0];
	return page;
}

function readCount(answer: Json, field: string, misfits: string[]): number | undefined {
	const value = answer[field];
	if (!isGiven(value)) return undefined;
	if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 1) return value;
	misfits.push(`${field} is not a whole number from 1`);
	return undefined;
}

function isGiven(value: unknown): boolean {
	return value !== undefined && value !== null;
}

function isObject(value: unknown): value is Json {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Takes out of a row, in place, what n8n can't carry: levels too deep to save, and keys that would
 * reach into an object's prototype. Most rows have neither, so it makes nothing that it can do
 * without: this runs for each lead.
 *
 * @returns what was wrong with the row, for people
 */
function makeSafe(row: unknown): string | undefined {
	if (isObject(row)) return cutBelow(row, DEEPEST_ROW) ? TOO_DEEP : undefined;
	if (Array.isArray(row)) cutBelow(row, DEEPEST_ROW);
	return 'is not an object';
}

/** @returns whether there was something below so many levels, which is null now */
function cutBelow(value: object, levels: number): boolean {
	let isCut = false;
	if (Array.isArray(value)) {
		// Over a list, `for … in` takes several times as long.
		for (let index = 0; index < value.length; index++) {
			isCut = cutAt(value, index, value[index], levels) || isCut;
		}
		return isCut;
	}
	// What JSON.parse makes has no keys of a prototype.
	for (const key in value) {
		if (key === '__proto__') Reflect.deleteProperty(value, key);
		else isCut = cutAt(value, key, value[key as keyof object], levels) || isCut;
	}
	return isCut;
}

function cutAt(parent: object, key: string | number, value: unknown, levels: number): boolean {
	if (typeof value !== 'object' || value === null) return false;
	return levels > 1 ? cutBelow(value, levels - 1) : Reflect.set(parent, key, null);
}
