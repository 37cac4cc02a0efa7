/** Reads the page of rows in a parsed response (contract, "Endpoints"). */
import { ENDPOINTS, isObject, MAX_RESULTS, type Endpoint, type Json, type Page } from './contract';
import { extractMessage } from './errorBody';
import type { ValueOrFailure } from './failures';

/**
 * Reads the page of rows in a response. The rows can be in `preview_data` or `data`, or the response can be an array
 * of rows. Each endpoint accepts all of these, because rows are charged wherever they are. The contract doesn't show
 * the response of a preview, so any list of objects is accepted there.
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
	// If there are rows, they were charged, so they are used although `success` is false.
	if (hasFailed && !rows?.length)
		return { failure: { kind: 'unsuccessful', status: 200, text: extractMessage(response) } };
	// A service without rows to return can send null, or leave the rows out and set `count` to 0.
	const isNull = leads === null || data === null;
	if (rows || count === 0 || (isNull && count === undefined))
		return { value: toPage(response, rows ?? []) };
	return { failure: { kind: 'notTheService', status: 200 } };
}

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
		violations.push(`${field} is not a whole number of at least 1`);
		return undefined;
	};
	// A list never has more rows, and millions of them would take minutes.
	if (list.length > MAX_RESULTS)
		violations.push(
			`it contains ${list.length.toLocaleString('en')} rows, but a list has at most ${MAX_RESULTS.toLocaleString('en')}`,
		);
	const rows = list.slice(0, MAX_RESULTS).map((item, index) => {
		const row = isObject(item) ? item : { value: item };
		if (row !== item) violations.push(`row ${index + 1} of the page is not an object`);
		return row;
	});
	const { success, per_page: perPage, next_page: nextPage, has_more: hasMore } = response;
	if (success === false) violations.push('it contains rows, but says that it was not successful');
	const page: Page = {
		rows,
		page: readNumber('page'),
		// Some services count the rows of the page in `per_page`, so it is 0 if there are none.
		perPage: rows.length === 0 && isZeroOrEmpty(perPage) ? undefined : readNumber('per_page'),
		// Pages are counted from 1, so none of these values names a page.
		nextPage: isZeroOrEmpty(nextPage) ? null : readNumber('next_page'),
	};
	if (typeof hasMore === 'boolean') page.hasMore = hasMore;
	else if (!isBlank(hasMore)) violations.push('has_more is neither true nor false');
	// The contract: `next_page` is set "when more pages exist".
	else if (typeof page.nextPage === 'number') page.hasMore = true;
	return { ...page, violation: violations[0] };
}

/** Services send 0, null, false or an empty string if there is no page number or page size. */
function isZeroOrEmpty(value: unknown): boolean {
	return (typeof value !== 'object' || value === null) && Number(value) === 0;
}
