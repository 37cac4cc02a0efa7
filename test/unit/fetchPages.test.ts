/** The order of events while pages are fetched, by example. For all runs: the property tests. */
import { ConcurrencyLimit, type Sent } from '../../nodes/LeadSearch/api/concurrency';
import type { Page } from '../../nodes/LeadSearch/api/contract';
import type { Failure, FailureKind, Outcome } from '../../nodes/LeadSearch/api/failures';
import {
	fetchPages,
	type FetchJob,
	type Pagination,
	type Step,
} from '../../nodes/LeadSearch/api/fetchPages';
import { fetchList, numbered, pagesOf, plainList, wish } from './listService';

const upstreamDown: Failure = { kind: 'upstreamDown', status: 502 };
const serverDown: Failure = { kind: 'serverDown', status: 500 };
const lostResponse: Failure = { kind: 'lostResponse', code: 'ECONNRESET' };
const timedOut: Failure = { kind: 'lostResponse', timedOut: true };
const noCredits: Failure = { kind: 'noCredits', status: 402 };
const pages = (fields = {}) => wish({ pageSize: 100, ...fields });

describe('A request that failed', () => {
	test('is sent again after 1, 2 and 4 seconds, then given up', async () => {
		const { waits, requests, result } = await fetchList({ ...plainList }, pages(), {
			lasting: { from: 0, fate: serverDown },
		});
		expect(waits).toEqual([1_000, 2_000, 4_000]);
		expect(requests).toHaveLength(4);
		expect(result).toMatchObject({ failure: serverDown, requests: 4 });
	});

	test('waits up to twice as long by jitter, and never more than 30 seconds', async () => {
		const { waits } = await fetchList({ ...plainList }, pages({ limit: 5 }), {
			fates: Array.from({ length: 10 }, () => serverDown),
			maxRetries: 10,
			random: 0.999,
		});
		expect(waits[0]).toBe(1_999);
		expect(waits[3]).toBe(15_992);
		expect(waits.slice(4)).toEqual([30_000, 30_000, 30_000, 30_000, 30_000, 30_000]);
	});

	test('with 429 is sent again after 1, 10, then 50 s, counted from the last page', async () => {
		const busy: Failure = { kind: 'tooManyRequests', status: 429 };
		const { waits, result } = await fetchList({ ...plainList }, pages({ limit: 200 }), {
			fates: [busy, 'answered', busy, busy, busy, busy],
		});
		expect(waits).toEqual([1_000, 1_000, 10_000, 50_000, 50_000]);
		expect(result).toMatchObject({ end: 'limit' });
	});

	test.each([
		[120_000, [120_000]],
		[121_000, []],
	])('with Retry-After of %i ms waits %j ms', async (retryAfterMs, waited) => {
		const busy: Failure = { kind: 'tooManyRequests', status: 429, retryAfterMs };
		const { waits, result } = await fetchList({ ...plainList }, pages({ limit: 5 }), {
			fates: [busy],
		});
		expect(waits).toEqual(waited);
		expect(result).toMatchObject(waited.length > 0 ? { end: 'limit' } : { failure: busy });
	});

	test('has its tries anew after each page that came', async () => {
		const { result, came } = await fetchList(
			{ ...plainList },
			pages({ limit: 30, pageSize: 10 }),
			{ fates: [serverDown, 'answered', serverDown, 'answered', serverDown], maxRetries: 1 },
		);
		expect(came).toEqual(numbered(1, 30));
		expect(result).toMatchObject({ end: 'limit', requests: 6 });
	});

	test.each<FailureKind>([
		'unauthorized',
		'noCredits',
		'refused',
		'notTheService',
		'notSent',
		'unreadable',
		'unsuccessful',
		'protocolViolation',
		'cancelled',
	])('as %s is not sent again', async (kind) => {
		const { requests, waits, result } = await fetchList({ ...plainList }, pages(), {
			lasting: { from: 0, fate: { kind } },
		});
		expect({ requests: requests.length, waits }).toEqual({ requests: 1, waits: [] });
		expect(result.failure).toEqual({ kind });
	});

	test('with Max Retries 0 is not sent again', async () => {
		const { requests } = await fetchList({ ...plainList }, pages(), {
			fates: [serverDown],
			maxRetries: 0,
		});
		expect(requests).toHaveLength(1);
	});
});

describe('Smaller pages', () => {
	test.each([
		['502', upstreamDown],
		['a timeout', timedOut],
	])('from the second try after %s, pages are half as large', async (_, failure) => {
		const { requests, came } = await fetchList({ ...plainList }, pages({ limit: 100 }), {
			fates: [failure, failure, failure],
		});
		expect(pagesOf(requests).slice(0, 4)).toEqual([
			'page 1 of 100',
			'page 1 of 100',
			'page 1 of 50',
			'page 1 of 25',
		]);
		expect(came).toEqual(numbered(1, 100));
	});

	test('a server error or a lost connection says nothing about the page size', async () => {
		const { requests } = await fetchList({ ...plainList }, pages({ limit: 100 }), {
			fates: [serverDown, lostResponse, serverDown],
		});
		expect(new Set(requests.map(({ size }) => size))).toEqual(new Set([100]));
	});

	test('an outage that passes does not leave pages of a row or two behind', async () => {
		const { requests, pagination } = await fetchList(
			{ ...plainList },
			wish({ limit: 10_000, pageSize: 1_000 }),
			{ fates: Array.from({ length: 10 }, () => upstreamDown), maxRetries: 10 },
		);
		expect(pagination.rows).toBe(10_000);
		// 10 tries, then pages no smaller than the 25 rows that the service surely takes.
		expect(requests.length).toBeLessThanOrEqual(10 + 10_000 / 25);
	});
});

describe('Promise 1: never overspend', () => {
	test('a lost response counts as spent: no more is requested than the budget covers', async () => {
		const { requests, credits, came, result } = await fetchList(
			{ ...plainList },
			pages({ limit: 100, budget: 150 }),
			{ fates: [{ lost: lostResponse }] },
		);
		expect(pagesOf(requests)).toEqual(['page 1 of 100', 'page 1 of 50']);
		expect(credits).toMatchObject({ charged: 50, possiblyCharged: 100, lostResponses: 1 });
		expect(came).toEqual(numbered(1, 50));
		expect(result.end).toBe('budget');
	});

	test.each<[string, Failure, number]>([
		['a lost connection', lostResponse, 100],
		['a timeout', timedOut, 100],
		['a response that is no JSON any more', { kind: 'unreadable' }, 100],
		['a web page in a 200', { kind: 'notTheService', status: 200 }, 100],
		['a cancel with a request in flight', { kind: 'cancelled', inFlight: true }, 100],
		['a cancel between requests', { kind: 'cancelled' }, 0],
		['a refused connection', { kind: 'unreachable' }, 0],
		['402', noCredits, 0],
		['502', upstreamDown, 0],
	])('%s may have cost so many of 100 credits', async (_, failure, possiblyCharged) => {
		const { credits } = await fetchList({ ...plainList }, pages({ limit: 100 }), {
			fates: [failure],
			maxRetries: 0,
		});
		expect(credits.possiblyCharged).toBe(possiblyCharged);
	});

	test('a preview spends no credits, even when a response is lost', async () => {
		const { credits, came } = await fetchList(
			{ ...plainList },
			pages({ limit: 150, isFree: true }),
			{ fates: [{ lost: lostResponse }] },
		);
		expect(came).toEqual(numbered(1, 150));
		expect(credits).toMatchObject({ charged: 0, possiblyCharged: 0, lostResponses: 0 });
	});
});

describe('Promise 2: never lose what was paid for', () => {
	test('rows of a response that contradicts the contract come out before it ends the run', async () => {
		const { came, credits, result } = await fetchList({ ...plainList }, pages(), {
			fates: ['answered', 'violation'],
		});
		expect(came).toEqual(numbered(1, 200));
		expect(credits.charged).toBe(200);
		expect(result.failure).toMatchObject({
			kind: 'protocolViolation',
			text: 'it contradicts the contract',
		});
	});

	test('so do those that were in flight at that time', async () => {
		const { came, result } = await fetchList({ ...plainList }, pages(), {
			fates: ['answered', 'answered', 'answered', 'violation'],
			parallelPages: 4,
		});
		expect(came).toEqual(numbered(1, 600));
		expect(result).toMatchObject({ failure: { kind: 'protocolViolation' }, requests: 7 });
	});
});

describe('Promise 6: stop means stop', () => {
	test('a cancel while a page is on its way: its rows are kept, nothing more is sent', async () => {
		const { requests, came, result } = await fetchList({ ...plainList }, pages(), {
			fates: ['answered', 'cancelledMeanwhile'],
		});
		expect(requests).toHaveLength(2);
		expect(came).toEqual(numbered(1, 200));
		expect(result).toMatchObject({ failure: { kind: 'cancelled' } });
	});

	test('a cancel during a wait: nothing more is sent', async () => {
		const { requests, result } = await fetchList({ ...plainList }, pages(), {
			fates: ['answered', serverDown],
			cancelInWait: 0,
		});
		expect(requests).toHaveLength(2);
		expect(result).toMatchObject({ failure: { kind: 'cancelled' } });
	});

	test.each([
		['a response that contradicts the contract', 'violation' as const],
		['a refusal', { kind: 'refused', status: 400 } as const],
		['a 500', serverDown],
	])('with several pages at once, a 402 beside %s is what ends the run', async (_, fate) => {
		const { result } = await fetchList({ ...plainList }, pages(), {
			fates: ['answered', 'answered', 'answered', fate, noCredits, noCredits],
			parallelPages: 2,
			maxRetries: 0,
		});
		expect(result.failure).toEqual(noCredits);
	});

	test('a 402 beside other requests is asked for again, alone, and once', async () => {
		const set = { parallelPages: 4, maxRetries: 0 };
		const once = await fetchList({ ...plainList, rows: 700 }, pages(), {
			fates: ['answered', 'answered', 'answered', 'answered', noCredits],
			...set,
		});
		expect(once.came).toEqual(numbered(1, 700));
		const [, , , , refused, ...later] = once.requests;
		const again = later.findIndex(({ page }) => page === refused?.page);
		expect(once.atOnce.slice(5 + again)).toEqual(later.slice(again).map(() => 1));

		const lasting = await fetchList({ ...plainList, rows: 700 }, pages(), {
			lasting: { from: 4, fate: noCredits },
			...set,
		});
		expect(lasting.result.failure).toEqual(noCredits);
		expect(lasting.requests.length).toBeLessThanOrEqual(4 + 4 + 1);
		expect(lasting.atOnce.at(-1)).toBe(1);
	});

	test('a 402 to the question for the next row is told as that', async () => {
		const { result, came } = await fetchList({ ...plainList, balance: 30 }, pages());
		expect(came).toEqual(numbered(1, 30));
		expect(result.failure).toEqual({ ...noCredits, atEndProbe: true });
	});
});

describe('Parallel Pages', () => {
	test('are requested once a second page, and one behind the end, show that page numbers count', async () => {
		const { atOnce, came, requests } = await fetchList(
			{ ...plainList },
			pages({ limit: 800 }),
			{ parallelPages: 4 },
		);
		expect(atOnce.slice(0, 7)).toEqual([1, 1, 2, 1, 2, 3, 4]);
		expect(requests[2]).toMatchObject({ page: 2_000_000_001, isPageProbe: true });
		expect(came).toEqual(numbered(1, 800));
	});

	test.each(['lastPage', 'notFound'] as const)(
		'are not requested at a service whose pages behind the end are its %s',
		async (behindEnd) => {
			const { atOnce, came, result, received } = await fetchList(
				{ ...plainList, rows: 850, behindEnd },
				pages({ limit: Infinity }),
				{ parallelPages: 8 },
			);
			expect(Math.max(...atOnce.slice(3))).toBe(1);
			expect(came).toEqual(numbered(1, 850));
			expect(result.failure).toBeUndefined();
			expect(result.end).toBe(behindEnd === 'notFound' ? 'unverifiedEnd' : 'endOfList');
			// With max_results at 1, the page behind the end holds one row; so does the end probe.
			expect(received - came.length).toBeLessThanOrEqual(behindEnd === 'lastPage' ? 51 : 0);
		},
	);

	test.each([
		serverDown,
		{ kind: 'notTheService', status: 204 } as const,
		{ kind: 'unsuccessful', status: 200 } as const,
	])('go on one at a time where there is no telling: %j', async (fate) => {
		const { atOnce, came, result } = await fetchList({ ...plainList }, pages({ limit: 800 }), {
			parallelPages: 4,
			fates: ['answered', 'answered', fate],
			maxRetries: 0,
		});
		expect(Math.max(...atOnce.slice(3))).toBe(1);
		expect(came).toEqual(numbered(1, 800));
		expect(result.end).toBe('limit');
	});

	test('come out in order whatever order they arrive in', async () => {
		const { came } = await fetchList({ ...plainList }, pages({ limit: 800 }), {
			parallelPages: 6,
			order: [0, 0, 5, 3, 1],
		});
		expect(came).toEqual(numbered(1, 800));
	});

	test('go one at a time while one is retried', async () => {
		const busy: Failure = { kind: 'tooManyRequests', status: 429 };
		const { atOnce, came } = await fetchList({ ...plainList }, pages({ limit: 2_000 }), {
			parallelPages: 4,
			fates: ['answered', 'answered', 'answered', 'answered', busy],
		});
		// The one that is retried, and the first behind it.
		expect(atOnce.slice(8, 10)).toEqual([1, 1]);
		expect(came).toEqual(numbered(1, 2_000));
	});

	test('a page that did not come is missing, those behind it are not', async () => {
		const { came, missing } = await fetchList(
			{ ...plainList, rows: 450 },
			pages({ limit: 450 }),
			{
				parallelPages: 4,
				fates: ['answered', 'answered', 'answered', serverDown],
				maxRetries: 0,
			},
		);
		expect(came).toEqual([...numbered(1, 200), ...numbered(301, 450)]);
		expect(missing).toEqual(numbered(201, 300));
	});
});

interface NumberedPage {
	number: number;
	cost: number;
}

/** Pages 1 to `count`, of one row each, with whatever becomes of them. */
function numberedPages(count: number): Pagination<NumberedPage> & { inFlightAt: number[] } {
	let number = 0;
	let rows = 0;
	const again: NumberedPage[] = [];
	const inFlightAt: number[] = [];
	return {
		inFlightAt,
		get rows() {
			return rows;
		},
		next(_, inFlight): Step<NumberedPage> {
			const repeated = again.shift();
			if (repeated) return { request: repeated };
			if (number < count) return { request: { number: ++number, cost: 1 } };
			return inFlight.length > 0 ? { wait: true } : { end: 'limit' };
		},
		accept(_, page, inFlight) {
			rows += page.rows.length;
			inFlightAt.push(inFlight.length);
			return {};
		},
		fail(request) {
			again.push(request);
			return false;
		},
		halve: () => undefined,
	};
}

/** Several at once from the start; tells which requests slowed it down. */
class Watched extends ConcurrencyLimit {
	readonly refused: number[] = [];
	readonly halved: number[] = [];

	override waitBefore(inFlight: number, most: number): number {
		return inFlight < most ? 0 : Infinity;
	}

	override refuse(sent: Sent, now: number): void {
		this.refused.push(sent.inFlight);
		super.refuse(sent, now);
	}

	override halve(sent: Sent): void {
		this.halved.push(sent.inFlight);
		super.halve(sent);
	}
}

/** Fetches numbered pages, of which those with a failure fail once. */
async function fetchNumbered(
	failures: Record<number, Failure>,
	more: Partial<FetchJob<NumberedPage>> = {},
) {
	const pagination = numberedPages(Math.max(3, ...Object.keys(failures).map(Number)));
	const concurrency = new Watched();
	const waits: number[] = [];
	const left = new Map(Object.entries(failures));
	const result = await fetchPages({
		pagination,
		fetchPage: ({ number }) => {
			const failure = left.get(String(number));
			left.delete(String(number));
			const page: Outcome<Page> = { value: { rows: [{ number }] } };
			return Promise.resolve(failure ? { failure } : page);
		},
		budget: Infinity,
		parallelPages: 1,
		concurrency,
		maxRetries: 3,
		wait: (milliseconds) => {
			waits.push(milliseconds);
			return Promise.resolve();
		},
		random: () => 0,
		now: () => 0,
		...more,
	});
	return { pagination, concurrency, waits, result };
}

describe('What slows the requests down', () => {
	const several = { parallelPages: 3 };

	test('too many requests, by the one with the fewest others in flight', async () => {
		const busy: Failure = { kind: 'tooManyRequests', status: 429 };
		const { concurrency } = await fetchNumbered({ 1: serverDown, 2: busy, 3: busy }, several);
		expect(concurrency.refused).toEqual([2]);
	});

	test.each([
		['an answer that did not come in time', timedOut],
		['a service behind the service that does not answer', upstreamDown],
	])('%s', async (_, failure) => {
		const { concurrency } = await fetchNumbered({ 2: failure, 3: failure }, several);
		expect(concurrency.halved).toEqual([2]);
		expect(concurrency.refused).toEqual([]);
	});

	test.each([
		['a server error', serverDown],
		['a connection that was lost', lostResponse],
	])('not %s', async (_, failure) => {
		const { concurrency } = await fetchNumbered({ 2: failure }, several);
		expect(concurrency.halved).toEqual([]);
		expect(concurrency.refused).toEqual([]);
	});
});

describe('Where there is only so much time', () => {
	test('no page is requested without it', async () => {
		const { result, pagination } = await fetchNumbered({}, { hasTime: () => false });
		expect(result).toMatchObject({ end: 'outOfTime', requests: 0 });
		expect(pagination.rows).toBe(0);
	});

	test('no retry is waited for that would come too late', async () => {
		const asked: number[] = [];
		const hasTime = (waitMs: number) => {
			asked.push(waitMs);
			return waitMs < 1_000;
		};
		const { result, waits } = await fetchNumbered({ 1: serverDown }, { hasTime });
		expect(asked).toEqual([0, 1_000]);
		expect(waits).toEqual([]);
		expect(result).toMatchObject({ end: 'outOfTime', requests: 1, retried: serverDown });
	});

	test('all goes on with it', async () => {
		const { result } = await fetchNumbered({ 1: serverDown }, { hasTime: () => true });
		expect(result).toMatchObject({ end: 'limit', requests: 4 });
	});
});

test('Each wait for a retry is told before it, with what failed', async () => {
	const told: unknown[] = [];
	await fetchNumbered(
		{ 2: serverDown },
		{
			onRetry: (failure, waitMs) => told.push([failure, waitMs]),
			wait: (waitMs) => {
				told.push(waitMs);
				return Promise.resolve();
			},
		},
	);
	expect(told).toEqual([[serverDown, 1_000], 1_000]);
});

test('Progress is told after each page, with rows and requests so far', async () => {
	const told: unknown[] = [];
	await fetchNumbered({ 2: serverDown }, { onProgress: (progress) => told.push(progress) });
	expect(told).toEqual([
		{ rows: 1, requests: 1 },
		{ rows: 2, requests: 3 },
		{ rows: 3, requests: 4 },
	]);
});

test('A pagination is told which requests are still in flight', async () => {
	const { pagination } = await fetchNumbered({}, { parallelPages: 3 });
	expect(pagination.inFlightAt).toEqual([2, 1, 0]);
});

test('No credits while the list may be whole are told as such, other failures are not', async () => {
	const short = { ...plainList, rows: 30, balance: 30, refusesAllAtZero: true };
	const { result } = await fetchList({ ...short }, pages({ limit: 200 }));
	expect(result.failure).toMatchObject({ kind: 'noCredits', atEndProbe: true });
	const long = { ...plainList, rows: 300, balance: 100, refusesAllAtZero: true };
	const open = await fetchList({ ...long }, pages({ limit: 200 }));
	expect(open.result.failure?.kind).toBe('noCredits');
	expect(open.result.failure?.atEndProbe).toBeUndefined();
});
