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
	expect(result.failure).toMatchObject({ kind: 'protocolViolation' });
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
