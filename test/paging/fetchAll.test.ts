/** Tests concurrency, retries, back-off, and how runs end, without a service. */
import type { Failure, FailureKind } from '../../nodes/LeadSearch/api/failures';
import { LeadJob } from '../../nodes/LeadSearch/paging/leadJob';
import { LeadList } from '../../nodes/LeadSearch/paging/leadList';
import type { PageRequest } from '../../nodes/LeadSearch/paging/job';
import { NO_COST } from '../../nodes/LeadSearch/paging/cost';
import { Credits, NO_OTHERS } from '../../nodes/LeadSearch/paging/credits';
import { fetchAll, type FetchContext } from '../../nodes/LeadSearch/paging/fetchAll';
import { numberedRows, QUIET } from './world';

const SIZE = 25;
const rows = numberedRows(2_000).map(({ record }) => ({ ...record }));

interface Task {
	job: LeadJob;
}
type Outcome = Failure | 'rows' | 'less';

const failed = (kind: FailureKind, more: Partial<Failure> = {}): Failure => ({ kind, ...more });

/** Runs free lists with these limits. Responses come in order. They have rows unless `responses` says otherwise. */
async function run(
	setup: {
		lists?: number[];
		responses?: Record<number, Outcome>;
		list?: LeadList;
		pageSize?: number;
	} = {},
	context: Partial<FetchContext<Task>> = {},
) {
	const { lists = [1_000], responses = {}, list, pageSize = SIZE } = setup;
	const tasks = lists.map((limit) => ({
		job: new LeadJob(list ?? new LeadList(false), { skip: 0, limit, pageSize }),
	}));
	const pending: Array<() => void> = [];
	const inFlight: number[] = [];
	const backOffs: number[] = [];
	const sent: PageRequest[] = [];
	const respondToNext = () => pending.shift()?.();
	const results = await fetchAll<Task>(tasks, {
		send: async (_task, request) => {
			sent.push(request);
			const nth = sent.length;
			await new Promise<void>((resolve) => {
				pending.push(resolve);
				inFlight.push(pending.length);
				setImmediate(respondToNext);
			});
			const response = responses[nth] ?? 'rows';
			if (typeof response !== 'string') return { failure: response };
			const from = Number(request.firstKey);
			const size = response === 'less' ? request.size - 1 : request.size;
			return { value: { rows: rows.slice(from, from + size) } };
		},
		...QUIET,
		wait: (milliseconds) => {
			backOffs.push(milliseconds);
			return Promise.resolve();
		},
		...context,
	});
	const ends = results.map(({ outcome, failure }) => outcome ?? failure.kind);
	return { tasks, results, ends, inFlight, backOffs, sent };
}

describe('Concurrency', () => {
	const growing = [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8];
	const fromThree = [1, 1, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8];
	test.each<[limit: number, end: string, expected: number[]]>([
		[1_000, 'limit', fromThree],
		// The length of the list isn't known, and pages beyond the end may cost credits.
		[Infinity, 'complete', growing],
	])(
		'the window for %d rows starts at one request and grows with each response, up to Parallel Pages',
		async (limit, end, expected) => {
			const { inFlight, ends } = await run({ lists: [limit] }, { parallelPages: 8 });
			expect(inFlight.slice(0, expected.length)).toEqual(expected);
			expect(Math.max(...inFlight)).toBe(8);
			expect(ends).toEqual([end]);
		},
	);

	test('the window is halved once if several requests fail together, and grows again', async () => {
		const responses = { 16: failed('upstreamDown'), 17: failed('upstreamDown') };
		const { inFlight, backOffs, ends } = await run({ responses });
		const halvedAt = inFlight.lastIndexOf(1);
		expect(inFlight.slice(halvedAt, halvedAt + 6)).toEqual([1, 2, 3, 4, 4, 5]);
		expect(backOffs).toEqual([1_000]);
		expect(ends).toEqual(['limit']);
	});
});

describe('Failures', () => {
	test.each<[FailureKind, Partial<Failure>, number[]]>([
		['serverDown', {}, [1_000, 2_000, 4_000]],
		['tooManyRequests', { retryAfterMs: 5 }, Array<number>(9).fill(5)],
		['tooManyRequests', {}, [1_000, 10_000, ...Array<number>(7).fill(50_000)]],
		['unreadable', {}, []],
	])(
		'the failure %s (%j) has these back-offs in milliseconds while it lasts: %j',
		async (kind, more, expected) => {
			const responses = Object.fromEntries(rows.map((_, nth) => [nth + 3, failed(kind, more)]));
			const { backOffs, ends } = await run({ responses }, { parallelPages: 1 });
			expect(backOffs).toEqual(expected);
			expect(ends).toEqual([kind]);
		},
	);

	test('failed attempts are counted by first key until the page is received', async () => {
		const responses = { 2: failed('serverDown'), 3: failed('serverDown'), 5: failed('serverDown') };
		expect((await run({ responses }, { parallelPages: 1 })).backOffs).toEqual([
			1_000, 2_000, 1_000,
		]);
	});

	test('a 429 does not change the page size', async () => {
		const responses = { 1: failed('tooManyRequests', { status: 429 }) };
		const { sent } = await run({ lists: [500], responses, pageSize: 200 }, { parallelPages: 1 });
		expect(sent.map(({ size }) => size)).toEqual([200, 200, 200, 100]);
	});

	test.each<[FailureKind, boolean, Array<string | boolean>]>([
		['refused', true, ['refused', 'limit', false]],
		['refused', false, ['refused', 'refused', true]],
		['unreachable', true, ['unreachable', 'unreachable', true]],
	])(
		'two jobs end in this way if the first has the failure %s and continuesOnFailure is %s: %j',
		async (kind, continues, expected) => {
			const { ends, results } = await run(
				{ lists: [50, 50], responses: { 1: failed(kind) } },
				{ continuesOnFailure: continues, parallelPages: 1, maxRetries: 0 },
			);
			expect([...ends, results[1]?.isNotRun === true]).toEqual(expected);
			expect(results[0]?.isNotRun).toBe(false);
		},
	);

	test.each<[FailureKind, FailureKind, string]>([
		['refused', 'unsuccessful', 'refused'],
		['upstreamDown', 'noCredits', 'noCredits'],
	])(
		'the failure %s, followed by %s of the same job, is reported as %s without a back-off',
		async (one, other, kind) => {
			const { results, backOffs } = await run({ responses: { 2: failed(one), 3: failed(other) } });
			expect(results).toEqual([expect.objectContaining({ failure: failed(kind as FailureKind) })]);
			expect(backOffs).toEqual([]);
		},
	);

	test('a failure next to a 429 has the usual back-off, and responses during it do not enlarge the window', async () => {
		// Four requests are in flight: the first fails, the second gets a 429, and two get responses.
		const responses = { 3: failed('serverDown'), 4: failed('tooManyRequests') };
		const { backOffs, inFlight, ends } = await run({ responses });
		expect(backOffs).toEqual([1_000]);
		expect(inFlight.slice(0, 8)).toEqual([1, 1, 2, 3, 3, 4, 1, 2]);
		expect(ends).toEqual(['limit']);
	});

	test('a failure that ends one job does not end the back-off of another', async () => {
		const responses = { 1: failed('refused'), 2: failed('serverDown') };
		const { ends, backOffs } = await run(
			{ lists: [50, 50], responses },
			{ continuesOnFailure: true },
		);
		expect([ends, backOffs]).toEqual([['refused', 'limit'], [1_000]]);
	});

	test('a failed job is complete if another job has received its rows', async () => {
		const { ends } = await run(
			{ lists: [50, 50], list: new LeadList(false), responses: { 1: failed('refused') } },
			{ continuesOnFailure: true },
		);
		expect(ends).toEqual(['limit', 'limit']);
	});

	const creditsAfter = (lastLoss: Failure, maxCredits: number) =>
		new Credits({ maxCredits }, { ...NO_OTHERS, before: { ...NO_COST, lastLoss } });

	test('a lost response of earlier runs is reported if it has exhausted the budget, and no job runs', async () => {
		const lastLoss = failed('upstreamDown', { status: 504 });
		const { results, sent } = await run(
			{ lists: [50, 50], list: new LeadList() },
			{ credits: creditsAfter(lastLoss, 0) },
		);
		expect(results).toMatchObject(Array(2).fill({ failure: lastLoss, isNotRun: true }));
		expect(sent).toEqual([]);
		const { ends } = await run(
			{ list: new LeadList() },
			{ credits: creditsAfter(lastLoss, 1_000) },
		);
		expect(ends).toEqual(['limit']);
	});

	test('a violation of a list is reported instead of an exhausted budget, and instead of a back-off', async () => {
		const violation = failed('protocolViolation');
		const list = Object.assign(new LeadList(), { violation });
		const { ends } = await run({ list }, { credits: new Credits({ maxCredits: 0 }) });
		const other = new LeadList(false);
		const onResponse = () => void Object.assign(other, other.cost.requests > 1 && { violation });
		const second = await run(
			{ list: other, responses: { 2: failed('serverDown') } },
			{ onResponse },
		);
		expect([ends, second.backOffs]).toEqual([['protocolViolation'], []]);
	});
});

test('no request is sent without time for it', async () => {
	let checks = 0;
	const { ends, sent } = await run({}, { hasTime: () => ++checks < 5, parallelPages: 1 });
	expect([ends, sent.length]).toEqual([['outOfTime'], 4]);
});

test.each<[string, Outcome, number, object]>([
	[
		'a response takes the credits of its rows',
		'less',
		51,
		{ charged: 49, possiblyCharged: 0, lostResponses: 0, requests: 3 },
	],
	[
		'a lost response takes the credits of all requested rows',
		failed('lostResponse'),
		25,
		{ charged: 50, possiblyCharged: 25, lostResponses: 1 },
	],
	[
		'a free failure takes nothing',
		failed('serverDown'),
		50,
		{ charged: 50, possiblyCharged: 0, lostResponses: 1 },
	],
])('%s from the budget', async (_, response, remaining, expectedCost) => {
	const credits = new Credits({ maxCredits: 100 });
	const list = new LeadList();
	const responses: Record<number, Outcome> = {
		2: response,
		3: response === 'less' ? response : 'rows',
	};
	await run({ lists: [50], list, responses }, { credits, parallelPages: 1 });
	expect(credits.remaining).toBe(remaining);
	expect(list.cost).toMatchObject(expectedCost);
});
