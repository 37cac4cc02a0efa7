/** Each reading of the contract that is supported, once. */
import fc from 'fast-check';
import { answer, type Readings } from '../../sandbox/service/model';
import { checker } from '../../sandbox/service/contract';
import { lookupAnswer, previewAnswer, searchAnswer } from './answers';
import { numberedRows } from '../numberedRows';
import { ask, lookUp, preview, search, service, urlOf } from './model';

describe('the plain reading', () => {
	test('answers pages by rows, says what follows, and charges each row', () => {
		const plain = service();
		const told = { status: 200, per_page: 25, count: 25, total_count: 100_000 };
		expect(search(plain, 2, 25)).toMatchObject({ ...told, rows: '25-49', next_page: 3 });
		const last = { count: 10, has_more: false, next_page: null, total_count: 60 };
		expect(search(plain, 3, 25)).toMatchObject({ rows: '50-59', ...last });
		expect(search(plain, 4, 25)).toMatchObject({ rows: '', count: 0, page: 4 });
		expect(plain).toMatchObject({ credits: 965, charged: { length: 35 } });
	});

	test('has the defaults and the fields of the contract', () => {
		const plain = service();
		const searched = ask(plain, { endpoint: 'search', body: {} });
		expect(searched).toMatchObject({ rows: '0-24', total_count: 500 });
		expect(checker(searchAnswer, 'answer')(searched.body)).toBeUndefined();
		const found = lookUp(plain, [3, 1, 60, 3]);
		expect(found).toMatchObject({ rows: '3 1', per_page: 100, body: { max_results: 4 } });
		expect(checker(lookupAnswer, 'answer')(found.body)).toBeUndefined();
		const shown = ask(service({}, 0), { endpoint: 'preview', body: {} });
		expect(shown).toMatchObject({ rows: '0-24', total_count: 60 });
		expect(checker(previewAnswer, 'answer')(shown.body)).toBeUndefined();
	});

	test('leaves emails, phones and raw out as it is told', () => {
		const row = ({ body }: { body: object }) =>
			Object.values(body).find((value) => Array.isArray(value)) as object[];
		const work_email = 'info@acme.example';
		expect(row(search(service(), 1, 1))).toMatchObject([{ work_email, raw: {} }]);
		const less = { include_emails: false, _include_raw: false };
		const [lead] = row(search(service(), 1, 1, less));
		expect(lead).toMatchObject({ work_email: null });
		expect(lead).not.toHaveProperty('raw');
		expect(row(lookUp(service(), [1], { includeWorkEmails: false }))).toMatchObject([
			{ work_email: null, has_email: false },
		]);
		expect(row(preview(service(), 1, 1))).toMatchObject([{ work_email: 'i***@acme.example' }]);
	});

	test('has no preview of the email status', () => {
		const seen: unknown[] = [];
		const asked = { ...service(), leads: (filters: object) => numberedRows(seen.push(filters)) };
		for (const endpoint of ['preview', 'search'] as const)
			answer(asked, { endpoint, body: { email_status: 'verified' } });
		expect(seen).toEqual([{ email_status: 'all' }, { email_status: 'verified' }]);
	});
});

type Asked = [page: number, size: number];
/** Page and size asked for in a search, and what comes. */
const searches: Array<[string, Partial<Readings>, Asked, object]> = [
	['cuts pages', { pageSize: 30 }, [2, 50], { rows: '30-59', per_page: 30, page: 2 }],
	['cuts no smaller one', { pageSize: 30 }, [2, 20], { rows: '20-39', per_page: 20 }],
	['echoes', { pageSize: 30, perPage: 'asked' }, [1, 50], { rows: '0-29', per_page: 50 }],
	['counts', { perPage: 'rowsOnLastPage' }, [2, 50], { rows: '50-59', per_page: 10 }],
	['counts only rows', { perPage: 'rowsOnLastPage' }, [4, 25], { per_page: 25, count: 0 }],
	['counts no full page', { perPage: 'rowsOnLastPage' }, [1, 50], { per_page: 50 }],
	...([400, 413, 422] as const).map((status): (typeof searches)[number] => [
		`refuses with ${status}`,
		{ pageSize: 30, tooLarge: status },
		[1, 31],
		{ status, rows: '' },
	]),
	['refuses no smaller one', { pageSize: 30, tooLarge: 400 }, [1, 30], { status: 200 }],
	['is honest at a full last page', {}, [1, 60], { has_more: false, next_page: null }],
	['is not', { hasMore: 'fullPage' }, [1, 60], { has_more: true, next_page: 2 }],
	['has an end', { hasMore: 'fullPage' }, [2, 50], { has_more: false }],
	['lacks a page after the last', { afterLast: 404 }, [3, 30], { status: 404 }],
	['has the last', { afterLast: 404 }, [2, 30], { status: 200, rows: '30-59' }],
	['has it again', { afterLast: 'lastPage' }, [9, 50], { rows: '50-59', page: 2 }],
	['names it', { afterLast: 'lastPage', missing: ['page'] }, [9, 50], { page: 2 }],
	['stops', { refusesFrom: { row: 40, status: 422 } }, [3, 20], { status: 422, rows: '' }],
	['says so', { hasMore: 'fullPage', maxResults: 'totalCount' }, [1, 60], { has_more: true }],
	['stops later', { refusesFrom: { row: 40, status: 422 } }, [2, 30], { rows: '30-59' }],
];
test.each(searches)('a service that %s: %j asked for %j', (_, readings, [page, size], expected) => {
	expect(search(service(readings), page, size)).toMatchObject(expected);
});

test('max_results caps the rows, or only total_count', () => {
	const asked = { max_results: 20 };
	const capped = { rows: '0-19', total_count: 20, has_more: false };
	expect(search(service(), 1, 50, asked)).toMatchObject(capped);
	const full = service({ hasMore: 'fullPage' });
	expect(search(full, 1, 20, asked)).toMatchObject(capped);
	expect(lookUp(service(), [1, 2, 3], { max_results: 2 })).toMatchObject({ total_count: 2 });
	const uncapped = service({ maxResults: 'totalCount' });
	const whole = { rows: '0-49', total_count: 20, has_more: true };
	expect(search(uncapped, 1, 50, asked)).toMatchObject(whole);
	const three = { count: 3, total_count: 2 };
	expect(lookUp(uncapped, [1, 2, 3], { max_results: 2 })).toMatchObject(three);
});

test('an empty list has one page', () => {
	const [nobody, gone] = [service({ afterLast: 404 }, 9, {}, 0), { status: 404 }];
	expect(search(nobody, 1, 1)).toMatchObject({ status: 200, count: 0 });
	expect(search(nobody, 2, 1)).toMatchObject(gone);
	expect(lookUp(nobody, [1])).toMatchObject({ status: 200, count: 0 });
	const far = service({ refusesFrom: { row: 1, status: 404 } });
	expect(search(far, 2, 1)).toMatchObject(gone);
	expect(lookUp(far, [1, 2], { _page: 2, _per_page: 1 })).toMatchObject({ rows: '2' });
});

describe('a balance below the rows', () => {
	const cut = { rows: '0-2', count: 3, has_more: false, total_count: 3 };
	test('gives fewer', () => {
		for (const zeroBalance of ['refusesAll', 'refusesRows', 'emptyPage'] as const)
			expect(search(service({ zeroBalance }, 3), 1, 25)).toMatchObject({
				...cut,
				per_page: 25,
			});
		expect(lookUp(service({}, 3), [0, 1, 2, 3])).toMatchObject(cut);
	});
	test('or a lookup is refused, and a search is not', () => {
		const refusing = { lowBalance: 'lookUpRefused' } as const;
		expect(lookUp(service(refusing, 3), [0, 1, 2, 3])).toMatchObject({ status: 402, rows: '' });
		expect(lookUp(service(refusing, 3), [0, 1, 2])).toMatchObject({ rows: '0-2' });
		expect(search(service(refusing, 3), 1, 25)).toMatchObject(cut);
	});
});

describe('a balance of zero', () => {
	test.each([
		['refusesAll', { status: 402 }, { status: 402 }],
		['refusesRows', { status: 402 }, { status: 200, has_more: false }],
		['emptyPage', { status: 200, count: 0, has_more: true }, { status: 200, has_more: false }],
	] as const)('%s: where rows are, and where none is', (zeroBalance, rows, none) => {
		const poor = service({ zeroBalance, missing: ['has_more'] }, 0);
		expect(search(poor, 1, 25)).toMatchObject(rows);
		expect(lookUp(poor, [1])).toMatchObject(rows);
		const named = service({ zeroBalance }, 0);
		expect(search(named, 61, 1)).toMatchObject(none);
		expect(lookUp(named, [60])).toMatchObject(none);
	});
});

describe('rows and fields', () => {
	test('may be missing', () => {
		const missing: Readings['missing'] = ['page', 'per_page', 'has_more', 'next_page'];
		const { body } = search(service({ missing }), 1, 2);
		for (const field of missing) expect(body).not.toHaveProperty(field);
		expect(body).toMatchObject({ count: 2, preview_data: [{}, {}] });
	});

	test.each(['preview_data', 'data'] as const)('stand under %s', (rowsAt) => {
		expect(search(service({ rowsAt }), 1, 2).body).toMatchObject({ [rowsAt]: [{}, {}] });
		expect(lookUp(service({ rowsAt }), [1, 2]).body).toMatchObject({ [rowsAt]: [{}, {}] });
	});

	test('are all there is', () => {
		const bare = service({ rowsAt: 'bareArray', afterLast: 'lastPage' });
		expect(search(bare, 1, 2).body).toMatchObject([{}, {}]);
		expect(search(bare, 2, 60).body).toMatchObject({ page: 1, preview_data: { length: 60 } });
	});

	test('are null or missing where there are none', () => {
		expect(search(service({ noRows: 'null' }), 2, 60).body).toHaveProperty('preview_data', null);
		expect(search(service({ noRows: 'missing' }), 2, 60).body).not.toHaveProperty('preview_data');
		for (const noRows of ['null', 'missing'] as const)
			expect(search(service({ noRows }), 1, 1).body.preview_data).toHaveLength(1);
	});
});

describe('a lookup', () => {
	const ids = [60, 61, 1, 2, 3];
	test('counts the rows found in pages', () => {
		const rows = service({ pageSize: 2 });
		expect(lookUp(rows, ids)).toMatchObject({ rows: '1 2', has_more: true, total_count: 3 });
	});

	test('or counts URLs', () => {
		const urls = service({ pageSize: 2, lookUpPages: 'urls' });
		const first = { rows: '', has_more: true, next_page: 2, total_count: 5 };
		expect(lookUp(urls, ids)).toMatchObject(first);
		expect(lookUp(urls, ids, { _page: 2 })).toMatchObject({ rows: '1 2', has_more: true });
	});

	test('renames profiles, has no URL for them, or has two rows', () => {
		const profiles = { renamedEvery: 3, withoutUrlEvery: 4, twiceEvery: 5 };
		const odd = service({ profiles });
		const { rows, body } = lookUp(odd, [2, 3, 4, 5], { max_results: 9 });
		const found = [urlOf(2), `${urlOf(3)}-renamed`, undefined, urlOf(5), urlOf(5)];
		const shown = body.data as Array<{ linkedin_url?: string }>;
		expect(shown.map(({ linkedin_url }) => linkedin_url)).toEqual(found);
		expect(rows).toBe('2 3 4 5 -6');
		const linkedinUrls = [`${urlOf(3)}-renamed`, `${urlOf(2)}-renamed`];
		const again = ask(odd, { endpoint: 'lookUp', body: { linkedinUrls } });
		expect(again).toMatchObject({ rows: '3' });
	});

	test('has its rows in the order of the caller', () => {
		const turned = { ...service(), order: <T>(rows: T[]) => [...rows].reverse() };
		expect(lookUp(turned, ids)).toMatchObject({ rows: '3 2 1' });
	});
});

describe('a preview', () => {
	test('may hold so many rows', () => {
		const small = service({ preview: { most: 30 }, maxResults: 'totalCount' });
		expect(preview(small, 2, 25)).toMatchObject({ rows: '25-29', total_count: 30 });
		expect(search(small, 2, 25)).toMatchObject({ rows: '25-49' });
		expect(small.charged).toHaveLength(25);
	});

	test('may mask its rows, so that they look alike, and have them anywhere', () => {
		const masked = { preview: { masks: 'allButUrl', rowsAt: 'leads' } } as const;
		const alike = { first_name: '***', last_name: '***', full_name: '***', work_email: null };
		expect(preview(service(masked), 1, 2).body.leads).toEqual([
			{ ...alike, linkedin_url: urlOf(0) },
			{ ...alike, linkedin_url: urlOf(1) },
		]);
		expect(search(service(masked), 1, 2).body).toHaveProperty('preview_data');
		const all = service({ preview: { masks: 'all' } });
		expect(preview(all, 1, 2).body.preview_data).toEqual([alike, alike]);
	});
});

test('whatever is read, a page costs its rows, and no more than there is', () => {
	const readings = fc.record(
		{
			pageSize: fc.constantFrom(25, 40),
			hasMore: fc.constant('fullPage' as const),
			lowBalance: fc.constant('lookUpRefused' as const),
			zeroBalance: fc.constantFrom('refusesAll' as const, 'emptyPage' as const),
			maxResults: fc.constant('totalCount' as const),
			afterLast: fc.constantFrom('lastPage' as const, 404 as const),
			lookUpPages: fc.constant('urls' as const),
			profiles: fc.constant({ twiceEvery: 2, renamedEvery: 3 }),
		},
		{ requiredKeys: [] },
	);
	const page = fc.integer({ min: 1, max: 4 });
	const size = fc.integer({ min: 1, max: 50 });
	fc.assert(
		fc.property(readings, fc.nat(80), page, size, (read, credits, _page, _per_page) => {
			const asked = service(read, credits);
			const given = [
				search(asked, _page, _per_page),
				lookUp(asked, [1, 2, 3, 61, 4, 5, 6], { _page, _per_page }),
			].map(({ body: { count = 0 } }) => Number(count));
			const rows = given.reduce((sum, count) => sum + count, 0);
			expect(asked).toMatchObject({ credits: credits - rows, charged: { length: rows } });
			expect(asked.credits).toBeGreaterThanOrEqual(0);
		}),
		{ numRuns: 300 },
	);
});
