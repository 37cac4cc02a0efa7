/** Which URLs are requested next, by example. For all lookups: batches.property.test.ts. */
import { UrlBatches, type BatchRequest } from '../../nodes/LeadSearch/api/batches';
import { ProfileRows } from '../../nodes/LeadSearch/api/profileRows';
import { fetchProfiles, plainLookUp, urlOf, type Profile, type Wish } from './lookUpService';

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
		const { result, received } = await fetchProfiles(
			{ ...plainLookUp, cap: 10, ignoresPage: true },
			wish(),
		);
		expect(result.failure).toMatchObject({ kind: 'protocolViolation' });
		expect(received).toBe(20);
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

test('a batch that came empty beside others is asked for once more, alone', () => {
	const asked = urls(0, 7);
	const batches = new UrlBatches({
		urls: asked,
		limit: Infinity,
		profiles: new ProfileRows(),
		pageSize: 2,
		documentedPageSize: 100,
		urlOf: ({ linkedin_url: url }) => (typeof url === 'string' ? url : undefined),
		shape: (row) => row,
	});
	const inFlight: BatchRequest[] = [];
	const send = () => {
		const step = batches.next(Infinity, inFlight);
		if (!('request' in step)) return step;
		inFlight.push(step.request);
		return step.request;
	};
	const answer = (request: BatchRequest, found: readonly string[]) => {
		inFlight.splice(inFlight.indexOf(request), 1);
		const rows = found.map((url) => ({ linkedin_url: url }));
		batches.accept(request, { rows, perPage: 2, hasMore: false, nextPage: null });
	};
	const first = send() as BatchRequest;
	answer(first, first.urls);
	// The service sets credits aside for the third, so that it has none left for the second.
	const second = send() as BatchRequest;
	const third = send() as BatchRequest;
	answer(second, []);
	const fourth = send() as BatchRequest;
	answer(fourth, fourth.urls);
	answer(third, third.urls);
	const again = send() as BatchRequest;
	expect(again).toMatchObject({ urls: second.urls, isEndProbe: true });
	expect(send()).toEqual({ wait: true });
	answer(again, again.urls);
	expect(send()).toEqual({ end: 'endOfList' });
});
