/** Which page of a list is requested next, by example. For all lists: pagination.property.test.ts. */
import type { Page } from '../../nodes/LeadSearch/api/contract';
import type { Failure } from '../../nodes/LeadSearch/api/failures';
import { ListRows, type ListSnapshot } from '../../nodes/LeadSearch/api/listRows';
import { ListPagination } from '../../nodes/LeadSearch/api/listPagination';
import { largestPageSize, type PageRequest } from '../../nodes/LeadSearch/api/pageRequest';
import {
	fetchList,
	isProbe,
	numbered,
	pagesOf,
	plainList,
	wish,
	type ListService,
} from './listService';

/** A page that holds rows from a number on. */
function pageOf(first: number, last: number, fields: Partial<Page> = {}): Page {
	return { rows: numbered(first, last).map((number) => ({ number })), ...fields };
}

interface Setup {
	isFree?: boolean;
	isReturnAll?: boolean;
	kept?: ListSnapshot;
	/** Rows before those that are wanted. */
	skip?: number;
}

/** A paid list whose pages are answered by hand. */
function paginate(
	pageSize: number,
	limit = 10_000,
	{ isFree = false, isReturnAll = false, kept, skip = 0 }: Setup = {},
) {
	const rows = new ListRows(kept && [kept]);
	const pagination = new ListPagination({
		wanted: { from: skip, to: skip + limit },
		isReturnAll,
		rows,
		pageSize,
		documentedPageSize: 25,
		costsCredits: !isFree,
		shape: (row) => row,
	});
	const request = (inFlight: PageRequest[] = []) => {
		const step = pagination.next(Infinity, inFlight);
		if (!('request' in step)) throw new Error(JSON.stringify(step));
		return step.request;
	};
	return {
		rows,
		pagination,
		/** The next request. */
		request,
		/** The next step, with so many credits left. */
		step: (credits = Infinity, inFlight: PageRequest[] = []) =>
			pagination.next(credits, inFlight),
		/** Answers the next request without rows. */
		answerEmpty: (fields: Omit<Page, 'rows'> = {}) => {
			const sent = request();
			const page = { rows: [], perPage: sent.size, hasMore: false, ...fields };
			return { request: sent, ...pagination.accept(sent, page, []) };
		},
		/** Answers the next request with rows from a number on. @returns what was requested */
		answer: (first: number, last: number, fields: Partial<Page> = {}) => {
			const step = pagination.next(Infinity, []);
			if (!('request' in step)) throw new Error(JSON.stringify(step));
			const { violation } = pagination.accept(step.request, pageOf(first, last, fields), []);
			return { request: step.request, violation };
		},
	};
}

const notFound: Failure = { kind: 'notTheService', status: 404 };

describe('Promise 1: never overspend', () => {
	test('Limit 1,009 with Page Size 1,000 is requested as 1,000 + 8 + 1 rows', async () => {
		const { requests, came, result } = await fetchList(
			{ ...plainList },
			wish({ limit: 1_009 }),
		);
		expect(pagesOf(requests)).toEqual([
			'page 1 of 1000',
			'probe of 1',
			'page 126 of 8',
			'page 1009 of 1',
		]);
		expect(came).toEqual(numbered(1, 1_009));
		expect(result.end).toBe('limit');
	});

	test('a Limit below the page size is requested in one page of that size', async () => {
		const { requests, credits } = await fetchList({ ...plainList }, wish({ limit: 50 }));
		expect(pagesOf(requests)).toEqual(['page 1 of 50']);
		expect(credits.charged).toBe(50);
	});

	test('a Credit Budget below the Limit is spent to the last credit and not beyond', async () => {
		const { requests, credits, result } = await fetchList(
			{ ...plainList },
			wish({ limit: 5_000, budget: 1_300 }),
		);
		expect(pagesOf(requests)).toEqual([
			'page 1 of 1000',
			'probe of 1',
			'page 5 of 250',
			'page 26 of 50',
		]);
		expect(credits.charged).toBe(1_300);
		expect(result.end).toBe('budget');
	});

	test('a service that ignores max_results costs no more than Limit', async () => {
		const { came, credits } = await fetchList(
			{ ...plainList, heedsMaxResults: false },
			wish({ limit: 130, pageSize: 40 }),
		);
		expect(came).toEqual(numbered(1, 130));
		expect(credits.charged).toBe(130);
	});

	test('no row before Skip is paid for', async () => {
		const { requests, came, received } = await fetchList(
			{ ...plainList },
			wish({ skip: 1_500, limit: 500 }),
		);
		// The page size is asked for first, for free: behind Skip it decides which rows come.
		expect(pagesOf(requests)).toEqual(['probe of 500', 'page 4 of 500']);
		expect(came).toEqual(numbered(1_501, 2_000));
		expect(received).toBe(500);
	});

	test('row 100,000 is the last one requested; that it was reached is told apart', async () => {
		const { requests, came, result } = await fetchList(
			{ ...plainList },
			wish({ skip: 99_500, limit: 2_000 }),
		);
		expect(pagesOf(requests).at(-1)).toBe('page 200 of 500');
		expect(came.at(-1)).toBe(100_000);
		expect(result.end).toBe('maxResults');
	});

	test('what came before is not requested again, only the gap and the rest', async () => {
		const held = [
			{ from: 0, to: 100 },
			{ from: 150, to: 200 },
		];
		const { requests, came, received } = await fetchList(
			{ ...plainList },
			wish({ limit: 250, pageSize: 50, held }),
		);
		expect(pagesOf(requests.filter((request) => !isProbe(request)))).toEqual([
			'page 3 of 50',
			'page 5 of 50',
		]);
		expect(came).toEqual(numbered(1, 250));
		expect(received).toBe(100);
	});
});

describe('Promise 3: never pass off a cut result as whole', () => {
	test('a low balance: the short page, then exactly the next row, which gives 402', async () => {
		const { requests, came, result } = await fetchList(
			{ ...plainList, balance: 30 },
			wish({ limit: 100 }),
		);
		expect(pagesOf(requests)).toEqual(['page 1 of 100', 'page 31 of 1']);
		expect(came).toEqual(numbered(1, 30));
		expect(result.failure?.kind).toBe('noCredits');
	});

	test('the real end: the short page, then exactly the next row, which is not there', async () => {
		const { requests, result, missing } = await fetchList(
			{ ...plainList, rows: 30 },
			wish({ limit: 100 }),
		);
		expect(pagesOf(requests)).toEqual(['page 1 of 100', 'page 31 of 1']);
		expect(result.end).toBe('endOfList');
		expect(missing).toEqual([]);
	});

	test('a full page with has_more false is no proof: a balance of zero says so, too', async () => {
		const broke = { ...plainList, balance: 100, deniesMoreAtZero: true };
		const { requests, result } = await fetchList(broke, wish({ limit: 300, pageSize: 100 }));
		expect(pagesOf(requests)).toEqual(['page 1 of 100', 'page 101 of 1']);
		expect(result.failure?.kind).toBe('noCredits');
	});

	test('an empty page is no proof either, unless it was the one row', async () => {
		const { requests, result } = await fetchList(
			{ ...plainList, rows: 200 },
			wish({ limit: 300, pageSize: 100 }),
		);
		expect(pagesOf(requests).slice(2)).toEqual(['page 3 of 100', 'page 201 of 1']);
		expect(result.end).toBe('endOfList');
	});

	test('a count of the rows that the balance was enough for is no page size of a page in flight', () => {
		const { answer, pagination, rows } = paginate(100);
		const requestBeside = (inFlight: PageRequest[]) => {
			const step = pagination.next(Infinity, inFlight);
			if (!('request' in step)) throw new Error(JSON.stringify(step));
			return step.request;
		};
		answer(1, 100, { perPage: 100, hasMore: true });
		const second = requestBeside([]);
		const probe = requestBeside([second]);
		pagination.accept(probe, { rows: [] }, [second]);
		pagination.accept(second, pageOf(101, 200, { perPage: 100, hasMore: true }), []);
		const third = requestBeside([]);
		const fourth = requestBeside([third]);
		expect(fourth).toMatchObject({ page: 4, size: 100 });
		// Page 2 of 75 rows would begin at row 226, of which nothing has come.
		pagination.accept(fourth, pageOf(301, 375, { page: 4, perPage: 75, hasMore: true }), [
			third,
		]);
		expect(rows.at(300)).toEqual({ number: 301 });
		expect(rows.at(225)).toBeUndefined();
	});

	test('when the next row does come, the list goes on in pages as small as the short one', () => {
		const { answer, pagination } = paginate(1_000);
		answer(1, 30, { perPage: 1_000, hasMore: false });
		const { request } = answer(31, 31, { perPage: 1, hasMore: true, nextPage: 32 });
		expect(request).toMatchObject({ page: 31, size: 1, isEndProbe: true });
		const next = pagination.next(Infinity, []);
		expect('request' in next && next.request.size).toBeLessThanOrEqual(30);
		expect(next).toMatchObject({ request: { offset: 31 } });
	});

	test('no request is spent on proof once every wanted row is in', async () => {
		const { requests, result } = await fetchList(
			{ ...plainList, rows: 50 },
			wish({ limit: 50 }),
		);
		expect(requests).toHaveLength(1);
		expect(result.end).toBe('limit');
	});

	test('a preview costs nothing, so its short page is simply the last', async () => {
		const { requests, result } = await fetchList(
			{ ...plainList, rows: 30 },
			wish({ limit: 100, isFree: true }),
		);
		expect(pagesOf(requests)).toEqual(['page 1 of 100']);
		expect(result.end).toBe('endOfList');
	});

	test('where Skip is no multiple of the only page size, nobody is told that the list has ended', async () => {
		const fixed = { ...plainList, rows: 150, fixedSize: 100 };
		const { result, missing } = await fetchList(fixed, wish({ skip: 50, limit: 25 }));
		expect(result.failure).toMatchObject({ kind: 'protocolViolation' });
		expect(result.failure?.text).toContain('it serves no less than 100 rows a page');
		expect(missing).toEqual(numbered(51, 75));
	});

	test('rows of a fixed page that a low balance cut off stay missing', async () => {
		const fixed = {
			...plainList,
			rows: 100,
			fixedSize: 50,
			balance: 10,
			hasMoreBy: 'rowsThatFollow' as const,
		};
		const { result, missing } = await fetchList(fixed, wish({ limit: 100, pageSize: 10 }));
		// Or it says that the end can't be verified.
		expect(result.end === 'unverifiedEnd' || missing.includes(11)).toBe(true);
	});

	test.each(['requested', 'absent', 'served'] as const)(
		'a service that repeats its last row for the next one has no further row (page %s)',
		async (page) => {
			const repeating = { ...plainList, rows: 30, behindEnd: 'lastPage' as const, page };
			const { came, result, pagination } = await fetchList(repeating, wish({ limit: 100 }));
			expect(came).toEqual(numbered(1, 30));
			expect(result.end).toBe('endOfList');
			expect(pagination.repeatedRows).toBe(1);
		},
	);

	test('a service that has no page behind the end: nobody is told that the list has ended', async () => {
		const { requests, came, result, rows } = await fetchList(
			{ ...plainList, rows: 30, behindEnd: 'notFound' },
			wish({ limit: 100 }),
		);
		expect(pagesOf(requests)).toEqual([
			'page 1 of 100',
			'page 31 of 1',
			'probe of 1',
			'page 31 of 1',
		]);
		expect(came).toEqual(numbered(1, 30));
		expect(result.end).toBe('unverifiedEnd');
		expect(rows.statusBehindEnd).toBe(404);
	});

	test('a service that fails for the next row, but not behind the end, has failed', async () => {
		const { requests, result } = await fetchList(
			{ ...plainList, rows: 30 },
			wish({ limit: 100 }),
			{ fates: ['answered', notFound, 'answered', notFound] },
		);
		expect(pagesOf(requests).slice(1)).toEqual(['page 31 of 1', 'probe of 1', 'page 31 of 1']);
		expect(result.failure).toMatchObject({ kind: 'notTheService', atEndProbe: true });
	});

	test('an empty page that does not name its size is no end where more was to follow', async () => {
		const filled = { ...plainList, rows: 1_000, fixedSize: 25, isEmptyBare: true };
		const { result, missing } = await fetchList(filled, wish({ limit: 60 }));
		expect(result.end).not.toBe('endOfList');
		expect(result.end === 'unverifiedEnd' || missing.length > 0).toBe(true);
	});

	test('nor is one behind Skip, where nothing has come before', async () => {
		const filled = { ...plainList, rows: 300, smallest: 25, isEmptyBare: true };
		const { result } = await fetchList(filled, wish({ skip: 101 }));
		expect(result.end).toBe('unverifiedEnd');
	});

	test('a service that repeats its last page: no lead comes twice from pages in flight', async () => {
		const repeating = {
			...plainList,
			rows: 250,
			behindEnd: 'lastPage' as const,
			page: 'requested' as const,
		};
		const { came, pagination, received } = await fetchList(
			repeating,
			wish({ limit: 1_000, pageSize: 100 }),
			{ parallelPages: 4 },
		);
		expect(came).toEqual(numbered(1, 250));
		expect(pagination.repeatedRows).toBe(received - 250);
	});
});

describe("Promise 7: the service's word counts", () => {
	test('a page size cut on page 1 is the page size from then on; no row comes twice', async () => {
		const { requests, came, received } = await fetchList(
			{ ...plainList, cap: 100 },
			wish({ limit: 250 }),
		);
		expect(pagesOf(requests.filter((request) => !isProbe(request)))).toEqual([
			'page 1 of 250',
			'page 2 of 100',
			'page 5 of 50',
		]);
		expect(came).toEqual(numbered(1, 250));
		expect(received).toBe(250);
	});

	test('behind Skip a page size is asked for before anything is paid', async () => {
		const { requests, came, received } = await fetchList(
			{ ...plainList, cap: 100 },
			wish({ skip: 1_500, limit: 500 }),
		);
		expect(pagesOf(requests).slice(0, 2)).toEqual(['probe of 500', 'page 16 of 100']);
		expect(came).toEqual(numbered(1_501, 2_000));
		expect(received).toBe(500);
	});

	test('a preview that serves smaller pages brings as many as Limit, whatever Skip', async () => {
		const { came } = await fetchList(
			{ ...plainList, cap: 100 },
			wish({ skip: 150, limit: 120, isFree: true }),
		);
		expect(came).toEqual(numbered(151, 270));
	});

	test('a page size cut in silence shows in a short page with more to follow', async () => {
		const { requests, came, result } = await fetchList(
			{ ...plainList, rows: 110, cap: 40, perPage: 'absent', hasMoreBy: 'rowsThatFollow' },
			wish({}),
		);
		expect(pagesOf(requests).slice(0, 2)).toEqual(['page 1 of 1000', 'page 2 of 40']);
		expect(came).toEqual(numbered(1, 110));
		expect(result.end).toBe('endOfList');
	});

	test.each<Failure>([
		{ kind: 'refused', status: 400 },
		{ kind: 'notTheService', status: 404 },
		{ kind: 'serverDown', status: 500 },
	])(
		'a service with no page behind the end ($status) gets the documented page size',
		async (failure) => {
			const { requests, came } = await fetchList(
				{ ...plainList, cap: 100 },
				wish({ limit: 130 }),
				{ fates: ['answered', failure] },
			);
			expect(came).toEqual(numbered(1, 130));
			expect(requests.length).toBeLessThanOrEqual(10);
		},
	);

	test('a question about the page size that gets lost is asked again', async () => {
		const { requests, came, received } = await fetchList(
			{ ...plainList, cap: 4 },
			wish({ limit: 9 }),
			{ fates: ['answered', 'answered', { kind: 'lostResponse' }] },
		);
		expect(pagesOf(requests)).toEqual([
			'page 1 of 9',
			'page 2 of 4',
			'probe of 1',
			'probe of 1',
			'page 9 of 1',
		]);
		expect(came).toEqual(numbered(1, 9));
		expect(received).toBe(9);
	});

	test('a service that never answers for a page behind the end gets the documented page size', async () => {
		const upstreamDown: Failure = { kind: 'upstreamDown', status: 504 };
		const { requests, came } = await fetchList(
			{ ...plainList, cap: 100 },
			wish({ skip: 100, limit: 50 }),
			{ fates: [upstreamDown, upstreamDown], maxRetries: 0 },
		);
		expect(pagesOf(requests).slice(0, 3)).toEqual([
			'probe of 50',
			'probe of 50',
			'page 5 of 25',
		]);
		expect(came).toEqual(numbered(101, 150));
	});

	test('a page size refused with 422 falls back to the documented default', async () => {
		const { requests, waits, result } = await fetchList(
			{ ...plainList, refusesAbove: 30 },
			wish({ limit: 60 }),
		);
		expect(pagesOf(requests)).toEqual([
			'page 1 of 60',
			'page 1 of 25',
			'page 2 of 25',
			'probe of 1',
			'page 6 of 10',
		]);
		expect(waits).toEqual([]);
		expect(result.end).toBe('limit');
	});

	test('a service that serves one page size and refuses it is not asked for ever', async () => {
		const { requests, result } = await fetchList(
			{ ...plainList, rows: 100, fixedSize: 50, refusesAbove: 40 },
			wish({ limit: 100, pageSize: 30 }),
		);
		expect(requests.length).toBeLessThan(20);
		expect(result.failure?.kind).toBe('refused');
	});

	test('a service that refuses a later page of the only size it serves is not asked for ever', async () => {
		const { requests, came, result } = await fetchList(
			{ ...plainList, rows: 500, fixedSize: 50 },
			wish({ limit: 500, pageSize: 30 }),
			{ lasting: { from: 4, fate: { kind: 'refused', status: 400 } } },
		);
		expect(requests.length).toBeLessThan(20);
		expect(came).toEqual(numbered(1, 150));
		expect(result.failure).toMatchObject({ kind: 'refused', status: 400 });
	});

	test.each([
		['a jump', 4, 300],
		['the one after it', 2, 100],
	])('%s of next_page is followed', (_, nextPage, offset) => {
		const { answer, pagination } = paginate(100);
		answer(1, 100, { page: 1, perPage: 100, hasMore: true, nextPage });
		expect(pagination.next(Infinity, [])).toMatchObject({ request: { offset, size: 100 } });
	});

	test('a next_page beyond anything that is wanted ends in a message', () => {
		const { answer } = paginate(100);
		const nextPage = Number.MAX_SAFE_INTEGER;
		expect(answer(1, 100, { hasMore: true, nextPage }).violation).toContain(`page ${nextPage}`);
	});

	test.each([
		['stays', 2],
		['goes backwards', 1],
	])('a next_page that %s ends in a message, not in a loop; its rows count', (_, nextPage) => {
		const { answer, pagination } = paginate(100);
		answer(1, 100, { page: 1, perPage: 100, hasMore: true, nextPage: 2 });
		const { violation } = answer(101, 200, { page: 2, perPage: 100, hasMore: true, nextPage });
		expect(violation).toContain(`page ${nextPage}`);
		expect(pagination.rows).toBe(200);
	});

	test('a service that answers page 1 whatever is requested ends in a message', () => {
		const { answer, pagination } = paginate(100);
		answer(1, 100, { page: 1, perPage: 100, hasMore: true, nextPage: 2 });
		const again = answer(1, 100, { page: 1, perPage: 100, hasMore: true, nextPage: 2 });
		expect(again.violation).toBe('it answered with page 1 again');
		expect(pagination).toMatchObject({ rows: 100, repeatedRows: 100 });
	});

	test('so does one that does not name the page', () => {
		const { answer, pagination } = paginate(100);
		answer(1, 100, { hasMore: true });
		expect(answer(1, 100, { hasMore: true }).violation).toContain('had come before');
		expect(pagination).toMatchObject({ rows: 100, repeatedRows: 100 });
	});

	test('rows from further on than requested end in a message, then and later, and are kept', () => {
		const { answer, pagination, rows } = paginate(100);
		answer(1, 100, { page: 1, perPage: 100, hasMore: true });
		const { violation } = answer(401, 500, { page: 5, perPage: 100, hasMore: true });
		expect(violation).toContain('rows 401 to 500');
		expect(violation).toContain('row 101');
		expect(pagination.rows).toBe(200);
		expect([...rows.of({ from: 0, to: 1_000 })]).toHaveLength(200);
		// A run that goes on from there neither pays again nor takes them for those requested.
		const later = paginate(100, 200, { kept: rows.snapshot(0) });
		expect(later.pagination.next(Infinity, [])).toEqual({
			violation: `${violation}. Set Reuse Paid Results to 0 to ask again`,
		});
	});

	test('rows of a larger page than requested are kept as what the service says they are', () => {
		const { answer, rows, pagination } = paginate(100, 200);
		answer(1, 100, { page: 1, perPage: 100, hasMore: true });
		answer(151, 200, { page: 2, perPage: 150 });
		expect(rows.at(150)).toEqual({ number: 151 });
		expect(rows.at(100)).toBeUndefined();
		expect(pagination.missing()).toEqual([{ from: 100, to: 150 }]);
	});

	test('a page behind the last one that is answered with the last one ends the list', async () => {
		const { came, result, rows, credits } = await fetchList(
			{ ...plainList, rows: 120, behindEnd: 'lastPage' },
			wish({ skip: 980, limit: 20 }),
		);
		expect(came).toEqual([]);
		expect(result.end).toBe('endOfList');
		expect(rows.at(119)).toEqual({ number: 120 });
		// The one row that `max_results` leaves to a size probe, and the last page.
		expect(credits.charged).toBe(9);
	});

	test('rows that a size probe is answered with are kept as what the service says they are', async () => {
		const service: ListService = {
			...plainList,
			rows: 5_000,
			behindEnd: 'lastPage',
			heedsMaxResults: false,
		};
		const { rows, came } = await fetchList(service, wish({ skip: 1_000, limit: 1_500 }));
		expect(rows.at(4_000)).toEqual({ number: 4_001 });
		expect(rows.sizes.provenSize).toBe(1_000);
		expect(came.slice(0, 500)).toEqual(numbered(1_001, 1_500));
	});

	test.each([
		['smallest page', { smallest: 10 }, 1_009, 1_000],
		['list of page sizes', { allowedSizes: [10, 25, 50, 100] }, 432, 425],
		['list of larger page sizes', { allowedSizes: [25, 100] }, 240, 225],
	])(
		'with a %s, what needs other rows is not bought, and the message says why',
		async (_, sizes, limit, most) => {
			const { came, credits, result } = await fetchList(
				{ ...plainList, ...sizes },
				wish({ limit }),
			);
			expect(came).toEqual(numbered(1, most));
			expect(credits.charged).toBe(most);
			expect(result.failure?.text).toMatch(/^it serves no less than \d+ rows a page/);
		},
	);

	test('a page size that falls while pages are in flight is no count of the rows of the later one', async () => {
		const service: ListService = { ...plainList, rows: 36, laterCap: { page: 3, size: 9 } };
		const { came, misplaced, credits } = await fetchList(service, wish({ pageSize: 13 }), {
			parallelPages: 2,
		});
		expect(came).toEqual(numbered(1, 36));
		expect(misplaced).toEqual([]);
		// Rows 19 to 26 came in both sizes.
		expect(credits.charged).toBe(44);
	});

	test('a count of the rows that credits were left for is no page size, behind Skip either', async () => {
		const broke: ListService = { ...plainList, rows: 145, balance: 30, perPage: 'cut' };
		const { came, result, missing } = await fetchList(broke, wish({ skip: 50, limit: 50 }));
		expect(came).toEqual(numbered(51, 80));
		expect(missing).toEqual(numbered(81, 100));
		expect(result.failure?.kind).toBe('noCredits');
	});

	test('an empty page that says that more follow is no end', async () => {
		const broke: ListService = {
			...plainList,
			rows: 30,
			balance: 10,
			isEmptyAtZero: true,
			hasMoreBy: 'rowsThatFollow',
		};
		const { came, result, rows } = await fetchList(broke, wish());
		expect(came).toEqual(numbered(1, 10));
		expect(result.end).toBe('unverifiedEnd');
		expect(rows.end).toBeUndefined();
	});

	test('rows that come again since the page size falls with the balance are found where they are', async () => {
		const shrinking: ListService = {
			...plainList,
			rows: 500,
			balance: 550,
			shrinks: true,
			perPage: 'requested',
		};
		const { came, pagination } = await fetchList(shrinking, wish({ pageSize: 300 }));
		expect(came).toEqual(numbered(1, 500));
		expect(pagination.repeatedRows).toBe(50);
	});

	test('a page behind the last one that is answered with the first one ends the list', async () => {
		const { came, result, credits } = await fetchList(
			{ ...plainList, rows: 30, behindEnd: 'firstPage', page: 'requested' },
			wish({ pageSize: 20 }),
		);
		expect(came).toEqual(numbered(1, 30));
		expect(result.end).toBe('endOfList');
		expect(credits.charged).toBe(31);
	});

	test('more rows than requested behind the first page are not taken for those requested later', async () => {
		const filled: ListService = { ...plainList, rows: 12, smallest: 5, perPage: 'requested' };
		const { result, rows } = await fetchList(filled, wish({ skip: 1, limit: 10 }));
		expect(result.failure).toMatchObject({
			text: 'it sent 5 rows where 1 were requested',
			isFinal: true,
		});
		expect(rows.violation).toBe(result.failure?.text);
	});

	test('a preview goes on behind an empty page of another size', async () => {
		const { came } = await fetchList(
			{ ...plainList, rows: 60, fixedSize: 25 },
			wish({ limit: 30, isFree: true }),
		);
		expect(came).toEqual(numbered(1, 30));
	});

	test('a preview takes such pages whole, since rows cost nothing', async () => {
		const { came } = await fetchList(
			{ ...plainList, smallest: 10 },
			wish({ skip: 5, limit: 1_009, isFree: true }),
		);
		expect(came).toEqual(numbered(6, 1_014));
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
	])('after row %i, the largest page up to %i rows has %i', (offset, most, size) => {
		expect(largestPageSize(offset, most)).toBe(size);
	});

	test('Return All takes at most 200 of the default 1,000 rows, whatever Skip; 100 without', () => {
		const requests = new Uint16Array(100_001);
		for (let skip = 99_999; skip >= 0; skip--) {
			const size = largestPageSize(skip, Math.min(1_000, 100_000 - skip));
			requests[skip] = 1 + (requests[skip + size] ?? 0);
		}
		expect(requests[0]).toBe(100);
		expect(Math.max(...new Set(requests))).toBe(200);
	});
});

/** What an earlier run left of a list: rows from the first on. */
function keptRows(rows: number, more: Partial<ListSnapshot> = {}): ListSnapshot {
	const list = new ListRows();
	list.add(0, pageOf(1, rows).rows);
	return { ...list.snapshot(0), ...more };
}

describe('A list that earlier runs know', () => {
	test.each([
		['up to its end', { end: 30 }, 100, 'endOfList'],
		['up to the Limit', { end: 100 }, 30, 'limit'],
		['up to its end, which is the Limit', { end: 30 }, 30, 'limit'],
		['up to the Limit, but not to its end', {}, 30, 'limit'],
	])('%s is not requested', (_, more, limit, end) => {
		const { step } = paginate(100, limit, { kept: keptRows(30, more) });
		expect(step()).toEqual({ end });
	});

	test('to have no page behind its end ends where such a page fails', () => {
		const kept = keptRows(30, { statusBehindEnd: 404 });
		const { pagination, request, step, answerEmpty } = paginate(30, 100, { kept });
		const probe = answerEmpty();
		expect(probe.request.isSizeProbe).toBe(true);
		const failure: Failure = { kind: 'notTheService', status: 404 };
		expect(pagination.fail(request(), { ...failure, status: 410 })).toBe(false);
		expect(pagination.fail(request(), failure)).toBe(true);
		expect(step()).toEqual({ end: 'unverifiedEnd' });
	});

	test('to have none fails where this run has brought rows and none has said that they end', () => {
		const kept = keptRows(30, { statusBehindEnd: 404 });
		const { answer, answerEmpty, request, pagination } = paginate(30, 100, { kept });
		answerEmpty();
		answer(31, 60, { perPage: 30, hasMore: true });
		expect(request()).toMatchObject({ offset: 60 });
		expect(pagination.fail(request(), notFound)).toBe(false);
	});

	test('to have none elsewhere fails there', () => {
		const kept = keptRows(30, { statusBehindEnd: 404 });
		const { pagination } = paginate(30, 100, { kept });
		const request: PageRequest = { page: 3, size: 30, offset: 60, cost: 30 };
		expect(pagination.fail(request, { kind: 'notTheService', status: 404 })).toBe(false);
	});
});

describe('Rows that may still be paid for', () => {
	test('are those of Limit, whatever rows come again', () => {
		const { answer, step } = paginate(10, 20);
		answer(1, 10, { page: 1, perPage: 10, hasMore: true });
		// The service takes pages of five for those of ten.
		answer(6, 10, { page: 2, perPage: 5, hasMore: true });
		answer(11, 15, { page: 3, perPage: 5, hasMore: true });
		expect(step()).toEqual({ end: 'limit' });
	});

	test.each([{ isReturnAll: true }, { isFree: true }])('have no limit with %j', (setup) => {
		const { answer, request } = paginate(10, 20, setup);
		answer(1, 10, { page: 1, perPage: 10, hasMore: true });
		answer(6, 10, { page: 2, perPage: 5, hasMore: true });
		answer(11, 15, { page: 3, perPage: 5, hasMore: true });
		expect(request()).toMatchObject({ offset: 15, size: 5 });
	});

	test('are those that credits are left for, to the last one', () => {
		const { step } = paginate(10);
		expect(step(1)).toMatchObject({ request: { page: 1, size: 1 } });
		expect(step(0)).toEqual({ end: 'budget' });
	});

	test('are fewer by those in flight', () => {
		const { answer, request, pagination, step } = paginate(10, 100);
		answer(1, 10, { perPage: 10, hasMore: true });
		const second = request();
		pagination.accept(request([second]), { rows: [], perPage: 1 }, [second]);
		pagination.accept(second, pageOf(11, 20, { perPage: 10, hasMore: true }), []);
		const third = request();
		expect(step(11, [third])).toMatchObject({ request: { offset: 30, size: 1 } });
		expect(step(10, [third])).toEqual({ wait: true });
	});

	test('are none where the smallest page costs more credits than are left', () => {
		const { answer, step } = paginate(10, 100);
		answer(1, 20, { perPage: 20, hasMore: true });
		expect(step(20)).toMatchObject({ request: { page: 2, size: 20 } });
		expect(step(19)).toEqual({ end: 'budget' });
	});
});

describe('Where a list may end', () => {
	test('is kept for later runs once it is known', () => {
		const { answer, answerEmpty, rows, step } = paginate(100);
		answer(1, 30, { perPage: 100, hasMore: false });
		answerEmpty();
		expect(step()).toEqual({ end: 'endOfList' });
		expect(rows.end).toBe(30);
	});

	test('is not told where no credits are left to ask', () => {
		const { answer, step } = paginate(100);
		answer(1, 30, { perPage: 100, hasMore: false });
		expect(step(1)).toMatchObject({ request: { isEndProbe: true } });
		expect(step(0)).toEqual({ end: 'budget' });
	});

	describe('where the service serves no less than 25 rows a page', () => {
		const sizes = { provenSize: 100, smallestSize: 25 };

		test.each([
			[100, 50],
			[50, 25],
		])('is asked for with 25 rows (Limit %i, after %i)', (limit, last) => {
			const { answer, answerEmpty, request, step } = paginate(100, limit, {
				kept: { ...keptRows(0), sizes },
			});
			answer(1, last, { perPage: 100, hasMore: false });
			expect(request()).toMatchObject({ offset: last, size: 25, isEndProbe: true });
			answerEmpty();
			expect(step()).toEqual({ end: 'endOfList' });
		});

		test('is not certain in between', () => {
			const { answer, step, rows } = paginate(100, 1_000, {
				kept: { ...keptRows(0), sizes },
			});
			answer(1, 30, { perPage: 100, hasMore: false });
			expect(step()).toEqual({ end: 'unverifiedEnd' });
			expect(step()).toEqual({ end: 'unverifiedEnd' });
			expect(rows.end).toBeUndefined();
		});

		test('is not certain where an end probe shows it', () => {
			const { answer, answerEmpty, step } = paginate(100);
			answer(1, 30, { perPage: 100, hasMore: false });
			answerEmpty({ perPage: 25 });
			expect(step()).toEqual({ end: 'unverifiedEnd' });
		});
	});

	test('is where a page of one row is empty, asked for as an end probe or not', () => {
		const { answerEmpty, step } = paginate(1, 100, { kept: keptRows(30) });
		expect(answerEmpty().request.isSizeProbe).toBe(true);
		const { request } = answerEmpty();
		expect(request).toMatchObject({ page: 31, size: 1 });
		expect(request.isEndProbe).toBeUndefined();
		expect(step()).toEqual({ end: 'endOfList' });
	});

	test('is not certain where an empty page names no size and none is known to be served', () => {
		const { answerEmpty, step } = paginate(1, 100, { kept: keptRows(30) });
		answerEmpty({ perPage: undefined });
		answerEmpty({ perPage: undefined, hasMore: undefined });
		expect(step()).toEqual({ end: 'unverifiedEnd' });
	});

	test('is no failure of the service where it said so and has no such page', () => {
		const { answer, request, pagination, step, rows } = paginate(100);
		answer(1, 30, { perPage: 100, hasMore: false });
		expect(pagination.fail(request(), notFound)).toBe(true);
		const probe = request();
		expect(probe).toMatchObject({ isPageProbe: true, size: 1 });
		expect(pagination.fail(probe, notFound)).toBe(true);
		expect(rows.statusBehindEnd).toBe(404);
		expect(pagination.fail(request(), notFound)).toBe(true);
		expect(step()).toEqual({ end: 'unverifiedEnd' });
	});

	test('is one where it said that more follow', () => {
		const { answer, request, pagination } = paginate(100);
		answer(1, 30, { perPage: 100, hasMore: true });
		expect(request().isEndProbe).toBe(true);
		expect(pagination.fail(request(), notFound)).toBe(false);
	});

	test('is one where pages behind the end fail in another way, and that is asked once', () => {
		const { answer, request, pagination, rows } = paginate(100);
		answer(1, 30, { perPage: 100, hasMore: false });
		pagination.fail(request(), notFound);
		const isGoingOn = pagination.fail(request(), { kind: 'upstreamDown', status: 502 });
		expect(isGoingOn).toBe(true);
		expect(rows.statusBehindEnd).toBeUndefined();
		expect(request().isEndProbe).toBe(true);
		expect(pagination.fail(request(), notFound)).toBe(false);
	});

	test('is not asked for any more where nobody is let in', () => {
		const { answer, request, pagination } = paginate(100);
		answer(1, 30, { perPage: 100, hasMore: false });
		pagination.fail(request(), notFound);
		const refused: Failure = { kind: 'unauthorized', status: 401 };
		expect(pagination.fail(request(), refused)).toBe(false);
	});

	test('is asked for although pages beside others were free behind the end', () => {
		const { answer, request, pagination } = paginate(100, 1_000);
		answer(1, 100, { perPage: 100, hasMore: true });
		const second = request();
		const probe = request([second]);
		expect(probe.isPageProbe).toBe(true);
		pagination.accept(probe, { rows: [], perPage: 1 }, [second]);
		pagination.accept(second, pageOf(101, 130, { perPage: 100, hasMore: false }), []);
		expect(request().isEndProbe).toBe(true);
		expect(pagination.fail(request(), notFound)).toBe(true);
		expect(request().isPageProbe).toBe(true);
	});

	test('is told while it is open', () => {
		const { answer, answerEmpty, pagination } = paginate(100);
		expect(pagination.mayBeWhole()).toBe(false);
		answer(1, 30, { perPage: 100, hasMore: false });
		expect(pagination.mayBeWhole()).toBe(true);
		answerEmpty();
		expect(pagination.mayBeWhole()).toBe(false);
	});

	test('a row shows that has_more false counts for nothing from then on', () => {
		const { answer, request } = paginate(10);
		answer(1, 10, { perPage: 10, hasMore: false });
		const probe = answer(11, 11, { perPage: 1, hasMore: false });
		expect(probe.request.isEndProbe).toBe(true);
		const next = request();
		expect(next.isEndProbe).toBeUndefined();
	});

	test('a row behind a page that was short, although more follow, shows a page size of its own', () => {
		const { answer, rows } = paginate(100);
		answer(1, 100, { page: 1, perPage: 100, hasMore: true });
		answer(141, 180, { page: 2, perPage: 100, hasMore: true });
		const { request, violation } = answer(181, 181, { perPage: 1, hasMore: true });
		expect(request).toMatchObject({ offset: 140, isEndProbe: true });
		expect(violation).toMatch(/^it served 40 rows a page, but named another size/);
		expect(rows.violation).toBe(violation);
	});

	test.each([
		['the first page', [[1, 40, true]]],
		[
			'a later one that says that none follow',
			[
				[1, 100, true],
				[101, 140, false],
			],
		],
	] as const)('but not behind %s', (_, pages) => {
		const { answer, rows } = paginate(100);
		for (const [first, last, hasMore] of pages) answer(first, last, { perPage: 100, hasMore });
		const offset = pages.at(-1)?.[1] ?? 0;
		expect(answer(offset + 1, offset + 1, { perPage: 1 }).violation).toBeUndefined();
		expect(rows.violation).toBeUndefined();
	});

	test('an empty page leads on to the page that was named before', () => {
		const { answer, answerEmpty, request } = paginate(100);
		answer(1, 30, { perPage: 100, nextPage: 4 });
		expect(answerEmpty().request).toMatchObject({ offset: 30, size: 1, isEndProbe: true });
		expect(request()).toMatchObject({ offset: 300 });
	});

	test('an empty page leads on behind rows that have come', () => {
		const before = new ListRows();
		before.add(30, pageOf(31, 40).rows);
		const { answer, answerEmpty, pagination } = paginate(10, 60, { kept: before.snapshot(0) });
		expect(pagination.missing()).toEqual([
			{ from: 0, to: 30 },
			{ from: 40, to: 60 },
		]);
		answer(1, 10, { perPage: 10, hasMore: false });
		answerEmpty();
		expect(pagination.missing()).toEqual([{ from: 40, to: 60 }]);
	});

	test('a page of another size that is empty says nothing', () => {
		const { answer, answerEmpty, step, pagination } = paginate(10, 100);
		answer(1, 10, { perPage: 10, hasMore: true });
		answerEmpty({ perPage: 20 });
		expect(pagination.mayBeWhole()).toBe(false);
		expect(step()).toEqual({
			violation:
				"it serves no less than 20 rows a page, so row 11 can't be had without paying for others. Use multiples of 20 for Skip and Limit",
		});
	});
});

describe('A preview, whose rows cost nothing', () => {
	/** Page 1 of 10 has come, and pages 2 and 3 are in flight. */
	function afterFirst() {
		const { request, pagination } = paginate(10, 100, { isFree: true });
		pagination.accept(request(), pageOf(1, 10, { perPage: 10, hasMore: true }), []);
		const second = request();
		const third = request([second]);
		return { request, pagination, second, third };
	}

	test('leaves out rows that a short page says are none', () => {
		const { answer, request, pagination } = paginate(100, 1_000, { isFree: true });
		answer(1, 50, { perPage: 100, nextPage: 3 });
		expect(request()).toMatchObject({ page: 3, offset: 200 });
		expect(pagination.missing()).toEqual([{ from: 200, to: 1_000 }]);
	});

	test('but for those that are in flight', () => {
		const { request, pagination, second, third } = afterFirst();
		const fourth = request([second, third]);
		const short = pageOf(11, 15, { perPage: 10, nextPage: 8 });
		pagination.accept(second, short, [third, fourth]);
		expect(pagination.missing()).toEqual([{ from: 20, to: 100 }]);
	});

	test('leaves them out whatever is in flight before', () => {
		const { pagination, second, third } = afterFirst();
		pagination.accept(third, pageOf(21, 25, { perPage: 10, nextPage: 8 }), [second]);
		expect(pagination.missing()).toEqual([
			{ from: 10, to: 20 },
			{ from: 70, to: 100 },
		]);
	});

	test('ends with an empty page that begins before the rows it was requested for', () => {
		const before = new ListRows();
		before.add(0, pageOf(1, 35).rows);
		before.add(35, pageOf(36, 40).rows);
		const kept = { ...before.snapshot(0), sizes: { provenSize: 25, smallestSize: 25 } };
		const { answerEmpty, step } = paginate(25, 100, { isFree: true, kept });
		expect(answerEmpty().request).toMatchObject({ page: 2, size: 25 });
		expect(step()).toEqual({ end: 'endOfList' });
	});

	test('ends with an empty page, even one that names no size', () => {
		const { answer, answerEmpty, step } = paginate(100, 1_000, { isFree: true });
		answer(1, 100, { hasMore: true });
		answerEmpty({ perPage: undefined, hasMore: undefined });
		expect(step()).toEqual({ end: 'endOfList' });
	});

	test('ends with a short page that names no other', () => {
		const { answer, step } = paginate(100, 1_000, { isFree: true });
		answer(1, 50, { perPage: 100, hasMore: false });
		expect(step()).toEqual({ end: 'endOfList' });
	});
});

describe('Pages that are named', () => {
	test('right behind a page are simply the next ones', () => {
		const { answer, request } = paginate(100, 200);
		expect(answer(1, 100, { perPage: 100, nextPage: 2 }).violation).toBeUndefined();
		expect(request()).toMatchObject({ page: 2, offset: 100 });
	});

	test('where the last wanted row ends are beyond anything wanted', () => {
		const { answer } = paginate(100, 300);
		expect(answer(1, 100, { perPage: 100, nextPage: 4 }).violation).toContain('page 4');
	});

	test('before that are followed', () => {
		const { answer } = paginate(100, 301);
		expect(answer(1, 100, { perPage: 100, nextPage: 4 }).violation).toBeUndefined();
	});
});

describe('A page behind the end of any list', () => {
	test('that is empty shows that pages there are free', () => {
		const { answer, answerEmpty, request, pagination } = paginate(100, 1_000, {
			kept: keptRows(100),
		});
		expect(answerEmpty().request.isSizeProbe).toBe(true);
		answer(101, 200, { perPage: 100, hasMore: true });
		const second = request();
		pagination.accept(second, pageOf(201, 300, { perPage: 100, hasMore: true }), []);
		const third = request();
		expect(request([third])).toMatchObject({ offset: 400, size: 100 });
	});

	test.each([
		['without its own number', {}],
		['with the number that was requested', { page: 20_000_001, perPage: 100 }],
		['without its size', { page: 1 }],
	])('that holds rows %s ends the run, then and later', (_, fields) => {
		const { request, pagination, rows } = paginate(100, 1_000, { kept: keptRows(100) });
		const probe = request();
		expect(probe).toMatchObject({ page: 20_000_001, isSizeProbe: true });
		const { violation } = pagination.accept(probe, pageOf(7, 8, fields), []);
		expect(violation).toContain('with 2 rows. They are not returned');
		expect(pagination.repeatedRows).toBe(2);
		expect(rows.violation).toBe(violation);
	});

	test('that was charged is not requested again', () => {
		const { request, pagination } = paginate(100, 1_000, { kept: keptRows(100) });
		pagination.accept(request(), pageOf(1, 1, { page: 1, perPage: 100 }), []);
		expect(request()).toMatchObject({ page: 2, size: 100 });
		expect(request().isSizeProbe).toBeUndefined();
	});
});

describe('Several pages at once', () => {
	/** Page 1 of 100 has come, and page 2 is in flight. */
	function afterFirst(limit: number, setup?: Setup) {
		const list = paginate(100, limit, setup);
		list.answer(1, 100, { perPage: 100, hasMore: true });
		return { ...list, second: list.request() };
	}

	/** So have page 2 and an empty page behind the end. */
	function afterSecond(limit = 10_000) {
		const list = afterFirst(limit);
		const probe = list.request([list.second]);
		list.pagination.accept(probe, { rows: [], perPage: 1 }, [list.second]);
		list.pagination.accept(list.second, pageOf(101, 200, { perPage: 100, hasMore: true }), []);
		return list;
	}

	test.each([
		[400, true],
		[399, false],
	])('are asked about where two more are wanted (Limit %i)', (limit, isAsked) => {
		const { step, second } = afterFirst(limit);
		const next = step(Infinity, [second]);
		expect('request' in next && next.request.isPageProbe === true).toBe(isAsked);
		if (!isAsked) expect(next).toEqual({ wait: true });
	});

	test('are not where nothing has come in this run', () => {
		const kept = { ...keptRows(100), sizes: { provenSize: 100 } };
		const { request, step } = paginate(100, 1_000, { kept });
		const second = request();
		expect(second).toMatchObject({ offset: 100, size: 100 });
		expect(step(Infinity, [second])).toEqual({ wait: true });
	});

	test('wait until a second page has come', () => {
		const { request, step, pagination, second } = afterFirst(10_000);
		pagination.accept(request([second]), { rows: [], perPage: 1 }, [second]);
		expect(step(Infinity, [second])).toEqual({ wait: true });
		pagination.accept(second, pageOf(101, 200, { perPage: 100, hasMore: true }), []);
		expect(step(Infinity, [request()])).toMatchObject({ request: { offset: 300 } });
	});

	test('are never in flight where a page behind the end was charged', () => {
		const { request, step, pagination, second } = afterFirst(10_000);
		pagination.accept(request([second]), pageOf(7, 7, { perPage: 1 }), [second]);
		expect(pagination.repeatedRows).toBe(1);
		pagination.accept(second, pageOf(101, 200, { perPage: 100, hasMore: true }), []);
		expect(step(Infinity, [request()])).toEqual({ wait: true });
	});

	test.each([
		['was charged', pageOf(7, 7), undefined],
		['was free', pageOf(1, 0), true],
	])('where one %s, a page size is asked for accordingly', (_, page, isAsked) => {
		const { answer, request, pagination, second } = afterFirst(409);
		pagination.accept(request([second]), page, [second]);
		pagination.accept(second, pageOf(101, 200, { perPage: 100, hasMore: true }), []);
		answer(201, 300, { perPage: 100, hasMore: true });
		answer(301, 400, { perPage: 100, hasMore: true });
		expect(request()).toMatchObject({ offset: 400 });
		expect(request().isSizeProbe).toBe(isAsked);
	});

	test('are never in flight either where a question about the page size was charged', () => {
		const list = paginate(100, 1_000, { kept: keptRows(100) });
		const probe = list.request();
		expect(probe.isSizeProbe).toBe(true);
		list.pagination.accept(probe, pageOf(1, 1, { page: 1, perPage: 100 }), []);
		list.answer(101, 200, { perPage: 100, hasMore: true });
		list.answer(201, 300, { perPage: 100, hasMore: true });
		expect(list.step(Infinity, [list.request()])).toEqual({ wait: true });
	});

	test('are not asked about beside a page of a size that nobody has asked for', () => {
		const { step, second } = afterFirst(10_000);
		expect(step(Infinity, [{ ...second, size: 150 }])).toEqual({ wait: true });
	});

	test('are as many as may still be paid for, whatever came again', () => {
		const { answer, request, step, pagination } = paginate(10, 40);
		answer(1, 10, { page: 1, perPage: 10, hasMore: true });
		const second = request();
		pagination.accept(request([second]), { rows: [], perPage: 1 }, [second]);
		// Pages have five rows from here on, so five come again: 25 of Limit are left, 30 are missing.
		const five = pageOf(6, 10, { page: 2, perPage: 5, hasMore: true });
		pagination.accept(second, five, []);
		answer(11, 15, { page: 3, perPage: 5, hasMore: true });
		const inFlight: PageRequest[] = [];
		for (let page = 4; page <= 7; page++) inFlight.push(request(inFlight));
		expect(inFlight.map(({ page, size }) => [page, size])).toEqual([
			[4, 5],
			[5, 5],
			[6, 5],
			[7, 5],
		]);
		expect(step(Infinity, inFlight)).toEqual({ wait: true });
	});

	test('are not beside an end probe, or a question about the page size', () => {
		const { answer, request, step, pagination } = afterSecond();
		const endProbe: PageRequest = { ...request(), size: 1, cost: 1, isEndProbe: true };
		const sizeProbe: PageRequest = { ...request(), isSizeProbe: true };
		for (const inFlight of [endProbe, sizeProbe]) {
			expect(step(Infinity, [inFlight])).toEqual({ wait: true });
		}
		answer(201, 230, { perPage: 100, hasMore: false });
		const probe = request();
		expect(probe.isEndProbe).toBe(true);
		expect(pagination.next(Infinity, [probe])).toEqual({ wait: true });
	});

	test('are not in a size that nobody has asked for', () => {
		const { request, step } = afterSecond();
		const third = request();
		expect(third).toMatchObject({ offset: 200, size: 100 });
		// 50 rows lie between 1 and 100, which are served.
		expect(step(150, [third])).toMatchObject({ request: { offset: 300, size: 50 } });
		expect(step(Infinity, [{ ...third, size: 150 }])).toEqual({ wait: true });
	});
});

describe('More rows than requested', () => {
	test('on the first page may be those of a larger page, and later runs ask again', () => {
		const { answer, rows, pagination } = paginate(100);
		const { violation } = answer(1, 120, { perPage: 100, hasMore: true });
		expect(violation).toBe('it sent 120 rows where 100 were requested');
		expect(rows.violation).toBeUndefined();
		expect(pagination.rows).toBe(120);
	});

	test('behind it can be any, so later runs do not ask again', () => {
		const { answer, rows } = paginate(100);
		answer(1, 100, { perPage: 100, hasMore: true });
		const { violation } = answer(101, 220, { perPage: 100, hasMore: true });
		expect(violation).toBe('it sent 120 rows where 100 were requested');
		expect(rows.violation).toBe(violation);
	});
});

test('What the last wanted page says of the next one does not matter', () => {
	const { answer, step } = paginate(100, 200);
	answer(1, 100, { perPage: 100, hasMore: true });
	expect(answer(101, 200, { perPage: 100, nextPage: 1 }).violation).toBeUndefined();
	expect(step()).toEqual({ end: 'limit' });
});

test('Credits are too few for the smallest page; where they are enough, it holds other rows', () => {
	const kept = { ...keptRows(30), sizes: { provenSize: 25, smallestSize: 25 } };
	const { step } = paginate(100, 100, { kept });
	expect(step(24)).toEqual({ end: 'budget' });
	expect(step(25)).toMatchObject({ violation: expect.stringContaining('row 31') as string });
});

describe('An earlier page in place of the one requested', () => {
	/** Pages 1 and 2 of 100 have come, and page 4 is requested. */
	function atFourth() {
		const list = paginate(100, 1_000);
		list.answer(1, 100, { page: 1, perPage: 100, hasMore: true });
		list.answer(101, 200, { page: 2, perPage: 100, hasMore: true });
		const fourth = { page: 4, size: 100, offset: 300, cost: 100 };
		const accept = (page: Page) => list.pagination.accept(fourth, page, []);
		return { ...list, accept };
	}

	test('is the last one where it is new and says that none follow', () => {
		const { accept, rows, pagination } = atFourth();
		accept(pageOf(201, 260, { page: 3, perPage: 100, hasMore: false }));
		expect(rows.end).toBe(300);
		expect(pagination.rows).toBe(260);
		expect(pagination.missing()).toEqual([{ from: 260, to: 300 }]);
	});

	test('is not the last one where more follow', () => {
		const { accept, rows, pagination } = atFourth();
		accept(pageOf(201, 300, { page: 3, perPage: 100, hasMore: true }));
		expect(rows.end).toBeUndefined();
		expect(pagination.missing()).toEqual([{ from: 300, to: 1_000 }]);
	});

	test('that has come already ends in a message', () => {
		const { accept, rows } = atFourth();
		const accepted = accept(pageOf(101, 200, { page: 2, perPage: 100, hasMore: false }));
		expect(accepted).toEqual({ violation: 'it answered with page 2 again', isFinal: true });
		expect(rows.violation).toBe(accepted.violation);
	});

	test('is no end where it is the page requested, counted by another size', () => {
		const { accept, rows, pagination } = atFourth();
		accept(pageOf(241, 300, { page: 4, perPage: 80, hasMore: false }));
		expect(rows.end).toBeUndefined();
		expect(pagination.missing().at(-1)).toEqual({ from: 300, to: 1_000 });
	});
});

describe('A count of rows where credits cut a page', () => {
	/** A page of 100 behind Skip 100 holds 40 rows, and so says per_page. */
	function cutPage(limit = 1_000) {
		const list = paginate(100, limit, { skip: 100 });
		expect(list.answerEmpty().request).toMatchObject({ size: 100, isSizeProbe: true });
		list.answer(101, 140, { page: 2, perPage: 40, hasMore: false });
		expect(list.pagination.missing()[0]).toMatchObject({ from: 140 });
		return list;
	}

	test('is believed where a size probe shows the page size again', () => {
		const { answerEmpty, request, rows } = cutPage();
		const probe = answerEmpty({ perPage: 100 });
		expect(probe.request).toMatchObject({ size: 100, offset: 140, isSizeProbe: true });
		expect(rows.at(100)).toEqual({ number: 101 });
		expect(request()).toMatchObject({ offset: 140, isEndProbe: true });
	});

	test('is the page size where a size probe says so; the rows are those of that page', () => {
		const { answerEmpty, request, rows, pagination } = cutPage();
		answerEmpty({ perPage: 40 });
		expect(rows.at(40)).toEqual({ number: 101 });
		expect(rows.at(100)).toBeUndefined();
		expect(pagination.missing()).toEqual([
			{ from: 100, to: 140 },
			{ from: 140, to: 1_100 },
		]);
		expect(pagination).toMatchObject({ rows: 40, repeatedRows: 0 });
		expect(pagination.mayBeWhole()).toBe(false);
		expect(request()).toMatchObject({ offset: 100, size: 25 });
	});

	test('is believed where a size probe fails, and where no page of that size is wanted any more', () => {
		const { request, pagination, rows } = cutPage();
		pagination.fail(request(), notFound);
		expect(request()).toMatchObject({ offset: 140, isEndProbe: true });
		expect(rows.at(100)).toEqual({ number: 101 });
		expect(cutPage(140).request()).toMatchObject({ offset: 140, size: 100, isSizeProbe: true });
		expect(cutPage(139).request()).toMatchObject({ offset: 140, isEndProbe: true });
	});
});
