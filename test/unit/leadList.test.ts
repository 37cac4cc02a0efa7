/** Which lists are fetched for input items, and with what body. */
import { ProfileRows } from '../../nodes/LeadSearch/api/profileRows';
import { ListRows } from '../../nodes/LeadSearch/api/listRows';
import { planLists, type ListRequest } from '../../nodes/LeadSearch/resources/lead/leadList';

const request = (fields: Partial<ListRequest> = {}): ListRequest => ({
	body: { job_titles: ['CEO'] },
	skip: 0,
	limit: 50,
	form: 'simplified',
	settings: { pageSize: 100, parallelPages: 1, maxRetries: 3, timeoutMs: 1_000 },
	...fields,
});

/** Nothing was paid for before. */
const paid = {
	list: () => new ListRows(),
	profiles: () => new ProfileRows(),
	leavesOut: () => false,
};

const plan = (...requests: ListRequest[]) =>
	planLists(
		'search',
		requests.map((one, item) => ({ item, request: one })),
		paid,
	);

const PAGE = { page: 3, size: 20, offset: 40, cost: 20 };

describe('Promise 4: never pay twice for the same thing', () => {
	test('input items that ask for the same share one fetch, in order', () => {
		const b = request({ body: { job_titles: ['CTO'] } });
		const fetches = plan(request(), b, request(), request({ body: { a: 1 } }), b);
		expect(fetches.map(({ items }) => items)).toEqual([[0, 2], [1, 4], [3]]);
	});

	test('the order of keys makes no difference, the order of values does', () => {
		const body = { a: 1, b: ['x', 'y'] };
		const fetches = plan(
			request({ body }),
			request({ body: { b: ['x', 'y'], a: 1 } }),
			request({ body: { a: 1, b: ['y', 'x'] } }),
		);
		expect(fetches.map(({ items }) => items)).toEqual([[0, 1], [2]]);
	});

	test.each<[string, Partial<ListRequest>, unknown]>([
		['a larger Limit', { limit: 60 }, { request: { offset: 50, isSizeProbe: true } }],
		['another Skip', { skip: 10 }, { request: { offset: 50, isSizeProbe: true } }],
		['a smaller Limit', { limit: 30 }, { end: 'limit' }],
	])('%s is fetched behind what the other item has brought', (_, fields, next) => {
		const [one, other] = plan(request(), request(fields));
		const rows = Array.from({ length: 50 }, (_row, number) => ({ number }));
		one?.start().accept({ page: 1, size: 50, offset: 0, cost: 50 }, { rows, perPage: 50 }, []);
		expect(other?.items).toEqual([1]);
		expect(other?.start().next(Infinity, [])).toMatchObject(next as object);
	});
});

describe('The body of a request', () => {
	test('holds the filters, the page, and max_results counted from the first row', () => {
		const [fetch] = plan(request({ skip: 100, limit: 20 }));
		expect(fetch?.body(PAGE)).toEqual({
			job_titles: ['CEO'],
			_page: 3,
			_per_page: 20,
			max_results: 120,
		});
	});

	test.each([
		['Return All', { limit: Infinity }, 100_000],
		['Skip and Limit beyond what there is', { skip: 99_990, limit: 50 }, 100_000],
	])('with %s asks for 100,000 at most', (_, fields, maxResults) => {
		expect(plan(request(fields))[0]?.body(PAGE).max_results).toBe(maxResults);
	});

	test('of a size probe asks for a single result', () => {
		expect(plan(request())[0]?.body({ ...PAGE, isSizeProbe: true }).max_results).toBe(1);
	});

	test('of a preview has no max_results', () => {
		const [fetch] = planLists('preview', [{ item: 0, request: request() }], paid);
		expect(fetch?.body(PAGE)).not.toHaveProperty('max_results');
	});
});
