/** Tests pages in responses. Unknown fields are passed through unchanged, and missing fields never cause an exception. */
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
	success: true,
	message: 'OK',
	count: 1,
	preview_count: 1,
	page: 2,
	per_page: 1,
	total_pages: 3,
	total_count: 3,
	has_more: true,
	next_page: 3,
	search_id: null,
	counting: false,
	max_results: 500,
	preview_data: [{ full_name: 'Anna B', raw: { a: [1] }, new_field: null }],
};
const PAGING_FIELDS = ['page', 'per_page', 'has_more', 'next_page'];
/** A response without rows, in which all paging fields have this value. */
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
		['as in the contract', whole, { ...asText, rows: whole.preview_data }],
		['with only its rows', { preview_data: [] }, { rows: [] }],
		['with rows that are null', { preview_data: null }, { rows: [] }],
		['with only the next page', { data: [], next_page: 2 }, { ...lastPage, ...nextIs2 }],
		['with null for missing fields', withoutPaging(null), lastPage],
		['with an empty string for missing fields', withoutPaging(''), lastPage],
		['with numbers as text', { data: rows, page: '2', per_page: '1', next_page: '3' }, asText],
		['with 0 for no next page', { preview_data: [], next_page: '0' }, lastPage],
		['with false for no next page', { preview_data: [], next_page: false }, lastPage],
		['with rows next to an empty list', { preview_data: [], data: rows }, { rows }],
		['with rows next to something that is not a list', { preview_data: {}, data: rows }, { rows }],
		['with a per_page of 0', { preview_data: [], per_page: 0 }, { rows: [] }],
		[
			'without rows that reports its size',
			{ preview_data: [], per_page: 5 },
			{ rows: [], perPage: 5 },
		],
	])('a page %s is read', (_, response, page) => {
		expect(read(structuredClone(response))).toEqual(page);
	});

	test.each<[string, Response]>([
		['no rows', { success: true }],
		['rows that are null, and a count', { preview_data: null, count: 1 }],
		['rows that are an object', { preview_data: { 0: {} } }],
		['rows under another name', { results: rows }],
		['rows in a prototype', { __proto__: { preview_data: 'x' } }],
	])('a response with %s is not a response of the lead service', (_, response) => {
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
	])(
		'a page with a wrong %s keeps its rows, and its violation names %s: %j',
		(field, text, values) => {
			for (const value of values) {
				const page = read({ preview_data: [{ a: 1 }], [field]: value });
				expect(page.rows).toEqual(rows);
				expect(page.violation).toContain(text);
			}
		},
	);
});

test.each<[Response, string]>([
	[{ success: false, message: 'No such filter' }, 'No such filter'],
	[{ success: false, message: 5, data: [] }, '{"success":false,"message":5,"data":[]}'],
])('a response without rows that was not successful is a failure: %j', (response, text) => {
	const failure = { kind: 'unsuccessful', status: 200, text };
	for (const endpoint of ENDPOINTS) expect(readPage(response, endpoint)).toEqual({ failure });
});

test.each<[string, Response, Json[]]>([
	['with its leads in a field of the contract', { a: [{ b: 2 }], data: rows }, rows],
	['with its leads in the first list of objects', { none: [], a: ['x'], results: rows }, rows],
	['that is an array', rows, rows],
	['without leads', { results: [] }, []],
])(
	'a preview %s is read, although the contract does not show its shape',
	(_, response, expected) => {
		expect(read(response, 'preview').rows).toEqual(expected);
		expect(() => read({ total: 7 }, 'preview')).toThrow('notTheService');
	},
);

test('a response with more than 100,000 rows is read up to row 100,000', () => {
	const tooManyRows = Array.from({ length: 100_001 }, (_, index) => ({ index }));
	const page = read({ preview_data: tooManyRows });
	expect([page.rows.length, page.rows[99_999]]).toEqual([100_000, { index: 99_999 }]);
	expect(page.violation).toBe('it contains 100,001 rows, but a list has at most 100,000');
	expect(read({ preview_data: tooManyRows.slice(1) }).violation).toBeUndefined();
});

test('any response is read as a page of objects with valid numbers, or as a failure', () => {
	const fields = of(...Object.keys(whole), 'data', 'leads', 'results');
	const values = fc.oneof(fc.anything(), fc.array(fc.anything()), fc.boolean(), fc.integer());
	const responses = fc.oneof(
		fc.array(fc.anything()),
		fc.dictionary(fc.oneof(fields, fc.string()), values),
	);
	const property = fc.property(responses, of(...ENDPOINTS), (response, endpoint) => {
		const outcome = readPage(response, endpoint);
		if ('failure' in outcome) return;
		const { rows: leads, page = 1, perPage = 1, nextPage, hasMore } = outcome.value;
		const isObject = (row: unknown) => typeof row === 'object' && row !== null;
		expect(leads.filter((row) => !isObject(row) || Array.isArray(row))).toEqual([]);
		for (const count of [page, perPage, nextPage ?? 1])
			expect(Number.isSafeInteger(count) && count >= 1).toBe(true);
		expect(['boolean', 'undefined']).toContain(typeof hasMore);
	});
	fc.assert(property, { numRuns: 1_000 });
});
