/** What is known of the page sizes that a service serves, and when it is asked for. */
import type { Page } from '../../nodes/LeadSearch/api/contract';
import type { Failure } from '../../nodes/LeadSearch/api/failures';
import { ServedSizes, type KnownSizes } from '../../nodes/LeadSearch/api/servedSizes';

interface Setup extends Partial<KnownSizes> {
	pageSize?: number;
	costsCredits?: boolean;
}

function sizesOf({ pageSize = 100, costsCredits = true, ...before }: Setup = {}) {
	const known: KnownSizes = { provenSize: 0, ...before };
	return {
		sizes: new ServedSizes({ pageSize, documentedPageSize: 25, costsCredits }, known),
		known,
	};
}

function page(rows: number, more: Omit<Page, 'rows'> = {}): Page {
	return { rows: Array.from({ length: rows }, (_, row) => ({ row })), ...more };
}

describe('what earlier pages showed', () => {
	test('limits the largest page to request', () => {
		expect(sizesOf().sizes.largest).toBe(100);
		expect(sizesOf({ cappedSize: 40 }).sizes.largest).toBe(40);
		expect(sizesOf({ cappedSize: 400 }).sizes.largest).toBe(100);
	});

	test('proves the largest size that came as requested', () => {
		const { sizes } = sizesOf({ provenSize: 40 });
		expect([39, 40, 41].map((size) => sizes.isProven(size))).toEqual([false, true, false]);
	});

	test('limits the smallest page to request', () => {
		const { sizes } = sizesOf({ pageSize: 10, smallestSize: 30 });
		expect([sizes.smallest, sizes.largest]).toEqual([30, 30]);
	});
});

describe('a page size is asked for before a page of rows', () => {
	test.each<[string, Setup, [offset: number, size: number], asked: number | undefined]>([
		['behind the first row, where nothing is known', {}, [60, 30], 30],
		['the documented one, too', {}, [50, 25], 25],
		['not at the first row', {}, [0, 100], undefined],
		['not where rows cost nothing', { costsCredits: false }, [60, 30], undefined],
		['not where that size came', { provenSize: 30 }, [60, 30], undefined],
		['not where that size came, of pages cut short', capped(30), [60, 30], undefined],
		['where it is larger than what came', { provenSize: 20 }, [60, 25], 25],
		['the smallest one, where it is smaller than what came', { provenSize: 30 }, [60, 20], 1],
		['but that size, of pages cut short', capped(30), [60, 20], 20],
	])('%s', (_, setup, asked, expected) => {
		expect(sizesOf(setup).sizes.sizeToProbe(...asked)).toBe(expected);
	});

	test('not where a smaller and a larger one came', () => {
		const { sizes } = sizesOf({ provenSize: 30 });
		sizes.learnFromProbe({ page: 4_000_001, size: 1 }, 1);
		expect(sizes.sizeToProbe(60, 20)).toBeUndefined();
	});

	test('each one, where pages come larger or smaller than requested', () => {
		const { sizes } = sizesOf(capped(100));
		sizes.learnFromProbe({ page: 4_000_001, size: 10 }, 10);
		expect(sizes.sizeToProbe(100, 20)).toBe(20);
	});
});

function capped(size: number): Setup {
	return { provenSize: size, cappedSize: size };
}

describe('a page shows', () => {
	test.each<[string, Page, Partial<KnownSizes>, largest: number]>([
		['a full one, that its size is served', page(50), { provenSize: 50 }, 100],
		['one that names its size, too', page(3, { perPage: 50 }), { provenSize: 50 }, 100],
		['a short one nothing', page(49), { provenSize: 0 }, 100],
		[
			'a smaller size with more to follow, the largest that is served',
			page(20, { perPage: 20, hasMore: true }),
			{ provenSize: 20, cappedSize: 20 },
			20,
		],
		[
			'the same by the number of the next page',
			page(20, { perPage: 20, nextPage: 2 }),
			{ provenSize: 20, cappedSize: 20 },
			20,
		],
		[
			'the same without rows',
			page(0, { perPage: 20, hasMore: false }),
			{ provenSize: 20, cappedSize: 20 },
			20,
		],
		[
			'a smaller size at the end, which may be the number of its rows, less',
			page(20, { perPage: 20, hasMore: false }),
			{ provenSize: 20, cappedSize: undefined },
			20,
		],
		[
			'a short first one with more to follow, its size',
			page(20, { hasMore: true }),
			{ provenSize: 20, cappedSize: 20 },
			20,
		],
		[
			'an empty first one with more to follow, nothing',
			page(0, { hasMore: true }),
			{ provenSize: 0, cappedSize: undefined },
			100,
		],
		[
			'a full first one with more to follow, no cap',
			page(50, { hasMore: true }),
			{ provenSize: 50, cappedSize: undefined },
			100,
		],
	])('%s', (_, response, learned, largest) => {
		const { sizes, known } = sizesOf();
		sizes.learn({ page: 1, size: 50 }, response);
		expect({ ...known, largest: sizes.largest }).toEqual({ ...learned, largest });
	});

	test('a later one, when it is short though more follow, nothing: the balance may be low', () => {
		const { sizes, known } = sizesOf();
		expect(sizes.learn({ page: 2, size: 50 }, page(20, { hasMore: true }))).toBe(50);
		expect(known).toEqual({ provenSize: 0 });
	});

	test('a larger size than requested, that the service ignores the one requested', () => {
		const { sizes } = sizesOf();
		expect(sizes.learn({ page: 1, size: 10 }, page(10, { perPage: 20 }))).toBe(20);
		expect(sizes.smallest).toBe(20);
	});

	test('a smaller size served in full, that the service serves more than one size', () => {
		const { sizes } = sizesOf(capped(30));
		sizes.learn({ page: 4, size: 20 }, page(20));
		expect(sizes.sizeToProbe(60, 15)).toBe(15);
		const same = sizesOf(capped(30)).sizes;
		same.learn({ page: 3, size: 30 }, page(30));
		expect(same.sizeToProbe(60, 15)).toBe(15);
	});
});

describe('a page that is larger than requested shows', () => {
	const larger = (size: number, served: number, setup: Setup = {}) => {
		const { sizes, known } = sizesOf(setup);
		sizes.learn({ page: 1, size }, page(served, { perPage: served }));
		return { sizes, known };
	};

	test('the smallest size, where the one requested is at most the documented one', () => {
		const { sizes, known } = larger(10, 20);
		expect(known).toEqual({ provenSize: 20, smallestSize: 20 });
		expect([sizes.smallest, sizes.largest]).toEqual([20, 100]);
	});

	test('that the documented one may be served, where more was requested', () => {
		const { sizes, known } = larger(40, 50);
		expect(known).toEqual({ provenSize: 50 });
		expect([sizes.smallest, sizes.largest]).toEqual([1, 25]);
	});

	test('that a smaller one, which came as requested, is still served', () => {
		const { sizes, known } = sizesOf();
		for (const size of [5, 15]) sizes.learn({ page: 1, size }, page(size));
		sizes.learn({ page: 1, size: 20 }, page(30, { perPage: 30 }));
		expect(known).toEqual({ provenSize: 30 });
		expect([sizes.smallest, sizes.largest]).toEqual([1, 15]);
	});

	test('that every size has to be asked for', () => {
		const { sizes } = larger(10, 20, { provenSize: 10 });
		expect(sizes.isProven(15)).toBe(false);
		expect(sizes.sizeToProbe(60, 15)).toBe(15);
	});

	test.each([
		[15, undefined],
		[20, 20],
		[25, 20],
	])('what a page that names %i then shows to be wrong', (served, smallest) => {
		const { sizes, known } = larger(10, 20);
		sizes.learn({ page: 2, size: 60 }, page(served, { perPage: served, hasMore: true }));
		expect(known.smallestSize).toBe(smallest);
	});
});

describe('the answer to a size probe', () => {
	test('names the size', () => {
		const { sizes, known } = sizesOf();
		sizes.learnFromProbe({ page: 4_000_001, size: 50 }, 20);
		expect(sizes.largest).toBe(20);
		expect(known).toEqual({ provenSize: 20, cappedSize: 20 });
	});

	test('without a size leaves the documented one', () => {
		const { sizes, known } = sizesOf();
		sizes.learnFromProbe({ page: 4_000_001, size: 50 }, undefined);
		expect(sizes.largest).toBe(25);
		// That was not shown, so it is neither kept nor requested several times at once.
		expect(known).toEqual({ provenSize: 0 });
		expect(sizes.isProven(25)).toBe(false);
		expect(sizes.sizeToProbe(100, 25)).toBeUndefined();
	});

	test('without a size leaves the documented one until a page shows that it is smaller', () => {
		const { sizes } = sizesOf();
		sizes.learnFromProbe({ page: 4_000_001, size: 50 }, undefined);
		sizes.learn({ page: 5, size: 25 }, page(10, { perPage: 10, hasMore: true }));
		expect(sizes.largest).toBe(10);
		expect(sizes.sizeToProbe(100, 10)).toBeUndefined();
	});

	test('without a size leaves the one that pages were cut to', () => {
		const { sizes, known } = sizesOf(capped(10));
		sizes.learnFromProbe({ page: 4_000_001, size: 5 }, undefined);
		expect(sizes.largest).toBe(10);
		expect(known).toEqual({ provenSize: 10, cappedSize: 10 });
		// What is known of it then is not asked for again.
		expect(sizes.sizeToProbe(60, 5)).toBeUndefined();
	});
});

describe('a size probe that fails', () => {
	test.each<Failure>([
		{ kind: 'lostResponse' },
		{ kind: 'unreadable' },
		{ kind: 'upstreamDown', status: 503 },
	])('with $kind is sent once more, then the documented size counts', (failure) => {
		const { sizes } = sizesOf();
		expect(sizes.failProbe(50, failure)).toBe(true);
		expect(sizes.largest).toBe(100);
		expect(sizes.failProbe(50, failure)).toBe(true);
		expect(sizes.largest).toBe(25);
	});

	test.each<Failure>([
		{ kind: 'refused', status: 422 },
		{ kind: 'serverDown', status: 500 },
		{ kind: 'notTheService', status: 404 },
	])('with $kind leaves the documented size', (failure) => {
		const { sizes } = sizesOf();
		expect(sizes.failProbe(50, failure)).toBe(true);
		expect(sizes.largest).toBe(25);
	});

	test('with a refusal is sent once more in the documented size, if it was larger', () => {
		const { sizes } = sizesOf();
		const failure: Failure = { kind: 'refused', status: 422 };
		expect(sizes.failProbe(50, failure)).toBe(true);
		expect(sizes.sizeToProbe(50, 25)).toBe(25);
		expect(sizes.failProbe(25, failure)).toBe(true);
		expect(sizes.sizeToProbe(50, 25)).toBeUndefined();
	});

	test.each<Failure>([
		{ kind: 'unauthorized', status: 401 },
		{ kind: 'noCredits', status: 402 },
		{ kind: 'notTheService', status: 301 },
		{ kind: 'tooManyRequests', status: 429 },
		{ kind: 'cancelled' },
	])('with $kind $status fails the run', (failure) => {
		const { sizes } = sizesOf();
		expect(sizes.failProbe(50, failure)).toBe(false);
		expect(sizes.largest).toBe(100);
	});
});

describe('a page that is too large', () => {
	test('is refused once, then pages have the documented size', () => {
		const { sizes } = sizesOf();
		const failure: Failure = { kind: 'refused', status: 422 };
		expect(sizes.refuse(25, failure)).toBe(false);
		expect(sizes.largest).toBe(100);
		expect(sizes.refuse(26, { kind: 'serverDown', status: 500 })).toBe(false);
		expect(sizes.refuse(26, failure)).toBe(true);
		expect(sizes.largest).toBe(25);
	});

	test('is no reason where the service has one size only', () => {
		const { sizes } = sizesOf();
		sizes.learn({ page: 1, size: 10 }, page(10, { perPage: 60 }));
		expect(sizes.refuse(60, { kind: 'refused', status: 422 })).toBe(false);
	});

	test('is no reason to ask for less than the smallest page', () => {
		const { sizes } = sizesOf({ smallestSize: 40 });
		expect(sizes.refuse(60, { kind: 'refused', status: 422 })).toBe(true);
		expect(sizes.largest).toBe(40);
		sizes.halve(60);
		expect(sizes.largest).toBe(40);
	});

	test('gives way to half of it, down to the documented size', () => {
		const { sizes } = sizesOf();
		sizes.halve(25);
		expect(sizes.largest).toBe(100);
		sizes.halve(99);
		expect(sizes.largest).toBe(49);
		sizes.halve(49);
		expect(sizes.largest).toBe(25);
	});

	test('is known by a list that goes on after a short one', () => {
		const { sizes, known } = sizesOf();
		sizes.cutTo(20);
		expect(sizes.largest).toBe(20);
		expect(known.cappedSize).toBe(20);
		sizes.cutTo(30);
		expect(known.cappedSize).toBe(20);
	});
});
