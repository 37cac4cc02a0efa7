/** Which page is asked for next, by example. The same for all runs: pagingProperties.test.ts. */
import {
	largestPage,
	nextStep,
	startWalk,
	takeAnswer,
	withHalfPages,
	withSurePages,
	type PageAsk,
	type Progress,
	type Walk,
} from '../../nodes/LeadSearch/service/paging';
import { plainService, range, type Wish } from './serviceModel';
import { answerWith, pagesOf, walkThrough } from './walking';

const wish = (fields: Partial<Wish>): Wish => ({
	skip: 0,
	rows: Infinity,
	pageSize: 1_000,
	budget: Infinity,
	...fields,
});

/** A walk that has passed some rows already, and the request that follows. */
function midway(passed: number, pageSize: number, until = 10_000): { walk: Walk; ask: PageAsk } {
	const walk = startWalk({
		surePageSize: 25,
		skip: passed,
		rows: until - passed,
		pageSize,
		prove: true,
	});
	const step = nextStep(walk, Infinity);
	if (!('ask' in step)) throw new Error(`nothing to ask for: ${JSON.stringify(step)}`);
	return { walk, ask: step.ask };
}

describe('Promise 1: never overspend', () => {
	test('Limit 1,009 with Page Size 1,000 is asked for as 1,000 + 8 + 1 rows', () => {
		const { asks, received, end } = walkThrough({ ...plainService }, wish({ rows: 1_009 }));
		expect(pagesOf(asks)).toEqual(['page 1 of 1000', 'page 126 of 8', 'page 1009 of 1']);
		expect(received).toEqual(range(1, 1_009));
		expect(end).toBe('limit');
	});

	test('a Limit below the page size is asked for in one page of that size', () => {
		const { asks, charged } = walkThrough({ ...plainService }, wish({ rows: 50 }));
		expect(pagesOf(asks)).toEqual(['page 1 of 50']);
		expect(charged).toBe(50);
	});

	test('a Credit Budget below the Limit is spent to the last credit and not beyond', () => {
		const { asks, charged, end } = walkThrough(
			{ ...plainService },
			wish({ rows: 5_000, budget: 1_300 }),
		);
		expect(pagesOf(asks)).toEqual(['page 1 of 1000', 'page 5 of 250', 'page 26 of 50']);
		expect({ charged, end }).toEqual({ charged: 1_300, end: 'budget' });
	});

	test('a service that ignores max_results costs no more than Limit', () => {
		const { received, charged } = walkThrough(
			{ ...plainService, heedsMaxResults: false },
			wish({ rows: 130, pageSize: 40 }),
		);
		expect(received).toEqual(range(1, 130));
		expect(charged).toBe(130);
	});

	test('Skip is asked around: no row before it is paid for', () => {
		const { asks, received } = walkThrough(
			{ ...plainService },
			wish({ skip: 1_500, rows: 500 }),
		);
		expect(pagesOf(asks)).toEqual(['page 4 of 500']);
		expect(received).toEqual(range(1_501, 2_000));
	});

	test('nothing is asked for without a credit left, or with nothing wanted', () => {
		const walk = startWalk({ surePageSize: 25, skip: 0, rows: 10, pageSize: 10, prove: true });
		expect(nextStep(walk, 0)).toEqual({ end: 'budget' });
		const none = startWalk({ surePageSize: 25, skip: 5, rows: 0, pageSize: 10, prove: true });
		expect(nextStep(none, 10)).toEqual({ end: 'limit' });
	});

	test('row 100,000 is the last one asked for; that it was reached is told apart', () => {
		const { asks, received, end } = walkThrough(
			{ ...plainService },
			wish({ skip: 99_500, rows: 2_000 }),
		);
		expect(pagesOf(asks)).toEqual(['page 200 of 500']);
		expect(received.at(-1)).toBe(100_000);
		expect(end).toBe('ceiling');
	});
});

describe('Promise 3: never pass off a cut result as whole', () => {
	test('a low balance: the short page, then exactly the next row, which gives 402', () => {
		const { asks, received, end } = walkThrough(
			{ ...plainService, balance: 30 },
			wish({ rows: 100, pageSize: 100 }),
		);
		expect(pagesOf(asks)).toEqual(['page 1 of 100', 'page 31 of 1']);
		expect(received).toEqual(range(1, 30));
		expect(end).toBe('402');
	});

	test('the real end: the short page, then exactly the next row, which is not there', () => {
		const { asks, end } = walkThrough(
			{ ...plainService, rows: 30 },
			wish({ rows: 100, pageSize: 100 }),
		);
		expect(pagesOf(asks)).toEqual(['page 1 of 100', 'page 31 of 1']);
		expect(end).toBe('endOfList');
	});

	test('an empty page is no proof either, unless it was the one row', () => {
		const { asks, end } = walkThrough(
			{ ...plainService, rows: 200 },
			wish({ rows: 300, pageSize: 100 }),
		);
		expect(pagesOf(asks)).toEqual([
			'page 1 of 100',
			'page 2 of 100',
			'page 3 of 100',
			'page 201 of 1',
		]);
		expect(end).toBe('endOfList');
	});

	test('when the next row does come, the list goes on with pages as small as the short one', () => {
		const { walk, ask } = midway(0, 1_000);
		const short = takeAnswer(walk, ask, answerWith(30, { perPage: 1_000, hasMore: false }));
		const probe = nextStep(short.walk, Infinity);
		expect(probe).toEqual({ ask: { page: 31, size: 1, after: 30 } });
		const came = takeAnswer(
			short.walk,
			{ page: 31, size: 1, after: 30 },
			answerWith(1, { perPage: 1, hasMore: true, nextPage: 32 }, 31),
		);
		expect(came.walk).toMatchObject({ passed: 31, pageSize: 30, ended: false });
		expect(came.walk.doubt).toBeUndefined();
	});

	test('has_more false on a full page is the end, and is taken without a further request', () => {
		const { walk, ask } = midway(0, 100);
		const progress = takeAnswer(
			walk,
			ask,
			answerWith(100, { page: 1, perPage: 100, hasMore: false, nextPage: null }),
		);
		expect(nextStep(progress.walk, Infinity)).toEqual({ end: 'endOfList' });
	});

	test('no request is spent on proof once every wanted row is in', () => {
		const { asks, end } = walkThrough({ ...plainService, rows: 50 }, wish({ rows: 50 }));
		expect(asks).toHaveLength(1);
		expect(end).toBe('limit');
	});

	test('a preview costs nothing, so its short page is simply the last', () => {
		const { asks, end } = walkThrough(
			{ ...plainService, rows: 30 },
			wish({ rows: 100, pageSize: 100 }),
			{ prove: false },
		);
		expect(pagesOf(asks)).toEqual(['page 1 of 100']);
		expect(end).toBe('endOfList');
	});

	test('a preview follows the announced page after a short one', () => {
		const walk = startWalk({
			surePageSize: 25,
			skip: 0,
			rows: 300,
			pageSize: 100,
			prove: false,
		});
		const ask = { page: 1, size: 100, after: 0 };
		const progress = takeAnswer(
			walk,
			ask,
			answerWith(90, { perPage: 100, hasMore: true, nextPage: 2 }),
		);
		expect(nextStep(progress.walk, Infinity)).toEqual({
			ask: { page: 2, size: 100, after: 100 },
		});
	});
});

describe("Promise 7: the service's word counts", () => {
	test('a page size clamped on page 1 is the page size from then on; no row comes twice', () => {
		const { asks, received, repeated } = walkThrough(
			{ ...plainService, mostPerPage: 100 },
			wish({ rows: 250 }),
		);
		expect(pagesOf(asks)).toEqual(['page 1 of 250', 'page 2 of 100', 'page 5 of 50']);
		expect(received).toEqual(range(1, 250));
		expect(repeated).toBe(0);
	});

	test('a page size clamped behind Skip moves the page; rows before Skip are told and count', () => {
		const { asks, received, repeated, charged } = walkThrough(
			{ ...plainService, mostPerPage: 100 },
			wish({ skip: 1_500, rows: 500 }),
		);
		expect(pagesOf(asks).slice(0, 2)).toEqual(['page 4 of 500', 'page 16 of 100']);
		expect(received).toEqual(range(1_501, 1_900));
		expect({ repeated, charged }).toEqual({ repeated: 100, charged: 500 });
	});

	test('in a preview they cost nothing, so Limit is reached all the same', () => {
		const { received } = walkThrough(
			{ ...plainService, mostPerPage: 100 },
			wish({ skip: 1_500, rows: 500 }),
			{ prove: false },
		);
		expect(received).toEqual(range(1_501, 2_000));
	});

	test('a clamp that appears mid-way repeats rows that are reported, and loses none', () => {
		const { walk, ask } = midway(1_000, 1_000);
		expect(ask).toEqual({ page: 2, size: 1_000, after: 1_000 });
		const progress = takeAnswer(
			walk,
			ask,
			answerWith(600, { page: 2, perPage: 600, hasMore: true, nextPage: 3 }, 601),
		);
		// Rows 601 to 1,200: the first 400 were in already.
		expect(progress.firstNewRow).toBe(400);
		expect(progress.walk).toMatchObject({ passed: 1_200, pageSize: 600 });
		expect(progress.misfit).toBeUndefined();
	});

	test('a service that says neither page nor per_page is taken at what was asked', () => {
		const { walk, ask } = midway(200, 100);
		const progress = takeAnswer(walk, ask, answerWith(100, { hasMore: true }, 201));
		expect(progress).toMatchObject({ firstNewRow: 0, walk: { passed: 300, pageSize: 100 } });
	});

	test('a silent clamp shows in a short page with more to follow', () => {
		const { asks, received, end } = walkThrough(
			{
				...plainService,
				rows: 110,
				mostPerPage: 40,
				tellsPerPage: false,
				hasMoreBy: 'rowsThatFollow',
			},
			wish({}),
		);
		expect(pagesOf(asks).slice(0, 3)).toEqual([
			'page 1 of 1000',
			'page 2 of 40',
			'page 3 of 40',
		]);
		expect(received).toEqual(range(1, 110));
		expect(end).toBe('endOfList');
	});

	test('a next_page that jumps is followed', () => {
		const { walk, ask } = midway(0, 100);
		const progress = takeAnswer(
			walk,
			ask,
			answerWith(100, { page: 1, perPage: 100, hasMore: true, nextPage: 4 }),
		);
		expect(nextStep(progress.walk, Infinity)).toEqual({
			ask: { page: 4, size: 100, after: 300 },
		});
	});

	test('a next_page beyond anything that is wanted ends in a complaint', () => {
		const { walk, ask } = midway(0, 100);
		const progress = takeAnswer(
			walk,
			ask,
			answerWith(100, { hasMore: true, nextPage: Number.MAX_SAFE_INTEGER }),
		);
		expect(progress.misfit).toContain(`page ${Number.MAX_SAFE_INTEGER}`);
		expect(progress.walk.passed).toBe(100);
	});

	test.each([
		['stays', 3],
		['goes backwards', 1],
	])('a next_page that %s ends in a complaint, not in a loop; its rows count', (_, nextPage) => {
		const { walk, ask } = midway(200, 100);
		const progress = takeAnswer(
			walk,
			ask,
			answerWith(100, { page: 3, perPage: 100, hasMore: true, nextPage }, 201),
		);
		expect(progress.misfit).toContain(`page ${nextPage}`);
		expect(progress).toMatchObject({ firstNewRow: 0, walk: { passed: 300 } });
	});

	test('a next_page that stays on the last page, with has_more false, is no contradiction', () => {
		const { walk, ask } = midway(200, 100);
		const progress = takeAnswer(
			walk,
			ask,
			answerWith(100, { page: 3, perPage: 100, hasMore: false, nextPage: 3 }, 201),
		);
		expect(progress.misfit).toBeUndefined();
		expect(progress.walk.ended).toBe(true);
	});

	test('a service that answers page 1 whatever is asked ends in a complaint', () => {
		const { walk, ask } = midway(100, 100);
		const progress = takeAnswer(
			walk,
			ask,
			answerWith(100, { page: 1, perPage: 100, hasMore: true, nextPage: 2 }),
		);
		expect(progress.misfit).toBe('it answered with page 1 again');
		expect(progress.firstNewRow).toBe(100);
	});

	test('empty pages that announce another one are not followed for ever', () => {
		const { walk, ask } = midway(100, 100);
		const empty = takeAnswer(walk, ask, answerWith(0, { hasMore: true, nextPage: 3 }));
		const proof = nextStep(empty.walk, Infinity);
		expect(proof).toEqual({ ask: { page: 101, size: 1, after: 100 } });
		const still = takeAnswer(
			empty.walk,
			{ page: 101, size: 1, after: 100 },
			answerWith(0, { hasMore: true, nextPage: 102 }),
		);
		expect(nextStep(still.walk, Infinity)).toEqual({ end: 'endOfList' });
	});

	test('rows from further on than asked end in a complaint that names both', () => {
		const { walk, ask } = midway(100, 100);
		const progress: Progress = takeAnswer(
			walk,
			ask,
			answerWith(100, { page: 5, perPage: 100, hasMore: true, nextPage: 6 }, 401),
		);
		expect(progress.misfit).toContain('rows 401 to 500');
		expect(progress.misfit).toContain('row 101');
		// They are paid for: all are handed on, and count as those that were asked for.
		expect(progress).toMatchObject({
			firstNewRow: 0,
			walk: { passed: 200, rowsLeft: walk.rowsLeft - 100 },
		});
	});
});

describe('Pages and their borders', () => {
	test.each([
		[0, 1_000, 1_000],
		[1_000, 9, 8],
		[1_008, 1, 1],
		[1_009, 1_000, 1],
		[1_500, 1_000, 750],
		[997, 1_000, 997],
	])('after row %i, the largest page up to %i rows has %i', (passed, most, size) => {
		expect(largestPage(passed, most)).toBe(size);
	});

	test('pages are halved down to the documented size, and small ones left alone', () => {
		const walk = startWalk({
			surePageSize: 25,
			skip: 0,
			rows: 1_000,
			pageSize: 201,
			prove: true,
		});
		const halved = (size: number) => withHalfPages(walk, { page: 1, size, after: 0 }).pageSize;
		expect([201, 51, 40, 26, 25, 1].map(halved)).toEqual([100, 25, 25, 25, 201, 201]);
		expect(withSurePages(walk).pageSize).toBe(25);
	});
});
