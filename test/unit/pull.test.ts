/** How a walk is carried out, by example. The same for all runs: pullProperties.test.ts. */
import type { Failure, FailureKind } from '../../nodes/LeadSearch/service/failures';
import { plainService, range, type Wish } from './serviceModel';
import { pullThrough } from './pulling';
import { pagesOf } from './walking';

const wish = (fields: Partial<Wish> = {}): Wish => ({
	skip: 0,
	rows: Infinity,
	pageSize: 100,
	budget: Infinity,
	...fields,
});
const upstreamDown: Failure = { kind: 'upstreamDown', status: 502 };
const serverDown: Failure = { kind: 'serverDown', status: 500 };
const lostAnswer: Failure = { kind: 'lostAnswer', code: 'ECONNRESET' };
const timedOut: Failure = { kind: 'lostAnswer', timedOut: true };

describe('Asking again', () => {
	test('waits 1, 2 and 4 seconds before the three tries that follow the first', async () => {
		const { waits, asks, result } = await pullThrough({ ...plainService }, wish(), {
			fates: [serverDown, serverDown, serverDown, serverDown],
		});
		expect(waits).toEqual([1_000, 2_000, 4_000]);
		expect(asks).toHaveLength(4);
		expect(result).toMatchObject({ failure: serverDown, requests: 4 });
	});

	test('every wait gets as much as itself in jitter, and none is over 30 seconds', async () => {
		const { waits } = await pullThrough({ ...plainService }, wish({ rows: 5 }), {
			fates: Array.from({ length: 10 }, () => serverDown),
			maxRetries: 10,
			random: 0.999,
		});
		expect(waits[0]).toBe(1_999);
		expect(waits[3]).toBe(15_992);
		expect(waits.slice(4)).toEqual([30_000, 30_000, 30_000, 30_000, 30_000, 30_000]);
	});

	test('Retry-After is honoured up to 120 seconds', async () => {
		const busy: Failure = { kind: 'tooManyRequests', status: 429, retryAfterMs: 120_000 };
		const { waits, result } = await pullThrough({ ...plainService }, wish({ rows: 5 }), {
			fates: [busy],
			random: 0.5,
		});
		expect(waits).toEqual([120_000]);
		expect(result.end).toBe('limit');
	});

	test('a longer Retry-After ends the run instead', async () => {
		const busy: Failure = { kind: 'tooManyRequests', status: 429, retryAfterMs: 121_000 };
		const { waits, asks, result } = await pullThrough({ ...plainService }, wish(), {
			fates: [busy],
		});
		expect({ waits, asks: asks.length }).toEqual({ waits: [], asks: 1 });
		expect(result.failure).toEqual(busy);
	});

	test('each page has its own tries', async () => {
		const { result, delivered } = await pullThrough(
			{ ...plainService },
			wish({ rows: 30, pageSize: 10 }),
			{ fates: [serverDown, 'answered', serverDown, 'answered', serverDown], maxRetries: 1 },
		);
		expect(delivered).toEqual(range(1, 30));
		expect(result).toMatchObject({ end: 'limit', requests: 6 });
	});

	test.each<FailureKind>([
		'unauthorized',
		'noCredits',
		'refused',
		'notTheService',
		'notSent',
		'unreadable',
		'saidNo',
		'misfit',
		'cancelled',
	])('%s is not asked again', async (kind) => {
		const { asks, waits, result } = await pullThrough({ ...plainService }, wish(), {
			fates: [{ kind }],
		});
		expect({ asks: asks.length, waits }).toEqual({ asks: 1, waits: [] });
		expect(result.failure).toEqual({ kind });
	});

	test('Max Retries 0 asks once', async () => {
		const { asks } = await pullThrough({ ...plainService }, wish(), {
			fates: [serverDown],
			maxRetries: 0,
		});
		expect(asks).toHaveLength(1);
	});
});

describe('Smaller pages', () => {
	test.each([
		['502', upstreamDown],
		['a timeout', timedOut],
	])('from the second try after %s, pages are half as large', async (_, failure) => {
		const { asks, delivered } = await pullThrough({ ...plainService }, wish({ rows: 100 }), {
			fates: [failure, failure, failure],
		});
		expect(pagesOf(asks).slice(0, 4)).toEqual([
			'page 1 of 100',
			'page 1 of 100',
			'page 1 of 50',
			'page 1 of 25',
		]);
		expect(delivered).toEqual(range(1, 100));
	});

	test('a server error or a lost connection says nothing about the page size', async () => {
		const { asks } = await pullThrough({ ...plainService }, wish({ rows: 100 }), {
			fates: [serverDown, lostAnswer, serverDown],
		});
		expect(new Set(asks.map(({ size }) => size))).toEqual(new Set([100]));
	});

	test('an outage that passes does not leave pages of a row or two for the rest of the run', async () => {
		const { asks, delivered } = await pullThrough(
			{ ...plainService },
			wish({ rows: 10_000, pageSize: 1_000 }),
			{ fates: Array.from({ length: 10 }, () => upstreamDown), maxRetries: 10 },
		);
		expect(delivered).toHaveLength(10_000);
		// 10 tries, then pages no smaller than the 25 rows that the service surely takes.
		expect(asks.length).toBeLessThanOrEqual(10 + 10_000 / 25);
	});

	test('two failed tries of a one-row page do not make every later page one row', async () => {
		// No page size but 1 has a border after row 1,009.
		const { asks, delivered } = await pullThrough(
			{ ...plainService },
			wish({ skip: 1_009, rows: 5_000, pageSize: 1_000 }),
			{ fates: [upstreamDown, upstreamDown] },
		);
		expect(delivered).toHaveLength(5_000);
		expect(asks.length).toBeLessThanOrEqual(2 + 5_000 / 25 + 20);
	});

	test('two failed tries of the proof that a list has ended do not, either', async () => {
		// A short page that was not the last: credits were bought meanwhile.
		const service = { ...plainService, balance: 600 };
		const running = pullThrough(service, wish({ rows: 5_000, pageSize: 1_000 }), {
			fates: ['answered', upstreamDown, upstreamDown],
		});
		service.balance = Infinity;
		const { asks, delivered } = await running;
		expect(delivered).toHaveLength(5_000);
		expect(asks.length).toBeLessThanOrEqual(4 + 5_000 / 25 + 20);
	});
});

describe("Promise 7: the service's word counts", () => {
	test.each([400, 413, 422])(
		'a page size refused with %i falls back to the documented default at once',
		async (status) => {
			const { asks, waits, result } = await pullThrough(
				{ ...plainService },
				wish({ rows: 60 }),
				{ fates: [{ kind: 'refused', status }] },
			);
			expect(pagesOf(asks)).toEqual([
				'page 1 of 60',
				'page 1 of 25',
				'page 2 of 25',
				'page 6 of 10',
			]);
			expect(waits).toEqual([]);
			expect(result.end).toBe('limit');
		},
	);

	test('it falls back once; a second refusal stands', async () => {
		const refused: Failure = { kind: 'refused', status: 400, words: 'no such filter' };
		const { asks, result } = await pullThrough({ ...plainService }, wish(), {
			fates: [refused, refused],
		});
		expect(pagesOf(asks)).toEqual(['page 1 of 100', 'page 1 of 25']);
		expect(result.failure).toEqual(refused);
	});

	test.each([
		['a page no larger than the default', 25, 400],
		['another refusal, such as 403', 100, 403],
	])('%s is not asked for again', async (_, pageSize, status) => {
		const { asks } = await pullThrough({ ...plainService }, wish({ pageSize }), {
			fates: [{ kind: 'refused', status }],
		});
		expect(asks).toHaveLength(1);
	});
});

describe('Promise 1: never overspend', () => {
	test('a lost answer counts as spent: no more is asked for than the budget still covers', async () => {
		const { asks, credits, delivered, result } = await pullThrough(
			{ ...plainService },
			wish({ rows: 100, budget: 150 }),
			{ fates: [{ lost: lostAnswer }] },
		);
		expect(pagesOf(asks)).toEqual(['page 1 of 100', 'page 1 of 50']);
		expect(credits).toMatchObject({ charged: 50, possiblyCharged: 100, lostAnswers: 1 });
		expect(delivered).toEqual(range(1, 50));
		expect(result.end).toBe('budget');
	});

	test('a lost answer that may have cost the whole budget is not asked for again', async () => {
		const { asks, result } = await pullThrough(
			{ ...plainService },
			wish({ rows: 100, budget: 100 }),
			{ fates: [{ lost: lostAnswer }] },
		);
		expect(asks).toHaveLength(1);
		expect(result).toMatchObject({ end: 'budget', rows: 0 });
	});

	test.each<[string, Failure, number]>([
		['a lost connection', lostAnswer, 100],
		['a timeout', timedOut, 100],
		['an answer that is no JSON any more', { kind: 'unreadable' }, 100],
		['a cancel with a request on its way', { kind: 'cancelled', inFlight: true }, 100],
		['a cancel between requests', { kind: 'cancelled' }, 0],
		['a refused connection', { kind: 'unreachable' }, 0],
		['402', { kind: 'noCredits', status: 402 }, 0],
		['502', upstreamDown, 0],
	])('%s may have cost so many of 100 credits', async (_, failure, possiblyCharged) => {
		const { credits } = await pullThrough({ ...plainService }, wish({ rows: 100 }), {
			fates: [failure],
			maxRetries: 0,
		});
		expect(credits.possiblyCharged).toBe(possiblyCharged);
	});
});

describe('Promise 2: never lose what was paid for', () => {
	test('an answer that does not fit hands its rows on before it ends the run', async () => {
		const { delivered, credits, result } = await pullThrough({ ...plainService }, wish(), {
			fates: ['answered', 'misfit'],
		});
		expect(delivered).toEqual(range(1, 200));
		expect(credits.charged).toBe(200);
		expect(result).toMatchObject({
			failure: { kind: 'misfit', words: 'it does not fit' },
			rows: 200,
			walk: { passed: 200 },
		});
	});

	test('rows that are said to be from further on are handed on, and not asked for again', async () => {
		const { delivered, result } = await pullThrough({ ...plainService }, wish(), {
			fates: ['answered', 'misplaced'],
		});
		expect(delivered).toEqual(range(1, 200));
		expect(result).toMatchObject({
			failure: { kind: 'misfit' },
			rows: 200,
			reached: 200,
			missing: [],
		});
	});

	test('nor are those that came at the same time, whatever place they are said to have', async () => {
		const { delivered, credits, result } = await pullThrough({ ...plainService }, wish(), {
			fates: ['answered', 'misplaced', 'answered', 'misplaced'],
			parallelPages: 3,
			order: [0, 2, 1, 0],
		});
		expect(delivered).toEqual(range(1, 400));
		expect(credits.charged).toBe(400);
		expect(result).toMatchObject({ reached: 400, missing: [], repeatedRows: 0 });
	});

	test('an empty page behind one that did not come is not missing', async () => {
		const { result } = await pullThrough({ ...plainService, rows: 250 }, wish(), {
			fates: ['answered', serverDown],
			parallelPages: 4,
			maxRetries: 0,
		});
		expect(result).toMatchObject({ reached: 250, missing: [{ after: 100, until: 200 }] });
	});

	test('402 part-way: what came before is handed on, and the place is kept', async () => {
		const { delivered, result } = await pullThrough(
			{ ...plainService, balance: 130 },
			wish({ rows: 300 }),
		);
		expect(delivered).toEqual(range(1, 130));
		expect(result).toMatchObject({
			failure: { kind: 'noCredits' },
			rows: 130,
			walk: { passed: 130 },
		});
	});

	test('rows that came twice are handed on once and counted', async () => {
		const { delivered, result, credits } = await pullThrough(
			{ ...plainService, rows: 600, mostPerPage: 50 },
			wish({ skip: 500 }),
		);
		expect(delivered).toEqual(range(501, 600));
		expect(result).toMatchObject({ rows: 100, repeatedRows: 50 });
		expect(credits.charged).toBe(150);
	});

	test('a preview spends no credits', async () => {
		const { credits, delivered } = await pullThrough({ ...plainService }, wish({ rows: 150 }), {
			free: true,
			fates: [{ lost: lostAnswer }],
		});
		expect(delivered).toEqual(range(1, 150));
		expect(credits).toMatchObject({ charged: 0, possiblyCharged: 0, lostAnswers: 0 });
	});
});

describe('Promise 6: stop means stop', () => {
	test('a cancel while a page is on its way: its rows are kept, nothing more is sent', async () => {
		const { asks, delivered, result } = await pullThrough({ ...plainService }, wish(), {
			fates: ['answered', 'cancelledMeanwhile'],
		});
		expect(asks).toHaveLength(2);
		expect(delivered).toEqual(range(1, 200));
		expect(result).toMatchObject({ failure: { kind: 'cancelled' }, rows: 200 });
	});

	const noCredits: Failure = { kind: 'noCredits', status: 402 };
	test.each([
		['an answer that does not fit', 'misfit' as const],
		['a refusal', { kind: 'refused', status: 400 } as const],
		['a 500', serverDown],
	])('with several pages at once, a 402 beside %s is what ends the run', async (_, fate) => {
		const { result } = await pullThrough({ ...plainService }, wish(), {
			fates: ['answered', fate, noCredits],
			parallelPages: 2,
			maxRetries: 0,
		});
		expect(result.failure).toEqual(noCredits);
	});

	test('a cancel during a wait: nothing more is sent', async () => {
		const { asks, result } = await pullThrough({ ...plainService }, wish(), {
			fates: ['answered', serverDown],
			cancelInWait: 0,
		});
		expect(asks).toHaveLength(2);
		expect(result).toMatchObject({ failure: { kind: 'cancelled' }, rows: 100 });
	});
});
