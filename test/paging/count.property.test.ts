/** Tests Count at random previews: the count is right, or says that it is a lower bound, within 20 requests. */
import fc from 'fast-check';

import type { Json } from '../../nodes/LeadSearch/api/contract';
import { failureFromStatus } from '../../nodes/LeadSearch/api/failures';
import { readPage } from '../../nodes/LeadSearch/api/response';
import { CountJob, LeadCount } from '../../nodes/LeadSearch/paging/leadCount';
import { fetchAll } from '../../nodes/LeadSearch/paging/fetchAll';
import { respond, type Readings, type Request, type Row } from '../../sandbox/service/model';
import { DRAWS, expectReached, of } from '../seed';
import { QUIET, READINGS } from './world';

jest.setTimeout(Math.max(300_000, DRAWS * 100));

const readings = fc
	.record({
		...READINGS,
		pageSize: of(0, 0, 25, 30, 64, 100, 1000),
		afterLast: of<Readings['afterLast']>('noRows', 'lastPage', 400, 404, 422),
		rowsAt: of<Readings['rowsAt']>('contract', 'data', 'bareArray'),
		preview: fc.record({
			masks: of<Readings['preview']['masks']>('contacts', 'contacts', 'allButUrl', 'all'),
			most: of(undefined, undefined, 10, 100, 1000),
		}),
	})
	.map((one) => ({
		...one,
		hasMore: one.missing.includes('has_more') ? ('honest' as const) : one.hasMore,
	}));

const leads = fc.oneof(
	fc.integer({ min: 0, max: 200 }),
	fc.integer({ min: 0, max: 5_000 }),
	of(100, 1000, 99_999, 100_000, 150_000),
);

/** A list that creates its rows when they are read. */
function listOf(length: number) {
	const slice = (from: number, to: number) =>
		Array.from({ length: Math.max(0, Math.min(to, length) - from) }, (_, index) => {
			const linkedin_url = `https://www.linkedin.com/in/lead-${from + index}`;
			return { id: from + index, record: { linkedin_url, work_email: null } } as unknown as Row;
		});
	return { length, slice };
}

test('Count returns the exact number, or marks a lower bound as such, within 20 requests', async () => {
	let reached = 0;
	let exact = 0;
	await fc.assert(
		fc.asyncProperty(
			readings,
			leads,
			of(undefined, 25, 37, 100, 1000),
			async (drawn, length, size) => {
				const list = new LeadCount();
				const state = {
					credits: 0,
					readings: drawn,
					leads: (body: object) => listOf('filter' in body ? length : 200_000),
					profiles: { get: () => undefined },
				};
				let requests = 0;
				const results = await fetchAll([{ job: new CountJob(list, size) }], {
					...QUIET,
					maxRetries: 0,
					send: (_, request) => {
						requests += 1;
						const paging = { _page: request.page, _per_page: request.size };
						const body = request.purpose === 'endCheck' ? paging : { ...paging, filter: 1 };
						const response = respond(state, { endpoint: 'preview', body } as unknown as Request);
						return Promise.resolve(
							response.status === 200
								? readPage(JSON.parse(JSON.stringify(response.body)) as Json, 'preview')
								: { failure: failureFromStatus(response.status, {}, undefined, 0) },
						);
					},
				});
				const { masks, most: maxRows = 100_000 } = drawn.preview;
				const maxCount = Math.min(maxRows, 100_000);
				const isRefused =
					drawn.tooLarge !== 'cut' && drawn.pageSize > 0 && (size ?? 0) > drawn.pageSize;
				reached += 1;
				if (isRefused) {
					expect(results).toMatchObject([{ failure: { kind: 'refused' } }]);
					return;
				}
				expect(results).toMatchObject([{ outcome: 'complete' }]);
				expect(requests).toBeLessThanOrEqual(20);
				expect(list.count).toBeLessThanOrEqual(length);
				if (!list.isAtLeast) expect(list.count).toBe(length);
				// If all rows are equal, a page can't be distinguished from page 1.
				if (masks !== 'all') expect(list.count).toBe(Math.min(length, maxCount));
				if (masks !== 'all') expect(list.isAtLeast).toBe(length >= maxCount);
				if (!list.isAtLeast) exact += 1;
			},
		),
		{ numRuns: DRAWS, endOnFailure: true },
	);
	expectReached(reached, DRAWS);
	expect(exact).toBeGreaterThan(DRAWS / 4);
});
