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
	(length: number, maxRows = Infinity) =>
	({ firstKey, size }: PageRequest<number>, isUnfiltered: boolean): Page => {
		const to = Math.min(firstKey + size, isUnfiltered ? maxRows : Math.min(length, maxRows));
		return { rows: to > firstKey ? leads(`${firstKey}-${to - 1}`) : [] };
	};

const saysMore: Preview = ({ firstKey }) => ({
	rows: firstKey ? [] : leads('0-99'),
	hasMore: true,
});
const needsFilters: Preview = (request, isUnfiltered) =>
	isUnfiltered ? undefined : { ...previewOf(30)(request, false), hasMore: false };
const masked = Array<Json>(100).fill({ full_name: '***' });

type Outcome = ValueOrFailure<Page> | undefined;

async function count(
	size: number | undefined,
	response: (request: PageRequest<number>, isUnfiltered: boolean) => Outcome,
) {
	const list = new LeadCount();
	let requests = 0;
	const send = (_task: unknown, request: PageRequest) => {
		requests += 1;
		const isUnfiltered = request.purpose === 'endCheck';
		const refusal = {
			failure: { kind: 'refused', status: request.firstKey === 0 ? 400 : 422 },
		} as const;
		return Promise.resolve(response(request as PageRequest<number>, isUnfiltered) ?? refusal);
	};
	const [result] = await fetchAll([{ job: new CountJob(list, size) }], { ...QUIET, send });
	return { ended: result?.outcome ?? result?.failure.kind, list, requests };
}

test.each<[string, Preview, number, number]>([
	['a masked preview that returns its first page for each page', () => ({ rows: masked }), 100, 2],
	['a preview that says that more follows and returns none', saysMore, 100, 2],
	[
		'a preview that says that more follows and never returns any',
		() => ({ rows: [], hasMore: true }),
		0,
		1,
	],
	[
		'a preview that returns another page',
		({ page }) => ({ rows: leads('0-99'), page: page + 1 }),
		100,
		1,
	],
	['a preview that refuses requests without filters', needsFilters, 30, 2],
])('Count returns a lower bound for %s', async (_, preview, expected, requests) => {
	const counted = await count(100, (...args) => {
		const value = preview(...args);
		return value && { value };
	});
	const list = { count: expected, isAtLeast: true };
	expect(counted).toMatchObject({ ended: 'complete', list, requests });
});

/** Each row has a status, the requests that get it, the failure, and the smallest refused size if page 1 is refused. */
test.each<[status: number, refused: string, FailureKind, refusedSize?: number]>([
	[422, 'page 1 of 25 rows', 'refused', 25],
	[404, 'page 1 of 1,000 rows', 'notTheService', 1_000],
	[500, 'row 101', 'serverDown'],
])(
	'a %i for the request of %s makes Count end with the failure %s',
	async (status, _refused, expected, ...[refusedSize]) => {
		const isRefused = ({ firstKey, size }: PageRequest<number>) =>
			refusedSize === undefined ? firstKey >= 100 : size >= refusedSize;
		const { ended } = await count(refusedSize ?? 100, (request, isUnfiltered) => {
			const value = previewOf(130)(request, isUnfiltered);
			return isRefused(request) ? { failure: failureFromStatus(status, {}, '{}', 0) } : { value };
		});
		expect(ended).toBe(expected);
	},
);

test.each<[string, (request: PageRequest<number>) => number]>([
	['end', ({ firstKey, size }) => firstKey + size],
	['begin', ({ firstKey }) => firstKey + 1],
])(
	'Count returns a lower bound if the service refuses pages that %s after row 1,050',
	async (_, rowOf) => {
		const failure = { kind: 'refused', status: 400 } as const;
		const { list } = await count(100, (request, isUnfiltered) => {
			const value = previewOf(5_000, 5_000)(request, isUnfiltered);
			return rowOf(request) > 1_050 ? { failure } : { value };
		});
		expect(list.isAtLeast).toBe(true);
	},
);
