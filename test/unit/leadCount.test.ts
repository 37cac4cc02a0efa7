import fc from 'fast-check';

import type { Page } from '../../nodes/LeadSearch/api/contract';
import type { Failure, Outcome } from '../../nodes/LeadSearch/api/failures';
import { LeadCount, type CountRequest } from '../../nodes/LeadSearch/api/leadCount';
import { readPage } from '../../nodes/LeadSearch/api/response';
import { fetchAll } from './fetching';

/** A preview, with a switch for each place at which the contract is silent. */
interface Preview {
	/** Leads that match, and leads of the whole database. */
	matches: number;
	database: number;
	/** Leads of a list that it reaches. */
	reach: number;
	/** The largest page that it serves. */
	cap: number;
	perPage: 'served' | 'requested' | 'count' | 'absent';
	namesPage: boolean;
	ignoresPage: boolean;
	/** What it answers to a page behind the last one. */
	behindEnd: 'empty' | 'refused' | 'notFound' | 'lastPage' | 'firstPage';
}

const plain: Preview = {
	matches: 2_350,
	database: 500_000,
	reach: Infinity,
	cap: Infinity,
	perPage: 'served',
	namesPage: true,
	ignoresPage: false,
	behindEnd: 'empty',
};

const REFUSED: Failure = { kind: 'refused', status: 422 };
const NOT_FOUND: Failure = { kind: 'notTheService', status: 404 };

function answer(preview: Preview, request: CountRequest): Outcome<Page> {
	const { cap, reach, ignoresPage, behindEnd, perPage, namesPage } = preview;
	const size = Math.min(request.size, cap);
	const inAll = request.isUnfiltered ? preview.database : preview.matches;
	const leads = Math.min(inAll, reach);
	const pages = Math.max(1, Math.ceil(leads / size));
	let page = ignoresPage ? 1 : request.page;
	if (page > pages) {
		if (behindEnd === 'refused') return { failure: REFUSED };
		if (behindEnd === 'notFound') return { failure: NOT_FOUND };
		if (behindEnd === 'lastPage') page = pages;
		if (behindEnd === 'firstPage') page = 1;
	}
	const from = (page - 1) * size;
	const rows = Array.from({ length: Math.max(0, Math.min(size, leads - from)) }, (_, index) => ({
		id: `${request.isUnfiltered ? 'any' : 'match'} ${from + index}`,
	}));
	const named = { served: size, requested: request.size, count: rows.length, absent: undefined };
	return readPage(
		{
			preview_data: rows,
			...(namesPage && { page }),
			...(named[perPage] !== undefined && { per_page: named[perPage] }),
		},
		'preview',
	);
}

async function countOf(fields: Partial<Preview>, size = 100) {
	const preview = { ...plain, ...fields };
	const leads = new LeadCount(size, 25);
	const { requests, result } = await fetchAll<CountRequest>({
		pagination: leads,
		budget: Infinity,
		serve: (request) => answer(preview, request),
	});
	const { count, isAtLeast } = leads;
	return { count, isAtLeast, requests, result };
}

test('2,350 leads are counted in at most 20 requests', async () => {
	const { count, isAtLeast, requests } = await countOf({});
	expect({ count, isAtLeast }).toEqual({ count: 2_350, isAtLeast: false });
	expect(requests.length).toBeLessThanOrEqual(20);
});

test('a preview that is cut at 100 leads tells of at least 100', async () => {
	const { count, isAtLeast } = await countOf({ reach: 100 });
	expect({ count, isAtLeast }).toEqual({ count: 100, isAtLeast: true });
});

test('nobody matches: 0, exact where the preview has anybody', async () => {
	expect(await countOf({ matches: 0 })).toMatchObject({ count: 0, isAtLeast: false });
	expect(await countOf({ matches: 0, reach: 0 })).toMatchObject({ count: 0, isAtLeast: true });
});

test('a few leads take three requests', async () => {
	const { count, requests } = await countOf({ matches: 7 });
	expect(count).toBe(7);
	expect(requests).toHaveLength(3);
});

test('more than a search can reach are at least 100,000', async () => {
	const { count, isAtLeast } = await countOf({ matches: 250_000 });
	expect({ count, isAtLeast }).toEqual({ count: 100_000, isAtLeast: true });
});

test('an answer without a list is no count', async () => {
	const leads = new LeadCount(100, 25);
	const { result } = await fetchAll<CountRequest>({
		pagination: leads,
		budget: Infinity,
		serve: () => readPage({ audience: { size: 7 } }, 'preview'),
	});
	expect(result.failure).toMatchObject({
		kind: 'protocolViolation',
		text: expect.stringContaining('no list') as string,
	});
	expect(leads.isComplete).toBe(false);
});

test('a page size that is refused falls back to the documented one', async () => {
	const leads = new LeadCount(100, 25);
	const { requests } = await fetchAll<CountRequest>({
		pagination: leads,
		budget: Infinity,
		serve: (request) => (request.size > 25 ? { failure: REFUSED } : answer(plain, request)),
	});
	expect(leads.count).toBe(2_350);
	expect(requests[1]?.size).toBe(25);
});

/** Page numbers of the requests, `any` where the leads of the whole database are asked for. */
const pagesOf = (requests: readonly CountRequest[]) =>
	requests.map(({ page, isUnfiltered }) => (isUnfiltered ? `any ${page}` : page));

describe('As few pages as can be', () => {
	test('a page that is shorter than the first is taken for the last one at once', async () => {
		const { count, isAtLeast, requests } = await countOf({ matches: 50_050 });
		expect({ count, isAtLeast }).toEqual({ count: 50_050, isAtLeast: false });
		expect(pagesOf(requests)).toEqual([1, 501, 502, 'any 501']);
	});

	test('a first page that is shorter than requested is taken for the only one', async () => {
		const { requests } = await countOf({ matches: 7 });
		expect(pagesOf(requests)).toEqual([1, 2, 'any 1']);
	});

	test('a full page that is the only one is compared with what is behind it in all leads', async () => {
		const { count, isAtLeast, requests } = await countOf({ matches: 100 });
		expect({ count, isAtLeast }).toEqual({ count: 100, isAtLeast: false });
		expect(pagesOf(requests).slice(-2)).toEqual([2, 'any 2']);
	});

	test('so is one that is shorter than requested where all leads have no longer one', async () => {
		const { count, isAtLeast, requests } = await countOf({ matches: 40, cap: 40 });
		expect({ count, isAtLeast }).toEqual({ count: 40, isAtLeast: false });
		expect(pagesOf(requests)).toEqual([1, 2, 'any 1', 'any 2']);
	});

	test('one after the other', () => {
		const leads = new LeadCount(100, 25);
		expect(leads.next(Infinity, [{ page: 1, size: 100, cost: 0 }])).toEqual({ wait: true });
	});
});

describe('No more than there are, where the service answers another page', () => {
	test('the last one again: those before it are counted, and it', async () => {
		const fields = { behindEnd: 'lastPage', namesPage: false } as const;
		expect(await countOf(fields)).toMatchObject({ count: 150, isAtLeast: true });
	});

	test('the first one again: what was seen at its place is counted', async () => {
		const fields = { matches: 60_000, behindEnd: 'firstPage', namesPage: false } as const;
		expect(await countOf(fields)).toMatchObject({ count: 50_100, isAtLeast: true });
		const always = { ignoresPage: true, namesPage: false };
		expect(await countOf(always)).toMatchObject({ count: 100, isAtLeast: true });
	});

	/** Answers the pages in turn with so many leads, none of which came before. */
	function answered(...pages: Array<{ rows: number; page?: number }>) {
		const leads = new LeadCount(100, 25);
		for (const [index, { rows, ...named }] of pages.entries()) {
			const step = leads.next(Infinity, []);
			if (!('request' in step)) throw new Error('It asks for no more pages');
			const came = Array.from({ length: rows }, (_, row) => ({ id: `${index} ${row}` }));
			leads.accept(step.request, { rows: came, ...named });
		}
		const { count, isAtLeast, isComplete } = leads;
		return { count, isAtLeast, isComplete };
	}

	test('by its number: its leads are not counted, be they others or not', () => {
		expect(answered({ rows: 100 }, { rows: 100, page: 1 })).toEqual({
			count: 100,
			isAtLeast: true,
			isComplete: true,
		});
	});

	test('but those of the first page are, whatever number it names', () => {
		expect(answered({ rows: 100, page: 2 })).toEqual({
			count: 100,
			isAtLeast: true,
			isComplete: false,
		});
	});

	test('in all leads: that shows no more than there was', () => {
		const few = [{ rows: 7 }, { rows: 0 }];
		expect(answered(...few, { rows: 100, page: 1 })).toMatchObject({ isAtLeast: false });
		expect(answered(...few, { rows: 100, page: 3 })).toMatchObject({ isAtLeast: true });
	});

	test.each([
		['longer than the first', [{ rows: 40 }, { rows: 41 }], 40],
		['behind one that is shorter', [{ rows: 100 }, { rows: 40 }, { rows: 30 }], 50_040],
	])('where one is %s, the places of leads are not known', (_, pages, count) => {
		expect(answered(...pages)).toEqual({ count, isAtLeast: true, isComplete: true });
	});
});

describe('A page that fails', () => {
	const page = (number: number, size = 100) => ({ page: number, size, cost: 0 as const });
	const DOWN: Failure = { kind: 'serverDown', status: 500 };

	test.each<[string, CountRequest, Failure, boolean]>([
		['the first, refused, but no larger than documented', page(1, 25), REFUSED, false],
		['the first, for another reason than its size', page(1), DOWN, false],
		['the first, not found', page(1), NOT_FOUND, false],
		['the first of all leads, refused', { ...page(1), isUnfiltered: true }, REFUSED, true],
		['a later one, refused', page(2), REFUSED, true],
		['a later one, not found', page(2), NOT_FOUND, true],
		['a later one, for a reason that tells nothing of its place', page(2), DOWN, false],
	])('%s', (_, request, failure, goesOn) => {
		const leads = new LeadCount(100, 25);
		if (request.page > 1) {
			leads.accept(page(1), { rows: Array.from({ length: 100 }, (_row, id) => ({ id })) });
		}
		expect(leads.fail(request, failure)).toBe(goesOn);
	});

	test('is asked for in the documented size next, unless it is not the first', () => {
		const leads = new LeadCount(100, 25);
		leads.halve(page(1));
		expect(leads.next(Infinity, [])).toMatchObject({ request: { page: 1, size: 25 } });
		leads.halve(page(1, 10));
		expect(leads.next(Infinity, [])).toMatchObject({ request: { size: 10 } });
		leads.accept(page(1, 10), { rows: Array.from({ length: 10 }, (_, id) => ({ id })) });
		leads.halve(page(501, 9));
		expect(leads.next(Infinity, [])).toMatchObject({ request: { size: 10 } });
	});
});

const anyPreview: fc.Arbitrary<Preview> = fc.record({
	matches: fc.oneof(fc.nat(300), fc.nat(150_000)),
	database: fc.integer({ min: 150_000, max: 1_000_000 }),
	reach: fc.oneof(fc.constant(Infinity), fc.nat(300), fc.nat(100_000)),
	cap: fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: 120 })),
	perPage: fc.constantFrom<Preview['perPage']>('served', 'requested', 'count', 'absent'),
	namesPage: fc.boolean(),
	ignoresPage: fc.boolean(),
	behindEnd: fc.constantFrom<Preview['behindEnd']>(
		'empty',
		'refused',
		'notFound',
		'lastPage',
		'firstPage',
	),
});
const anySize = fc.constantFrom(1, 2, 25, 100, 1_000);

test('no preview makes it count too many, call a count exact that is not, or ask more than 20 times', async () => {
	await fc.assert(
		fc.asyncProperty(anyPreview, anySize, async (preview, size) => {
			const { count, isAtLeast, requests, result } = await countOf(preview, size);
			expect(result.end).toBe('endOfList');
			expect(count).toBeLessThanOrEqual(preview.matches);
			if (!isAtLeast) expect(count).toBe(preview.matches);
			expect(requests.length).toBeLessThanOrEqual(20);
		}),
		{ numRuns: 500 },
	);
});

test('it is exact wherever the preview reaches further, whatever the size of its pages', async () => {
	const honest = anyPreview.filter(
		({ matches, reach, ignoresPage, behindEnd }) =>
			matches < Math.min(reach, 100_000) && !ignoresPage && !behindEnd.endsWith('Page'),
	);
	await fc.assert(
		fc.asyncProperty(honest, anySize, async (preview, size) => {
			expect(await countOf(preview, size)).toMatchObject({
				count: preview.matches,
				isAtLeast: false,
			});
		}),
		{ numRuns: 300 },
	);
});
