/** Reads pages of rows out of parsed responses. */
import { ENDPOINTS, isObject, MAX_RESULTS, type Endpoint, type Json, type Page } from './contract';
import { extractMessage } from './errorBody';
import type { ValueOrFailure } from './failures';

/**
 * Rows stand under one of the contract's names, or as a bare array: what came was charged, whatever it is
 * called. In a preview, whose shape isn't shown, it's the first list of objects. @returns a failure without
 */
export function readPage(response: Json | unknown[], endpoint: Endpoint): ValueOrFailure<Page> {
	if (Array.isArray(response)) return { value: toPage({}, response) };
	const { preview_data: leads, data, count } = response;
	const hasFailed = response.success === false;
	const hasDocumentedShape = ENDPOINTS[endpoint].costsCredits || hasFailed;
	const lists = [leads, data, ...(hasDocumentedShape ? [] : Object.values(response))].filter(
		(list) => Array.isArray(list),
	);
	const rows = lists.find((list) => list.some(isObject)) ?? lists[0];
	// Rows that came along were charged, so they are kept whatever it says.
	if (hasFailed && !rows?.length)
		return { failure: { kind: 'unsuccessful', status: 200, text: extractMessage(response) } };
	// A service that has no row to return may have null for them, or leave them out and say so.
	const isNull = leads === null || data === null;
	if (rows || count === 0 || (isNull && count === undefined))
		return { value: toPage(response, rows ?? []) };
	return { failure: { kind: 'notTheService', status: 200 } };
}

/** What is empty is absent. */
function isBlank(value: unknown): boolean {
	return (value ?? '') === '' || (typeof value === 'string' && value.trim() === '');
}

function toPage(response: Json, list: unknown[]): Page {
	const violations: string[] = [];
	const readNumber = (field: string) => {
		const value = response[field];
		if (isBlank(value)) return undefined;
		const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
		if (typeof number === 'number' && Number.isSafeInteger(number) && number >= 1) return number;
		violations.push(`${field} is not a whole number from 1`);
		return undefined;
	};
	// No list has more, and millions of them would take minutes.
	if (list.length > MAX_RESULTS)
		violations.push(
			`it holds ${list.length.toLocaleString('en')} rows, and a list has at most ${MAX_RESULTS.toLocaleString('en')}`,
		);
	const rows = list.slice(0, MAX_RESULTS).map((item, index) => {
		const row = isObject(item) ? item : { value: item };
		if (row !== item) violations.push(`row ${index + 1} of the page is not an object`);
		return row;
	});
	const { success, per_page: perPage, next_page: nextPage, has_more: hasMore } = response;
	if (success === false) violations.push('it says that it was not successful');
	const page: Page = {
		rows,
		page: readNumber('page'),
		// Without rows, a service that counts them there has none to count.
		perPage: rows.length === 0 && isZeroOrEmpty(perPage) ? undefined : readNumber('per_page'),
		// Pages count from 1, so that none of these names a page.
		nextPage: isZeroOrEmpty(nextPage) ? null : readNumber('next_page'),
	};
	if (typeof hasMore === 'boolean') page.hasMore = hasMore;
	else if (!isBlank(hasMore)) violations.push('has_more is neither true nor false');
	// Named only "when more pages exist".
	else if (typeof page.nextPage === 'number') page.hasMore = true;
	return { ...page, violation: violations[0] };
}

/** 0, as number or text; null, false or an empty text. */
function isZeroOrEmpty(value: unknown): boolean {
	return (typeof value !== 'object' || value === null) && Number(value) === 0;
}
