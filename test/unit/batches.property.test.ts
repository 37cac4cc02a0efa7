/** What holds for every lookup of every service that the contract allows. */
import fc from 'fast-check';

import type { Setting } from './fetching';
import {
	DOCUMENTED,
	fetchProfiles,
	profileOf,
	type FetchedProfiles,
	type LookUpService,
	type Profile,
	type Wish,
} from './lookUpService';
import { down, draws, expectGivenUp, mostly, orInfinity, rough, smooth } from './settings';

const profiles = fc.oneof(
	fc.array(fc.constantFrom<Profile>('none', 'one', 'one'), { maxLength: 60 }),
	fc.array(fc.constantFrom<Profile>('none', 'one', 'one', 'two', 'renamed'), { maxLength: 60 }),
);

/** Whatever the contract leaves open. */
const anyService: fc.Arbitrary<LookUpService> = fc.record({
	profiles,
	balance: orInfinity(fc.nat(60)),
	pagesOf: fc.constantFrom('urls' as const, 'rows'),
	cap: orInfinity(fc.integer({ min: 1, max: 30 })),
	refusesAbove: orInfinity(fc.integer({ min: DOCUMENTED, max: 30 })),
	ignoresPage: mostly(false),
	repeatsLastPage: mostly(false),
	perPage: fc.constantFrom('served' as const, 'absent', 'requested', 'count'),
	namesPage: fc.boolean(),
	heedsMaxResults: fc.boolean(),
	hasMoreBy: fc.constantFrom('fullPage' as const, 'rowsThatFollow' as const),
	deniesMoreAtZero: fc.boolean(),
	refusesAllAtZero: fc.boolean(),
});

/** Small numbers, so that pages, ends and limits meet often. */
const anyWish: fc.Arbitrary<Wish> = fc.record({
	urls: fc.integer({ min: 1, max: 60 }),
	limit: orInfinity(fc.integer({ min: 1, max: 60 })),
	pageSize: fc.constantFrom(1, 5, 10, 20, 40, 1_000),
	budget: orInfinity(fc.integer({ min: 1, max: 60 })),
});

async function holds(
	services: fc.Arbitrary<LookUpService>,
	wishes: fc.Arbitrary<Wish>,
	settings: fc.Arbitrary<Setting>,
	check: (fetched: FetchedProfiles, service: LookUpService, wish: Wish, setting: Setting) => void,
): Promise<void> {
	await fc.assert(
		fc.asyncProperty(services, wishes, settings, async (service, wish, setting) => {
			check(await fetchProfiles({ ...service }, wish, setting), service, wish, setting);
		}),
		draws,
	);
}

/** Whether pages may hold fewer URLs than requested without a word. */
const mayHide = ({ pagesOf, perPage }: LookUpService) => pagesOf === 'urls' && perPage !== 'served';

/** Services that answer the page that was requested. */
const heeding = anyService.map((service) => ({ ...service, ignoresPage: false }));

describe('Promise 1: never overspend', () => {
	test('no more rows are requested, those in flight included, than Limit and budget leave', async () => {
		await holds(anyService, anyWish, rough, ({ overspent }) => {
			expect(overspent).toEqual([]);
		});
	});

	test('what is charged stays within Limit and Credit Budget where a URL has one row', async () => {
		// A page of URLs with two rows for one of them is larger than what was requested.
		await holds(anyService, anyWish, rough, (fetched, { profiles: found }, wish) => {
			if (found.includes('two')) return;
			const { credits, chargedByService, received } = fetched;
			expect(credits.charged + credits.possiblyCharged).toBeLessThanOrEqual(wish.budget);
			expect(chargedByService).toBeLessThanOrEqual(wish.budget);
			expect(received).toBeLessThanOrEqual(wish.limit);
		});
	});
});

describe('Promise 2: never lose what was paid for', () => {
	test('every row charged is kept once, is told as repeated, or its response was lost', async () => {
		await holds(anyService, anyWish, rough, (fetched) => {
			const {
				urls,
				profiles: kept,
				pagination,
				received,
				credits,
				chargedByService,
			} = fetched;
			const rows = urls.flatMap((url) => kept.rowsOf(url));
			const all = [...rows, ...kept.unmatched.map(({ row }) => row)].map(({ id }) => id);
			expect(all).toHaveLength(new Set(all).size);
			expect(all).toHaveLength(pagination.rows);
			expect(pagination.rows + pagination.repeatedRows).toBe(received);
			expect(credits.charged).toBe(received);
			if (credits.lostResponses === 0) expect(chargedByService).toBe(received);
		});
	});

	test('every URL that is neither found nor not found nor uncertain is told as missing', async () => {
		await holds(anyService, anyWish, rough, ({ inState, missing }) => {
			expect(missing).toEqual(inState('open'));
		});
	});

	test('every profile comes, each row charged once, when nothing ends the run', async () => {
		const rich = heeding.map((service) => ({
			...service,
			balance: Infinity,
			repeatsLastPage: false,
		}));
		const unlimited = anyWish.map((wish) => ({ ...wish, limit: Infinity, budget: Infinity }));
		await holds(rich, unlimited, smooth, (fetched, service) => {
			const { urls, profiles: kept, result, received, pagination } = fetched;
			expect(result.end).toBe('endOfList');
			// So many pages without a row are followed, and no more.
			if (mayHide(service) && 10 * service.cap < urls.length) return;
			const rowsOf = { none: 0, one: 1, two: 2, renamed: 0 };
			expect(urls.map((url) => kept.rowsOf(url).length)).toEqual(
				urls.map((url) => rowsOf[profileOf(service, url)]),
			);
			expect(pagination.repeatedRows).toBe(0);
			expect(received).toBe(pagination.rows);
		});
	});
});

describe('Promise 3: never pass off a cut result as whole', () => {
	test('a URL is never called not found although the service has it', async () => {
		// Such a service may show at a balance of zero nothing at all of what it has.
		const telling = anyService.filter(
			(service) => !mayHide(service) || !service.deniesMoreAtZero,
		);
		await holds(telling, anyWish, rough, ({ inState }, service) => {
			const wrong = inState('notFound').filter((url) => profileOf(service, url) !== 'none');
			expect(wrong).toEqual([]);
		});
	});

	test("a lookup ends as 'endOfList' only with every URL settled, renamed ones as uncertain", async () => {
		await holds(anyService, anyWish, rough, (fetched, service) => {
			const { result, urls, inState, missing } = fetched;
			if (result.end !== 'endOfList') return;
			expect(missing).toEqual([]);
			const renamed = urls.filter((url) => profileOf(service, url) === 'renamed');
			expect(inState('uncertain')).toEqual(expect.arrayContaining(renamed));
		});
	});
});

describe('Promise 4: never pay twice for the same thing', () => {
	test('a URL is never requested anew once a row for it came, or may have come', async () => {
		await holds(anyService, anyWish, rough, ({ requestedAgain }) => {
			expect(requestedAgain).toEqual([]);
		});
	});

	test('rows come twice only from a service that answers another page than requested', async () => {
		const orderly = heeding.map((service) => ({ ...service, repeatsLastPage: false }));
		await holds(orderly, anyWish, smooth, ({ pagination }) => {
			expect(pagination.repeatedRows).toBe(0);
		});
	});
});

describe('Promise 6: stop means stop', () => {
	test('after a cancel no request is sent, whenever it comes', async () => {
		await holds(anyService, anyWish, rough, ({ requestsAfterCancel }) => {
			expect(requestsAfterCancel).toBe(0);
		});
	});

	test('no URL is requested for ever', async () => {
		await holds(anyService, anyWish, rough, ({ requests, failures, urls, received }) => {
			// Each URL, once more those that brought nothing, and a page that follows each row.
			const most = 2 * urls.length + received + failures + 5;
			expect(requests.length).toBeLessThanOrEqual(most);
		});
	});

	test('a request that keeps failing is given up, whatever it fails with', async () => {
		await holds(anyService, anyWish, down, (fetched, _, __, setting) => {
			expectGivenUp(fetched, setting);
		});
	});
});
