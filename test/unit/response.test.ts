/** Promise 8: unknown fields pass through untouched, missing ones never crash. */
import fc from 'fast-check';

import type { Json, Page } from '../../nodes/LeadSearch/api/contract';
import type { Failure, Outcome } from '../../nodes/LeadSearch/api/failures';
import { readNextPage, readPage, type NextPage } from '../../nodes/LeadSearch/api/response';

function pageOf(outcome: Outcome<Page>): Page {
	if ('value' in outcome) return outcome.value;
	throw new Error(`is a failure: ${outcome.failure.kind}`);
}

function failureOf(outcome: Outcome<Page>): Failure {
	if ('failure' in outcome) return outcome.failure;
	throw new Error('is a page');
}

const search = (response: Json | unknown[]) => readPage(response, 'search');
const preview = (response: Json | unknown[]) => readPage(response, 'preview');

const whole = {
	success: true,
	message: 'OK',
	count: 1,
	preview_count: 1,
	preview_data: [{ full_name: 'Anna B', raw: { a: [1] }, new_field: null }],
	page: 2,
	per_page: 1,
	total_pages: 3,
	total_count: 3,
	has_more: true,
	next_page: 3,
	search_id: null,
	counting: false,
	max_results: 500,
};

describe('A page of paid search', () => {
	test('is read as the contract shows it; rows are as they came', () => {
		expect(pageOf(search(structuredClone(whole)))).toEqual({
			rows: whole.preview_data,
			page: 2,
			perPage: 1,
			nextPage: 3,
			hasMore: true,
		});
	});

	test('needs nothing but its rows', () => {
		expect(pageOf(search({ preview_data: [] }))).toEqual({ rows: [] });
		const none = { page: null, per_page: null, has_more: null };
		expect(pageOf(search({ preview_data: [], ...none }))).toEqual({ rows: [] });
		expect(pageOf(readPage({ data: [{}] }, 'lookUp')).rows).toEqual([{}]);
	});

	test.each<[string, Json | unknown[]]>([
		['under the name that a lookup has for them', { data: [{ a: 1 }] }],
		['beside an empty list of its own', { preview_data: [], data: [{ a: 1 }] }],
		['beside something of its own that is no list', { preview_data: {}, data: [{ a: 1 }] }],
		['as a bare list', [{ a: 1 }]],
	])('Promise 2: rows that were charged are found %s', (_, response) => {
		expect(pageOf(search(response)).rows).toEqual([{ a: 1 }]);
	});

	test('may leave out the list where it counts no row', () => {
		expect(pageOf(search({ success: true, count: 0, has_more: false }))).toEqual({
			rows: [],
			hasMore: false,
		});
		expect(failureOf(search({ count: 1 })).kind).toBe('notTheService');
	});

	test('without rows may count them in per_page', () => {
		const page = pageOf(search({ preview_data: [], per_page: 0 }));
		expect(page).toEqual({ rows: [] });
		expect(pageOf(search({ preview_data: [{}], per_page: 0 })).violation).toContain('per_page');
	});

	test('tells a next page of null from none at all', () => {
		expect(pageOf(search({ preview_data: [], next_page: null })).nextPage).toBeNull();
		expect(pageOf(search({ preview_data: [] })).nextPage).toBeUndefined();
	});

	test.each<[string, Json | unknown[]]>([
		['no rows', { success: true }],
		['rows that are null', { preview_data: null }],
		['rows that are an object', { preview_data: { 0: {} } }],
		['rows that are text', { preview_data: 'none' }],
		['rows in a prototype', { __proto__: { preview_data: 'x' } }],
	])('with %s is no answer of the lead service', (_, response) => {
		expect(failureOf(search(response))).toEqual({ kind: 'notTheService', status: 200 });
	});

	test.each<[string, Json]>([
		['page', { page: 0 }],
		['page', { page: '1' }],
		['per_page', { per_page: -1 }],
		['per_page', { per_page: 1.5 }],
		['next_page', { next_page: 'none' }],
		['next_page', { next_page: 1e300 }],
		['has_more', { has_more: 'yes' }],
		['has_more', { has_more: 0 }],
	])('with a wrong %s keeps its rows and says what is wrong: %j', (field, wrong) => {
		const page = pageOf(search({ preview_data: [{ a: 1 }], ...wrong }));
		expect(page.rows).toEqual([{ a: 1 }]);
		expect(page.violation).toContain(field);
	});

	test('with rows that are no objects keeps them too', () => {
		const page = pageOf(search({ preview_data: [1, 'a', null, [2]] }));
		expect(page.rows).toEqual([{ value: 1 }, { value: 'a' }, { value: null }, { value: [2] }]);
		expect(page.violation).toBe('row 1 of the page is not an object');
	});
});

describe("'success: false' in a 200", () => {
	test("is a failure with the service's message in one line", () => {
		expect(failureOf(search({ success: false, message: 'No such\nfilter' }))).toEqual({
			kind: 'unsuccessful',
			status: 200,
			text: 'No such filter',
		});
	});

	test('keeps rows that came along, since they were charged', () => {
		const page = pageOf(search({ success: false, preview_data: [{ a: 1 }] }));
		expect(page).toEqual({ rows: [{ a: 1 }], violation: 'it says that it was not successful' });
	});

	test.each([[undefined], [null], [5], [{ text: 'x' }], ['']])(
		'needs no message to be told: %j',
		(message) => {
			expect(failureOf(search({ success: false, message })).text).toBeUndefined();
		},
	);
});

describe('A preview, whose shape is not shown', () => {
	test.each(['preview_data', 'data', 'leads', 'results'])('may have its leads in %s', (name) => {
		const page = pageOf(preview({ [name]: [{ a: 1 }], has_more: false }));
		expect(page).toEqual({ rows: [{ a: 1 }], hasMore: false });
	});

	test('may be a bare list', () => {
		expect(pageOf(preview([{ a: 1 }])).rows).toEqual([{ a: 1 }]);
	});

	test('of any other shape is handed on whole, as the only row', () => {
		const page = pageOf(preview({ total: 7, next_page: 2 }));
		expect(page).toEqual({
			rows: [{ total: 7, next_page: 2 }],
			hasMore: false,
			isUnlisted: true,
		});
	});

	test('may say no', () => {
		expect(failureOf(preview({ success: false, message: 'no' })).text).toBe('no');
	});
});

describe('What n8n can not carry is taken out', () => {
	test('keys that reach into a prototype, at any depth', () => {
		const response = JSON.parse(
			'{"preview_data": [{"a": {"__proto__": {"admin": true}, "b": 1}, "__proto__": {"admin": true}}]}',
		) as Json;
		const [row] = pageOf(search(response)).rows;
		expect(row).toEqual({ a: { b: 1 } });
		expect(JSON.stringify(row)).toBe('{"a":{"b":1}}');
		expect({}).not.toHaveProperty('admin');
	});

	test.each([
		['objects', '{"a":', '}'],
		['lists', '[', ']'],
	])('10,000 levels of %s', (_, open, close) => {
		const deep = open.repeat(10_000) + '1' + close.repeat(10_000);
		const page = pageOf(search(JSON.parse(`{"preview_data": [{"deep": ${deep}}]}`) as Json));
		expect(page.violation).toContain('nested');
		expect(JSON.stringify(page.rows).length).toBeLessThan(1_000);
	});

	/** A row of so many levels. */
	function nested(levels: number, innermost: string) {
		const row = '{"a":'.repeat(levels) + innermost + '}'.repeat(levels);
		return { row, page: pageOf(search(JSON.parse(`{"preview_data": [${row}]}`) as Json)) };
	}

	test.each(['1', 'null'])('100 levels are carried, with %s as the innermost', (innermost) => {
		const { row, page } = nested(100, innermost);
		expect(page.violation).toBeUndefined();
		expect(JSON.stringify(page.rows)).toBe(`[${row}]`);
	});

	test('the level behind them is not', () => {
		const { page } = nested(101, '1');
		expect(page.violation).toContain('nested');
		expect(JSON.stringify(page.rows)).toBe(`[${nested(100, 'null').row}]`);
	});

	test('levels of a row that is a list, and no object', () => {
		const deep = '['.repeat(10_000) + ']'.repeat(10_000);
		const page = pageOf(search(JSON.parse(`{"preview_data": [${deep}]}`) as Json));
		expect(page.violation).toContain('is not an object');
		expect(JSON.stringify(page.rows).length).toBeLessThan(1_000);
	});
});

describe('Whatever comes', () => {
	const fields = [...Object.keys(whole), 'data', 'leads', 'results'];
	const endpoints = fc.constantFrom('preview' as const, 'search' as const, 'lookUp' as const);
	const responses: fc.Arbitrary<Json | unknown[]> = fc.oneof(
		fc.array(fc.anything()),
		fc.dictionary(
			fc.oneof(fc.constantFrom(...fields), fc.string()),
			fc.oneof(
				fc.anything(),
				fc.array(fc.anything(), { maxLength: 4 }),
				fc.boolean(),
				fc.integer(),
			),
		),
	);

	test('there is a page of objects with sound numbers, or a failure; never a crash', () => {
		fc.assert(
			fc.property(responses, endpoints, (response, endpoint) => {
				const outcome = readPage(response, endpoint);
				if ('failure' in outcome) return;
				const { rows, page, perPage, nextPage, hasMore } = outcome.value;
				const isObject = (row: unknown) => typeof row === 'object' && row !== null;
				expect(rows.filter((row) => !isObject(row) || Array.isArray(row))).toEqual([]);
				for (const count of [page, perPage, nextPage ?? undefined]) {
					expect(count === undefined || (Number.isSafeInteger(count) && count >= 1)).toBe(
						true,
					);
				}
				expect(['boolean', 'undefined']).toContain(typeof hasMore);
			}),
			{ numRuns: 2_000 },
		);
	});

	test('rows of JSON pass through untouched, each of them', () => {
		const json = fc.dictionary(
			fc.string().filter((key) => key !== '__proto__'),
			fc.jsonValue(),
		);
		fc.assert(
			fc.property(fc.array(json), (rows) => {
				fc.pre(!JSON.stringify(rows).includes('"__proto__"'));
				const page = pageOf(search({ preview_data: structuredClone(rows) }));
				expect(JSON.stringify(page.rows)).toBe(JSON.stringify(rows));
			}),
			{ numRuns: 500 },
		);
	});
});

describe('What a page says about the one after it', () => {
	test.each<[string, Omit<Page, 'rows'>, NextPage]>([
		['its number', { nextPage: 3, hasMore: true }, { page: 3, hasMore: true }],
		['its number alone', { nextPage: 3 }, { page: 3, hasMore: true }],
		['that there is one', { hasMore: true }, { page: 3, hasMore: true }],
		['that there is none', { hasMore: false, nextPage: null }, { hasMore: false }],
		['null alone, so that there is none', { nextPage: null }, { hasMore: false }],
		[
			'a number although there is none',
			{ nextPage: 3, hasMore: false },
			{ page: 3, hasMore: true },
		],
		[
			'its own number and that there is none',
			{ nextPage: 2, hasMore: false },
			{ hasMore: false },
		],
		['nothing', {}, {}],
	])('%s', (_, page, next) => {
		expect(readNextPage(2, { rows: [], ...page })).toEqual(next);
	});

	test.each([2, 1])(
		'Promise 7: page %i as the one after page 2 is a contradiction',
		(nextPage) => {
			for (const hasMore of [true, undefined]) {
				expect(readNextPage(2, { rows: [], nextPage, hasMore })).toEqual({
					hasMore: true,
					violation: `it named page ${nextPage} as the one after page 2`,
				});
			}
		},
	);

	test('counts from the page that was answered, not from the one requested', () => {
		expect(readNextPage(9, { rows: [], page: 2, nextPage: 3 })).toMatchObject({ page: 3 });
		expect(readNextPage(9, { rows: [], page: 2, hasMore: true })).toMatchObject({ page: 3 });
	});
});
