/** What a preview that is odd, or large, comes to when it is counted. */
import type { Json, Page } from '../../nodes/LeadSearch/api/contract';
import {
	failureFromStatus,
	type FailureKind,
	type Outcome,
} from '../../nodes/LeadSearch/api/failures';
import { CountJob, LeadCount } from '../../nodes/LeadSearch/paging/leadCount';
import type { Order } from '../../nodes/LeadSearch/paging/job';
import { fetchAll } from '../../nodes/LeadSearch/paging/fetchAll';
import { leads } from './script';
import { QUIET } from './world';

/** Undefined where it refuses. */
type Preview = (order: Order<number>, isUnfiltered: boolean) => Page | undefined;

const masked: Json = { full_name: '***' };

/** A preview of so many leads, cut at the same place without filters too if that is given. */
const previewOf =
	(length: number, most = Infinity) =>
	({ first, size }: Order<number>, isUnfiltered: boolean): Page => {
		const to = Math.min(first + size, isUnfiltered ? most : Math.min(length, most));
		return { rows: to > first ? leads(`${first}-${to - 1}`) : [] };
	};

/** The same, which says where it ends. */
const ends =
	(length: number): Preview =>
	(order, isUnfiltered) => ({
		...previewOf(length)(order, isUnfiltered),
		hasMore: isUnfiltered || order.first + order.size < length,
	});

/** The same, which serves smaller pages than asked for. */
const inPagesOf =
	(most: number, length: number, isNamed = true): Preview =>
	({ size, ...order }, isUnfiltered) => {
		const served = Math.min(most, size);
		const first = (order.page - 1) * served;
		const answer = previewOf(length)({ ...order, size: served, first }, isUnfiltered);
		return isNamed ? { ...answer, perPage: served } : answer;
	};

/** The same, which sends the last page again for those after it. */
const comesAgain =
	(length: number): Preview =>
	(order, isUnfiltered) => {
		const page = isUnfiltered ? order.page : Math.min(order.page, Math.ceil(length / order.size));
		const first = (page - 1) * order.size;
		return { ...previewOf(length)({ ...order, first }, isUnfiltered), page };
	};

const saysMore: Preview = ({ first }) => ({ rows: first ? [] : leads('0-99'), hasMore: true });
const deaf: Preview = ({ size }) => ({ rows: leads('0-24').slice(0, size), hasMore: false });
const needsFilters =
	(page: Page | undefined): Preview =>
	(order, isUnfiltered) =>
		isUnfiltered ? page : { ...previewOf(30)(order, false), hasMore: false };

test.each<[string, Preview, number, boolean, number]>([
	['a list', previewOf(130), 130, false, 12],
	['a list that says where it ends', ends(130), 130, false, 12],
	['a list in pages of 40, named', inPagesOf(40, 130), 130, false, 14],
	['a list in pages of 40', inPagesOf(40, 130, false), 130, false, 14],
	['a list whose last page comes again', comesAgain(230), 230, false, 3],
	['nobody', previewOf(0), 0, false, 2],
	['a list that is cut', previewOf(130, 100), 100, true, 12],
	['as many as any search reaches', previewOf(200_000), 100_000, true, 10],
	['a preview that sends its first page for each', () => ({ rows: leads('0-99') }), 100, true, 2],
	['the same with fields masked', () => ({ rows: Array<Json>(100).fill(masked) }), 100, true, 2],
	['one that says more and sends none', saysMore, 100, true, 2],
	['one that never sends any', () => ({ rows: [], hasMore: true }), 0, true, 1],
	['one that sends its first leads whatever page is asked for', deaf, 25, true, 3],
	['one of another page', ({ page }) => ({ rows: leads('0-99'), page: page + 1 }), 100, true, 1],
	['one that sends none without filters', needsFilters({ rows: [], hasMore: true }), 30, true, 2],
	['one that refuses to be asked without filters', needsFilters(undefined), 30, true, 2],
])('%s', async (_, preview, count, isAtLeast, sent) => {
	const list = new LeadCount(100);
	let requests = 0;
	const results = await fetchAll([{ job: new CountJob(list) }], {
		...QUIET,
		send: (_task, order) => {
			requests += 1;
			const value = preview(order as Order<number>, order.purpose === 'question');
			const status = order.first === 0 ? 400 : 413;
			return Promise.resolve(value ? { value } : { failure: { kind: 'refused', status } });
		},
	});
	expect(results).toMatchObject([{ end: 'whole' }]);
	expect([list.count, list.isAtLeast]).toEqual([count, isAtLeast]);
	expect(requests).toBe(sent);
});

/** What a status comes to: the failure, or the count; the first page of so many rows is refused, or row 100. */
test.each<[status: number, refused: number | 'row 100', FailureKind | number]>([
	[400, 1_000, 130],
	[413, 200, 130],
	[422, 25, 'refused'],
	[413, 26, 130],
	[404, 1_000, 'notTheService'],
	[500, 1_000, 'serverDown'],
	[404, 'row 100', 100],
	[400, 'row 100', 100],
	[422, 'row 100', 100],
	[413, 'row 100', 'refused'],
	[401, 'row 100', 'unauthorized'],
	[500, 'row 100', 'serverDown'],
])('%i to page 1 of %s, or a later one: %s', async (status, refused, expected) => {
	const list = new LeadCount(refused === 'row 100' ? 100 : refused);
	const isRefused = ({ first, size }: Order<number>) =>
		refused === 'row 100' ? first >= 100 : size >= refused;
	const send = (_task: unknown, order: Order) => {
		const asked = order as Order<number>;
		return Promise.resolve<Outcome<Page>>(
			isRefused(asked)
				? { failure: failureFromStatus(status, {}, '{}', 0) }
				: { value: previewOf(130)(asked, order.purpose === 'question') },
		);
	};
	const [result] = await fetchAll([{ job: new CountJob(list) }], { ...QUIET, send });
	expect(result?.failure?.kind ?? list.count).toBe(expected);
});

test.each<[string, (order: Order<number>) => number]>([
	['ends', ({ first, size }) => first + size],
	['begins', ({ first }) => first + 1],
])('a refusal to go beyond a row, by where a page %s, is no end of the list', async (_, rowOf) => {
	const preview = previewOf(5_000, 5_000);
	const list = new LeadCount(100);
	const refusal = { failure: { kind: 'refused', status: 400 } } as const;
	const send = (_task: unknown, order: Order) => {
		const asked = order as Order<number>;
		const isTooFar = rowOf(asked) > 1_050;
		return Promise.resolve(
			isTooFar ? refusal : { value: preview(asked, order.purpose === 'question') },
		);
	};
	await fetchAll([{ job: new CountJob(list) }], {
		...QUIET,
		send: send,
	});
	expect(list.isAtLeast).toBe(true);
});
