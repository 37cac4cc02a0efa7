/** Promise 8: unknown fields pass through untouched, missing ones never crash. */
import fc from 'fast-check';

import { readPaidPage, readPreviewPage } from '../../nodes/LeadSearch/service/answer';
import type { Json, PageAnswer } from '../../nodes/LeadSearch/service/contract';
import type { Failure, Outcome } from '../../nodes/LeadSearch/service/failures';

function pageOf(outcome: Outcome<PageAnswer>): PageAnswer {
	if ('value' in outcome) return outcome.value;
	throw new Error(`is a failure: ${outcome.failure.kind}`);
}

function failureOf(outcome: Outcome<PageAnswer>): Failure {
	if ('failure' in outcome) return outcome.failure;
	throw new Error('is a page');
}

const search = (answer: Json | unknown[], secrets: string[] = []) =>
	readPaidPage(answer, 'preview_data', secrets);

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
		expect(pageOf(readPaidPage({ data: [{}] }, 'data', [])).rows).toEqual([{}]);
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
		['the rows of another endpoint', { data: [] }],
		['rows in a prototype', { __proto__: { preview_data: 'x' } }],
		['a bare list', [{}]],
	])('with %s is no answer of the lead service', (_, answer) => {
		expect(failureOf(search(answer))).toEqual({ kind: 'notTheService', status: 200 });
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
		expect(page.misfit).toContain(field);
	});

	test('with rows that are no objects keeps them too', () => {
		const page = pageOf(search({ preview_data: [1, 'a', null, [2]] }));
		expect(page.rows).toEqual([{ value: 1 }, { value: 'a' }, { value: null }, { value: [2] }]);
		expect(page.misfit).toBe('row 1 of the page is not an object');
	});
});

describe("'success: false' in a 200", () => {
	test("is a failure with the service's message, secrets taken out", () => {
		const said = search({ success: false, message: 'Key abc123 is asleep' }, ['abc123']);
		expect(failureOf(said)).toEqual({
			kind: 'saidNo',
			status: 200,
			words: 'Key *** is asleep',
		});
	});

	test('keeps rows that came along, since they were charged', () => {
		const page = pageOf(search({ success: false, preview_data: [{ a: 1 }] }));
		expect(page).toMatchObject({ rows: [{ a: 1 }], misfit: expect.any(String) as string });
	});

	test.each([[undefined], [null], [5], [{ text: 'x' }], ['']])(
		'needs no message to be told: %j',
		(message) => {
			expect(failureOf(search({ success: false, message })).words).toBeUndefined();
		},
	);
});

describe('A preview, whose shape is not shown', () => {
	test.each(['preview_data', 'data', 'leads', 'results'])('may have its leads in %s', (name) => {
		const page = pageOf(readPreviewPage({ [name]: [{ a: 1 }], has_more: false }, []));
		expect(page).toEqual({ rows: [{ a: 1 }], hasMore: false });
	});

	test('may be a bare list', () => {
		expect(pageOf(readPreviewPage([{ a: 1 }], [])).rows).toEqual([{ a: 1 }]);
	});

	test('of any other shape is handed on whole, as the only row', () => {
		const page = pageOf(readPreviewPage({ total: 7, next_page: 2 }, []));
		expect(page).toEqual({ rows: [{ total: 7, next_page: 2 }], hasMore: false });
	});

	test('may say no', () => {
		expect(failureOf(readPreviewPage({ success: false, message: 'no' }, [])).words).toBe('no');
	});
});

describe('What n8n can not carry is taken out', () => {
	test('keys that reach into a prototype, at any depth', () => {
		const answer = JSON.parse(
			'{"preview_data": [{"a": {"__proto__": {"admin": true}, "b": 1}, "__proto__": {"admin": true}}]}',
		) as Json;
		const [row] = pageOf(search(answer)).rows;
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
		expect(page.misfit).toContain('nested');
		expect(JSON.stringify(page.rows).length).toBeLessThan(1_000);
	});

	test('100 levels are carried', () => {
		const deep = '{"a":'.repeat(98) + '1' + '}'.repeat(98);
		const page = pageOf(search(JSON.parse(`{"preview_data": [${deep}]}`) as Json));
		expect(page.misfit).toBeUndefined();
		expect(JSON.stringify(page.rows)).toBe(`[${deep}]`);
	});
});

describe('Whatever comes', () => {
	const fields = [...Object.keys(whole), 'data', 'leads', 'results'];
	const answers: fc.Arbitrary<Json | unknown[]> = fc.oneof(
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
			fc.property(answers, fc.boolean(), (answer, isPreview) => {
				const outcome = isPreview ? readPreviewPage(answer, ['secret']) : search(answer);
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
