/** What a preview that is odd, or large, comes to when it is counted. */
import type { Json, Page } from '../../nodes/LeadSearch/api/contract';
import { LeadCount } from '../../nodes/LeadSearch/paging/leadCount';
import type { Order } from '../../nodes/LeadSearch/paging/ledger';
import { fetchAll } from '../../nodes/LeadSearch/paging/run';
import { leads } from './script';
import { QUIET } from './world';

/** Undefined where it refuses. */
type Preview = (order: Order<number>, isUnfiltered: boolean) => Page | undefined;

const masked: Json = { full_name: '***' };

/** A preview of so many leads, cut at the same place without filters too if that is given. */
const previewOf =
	(length: number, most = Infinity): Preview =>
	({ first, size }, isUnfiltered) => {
		const to = Math.min(first + size, isUnfiltered ? most : Math.min(length, most));
		return { rows: to > first ? leads(`${first}-${to - 1}`) : [] };
	};

const saysMore: Preview = ({ first }) => ({ rows: first ? [] : leads('0-99'), hasMore: true });
const deaf: Preview = ({ size }) => ({ rows: leads('0-24').slice(0, size), hasMore: false });
const needsFilters =
	(page: Page | undefined): Preview =>
	(order, isUnfiltered) =>
		isUnfiltered ? page : { rows: [], ...previewOf(30)(order, false), hasMore: false };

test.each<[string, Preview, number, boolean, number]>([
	['a list', previewOf(130), 130, false, 13],
	['nobody', previewOf(0), 0, false, 2],
	['a list that is cut', previewOf(130, 100), 100, true, 12],
	['as many as any search reaches', previewOf(200_000), 100_000, true, 12],
	['a preview that sends its first page for each', () => ({ rows: leads('0-99') }), 100, true, 2],
	['the same with fields masked', () => ({ rows: Array<Json>(100).fill(masked) }), 100, true, 2],
	['one that says more and sends none', saysMore, 100, true, 2],
	['one that never sends any', () => ({ rows: [], hasMore: true }), 0, true, 1],
	['one that sends its first leads whatever page is asked for', deaf, 25, true, 4],
	['one of another page', ({ page }) => ({ rows: leads('0-99'), page: page + 1 }), 100, true, 1],
	['one that sends none without filters', needsFilters({ rows: [], hasMore: true }), 30, true, 3],
	['one that refuses to be asked without filters', needsFilters(undefined), 30, true, 3],
])('%s', async (_, preview, count, isAtLeast, most) => {
	const job = new LeadCount(100);
	let requests = 0;
	const results = await fetchAll([{ job }], {
		...QUIET,
		send: (_task, order) => {
			requests += 1;
			const value = preview(order as Order<number>, job.isUnfiltered);
			const status = order.first === 0 ? 400 : 413;
			return Promise.resolve(value ? { value } : { failure: { kind: 'refused', status } });
		},
	});
	expect(results).toMatchObject([{ end: 'whole' }]);
	expect([job.known, job.isAtLeast]).toEqual([count, isAtLeast]);
	expect(requests).toBeLessThanOrEqual(most);
});

test.each<[string, (order: Order<number>) => number]>([
	['ends', ({ first, size }) => first + size],
	['begins', ({ first }) => first + 1],
])('a refusal to go beyond a row, by where a page %s, is no end of the list', async (_, rowOf) => {
	const list = previewOf(5_000, 5_000);
	const job = new LeadCount(100);
	const refusal = { failure: { kind: 'refused', status: 400 } } as const;
	const send = (_task: unknown, order: Order) => {
		const asked = order as Order<number>;
		const isTooFar = rowOf(asked) > 1_050;
		return Promise.resolve(isTooFar ? refusal : { value: list(asked, job.isUnfiltered) });
	};
	await fetchAll([{ job }], {
		...QUIET,
		send: send as Parameters<typeof fetchAll>[1]['send'],
	});
	expect(job.isAtLeast).toBe(true);
});
