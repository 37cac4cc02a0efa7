/** What holds for every list of every service that the contract allows. */
import fc from 'fast-check';

import type { RowRange } from '../../nodes/LeadSearch/api/ranges';
import type { Setting } from './fetching';
import {
	fetchList,
	wantedRows,
	type FetchedList,
	type ListService,
	type Wish,
} from './listService';
import { down, draws, expectGivenUp, mostly, orInfinity, rough, smooth } from './settings';

const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
/** Whatever the contract leaves open. */
const anyService: fc.Arbitrary<ListService> = fc.record({
	rows: fc.nat(200),
	balance: orInfinity(fc.nat(200)),
	cap: orInfinity(fc.integer({ min: 1, max: 90 })),
	laterCap: maybe(
		fc.record({
			page: fc.integer({ min: 2, max: 5 }),
			size: fc.integer({ min: 1, max: 50 }),
		}),
	),
	fixedSize: fc.oneof(
		{ weight: 4, arbitrary: fc.constant(undefined) },
		{ weight: 1, arbitrary: fc.integer({ min: 1, max: 60 }) },
	),
	smallest: fc.oneof(
		{ weight: 5, arbitrary: fc.constant(1) },
		{ weight: 1, arbitrary: fc.integer({ min: 2, max: 40 }) },
	),
	allowedSizes: fc.oneof(
		{ weight: 8, arbitrary: fc.constant(undefined) },
		{ weight: 1, arbitrary: fc.constantFrom([10, 25, 50, 100], [25, 100], [5, 20, 40]) },
	),
	isEmptyBare: mostly(false),
	refusesAbove: orInfinity(fc.integer({ min: 25, max: 90 })),
	ignoresPage: mostly(false),
	renumbers: mostly(false),
	behindEnd: fc.oneof(
		{ weight: 4, arbitrary: fc.constant('empty' as const) },
		{ weight: 1, arbitrary: fc.constantFrom('lastPage' as const, 'firstPage', 'notFound') },
	),
	extra: fc.oneof(
		{ weight: 4, arbitrary: fc.constant(0) },
		{ weight: 1, arbitrary: fc.integer({ min: 1, max: 4 }) },
	),
	perPage: fc.constantFrom('served' as const, 'absent', 'requested', 'count', 'cut'),
	shrinks: mostly(false),
	isEmptyAtZero: mostly(false),
	page: fc.constantFrom('served' as const, 'absent', 'requested'),
	heedsMaxResults: fc.boolean(),
	hasMoreBy: fc.constantFrom('fullPage' as const, 'rowsThatFollow' as const),
	deniesMoreAtZero: fc.boolean(),
	refusesAllAtZero: fc.boolean(),
});

const held: fc.Arbitrary<RowRange[]> = fc
	.uniqueArray(fc.nat(150), { maxLength: 4 })
	.map((borders) => {
		const [a = 0, b = 0, c = 0, d = 0] = borders.sort((one, other) => one - other);
		return [
			{ from: a, to: b },
			{ from: c, to: d },
		].filter(({ from, to }) => to > from);
	});

/** Small numbers, so that pages, ends and limits meet often. */
const anyWish: fc.Arbitrary<Wish> = fc.record({
	skip: fc.oneof(fc.constant(0), fc.nat(120)),
	limit: orInfinity(fc.integer({ min: 1, max: 200 })),
	pageSize: fc.oneof(fc.constantFrom(10, 25, 40, 100, 1_000), fc.integer({ min: 1, max: 120 })),
	budget: orInfinity(fc.integer({ min: 1, max: 200 })),
	held: fc.oneof(fc.constant<RowRange[]>([]), held),
});

async function holds(
	services: fc.Arbitrary<ListService>,
	wishes: fc.Arbitrary<Wish>,
	settings: fc.Arbitrary<Setting>,
	check: (fetched: FetchedList, service: ListService, wish: Wish, setting: Setting) => void,
): Promise<void> {
	await fc.assert(
		fc.asyncProperty(services, wishes, settings, async (service, wish, setting) => {
			const list = { ...service, rows: Math.max(service.rows, ...endsOf(wish)) };
			check(await fetchList({ ...list }, wish, setting), list, wish, setting);
		}),
		draws,
	);
}

/** Rows that came before exist. */
function endsOf({ held: ranges = [] }: Wish): number[] {
	return ranges.map(({ to }) => to);
}

const isFromTheStart = ({ skip, held: before = [] }: Wish) => skip === 0 && before.length === 0;

/**
 * Whether it can be known which rows a service sends. No code can tell where
 * - pages come in another size than requested, and neither is it named, nor is page 1 visibly short;
 *   on a last page that is full, the name could as well be a count of its rows;
 * - a later page does so, and it is not named: page 1 shows nothing of it;
 * - pages hold more rows than requested and their size is not named: that looks like other pages;
 * - an empty page does not name its size, no row has come in it, and a low balance may be the reason;
 * - the page size falls with the balance;
 * - pages of another size than requested begin where that one does, and don't name their own number;
 * - a balance of zero is answered as the end of the list would be;
 * - another page than the one requested comes, of which nothing came before to compare it with.
 */
function isKnowable(
	{ isBlind, result: { end, failure } }: FetchedList,
	service: ListService,
	wish: Wish,
): boolean {
	// Without a failure or a limit, what was asked for free has told.
	const isAsked = failure === undefined && end !== 'budget' && end !== 'limit';
	return ![
		isBlind,
		service.laterCap !== undefined &&
			(service.perPage !== 'served' || service.isEmptyBare || !isAsked),
		service.extra > 0 && service.perPage !== 'served',
		service.ignoresPage && !isFromTheStart(wish),
		service.behindEnd === 'lastPage' || service.behindEnd === 'firstPage',
		service.shrinks && Number.isFinite(service.balance),
		service.renumbers && service.page !== 'served',
		service.isEmptyAtZero && (saysNoMoreAtZero(service) || failure !== undefined),
		service.isEmptyBare && Number.isFinite(service.balance),
	].includes(true);
}

function saysNoMoreAtZero({ hasMoreBy, deniesMoreAtZero }: ListService): boolean {
	return hasMoreBy === 'fullPage' || deniesMoreAtZero;
}

/** Services whose pages are as the contract documents them, in the size that they name. */
const sound = anyService.map((service): ListService => ({
	...service,
	perPage: 'served',
	extra: 0,
	fixedSize: undefined,
	laterCap: undefined,
	ignoresPage: false,
	behindEnd: 'empty',
	smallest: 1,
	allowedSizes: undefined,
	isEmptyBare: false,
	shrinks: false,
	isEmptyAtZero: false,
	renumbers: service.renumbers === true && service.page === 'served',
}));

describe('Promise 1: never overspend', () => {
	test('no more rows are requested, those in flight included, than Limit and budget leave', async () => {
		await holds(anyService, anyWish, rough, ({ overspent }) => {
			expect(overspent).toEqual([]);
		});
	});

	test('what is charged, or may have been, stays within Limit and Credit Budget', async () => {
		await holds(sound, anyWish, rough, ({ credits, chargedByService, received }, _, wish) => {
			expect(credits.charged + credits.possiblyCharged).toBeLessThanOrEqual(wish.budget);
			expect(chargedByService).toBeLessThanOrEqual(wish.budget);
			expect(received).toBeLessThanOrEqual(wish.limit);
		});
	});
});

describe('Promise 2: never lose what was paid for', () => {
	test('every row charged is kept, is told as repeated, or its response was lost', async () => {
		await holds(anyService, anyWish, rough, (fetched, _, wish) => {
			const { rows, pagination, received, credits, chargedByService } = fetched;
			const kept = [...rows.of({ from: 0, to: Infinity })].length;
			const before = (wish.held ?? []).reduce((sum, { from, to }) => sum + to - from, 0);
			expect(kept - before).toBe(pagination.rows);
			expect(pagination.rows + pagination.repeatedRows).toBe(received);
			expect(credits.charged).toBe(received);
			if (credits.lostResponses === 0) expect(chargedByService).toBe(received);
		});
	});

	test('every row is kept at its place, so none twice', async () => {
		await holds(anyService, anyWish, rough, (fetched, service, wish) => {
			if (!isKnowable(fetched, service, wish)) return;
			expect(fetched.misplaced).toEqual([]);
		});
	});

	test('behind Skip, too, where the service names a page size below the documented one', async () => {
		const small = sound.chain((service) =>
			fc.integer({ min: 1, max: 24 }).map((cap) => ({ ...service, cap })),
		);
		await holds(small, anyWish, rough, ({ misplaced, isBlind }) => {
			if (!isBlind) expect(misplaced).toEqual([]);
		});
	});

	test('a service that repeats its last page gets no row kept twice', async () => {
		const repeating = sound.map((service) => ({
			...service,
			balance: Infinity,
			behindEnd: 'lastPage' as const,
		}));
		const fromTheStart = anyWish.map((wish) => ({ ...wish, skip: 0, held: [] }));
		const inOrder = smooth.map((setting) => ({ ...setting, order: [] }));
		await holds(repeating, fromTheStart, inOrder, ({ came }) => {
			expect(came).toEqual([...new Set(came)]);
		});
	});

	test('what is missing and what came are exactly what was wanted', async () => {
		await holds(anyService, anyWish, rough, (fetched, service, wish) => {
			if (!isKnowable(fetched, service, wish)) return;
			// It says so: more rows may follow, but no request would show it.
			if (fetched.result.end === 'unverifiedEnd') return;
			const { places, missing } = fetched;
			expect([...places, ...missing].sort((one, other) => one - other)).toEqual(
				wantedRows(wish, service),
			);
		});
	});

	test('every wanted row comes once and in order when the service serves what it names', async () => {
		const rich = sound.map((service) => ({ ...service, balance: Infinity }));
		const unlimited = anyWish.map((wish) => ({ ...wish, budget: Infinity }));
		await holds(rich, unlimited, smooth, (fetched, service, wish) => {
			const { came, received, result } = fetched;
			const wanted = wantedRows(wish, service);
			expect(came).toEqual(wanted);
			expect(received).toBe(wanted.filter((row) => !isHeld(wish, row)).length);
			expect(['endOfList', 'limit']).toContain(result.end);
		});
	});

	test('so it does in a preview, which may bring others first, since they are free', async () => {
		const free = anyWish.map((wish) => ({ ...wish, isFree: true }));
		await holds(sound, free, smooth, ({ came, result, isBlind }, service, wish) => {
			if (isBlind) return;
			expect(came).toEqual(wantedRows(wish, service));
			expect(['endOfList', 'limit']).toContain(result.end);
		});
	});
});

function isHeld({ held: before = [] }: Wish, row: number): boolean {
	return before.some(({ from, to }) => row > from && row <= to);
}

describe('Promise 3: never pass off a cut result as whole', () => {
	test("a list ends as 'endOfList' only where the service has no further row", async () => {
		await holds(anyService, anyWish, rough, (fetched, service, wish) => {
			if (fetched.result.end !== 'endOfList') return;
			if (!isKnowable(fetched, service, wish)) return;
			expect(fetched.places).toEqual(wantedRows(wish, service));
		});
	});

	test("it ends as 'limit' only with every wanted row, or with others that were charged", async () => {
		await holds(anyService, anyWish, rough, (fetched, service, wish) => {
			const { result, places, received, isBlind } = fetched;
			if (isBlind) return;
			const wanted = places.filter((place) => !isHeld(wish, place));
			if (result.end !== 'limit' || received > wanted.length) return;
			expect(fetched.missing).toEqual([]);
			expect(places).toEqual(expect.arrayContaining(wantedRows(wish, service)));
		});
	});
});

describe('Promise 6: stop means stop', () => {
	test('after a cancel no request is sent, whenever it comes', async () => {
		await holds(anyService, anyWish, rough, ({ requestsAfterCancel }) => {
			expect(requestsAfterCancel).toBe(0);
		});
	});

	test('no list is requested for ever: nearly every request brings a row or fails', async () => {
		const paidOrFree = fc
			.tuple(anyWish, mostly(false))
			.map(([wish, isFree]): Wish => ({ ...wish, isFree }));
		await holds(anyService, paidOrFree, rough, ({ requests, failures, received }) => {
			expect(requests.length).toBeLessThanOrEqual(2 * received + failures + 20);
		});
	});

	test('a request that keeps failing is given up, whatever it fails with', async () => {
		await holds(anyService, anyWish, down, (fetched, _, __, setting) => {
			expectGivenUp(fetched, setting);
		});
	});
});
