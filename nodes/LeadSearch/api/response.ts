/** Reads pages of rows out of the parsed responses of the three endpoints. Pure. */
import { ENDPOINTS, type Endpoint, type Json, type Page } from './contract';
import { asOneLine } from './errorText';
import type { Outcome } from './failures';

/** The deepest nesting of a row that is emitted; n8n itself can't save much deeper ones. */
const MAX_ROW_DEPTH = 100;

const TOO_DEEP = `is nested more than ${MAX_ROW_DEPTH} levels deep`;

/**
 * Reads a page: rows under one of the contract's names, or as a bare array, since rows that came were
 * charged whatever they are called. In a preview, whose shape isn't shown, it's the first list of objects.
 *
 * @returns a failure where the service says that it was not successful, or there are no rows
 */
export function readPage(response: Json | unknown[], endpoint: Endpoint): Outcome<Page> {
	if (Array.isArray(response)) return { value: pageOf({}, response) };
	const { rowFields, costsCredits } = ENDPOINTS[endpoint];
	const named = rowFields.map((name) => response[name]).filter(isList);
	const others = costsCredits ? [] : Object.values(response).filter(isList);
	const rows =
		named.find(({ length }) => length > 0) ??
		others.find((list) => list.length > 0 && list.every(isObject)) ??
		[...named, ...others][0];
	// Rows that came along were charged, so they are kept whatever `success` says.
	if (response.success === false && !rows?.length) {
		const text = typeof response.message === 'string' ? asOneLine(response.message) : undefined;
		return { failure: { kind: 'unsuccessful', status: 200, text } };
	}
	if (rows) return { value: pageOf(response, rows) };
	// A service that has no row to return, and says so, may leave out the list (contract, `count`).
	if (response.count === 0) return { value: pageOf(response, []) };
	return { failure: { kind: 'notTheService', status: 200 } };
}

function pageOf(response: Json, found: unknown[]): Page {
	const page: Page = { rows: [] };
	const violations: string[] = [];
	found.forEach((row, index) => {
		const unsafe = makeSafe(row);
		if (unsafe !== undefined) violations.push(`row ${index + 1} of the page ${unsafe}`);
		page.rows.push(isObject(row) ? row : { value: row });
	});
	if (response.success === false) violations.push('it says that it was not successful');

	page.page = readNumber(response, 'page', violations);
	// Without rows, a service that counts them there has none to count.
	const isRowCount = found.length === 0 && response.per_page === 0;
	page.perPage = isRowCount ? undefined : readNumber(response, 'per_page', violations);
	page.nextPage =
		response.next_page === null ? null : readNumber(response, 'next_page', violations);
	if (typeof response.has_more === 'boolean') page.hasMore = response.has_more;
	else if (isGiven(response.has_more)) violations.push('has_more is neither true nor false');
	if (violations[0] !== undefined) page.violation = violations[0];
	return page;
}

function readNumber(response: Json, field: string, violations: string[]): number | undefined {
	const value = response[field];
	if (!isGiven(value)) return undefined;
	if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 1) return value;
	violations.push(`${field} is not a whole number from 1`);
	return undefined;
}

function isGiven(value: unknown): boolean {
	return value !== undefined && value !== null;
}

function isList(value: unknown): value is unknown[] {
	return Array.isArray(value);
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
	if (isObject(row)) return cutBelow(row, MAX_ROW_DEPTH) ? TOO_DEEP : undefined;
	if (Array.isArray(row)) cutBelow(row, MAX_ROW_DEPTH);
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
