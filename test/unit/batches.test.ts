/** Which URLs are requested next, by example. For all lookups: batches.property.test.ts. */
import { UrlBatches, type BatchRequest } from '../../nodes/LeadSearch/api/batches';
import type { Json, Page } from '../../nodes/LeadSearch/api/contract';
import { ProfileRows } from '../../nodes/LeadSearch/api/profileRows';
import {
	DOCUMENTED,
	fetchProfiles,
	plainLookUp,
	urlOf,
	type Profile,
	type Wish,
} from './lookUpService';

const wish = (fields: Partial<Wish> = {}): Wish => ({
	urls: 30,
	limit: Infinity,
	pageSize: 1_000,
	budget: Infinity,
	...fields,
});
const none = (count: number) => Array<Profile>(count).fill('none');
const one = (count: number) => Array<Profile>(count).fill('one');
const urls = (first: number, last: number) =>
	Array.from({ length: last - first + 1 }, (_, index) => urlOf(first + index));

describe('Promise 1: never overspend', () => {
	test('with a Limit, no more URLs are sent than rows may still come', async () => {
		const { requests, result, received } = await fetchProfiles(
			{ ...plainLookUp },
			wish({ limit: 12, pageSize: 10 }),
		);
		expect(requests.map(({ urls: sent }) => sent.length)).toEqual([10, 2]);
		expect(received).toBe(12);
		expect(result.end).toBe('limit');
	});

	test('URLs that brought nothing leave room in the budget for others', async () => {
		const { requests, received, result } = await fetchProfiles(
			{ ...plainLookUp, profiles: none(10) },
			wish({ budget: 10 }),
		);
		expect(requests.map(({ urls: sent }) => sent.length)).toEqual([10, 10]);
		expect(received).toBe(10);
		expect(result.end).toBe('budget');
	});
});

describe('Promise 4: never pay twice', () => {
	test('a service that serves pages no larger than the balance charges no profile twice', async () => {
		const halfFound = Array.from({ length: 30 }, (_, index): Profile =>
			index % 2 === 0 ? 'none' : 'one',
		);
		for (const hasMoreBy of ['rowsThatFollow', 'fullPage'] as const) {
			const { profiles, received, result, inState } = await fetchProfiles(
				{
					...plainLookUp,
					profiles: halfFound,
					pagesOf: 'urls',
					balance: 5,
					capsByBalance: true,
					hasMoreBy,
					refusesAllAtZero: true,
				},
				wish({ pageSize: 10 }),
			);
			expect(profiles.size).toBe(received);
			expect(result.failure).toMatchObject({ kind: 'noCredits' });
			const found = (url: string) => halfFound[urls(0, 29).indexOf(url)] === 'one';
			expect(inState('notFound').filter(found)).toEqual([]);
		}
	});
});

describe('Promise 2: never lose what was paid for', () => {
	test('all rows of a URL that has several come, not the first one alone', async () => {
		const { profiles } = await fetchProfiles(
			{ ...plainLookUp, profiles: ['two'] },
			wish({ urls: 1 }),
		);
		expect(profiles.rowsOf(urlOf(0))).toHaveLength(2);
	});

	test('a renamed profile comes under its new URL, and the one asked for is uncertain', async () => {
		const { profiles, inState, result, requests } = await fetchProfiles(
			{ ...plainLookUp, profiles: ['one', 'renamed', 'one'] },
			wish({ urls: 3 }),
		);
		expect(profiles.unmatched.map(({ row }) => row.linkedin_url)).toEqual([
			`${urlOf(1)}-renamed`,
		]);
		expect(inState('uncertain')).toEqual([urlOf(1)]);
		expect(inState('notFound')).toEqual([]);
		// It is not requested again: that could pay for the same profile twice.
		expect(requests).toHaveLength(1);
		expect(result.end).toBe('endOfList');
	});
});

describe('Promise 3: never pass off a cut result as whole', () => {
	test('a URL without a row is asked for once more, since credits may have run out', async () => {
		const { requests, inState, result } = await fetchProfiles(
			{ ...plainLookUp, profiles: [...one(5), ...none(2)] },
			wish({ urls: 7 }),
		);
		expect(
			requests.map(({ urls: sent, isEndProbe = false }) => ({ sent, isEndProbe })),
		).toEqual([
			{ sent: urls(0, 6), isEndProbe: false },
			{ sent: urls(5, 6), isEndProbe: true },
		]);
		expect(inState('notFound')).toEqual(urls(5, 6));
		expect(result.end).toBe('endOfList');
	});

	test('not so where a later request brought a row: then there were credits', async () => {
		const { requests } = await fetchProfiles(
			{ ...plainLookUp, profiles: [...none(5), ...one(5)] },
			wish({ urls: 10, pageSize: 5 }),
		);
		expect(requests.map(({ urls: sent }) => sent)).toEqual([urls(0, 4), urls(5, 9)]);
	});

	test('nor where nothing was charged at all', async () => {
		const { requests, inState } = await fetchProfiles(
			{ ...plainLookUp, profiles: none(5) },
			wish({ urls: 5 }),
		);
		expect(requests).toHaveLength(1);
		expect(inState('notFound')).toHaveLength(5);
	});

	test('credits that run out leave URLs missing, not without a profile', async () => {
		const { result, missing, inState } = await fetchProfiles(
			{ ...plainLookUp, balance: 4, deniesMoreAtZero: true },
			wish({ urls: 10 }),
		);
		expect(result.failure).toMatchObject({ kind: 'noCredits', atEndProbe: true });
		expect(missing).toEqual(urls(4, 9));
		expect(inState('notFound')).toEqual([]);
	});

	test.each(['served', 'absent', 'requested', 'count'] as const)(
		'a first page of URLs that finds nothing does not hide the pages behind it (per_page %s)',
		async (perPage) => {
			const { inState } = await fetchProfiles(
				{ ...plainLookUp, profiles: none(5), pagesOf: 'urls', cap: 5, perPage },
				wish({ urls: 15 }),
			);
			expect(inState('found').sort()).toEqual(urls(5, 14).sort());
			expect(inState('notFound')).toEqual(urls(0, 4));
		},
	);
});

describe('Promise 3, with a renamed profile', () => {
	test.each(['absent', 'requested'] as const)(
		'an empty page does not hide the pages behind it that has_more announces (per_page %s)',
		async (perPage) => {
			const { profiles } = await fetchProfiles(
				{ ...plainLookUp, profiles: ['renamed', 'none'], pagesOf: 'urls', cap: 1, perPage },
				wish({ urls: 3 }),
			);
			expect(profiles.stateOf(urlOf(2))).toBe('found');
		},
	);
});

describe('Promise 3, with a balance of zero from the start', () => {
	test('URLs of pages that were never served are not called not found', async () => {
		const broke = { ...plainLookUp, balance: 0, deniesMoreAtZero: true };
		const { inState } = await fetchProfiles(
			{ ...broke, profiles: none(5), pagesOf: 'urls', cap: 5 },
			wish({ urls: 15 }),
		);
		expect(inState('notFound').filter((url) => urls(5, 14).includes(url))).toEqual([]);
	});
});

describe('Promise 4: never pay twice for the same thing', () => {
	test('only URLs that are still open are sent again after a failure', async () => {
		const { requests } = await fetchProfiles(
			{ ...plainLookUp },
			wish({ urls: 20, pageSize: 10 }),
			{ fates: ['answered', { kind: 'serverDown', status: 500 }] },
		);
		expect(requests.map(({ urls: sent }) => sent)).toEqual([
			urls(0, 9),
			urls(10, 19),
			urls(10, 19),
		]);
	});

	test.each(['urls', 'rows'] as const)(
		'where per_page counts the rows, pages of %s still bring each row once',
		async (pagesOf) => {
			const { received, inState, result } = await fetchProfiles(
				{ ...plainLookUp, profiles: ['none'], pagesOf, cap: 2, perPage: 'count' },
				wish({ urls: 6 }),
			);
			expect(received).toBe(5);
			expect(inState('found')).toHaveLength(5);
			expect(result.end).toBe('endOfList');
		},
	);
});

describe("Promise 7: the service's word counts", () => {
	test.each(['urls', 'rows'] as const)('pages of %s are followed to the end', async (pagesOf) => {
		const { requests, inState } = await fetchProfiles(
			{ ...plainLookUp, pagesOf, cap: 10 },
			wish(),
		);
		expect(requests.map(({ page }) => page)).toEqual([1, 2, 3]);
		expect(inState('found')).toHaveLength(30);
	});

	test('a service that answers page 1 whatever is requested ends in a message', async () => {
		const { result, received, pagination } = await fetchProfiles(
			{ ...plainLookUp, cap: 10, ignoresPage: true },
			wish(),
		);
		expect(result.failure).toMatchObject({ kind: 'protocolViolation' });
		expect(received).toBe(20);
		expect(pagination.repeatedRows).toBe(10);
	});

	test('so does one that answers an empty page 1, over and over', async () => {
		const { requests } = await fetchProfiles(
			{ ...plainLookUp, profiles: none(5), pagesOf: 'urls', cap: 5, ignoresPage: true },
			wish({ urls: 15 }),
		);
		expect(requests.length).toBeLessThan(30);
	});

	test('more URLs than the service takes go out in requests of the documented size', async () => {
		const { requests, inState } = await fetchProfiles(
			{ ...plainLookUp, refusesAbove: 10 },
			wish(),
		);
		expect(requests.map(({ urls: sent }) => sent.length)).toEqual([30, 10, 10, 10]);
		expect(inState('found')).toHaveLength(30);
	});
});

/** More than any of these lookups takes. */
const MAX_REQUESTS = 100;

interface ByHand {
	urls: number;
	limit?: number;
	pageSize?: number;
	documentedPageSize?: number;
	profiles?: ProfileRows;
}

/** A lookup whose requests are sent, and answered, one by one. */
function byHand({ urls: count, limit = Infinity, ...options }: ByHand) {
	const profiles = options.profiles ?? new ProfileRows();
	const batches = new UrlBatches({
		urls: urls(0, count - 1),
		limit,
		pageSize: 1_000,
		documentedPageSize: DOCUMENTED,
		urlOf: ({ linkedin_url: url }) => (typeof url === 'string' ? url : undefined),
		shape: (row) => row,
		...options,
		profiles,
	});
	const inFlight: BatchRequest[] = [];
	let sent = 0;
	/** @returns the request, or why there is none */
	const next = (creditsLeft = Infinity) => {
		const step = batches.next(creditsLeft, inFlight);
		if ('request' in step) inFlight.push(step.request);
		if (sent++ > MAX_REQUESTS) throw new Error('It requests URLs for ever');
		return step;
	};
	const send = (creditsLeft = Infinity): BatchRequest => {
		const step = next(creditsLeft);
		if (!('request' in step)) throw new Error(`It sends nothing: ${JSON.stringify(step)}`);
		return step.request;
	};
	/** Answers a request, in a single page of the size requested, unless said otherwise. */
	const answer = (request: BatchRequest, rows: Json[], page: Omit<Page, 'rows'> = {}) => {
		inFlight.splice(inFlight.indexOf(request), 1);
		const whole = { perPage: request.size, hasMore: false, nextPage: null };
		return batches.accept(request, { rows, ...whole, ...page });
	};
	/** Sends the next request and answers it. */
	const exchange = (rows: Json[], page?: Omit<Page, 'rows'>) => {
		const request = send();
		return { request, accepted: answer(request, rows, page) };
	};
	const states = () => urls(0, count - 1).map((url) => profiles.stateOf(url));
	return { batches, profiles, next, send, answer, exchange, states };
}

/** Rows of the URLs with these numbers. */
const rowsOf = (...numbers: number[]) => numbers.map((number) => ({ linkedin_url: urlOf(number) }));

/** Another page follows. */
const followedBy = (page: number) => ({ hasMore: true, nextPage: page });

const renamed = { linkedin_url: 'https://www.linkedin.com/in/renamed' };

describe('What is in flight at once', () => {
	test('is nothing but the first request, which shows how many URLs the service takes', () => {
		const { next, send, answer } = byHand({ urls: 6, pageSize: 2 });
		const first = send();
		expect(next()).toEqual({ wait: true });
		answer(first, rowsOf(0, 1));
		expect([send(), send()].map((request) => request.urls)).toEqual([urls(2, 3), urls(4, 5)]);
	});

	test('is no two requests for what is asked for once more, which has to prove something', () => {
		const { next, send, answer, exchange } = byHand({ urls: 6, pageSize: 2 });
		exchange(rowsOf(0, 1));
		exchange([]);
		exchange([]);
		const again = send();
		expect(again).toMatchObject({ urls: urls(2, 3), isEndProbe: true });
		expect(next()).toEqual({ wait: true });
		answer(again, []);
		expect(send()).toMatchObject({ urls: urls(4, 5), isEndProbe: true });
	});

	test('a batch that came empty beside others is asked for once more, alone', () => {
		const { next, send, answer, exchange } = byHand({ urls: 8, pageSize: 2 });
		exchange(rowsOf(0, 1));
		// The service sets credits aside for the third, so that it has none left for the second.
		const second = send();
		const third = send();
		answer(second, []);
		exchange(rowsOf(6, 7));
		answer(third, rowsOf(4, 5));
		const again = send();
		expect(again).toMatchObject({ urls: second.urls, isEndProbe: true });
		expect(next()).toEqual({ wait: true });
		answer(again, rowsOf(2, 3));
		expect(next()).toEqual({ end: 'endOfList' });
	});
});

describe('Promise 1: a page that follows may cost as much as the first', () => {
	test('so it waits for what is in flight where there is too little for both', () => {
		const { next, send, answer, exchange } = byHand({ urls: 15, pageSize: 5 });
		exchange(rowsOf(0, 1, 2, 3, 4));
		const [second, third] = [send(), send()];
		answer(second, rowsOf(5, 6), followedBy(2));
		expect(next(8)).toEqual({ wait: true });
		answer(third, rowsOf(10));
		expect(send(7)).toMatchObject({ urls: second.urls, page: 2 });
	});

	test('so its URLs go into a smaller request where there is too little for it', () => {
		const { send, exchange } = byHand({ urls: 10 });
		exchange(rowsOf(0, 1, 2, 3), followedBy(2));
		expect(send(5)).toMatchObject({ urls: urls(4, 8), page: 1, size: 5 });
	});

	test('it is sent where there is just enough', () => {
		const { send, exchange } = byHand({ urls: 10 });
		exchange(rowsOf(0, 1, 2, 3), followedBy(2));
		expect(send(10)).toMatchObject({ urls: urls(0, 9), page: 2, size: 10 });
	});

	test('it is not sent for URLs that a renamed profile may be about, nor anything else', () => {
		const { next, exchange, states } = byHand({ urls: 3 });
		exchange([...rowsOf(0), renamed], followedBy(2));
		expect(next(1)).toEqual({ end: 'endOfList' });
		expect(states()).toEqual(['found', 'uncertain', 'uncertain']);
	});

	test.each<[string, Partial<Wish>]>([
		['Limit', { limit: 11 }],
		['Credit Budget', { budget: 11 }],
	])('and with one row left of the %s, one URL is sent', async (_, fields) => {
		const { requests } = await fetchProfiles(
			{ ...plainLookUp },
			wish({ pageSize: 10, ...fields }),
		);
		expect(requests.map(({ urls: sent }) => sent.length)).toEqual([10, 1]);
	});

	test('max_results is what may still come, or as much as the service takes', () => {
		expect(byHand({ urls: 30, limit: 12 }).send().maxRows).toBe(12);
		expect(byHand({ urls: 30 }).send().maxRows).toBe(100_000);
	});
});

describe('Promise 2: every row is kept once', () => {
	test('of a URL, those that differ', () => {
		const { batches, profiles, exchange } = byHand({ urls: 2 });
		const [row] = rowsOf(0);
		exchange([{ ...row, id: 1 }], followedBy(2));
		const { accepted } = exchange([
			{ ...row, id: 1 },
			{ ...row, id: 2 },
		]);
		expect(accepted.violation).toBeUndefined();
		expect(profiles.rowsOf(urlOf(0))).toHaveLength(2);
		expect(batches).toMatchObject({ rows: 2, repeatedRows: 1 });
	});

	test('without a URL, or with one that nobody asked for', () => {
		const { batches, profiles, exchange } = byHand({ urls: 3 });
		exchange([renamed, { name: 'Anna' }], followedBy(2));
		exchange([{ name: 'Anna' }, renamed, { name: 'Ben' }]);
		expect(profiles.unmatched.map(({ row }) => row)).toEqual([
			renamed,
			{ name: 'Anna' },
			{ name: 'Ben' },
		]);
		expect(batches).toMatchObject({ rows: 3, repeatedRows: 2 });
	});

	test('under a URL that another lookup with the same body has found, not as a renamed one', () => {
		const profiles = new ProfileRows();
		profiles.add(renamed.linkedin_url, { ...renamed, id: 1 });
		const { exchange } = byHand({ urls: 1, profiles });
		exchange([{ ...renamed, id: 2 }]);
		expect(profiles.rowsOf(renamed.linkedin_url)).toHaveLength(2);
		expect(profiles.unmatched).toEqual([]);
	});
});

describe('Promise 3: a URL without a row is asked for again, although a later request brought one', () => {
	test.each<[string, Json[], Omit<Page, 'rows'>]>([
		['the page was full', [...rowsOf(0, 1), { ...rowsOf(0)[0], id: 2 }], {}],
		[
			'nobody said whether more follow',
			rowsOf(0, 1),
			{ hasMore: undefined, nextPage: undefined },
		],
		['the page was smaller than requested', rowsOf(0, 1), { perPage: 1 }],
	])('where %s', (_, rows, page) => {
		const { exchange } = byHand({ urls: 4, pageSize: 3 });
		exchange(rows, page);
		expect(exchange(rowsOf(3)).request.urls).toEqual([urlOf(3)]);
		expect(exchange([]).request).toMatchObject({ urls: [urlOf(2)], isEndProbe: true });
	});

	test('where a page that had been announced came empty', () => {
		const { exchange } = byHand({ urls: 6, pageSize: 3 });
		exchange(rowsOf(0), followedBy(2));
		exchange([]);
		exchange(rowsOf(3, 4, 5));
		expect(exchange([]).request).toMatchObject({ urls: urls(1, 2), isEndProbe: true });
	});

	test('but not where the last page brought some of what it could', () => {
		const { next, exchange, states } = byHand({ urls: 6, pageSize: 3 });
		exchange(rowsOf(0), followedBy(2));
		exchange(rowsOf(1));
		exchange(rowsOf(3, 4, 5));
		expect(next()).toEqual({ end: 'endOfList' });
		expect(states()[2]).toBe('notFound');
	});

	test('and once more as long as that brings rows', () => {
		const { next, exchange, states } = byHand({ urls: 4 });
		exchange(rowsOf(0));
		expect(exchange(rowsOf(1)).request.urls).toEqual(urls(1, 3));
		expect(exchange([]).request.urls).toEqual(urls(2, 3));
		expect(next()).toEqual({ end: 'endOfList' });
		expect(states()).toEqual(['found', 'found', 'notFound', 'notFound']);
	});
});

describe('Promise 3: empty pages that announce more', () => {
	/** Answers everything so; tells the URLs of each batch, and the pages that it is asked for. */
	function emptyBatches(count: number, batches = Infinity) {
		const { next, answer, states } = byHand({ urls: count });
		const sent: Array<{ urls: number; pages: number }> = [];
		for (;;) {
			const step = next();
			if (!('request' in step)) return { sent, states: states(), step };
			const { urls: some, page } = step.request;
			if (page === 1 && sent.length === batches) return { sent, states: states(), step };
			if (page === 1) sent.push({ urls: some.length, pages: 1 });
			else sent.push({ urls: some.length, pages: (sent.pop()?.pages ?? 0) + 1 });
			answer(step.request, [], { perPage: undefined, ...followedBy(page + 1) });
		}
	}

	test('are followed, and the URLs then asked for in batches of half the size', () => {
		const { sent, states, step } = emptyBatches(4);
		expect(sent).toEqual([
			{ urls: 4, pages: 4 },
			{ urls: 2, pages: 2 },
			{ urls: 2, pages: 2 },
			...Array.from({ length: 4 }, () => ({ urls: 1, pages: 1 })),
		]);
		expect(states).toEqual(['notFound', 'notFound', 'notFound', 'notFound']);
		expect(step).toEqual({ end: 'endOfList' });
	});

	test.each([
		['ten, should pages be smaller than documented', 20, 10],
		['as many as there are in the documented size', 300, 30],
	])('are followed to %s', (_, count, pages) => {
		expect(emptyBatches(count, 1).sent).toEqual([{ urls: count, pages }]);
	});
});

describe('Promise 4: no more is asked for than is missing', () => {
	test('not a URL of a later batch for which a row came with an earlier one', () => {
		const { exchange } = byHand({ urls: 4, pageSize: 2 });
		exchange(rowsOf(0, 1, 2));
		expect(exchange([]).request.urls).toEqual([urlOf(3)]);
	});

	test('for sure where a renamed profile came, and the batch has a page to come', () => {
		const { batches, exchange } = byHand({ urls: 6, pageSize: 4 });
		exchange([...rowsOf(0), renamed], followedBy(2));
		expect(batches.missing()).toEqual(urls(1, 5));
		expect(batches.missingForSure()).toEqual(urls(4, 5));
	});

	test('for sure where no renamed profile came, whatever page is to come', () => {
		const { batches, exchange } = byHand({ urls: 4 });
		exchange(rowsOf(0), followedBy(2));
		expect(batches.missingForSure()).toEqual(urls(1, 3));
	});

	test('a page that failed, not the batch from its start', () => {
		const { batches, send, exchange } = byHand({ urls: 4 });
		exchange(rowsOf(0), followedBy(2));
		const second = send();
		expect(batches.fail(second, { kind: 'refused', status: 422 })).toBe(false);
		expect(batches.next(Infinity, [])).toMatchObject({
			request: { urls: urls(0, 3), page: 2 },
		});
	});
});

describe("Promise 7: the page size that the service's answer shows", () => {
	test('is taken for what follows where more pages do', () => {
		const { send, exchange } = byHand({ urls: 8, pageSize: 4 });
		exchange(rowsOf(0, 1), { perPage: 2, ...followedBy(2) });
		exchange(rowsOf(2, 3), { perPage: 2 });
		expect(send().urls).toEqual(urls(4, 5));
	});

	test('is none where it only counts the rows of the last page', () => {
		const { send, exchange } = byHand({ urls: 8, pageSize: 4 });
		exchange(rowsOf(0, 1), { perPage: 2 });
		expect(send().urls).toEqual(urls(4, 7));
	});

	test('puts what is open into new batches where a page was not full, since it counts URLs', () => {
		const { send, exchange } = byHand({ urls: 6 });
		exchange(rowsOf(0), { perPage: 3, ...followedBy(2) });
		const request = send();
		expect(request).toMatchObject({ urls: urls(1, 3), page: 1, size: 3 });
		// Nothing is doubted that would have to be proved before other requests may be sent.
		expect(request.isEndProbe).toBeUndefined();
	});

	test('is followed all the same where one of the open URLs may be of a renamed profile', () => {
		const { send, exchange } = byHand({ urls: 6 });
		exchange([renamed], { perPage: 3, ...followedBy(2) });
		expect(send()).toMatchObject({ urls: urls(0, 5), page: 2 });
	});

	test('is halved where a request did not get through, down to the documented one', () => {
		const { batches } = byHand({ urls: 100, pageSize: 50, documentedPageSize: 10 });
		const sizes = [50, 25, 12, 10].map((size) => {
			batches.halve({ urls: urls(0, size - 1), page: 1, size, maxRows: size, cost: size });
			const step = batches.next(Infinity, []);
			return 'request' in step && step.request.size;
		});
		expect(sizes).toEqual([25, 12, 10, 10]);
	});

	test('stays as small as it is set where a request of that size did not get through', () => {
		const { batches, send } = byHand({ urls: 20, pageSize: 4, documentedPageSize: 10 });
		batches.halve(send());
		expect(batches.next(Infinity, [])).toMatchObject({ request: { size: 4 } });
	});
});

describe('Promise 7: an answer that contradicts itself', () => {
	test.each<[string, Json[], Omit<Page, 'rows'>, string]>([
		['what is wrong with it', rowsOf(1), { violation: 'row 1 is wrong' }, 'row 1 is wrong'],
		[
			'a page that does not follow',
			rowsOf(1),
			followedBy(1),
			'named page 1 as the one after page 2',
		],
		[
			'the same page again',
			rowsOf(1),
			{ page: 1, ...followedBy(2) },
			'named page 2 as the one after page 2',
		],
		[
			'nothing but rows that had come',
			rowsOf(0),
			followedBy(3),
			'page 2 with profiles that had come',
		],
	])('is told by %s', (_, rows, page, text) => {
		const { exchange } = byHand({ urls: 4 });
		exchange(rowsOf(0), followedBy(2));
		expect(exchange(rows, page).accepted.violation).toContain(text);
	});

	test('is none where a page follows the one before, with rows or without', () => {
		const { exchange } = byHand({ urls: 4 });
		expect(exchange(rowsOf(0), followedBy(2)).accepted).toEqual({});
		expect(exchange([], followedBy(3)).accepted).toEqual({});
		expect(exchange(rowsOf(1)).accepted).toEqual({});
	});

	test('leaves what a renamed profile may be about uncertain, as no page follows it', () => {
		const { exchange, states } = byHand({ urls: 2 });
		exchange([renamed], { violation: 'row 1 is wrong', ...followedBy(2) });
		expect(states()).toEqual(['uncertain', 'uncertain']);
	});
});

describe('Two of the URLs are of one profile, whose rows name the one URL', () => {
	test('the other one is uncertain, and not asked for again', () => {
		const { next, exchange, states, profiles } = byHand({ urls: 2 });
		exchange(rowsOf(0, 0));
		expect(next()).toEqual({ end: 'endOfList' });
		expect(states()).toEqual(['found', 'uncertain']);
		// Its row was paid for, so it comes out for that one.
		expect(profiles.unmatched).toEqual([{ row: rowsOf(0)[0], urls: new Set([urlOf(1)]) }]);
	});

	test('in a batch of its own, it does not keep others from being looked up', () => {
		const { exchange, next } = byHand({ urls: 3, pageSize: 1 });
		exchange(rowsOf(0));
		expect(exchange(rowsOf(0)).accepted.violation).toBeUndefined();
		expect(next()).toMatchObject({ request: { urls: [urlOf(2)] } });
	});

	test('found by an earlier run, its row that differs is paid for now', () => {
		const earlier = new ProfileRows();
		earlier.add(urlOf(0), { ...rowsOf(0)[0], id: 1 });
		const profiles = new ProfileRows([earlier.snapshot(1_000)]);
		const { exchange } = byHand({ urls: 2, profiles });
		exchange([{ ...rowsOf(0)[0], id: 2 }]);
		expect(profiles.snapshot(2_000).settled).toEqual(
			expect.arrayContaining([expect.objectContaining({ url: urlOf(0), boughtAt: 2_000 })]),
		);
	});
});
