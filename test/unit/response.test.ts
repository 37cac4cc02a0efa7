/** Promise 8: unknown fields pass through untouched, missing ones never crash. */
import fc from 'fast-check';

import type { Json, Page } from '../../nodes/LeadSearch/api/contract';
import { readPage } from '../../nodes/LeadSearch/api/response';
import { of } from '../seed';

type Response = Json | unknown[];
const ENDPOINTS = ['search', 'lookUp', 'preview'] as const;

function read(response: Response, endpoint: 'search' | 'preview' = 'search'): Page {
	const outcome = readPage(response, endpoint);
	if ('value' in outcome) return outcome.value;
	throw new Error(`is a failure: ${outcome.failure.kind}`);
}

const whole = {
	...{ success: true, message: 'OK', count: 1, preview_count: 1, page: 2, per_page: 1 },
	...{ total_pages: 3, total_count: 3, has_more: true, next_page: 3 },
	...{ search_id: null, counting: false, max_results: 500 },
	preview_data: [{ full_name: 'Anna B', raw: { a: [1] }, new_field: null }],
};
const PAGING_FIELDS = ['page', 'per_page', 'has_more', 'next_page'];
/** Rows, and of each field of the contract that it has none. */
const withoutPaging = (value: unknown) => ({
	preview_data: [],
	...Object.fromEntries(PAGING_FIELDS.map((field) => [field, value])),
});
const rows = [{ a: 1 }];
const lastPage = { rows: [], nextPage: null };
const nextIs2 = { nextPage: 2, hasMore: true };
const asText = { rows, page: 2, perPage: 1, nextPage: 3, hasMore: true };

describe('A page of paid search', () => {
	test.each<[string, Response, Page]>([
		['as the contract shows it', whole, { ...asText, rows: whole.preview_data }],
		['with nothing but its rows', { preview_data: [] }, { rows: [] }],
		['with rows that are null', { preview_data: null }, { rows: [] }],
		['with the next page alone', { data: [], next_page: 2 }, { ...lastPage, ...nextIs2 }],
		['with null for what is missing', withoutPaging(null), lastPage],
		['with an empty text for it', withoutPaging(''), lastPage],
		['with numbers as text', { data: rows, page: '2', per_page: '1', next_page: '3' }, asText],
		['with 0 for no next page', { preview_data: [], next_page: '0' }, lastPage],
		['with false for no next page', { preview_data: [], next_page: false }, lastPage],
		['with rows beside an empty list of its own', { preview_data: [], data: rows }, { rows }],
		['with rows beside something that is no list', { preview_data: {}, data: rows }, { rows }],
		['as a bare list', rows, { rows }],
		['without a list where it counts no row', { count: 0 }, { rows: [] }],
		['that counts no rows in per_page', { preview_data: [], per_page: 0 }, { rows: [] }],
		['without rows', { preview_data: [], per_page: 5 }, { rows: [], perPage: 5 }],
	])('is read %s', (_, response, page) => {
		expect(read(structuredClone(response))).toEqual(page);
	});

	test.each<[string, Response]>([
		['no rows', { success: true }],
		['rows that are null, and a count', { preview_data: null, count: 1 }],
		['rows that are an object', { preview_data: { 0: {} } }],
		['rows under another name', { results: rows }],
		['rows in a prototype', { __proto__: { preview_data: 'x' } }],
	])('with %s is no answer of the lead service', (_, response) => {
		const failure = { kind: 'notTheService', status: 200 };
		for (const endpoint of ['search', 'lookUp'] as const)
			expect(readPage(response, endpoint)).toEqual({ failure });
	});

	test.each<[string, string, unknown[]]>([
		['page', 'page', [0, '0', '1.5', 'one', true, false, [], '9007199254740993']],
		['per_page', 'per_page', [0, 1.5, '-1']],
		['next_page', 'next_page', ['none', 1e300, true, [], { valueOf: 0, toString: 0 }]],
		['has_more', 'has_more', ['yes', 0]],
		['success', 'successful', [false]],
	])('with a wrong %s keeps its rows and says that %s is wrong: %j', (field, said, values) => {
		for (const value of values) {
			const page = read({ preview_data: [{ a: 1 }], [field]: value });
			expect(page.rows).toEqual(rows);
			expect(page.violation).toContain(said);
		}
	});
});

test.each<[Response, string]>([
	[{ success: false, message: 'No such filter' }, 'No such filter'],
	[{ success: false, message: 5, data: [] }, '{"success":false,"message":5,"data":[]}'],
])('an answer without rows that was not successful is a failure: %j', (response, text) => {
	const failure = { kind: 'unsuccessful', status: 200, text };
	for (const endpoint of ENDPOINTS) expect(readPage(response, endpoint)).toEqual({ failure });
});

test.each<[string, Response, Json[]]>([
	['with its leads under a name of the contract', { a: [{ b: 2 }], data: rows }, rows],
	['with its leads in the first list of objects', { none: [], a: ['x'], results: rows }, rows],
	['as a bare list', rows, rows],
	['without leads', { results: [] }, []],
])('a preview, whose shape is not shown, is read %s', (_, response, found) => {
	expect(read(response, 'preview').rows).toEqual(found);
	expect(() => read({ total: 7 }, 'preview')).toThrow('notTheService');
});

test('more rows than the longest list has are not read, and the first of them are kept', () => {
	const many = Array.from({ length: 100_001 }, (_, index) => ({ index }));
	const page = read({ preview_data: many });
	expect([page.rows.length, page.rows[99_999]]).toEqual([100_000, { index: 99_999 }]);
	expect(page.violation).toBe('it contains 100,001 rows, but a list has at most 100,000');
	expect(read({ preview_data: many.slice(1) }).violation).toBeUndefined();
});

test('whatever comes, there is a page of objects with sound numbers, or a failure; never a crash', () => {
	const fields = of(...Object.keys(whole), 'data', 'leads', 'results');
	const values = fc.oneof(fc.anything(), fc.array(fc.anything()), fc.boolean(), fc.integer());
	const responses = fc.oneof(
		fc.array(fc.anything()),
		fc.dictionary(fc.oneof(fields, fc.string()), values),
	);
	const property = fc.property(responses, of(...ENDPOINTS), (response, endpoint) => {
		const outcome = readPage(response, endpoint);
		if ('failure' in outcome) return;
		const { rows: found, page = 1, perPage = 1, nextPage, hasMore } = outcome.value;
		const isObject = (row: unknown) => typeof row === 'object' && row !== null;
		expect(found.filter((row) => !isObject(row) || Array.isArray(row))).toEqual([]);
		for (const count of [page, perPage, nextPage ?? 1])
			expect(Number.isSafeInteger(count) && count >= 1).toBe(true);
		expect(['boolean', 'undefined']).toContain(typeof hasMore);
	});
	fc.assert(property, { numRuns: 1_000 });
});
