/** Which rows of a list a response holds, by what it says of itself and by what came before. */
import type { Json, Page } from '../../nodes/LeadSearch/api/contract';
import { ListRows } from '../../nodes/LeadSearch/api/listRows';
import { pageOf, type PageRequest } from '../../nodes/LeadSearch/api/pageRequest';
import { placeRows, type KnownOfList } from '../../nodes/LeadSearch/api/placement';
import { numbered } from './listService';

function rowsFrom(first: number, last: number): Json[] {
	return numbered(first, last).map((number) => ({ number }));
}

interface Before extends Partial<Omit<KnownOfList, 'rows' | 'isProven'>> {
	/** First and last number of rows that came together and stand at their own places. */
	held?: Array<[first: number, last: number]>;
	/** Page sizes that are known to be served. */
	proven?: number[];
}

/** Places a response to a request of a page, after what came before. */
function place(
	request: PageRequest,
	page: Page,
	{ held = [], proven = [], pagesWithRows = 2, costsCredits = true }: Before = {},
) {
	const rows = new ListRows();
	for (const [first, last] of held) rows.add(first - 1, rowsFrom(first, last));
	const isProven = (size: number) => proven.includes(size);
	return placeRows(request, page, { rows, pagesWithRows, costsCredits, isProven });
}

const third = pageOf(200, 100);
const two: Before = { held: [[1, 200]] };

test('No row has no other place than the one requested', () => {
	expect(place(third, { rows: [], page: 1, perPage: 7 })).toEqual({ offset: 200 });
});

test('Rows stand where they were requested, where nothing says otherwise', () => {
	const placed = { offset: 200 };
	expect(place(third, { rows: rowsFrom(201, 300) }, two)).toEqual(placed);
	expect(place(third, { rows: rowsFrom(201, 300), page: 3, perPage: 100 }, two)).toEqual(placed);
});

describe('An end probe', () => {
	const probe = pageOf(30, 1, { isEndProbe: true });
	const held: Before['held'] = [
		[1, 10],
		[11, 30],
	];

	test('that is answered with the last row again shows the end', () => {
		expect(place(probe, { rows: rowsFrom(30, 30) }, { held })).toEqual({
			offset: 30,
			isRepeated: true,
			isEnd: true,
		});
	});

	test('that is answered with the first row shows the end where the page number counts', () => {
		const first = { rows: rowsFrom(1, 1) };
		expect(place(probe, first, { held })).toMatchObject({ isEnd: true });
		expect(place(probe, first, { held, pagesWithRows: 1 })).toEqual({
			offset: 30,
			isRepeated: true,
			misplaced: 'it answered page 31 with rows that had come before',
		});
	});

	test('of a list of one row does not show it by that row', () => {
		const second = pageOf(1, 1, { isEndProbe: true });
		const before: Before = { held: [[1, 1]], pagesWithRows: 1 };
		expect(place(second, { rows: rowsFrom(1, 1) }, before).isEnd).toBeUndefined();
	});

	test('is the only request that shows it so', () => {
		const page = pageOf(30, 1);
		for (const number of [1, 30]) {
			const placed = place(page, { rows: rowsFrom(number, number) }, { held });
			expect(placed).toMatchObject({ isRepeated: true });
			expect(placed.misplaced).toBeDefined();
			expect(placed.isEnd).toBeUndefined();
		}
	});
});

describe('Rows of a page that the service names', () => {
	const ofFifty: Page = { rows: rowsFrom(101, 150), page: 3, perPage: 50 };

	test('stand there where they are those that came before', () => {
		expect(place(third, ofFifty, two)).toEqual({ offset: 100, isMoved: true });
	});

	test('do not where one of them is another', () => {
		const rows = [...rowsFrom(101, 149), { number: 250 }];
		expect(place(third, { ...ofFifty, rows }, two)).toEqual({ offset: 200, isCut: true });
	});

	test('stand further on where nothing has come of that place', () => {
		const page = { rows: rowsFrom(301, 450), page: 3, perPage: 150 };
		expect(place(third, page, two)).toEqual({ offset: 300, isMoved: true });
	});

	test('are not known where another row stands there', () => {
		const page = { rows: rowsFrom(401, 550), page: 3, perPage: 150 };
		const held: Before['held'] = [
			[1, 200],
			[301, 310],
		];
		expect(place(third, page, { held }).misplaced).toBe(
			'it answered with rows 301 to 450 where row 201 was requested',
		);
	});

	test('are not known where the page is another, and holds other rows than came of it', () => {
		const page = { rows: rowsFrom(501, 600), page: 1, perPage: 100 };
		expect(place(third, page, two)).toEqual({
			offset: 200,
			misplaced: 'it answered with rows 1 to 100 where row 201 was requested',
		});
	});

	test('are not known where it is a later page', () => {
		const page = { rows: rowsFrom(401, 500), page: 5, perPage: 100 };
		expect(place(third, page, two).misplaced).toContain('rows 401 to 500');
	});

	test('are those requested where they begin at the same row, whatever number the page has', () => {
		const page = { rows: rowsFrom(201, 250), page: 5, perPage: 50 };
		expect(place(third, page, two)).toEqual({ offset: 200 });
	});

	test('which comes to another place than requested, are not cut off by that alone', () => {
		const page = { rows: [...rowsFrom(151, 170), { number: 1 }], page: 3, perPage: 50 };
		const held: Before['held'] = [[1, 200]];
		expect(place(third, page, { held })).toEqual({ offset: 200, isCut: false });
	});

	test('of an earlier page of the size that was requested stand there', () => {
		const page = { rows: rowsFrom(1, 100), page: 1, perPage: 100, hasMore: false };
		expect(place(pageOf(100, 100), page)).toEqual({ offset: 0, isMoved: true });
	});
});

describe('per_page that equals the number of rows', () => {
	const second = pageOf(100, 100);
	const page: Page = { rows: rowsFrom(101, 140), page: 2, perPage: 40 };

	test.each([
		['on the last page', {}, []],
		['on one that says so', { hasMore: false }, []],
		['where credits cut a size that is known to be served', { hasMore: true }, [100]],
		['the same by the next page', { nextPage: 3 }, [100]],
	])('is a count of them %s', (_, fields, proven) => {
		const placed = place(second, { ...page, ...fields }, { proven });
		expect(placed).toEqual({ offset: 100, isCut: true });
	});

	test.each([
		['more follow', { hasMore: true }],
		['a next page is named', { nextPage: 3 }],
		['both', { hasMore: true, nextPage: 3 }],
	])('is the page size where %s, and the one requested may not be served', (_, fields) => {
		expect(place(second, { ...page, ...fields })).toEqual({ offset: 40, isMoved: true });
	});

	test('and another number is the page size', () => {
		const short = { ...page, rows: rowsFrom(51, 80), perPage: 50, hasMore: false };
		expect(place(second, short)).toEqual({ offset: 50, isMoved: true });
	});
});

describe('A short page without a word on its place', () => {
	const request = pageOf(150, 50);
	const held: Before['held'] = [[1, 150]];

	test.each([2, 10, 49])('of %i rows that came together stands where they do', (count) => {
		const page = { rows: rowsFrom(101, 100 + count) };
		expect(place(request, page, { held })).toEqual({ offset: 100, isMoved: true });
	});

	test('goes on behind the rows that have come', () => {
		const page = { rows: rowsFrom(141, 160) };
		expect(place(request, page, { held })).toEqual({ offset: 140, isMoved: true });
	});

	test('may be the beginning of rows that came together', () => {
		const two: Before['held'] = [
			[1, 100],
			[101, 150],
		];
		const page = { rows: rowsFrom(101, 110) };
		expect(place(request, page, { held: two })).toEqual({ offset: 100, isMoved: true });
	});

	test('stands where requested with one row, which may be another of the same content', () => {
		const page = { rows: rowsFrom(101, 101) };
		expect(place(request, page, { held })).toEqual({ offset: 150 });
	});

	test('stands where requested where only some have come', () => {
		const rows = [{ number: 101 }, { number: 180 }];
		expect(place(request, { rows }, { held })).toEqual({ offset: 150 });
	});

	test('stands where requested where they came of that place', () => {
		const both: Before['held'] = [...held, [151, 160]];
		const page = { rows: rowsFrom(151, 160) };
		expect(place(request, page, { held: both })).toEqual({ offset: 150 });
	});

	test('stands where requested in a preview, which nobody pays for', () => {
		const page = { rows: rowsFrom(101, 110) };
		expect(place(request, page, { held, costsCredits: false })).toEqual({ offset: 150 });
	});
});

describe('A full page of rows that came before', () => {
	const held: Before['held'] = [
		[1, 100],
		[101, 300],
	];

	test.each([
		['the first rows of the list', 1, 100],
		['the first rows of the page before', 101, 200],
		['the last rows of the page before', 201, 300],
	])('is known by %s', (_, first, last) => {
		expect(place(pageOf(300, 100), { rows: rowsFrom(first, last) }, { held })).toEqual({
			offset: 300,
			isRepeated: true,
			misplaced: 'it answered page 4 with rows that had come before',
		});
	});

	test.each([1, 101, 201])('is not known by rows from %i on where one differs', (first) => {
		const rows = [...rowsFrom(first, first + 98), { number: 301 }];
		expect(place(pageOf(300, 100), { rows }, { held })).toEqual({ offset: 300 });
	});
});
