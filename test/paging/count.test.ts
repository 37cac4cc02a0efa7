/** Tests the counts of large previews and of unexpected responses. */
import type { Json, Page } from '../../nodes/LeadSearch/api/contract';
import {
	failureFromStatus,
	type FailureKind,
	type ValueOrFailure,
} from '../../nodes/LeadSearch/api/failures';
import { CountJob, LeadCount } from '../../nodes/LeadSearch/paging/leadCount';
import type { PageRequest } from '../../nodes/LeadSearch/paging/job';
import { fetchAll } from '../../nodes/LeadSearch/paging/fetchAll';
import { leads } from './script';
import { QUIET } from './world';

/** Returns undefined if the preview refuses the request. */
type Preview = (request: PageRequest<number>, isUnfiltered: boolean) => Page | undefined;

/** Creates a preview of a list. `most` truncates it, with and without filters. */
const previewOf =
	(length: number, most = Infinity) =>
	({ firstKey, size }: PageRequest<number>, isUnfiltered: boolean): Page => {
		const to = Math.min(firstKey + size, isUnfiltered ? most : Math.min(length, most));
		return { rows: to > firstKey ? leads(`${firstKey}-${to - 1}`) : [] };
	};

const saysMore: Preview = ({ firstKey }) => ({
	rows: firstKey ? [] : leads('0-99'),
	hasMore: true,
});
const needsFilters: Preview = (request, isUnfiltered) =>
	isUnfiltered ? undefined : { ...previewOf(30)(request, false), hasMore: false };
const masked = Array<Json>(100).fill({ full_name: '***' });

type Answer = ValueOrFailure<Page> | undefined;

async function count(
	size: number,
	response: (request: PageRequest<number>, isUnfiltered: boolean) => Answer,
) {
	const list = new LeadCount(size);
	let requests = 0;
	const send = (_task: unknown, request: PageRequest) => {
		requests += 1;
		const isUnfiltered = request.purpose === 'endCheck';
		const refusal = {
			failure: { kind: 'refused', status: request.firstKey === 0 ? 400 : 413 },
		} as const;
		return Promise.resolve(response(request as PageRequest<number>, isUnfiltered) ?? refusal);
	};
	const [result] = await fetchAll([{ job: new CountJob(list) }], { ...QUIET, send });
	return { ended: result?.end ?? result?.failure.kind, list, requests };
}

test.each<[string, Preview, number, boolean, number]>([
	['a list', previewOf(130), 130, false, 3],
	['an empty list', previewOf(0), 0, false, 2],
	['a truncated preview', previewOf(130, 100), 100, true, 3],
	['a list beyond the last row of a search', previewOf(200_000), 100_000, true, 11],
	[
		'a masked preview that returns its first page for each page',
		() => ({ rows: masked }),
		100,
		true,
		2,
	],
	['a preview that says that more follows and returns none', saysMore, 100, true, 2],
	[
		'a preview that says that more follows and never returns any',
		() => ({ rows: [], hasMore: true }),
		0,
		true,
		1,
	],
	[
		'a preview that returns another page',
		({ page }) => ({ rows: leads('0-99'), page: page + 1 }),
		100,
		true,
		1,
	],
	['a preview that refuses requests without filters', needsFilters, 30, true, 2],
])(
	'the count is right, or a lower bound, for %s',
	async (_, preview, expected, isAtLeast, requests) => {
		const counted = await count(100, (...asked) => {
			const value = preview(...asked);
			return value && { value };
		});
		expect(counted).toMatchObject({
			ended: 'complete',
			list: { count: expected, isAtLeast },
			requests,
		});
	},
);

/** Each row: a status; the smallest size of page 1 that gets it, or row 100; the failure or the count. */
test.each<[status: number, refused: number | 'row 100', FailureKind | number]>([
	[413, 26, 130],
	[422, 25, 'refused'],
	[404, 1_000, 'notTheService'],
	[500, 1_000, 'serverDown'],
	[404, 'row 100', 100],
	[422, 'row 100', 100],
	[413, 'row 100', 'refused'],
	[500, 'row 100', 'serverDown'],
])(
	'after a %i for page 1 of %s rows, or for row 100, the result is %s',
	async (status, refused, expected) => {
		const isRefused = ({ firstKey, size }: PageRequest<number>) =>
			refused === 'row 100' ? firstKey >= 100 : size >= refused;
		const { ended, list } = await count(
			refused === 'row 100' ? 100 : refused,
			(request, isUnfiltered) => {
				const value = previewOf(130)(request, isUnfiltered);
				return isRefused(request) ? { failure: failureFromStatus(status, {}, '{}', 0) } : { value };
			},
		);
		expect(ended === 'complete' ? list.count : ended).toBe(expected);
	},
);

test.each<[string, (request: PageRequest<number>) => number]>([
	['ends', ({ firstKey, size }) => firstKey + size],
	['begins', ({ firstKey }) => firstKey + 1],
])('a refusal to go beyond a row, by where a page %s, is no end of the list', async (_, rowOf) => {
	const failure = { kind: 'refused', status: 400 } as const;
	const { list } = await count(100, (request, isUnfiltered) => {
		const value = previewOf(5_000, 5_000)(request, isUnfiltered);
		return rowOf(request) > 1_050 ? { failure } : { value };
	});
	expect(list.isAtLeast).toBe(true);
});
