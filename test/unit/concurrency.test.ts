/** How many pages are in flight, against services that take only so much; in virtual time. */
import fc from 'fast-check';

import { ConcurrencyLimit } from '../../nodes/LeadSearch/api/concurrency';
import type { Page } from '../../nodes/LeadSearch/api/contract';
import { failureFromStatus, type Outcome } from '../../nodes/LeadSearch/api/failures';
import { readQuota, type Quota } from '../../nodes/LeadSearch/api/rateLimit';
import { fetchPages, type Pagination } from '../../nodes/LeadSearch/api/fetchPages';
import { Limiter, type Limits } from '../../sandbox/service/limits/limits';

beforeEach(() => {
	jest.useFakeTimers();
});

afterEach(() => {
	jest.useRealTimers();
});

interface NumberedPage {
	page: number;
	cost: number;
}

interface Service {
	pages: number;
	/** Milliseconds that a page takes. */
	latency: (inFlight: number) => number;
	limits?: Limits;
	/** The status of a request by its number, from 1; 200 unless given. */
	statusOf?: (request: number) => number;
	parallelPages?: number;
	maxRetries?: number;
}

/** Fetches so many pages of 1,000 rows, and counts. */
async function fetchAll({ pages, latency, limits = {}, statusOf, ...options }: Service) {
	const limiter = new Limiter(Date.now);
	const queue = Array.from({ length: pages }, (_, index) => index + 1);
	const seen = { requests: 0, refused: 0, most: 0, inFlight: 0, pagesByTime: [] as number[] };
	const started = Date.now();
	const pagination: Pagination<NumberedPage> = {
		rows: 0,
		next: (_, inFlight) => {
			// As for a paid list: two pages one after the other first.
			if (inFlight.length > 0 && pages - queue.length < 3) return { wait: true };
			const page = queue.shift();
			if (page !== undefined) return { request: { page, cost: 1 } };
			return inFlight.length > 0 ? { wait: true } : { end: 'limit' };
		},
		accept: () => ({}),
		fail: ({ page }) => {
			queue.unshift(page);
			return false;
		},
		halve: () => undefined,
	};
	const fetchPage = async (): Promise<Outcome<Page>> => {
		seen.requests += 1;
		const number = seen.requests;
		const { accepted, headers } = limiter.admit(limits);
		const lowerCase = Object.fromEntries(
			Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
		);
		const quota = readQuota(lowerCase, Date.now());
		const status = accepted ? (statusOf?.(number) ?? 200) : 429;
		if (!accepted) {
			seen.refused += 1;
			await passed(1);
			return { failure: failureFromStatus(429, lowerCase, undefined, Date.now()), quota };
		}
		seen.inFlight += 1;
		seen.most = Math.max(seen.most, seen.inFlight);
		await passed(latency(seen.inFlight));
		seen.inFlight -= 1;
		limiter.release();
		if (status !== 200) {
			return { failure: failureFromStatus(status, lowerCase, undefined, Date.now()), quota };
		}
		seen.pagesByTime.push(Date.now() - started);
		return { value: { rows: Array.from({ length: 1_000 }, () => ({})) }, quota };
	};
	const fetched = fetchPages({
		pagination,
		fetchPage,
		budget: Infinity,
		parallelPages: options.parallelPages ?? 8,
		concurrency: new ConcurrencyLimit(),
		maxRetries: options.maxRetries ?? 3,
		wait: passed,
		random: () => 0.5,
		now: Date.now,
	});
	await jest.runAllTimersAsync();
	const result = await fetched;
	expect(result.end).toBe('limit');
	expect(seen.pagesByTime).toHaveLength(pages);
	return { ...seen, milliseconds: Date.now() - started };
}

async function passed(milliseconds: number): Promise<void> {
	await new Promise<void>((resolve) => {
		setTimeout(resolve, milliseconds);
	});
}

test('150 ms a page: eight are in flight after six round trips', async () => {
	const { milliseconds, most } = await fetchAll({ pages: 100, latency: () => 150 });
	expect(most).toBe(8);
	expect(milliseconds).toBeLessThanOrEqual(17 * 150);
});

test.each([1, 2, 5, 10])('with Parallel Pages at %i never more are', async (parallelPages) => {
	const { most } = await fetchAll({ pages: 60, latency: () => 150, parallelPages });
	expect(most).toBe(parallelPages);
});

test.each([undefined, ['Retry-After'], ['RateLimit'], ['Retry-After', 'RateLimit']] as Array<
	Limits['headers']
>)(
	'10 requests a second, 4 at once, headers %j: near the best time, few refused',
	async (headers) => {
		const seen = await fetchAll({
			pages: 100,
			latency: () => 50,
			limits: { perSecond: 10, concurrent: 4, ...(headers && { headers }) },
		});
		expect(seen.milliseconds).toBeLessThanOrEqual(1.25 * 9_000);
		expect(seen.refused).toBeLessThanOrEqual(0.05 * seen.requests);
	},
);

test('a service that gets no faster by it gets no more than two at once', async () => {
	const { most } = await fetchAll({ pages: 40, latency: (inFlight) => 50 * inFlight });
	expect(most).toBeLessThanOrEqual(2);
});

test('a burst of 503 halves the number, which recovers', async () => {
	const seen = await fetchAll({
		pages: 100,
		latency: () => 100,
		statusOf: (request) => (request >= 30 && request < 36 ? 503 : 200),
	});
	const [last = 0, before = 0] = [seen.pagesByTime.at(-1), seen.pagesByTime.at(-17)];
	// Two round trips for the last sixteen pages.
	expect(last - before).toBeLessThanOrEqual(300);
});

test('a limit of which nothing is told is found again when it has gone', async () => {
	const limiter: Limits = { concurrent: 3 };
	const seen = await fetchAll({ pages: 300, latency: () => 100, limits: limiter });
	expect(seen.refused).toBeLessThanOrEqual(0.05 * seen.requests);
	expect(seen.milliseconds).toBeLessThanOrEqual(1.5 * 100 * 100);
});

test('30 requests a minute are waited for, at Max Retries 1 too', async () => {
	let [minute, taken] = [0, 0];
	const started = Date.now();
	const seen = await fetchAll({
		pages: 150,
		latency: () => 100,
		statusOf: () => {
			const now = Math.floor((Date.now() - started) / 60_000);
			taken = now === minute ? taken + 1 : 1;
			minute = now;
			return taken > 30 ? 429 : 200;
		},
		maxRetries: 1,
	});
	// Four times until the next minute, and a little more.
	expect(seen.milliseconds).toBeLessThanOrEqual(1.1 * 4 * 60_000);
});

/** Sends as many as are allowed. */
function fill(limit: ConcurrencyLimit, now: number) {
	const sent = [];
	while (limit.waitBefore(sent.length, 8, now) === 0) sent.push(limit.send(sent.length + 1, now));
	return sent;
}

/** How many may be in flight. */
function mostInFlight(limit: ConcurrencyLimit, now: number): number {
	let inFlight = 0;
	while (limit.waitBefore(inFlight, 8, now) !== Infinity) inFlight += 1;
	return inFlight;
}

/** Milliseconds from a request that is sent to the next one. */
function paceOf(limit: ConcurrencyLimit, now: number): number {
	limit.send(1, now);
	return limit.waitBefore(0, 8, now);
}

/** Four in flight at 0 ms, each of which takes 100 ms. */
function open() {
	const limit = new ConcurrencyLimit();
	let now = 0;
	let sent = fill(limit, now);
	while (sent.length < 4) {
		now += 100;
		for (const one of sent.slice(0, 2)) limit.succeed(one, 1_000, now);
		sent = fill(limit, now);
	}
	return { limit, now, sent };
}

/** A page comes that was sent with so many in flight, and took 100 ms unless said otherwise. */
function page(limit: ConcurrencyLimit, inFlight: number, rows = 1_000, now = 0, latency = 100) {
	limit.succeed(limit.send(inFlight, now), rows, now + latency);
}

function pages(count: number, limit: ConcurrencyLimit, inFlight: number) {
	for (let number = 0; number < count; number++) page(limit, inFlight);
}

describe('too many requests', () => {
	test('halve the number, which then stays below what was refused', () => {
		const { limit, now, sent } = open();
		const refused = sent.at(-1);
		expect(refused?.inFlight).toBe(4);
		if (refused) limit.refuse(refused, now + 1);
		expect(fill(limit, now + 1_000)).toHaveLength(2);
		for (let wave = 1; wave < 10; wave++) {
			for (const one of fill(limit, now + 1_000 * wave)) {
				limit.succeed(one, 1_000, now + 1_000 * wave + 100);
			}
		}
		expect(fill(limit, now + 60_000)).toHaveLength(3);
	});

	test('with as few in flight as were taken before pace the requests', () => {
		const { limit, now, sent } = open();
		const [first, , , last] = sent;
		if (last) limit.refuse(last, now);
		// Ten pages in 5 seconds, and then one too many.
		const at = now + 5_000;
		for (let page = 0; page < 10; page++) {
			limit.succeed(limit.send(1, now + 500 * page), 1_000, now + 500 * page + 100);
		}
		if (first) limit.refuse(first, at);
		expect(paceOf(limit, at)).toBeCloseTo(500);
		// Half of it 20 seconds later, as long as none is refused.
		expect(paceOf(limit, at + 20_000)).toBeCloseTo(250);
	});

	test('mean nothing about a rate where more were in flight than were taken before', () => {
		const { limit, now, sent } = open();
		const [first, , , last] = sent;
		if (last) limit.refuse(last, now);
		page(limit, 1, 1_000, now);
		limit.refuse(limit.send(4, now), now + 5_000);
		expect(paceOf(limit, now + 5_000)).toBe(0);
		// Nor do two refusals with no page between them.
		if (first) limit.refuse(first, now + 9_000);
		expect(paceOf(limit, now + 9_000)).toBe(0);
	});

	test('that pace the requests leave as many in flight as were taken before', () => {
		const { limit, now } = open();
		limit.refuse(limit.send(4, now), now);
		page(limit, 2, 1_000, now);
		limit.refuse(limit.send(3, now), now + 1_000);
		expect(paceOf(limit, now + 1_000)).toBe(1_000);
		pages(10, limit, 3);
		expect(mostInFlight(limit, now + 1_000)).toBe(3);
	});
});

describe('more in flight', () => {
	test('are tried with each page that came when more than half of those allowed were', () => {
		const { limit, now } = open();
		page(limit, 2);
		expect(mostInFlight(limit, now)).toBe(4);
		page(limit, 3);
		expect(mostInFlight(limit, now)).toBe(5);
		page(limit, 3);
		expect(mostInFlight(limit, now)).toBe(6);
	});

	test.each([
		['a fifth faster', 600, 3],
		['not quite a fifth faster', 599, 2],
		['without a row, which tells nothing', 0, 3],
	])('are tried where pages came %s', (_, rows, most) => {
		const limit = new ConcurrencyLimit();
		page(limit, 1);
		expect(mostInFlight(limit, 0)).toBe(2);
		page(limit, 2, rows);
		expect(mostInFlight(limit, 0)).toBe(most);
	});

	test('are given up after several pages that were no faster', () => {
		const limit = new ConcurrencyLimit();
		page(limit, 1);
		const seen = [];
		for (let number = 0; number < 3; number++) {
			page(limit, 2, 500);
			seen.push(mostInFlight(limit, 0));
		}
		expect(seen).toEqual([2, 2, 1]);
	});

	test('are tried again a hundred pages later, should the service be faster now', () => {
		const limit = new ConcurrencyLimit();
		page(limit, 1);
		for (let number = 0; number < 3; number++) page(limit, 2, 500);
		pages(99, limit, 1);
		expect(mostInFlight(limit, 0)).toBe(1);
		page(limit, 1);
		expect(mostInFlight(limit, 0)).toBe(2);
		page(limit, 2, 500);
		expect(mostInFlight(limit, 0)).toBe(3);
	});

	/** One more is allowed again than the three that were taken when four were too many. */
	function probing() {
		const { limit, now } = open();
		limit.refuse(limit.send(4, now), now);
		expect(mostInFlight(limit, now)).toBe(2);
		page(limit, 2);
		pages(99, limit, 3);
		expect(mostInFlight(limit, now)).toBe(3);
		page(limit, 3);
		expect(mostInFlight(limit, now)).toBe(4);
		return { limit, now };
	}

	test('than were refused are tried a hundred pages later: one more, and no more than that', () => {
		const { limit, now } = probing();
		pages(10, limit, 4);
		expect(mostInFlight(limit, now)).toBe(4);
	});

	test('that are refused again are tried again after twice as many pages', () => {
		const { limit, now } = probing();
		limit.refuse(limit.send(4, now), now);
		page(limit, 2);
		pages(199, limit, 3);
		expect(mostInFlight(limit, now)).toBe(3);
		page(limit, 3);
		expect(mostInFlight(limit, now)).toBe(4);
	});

	test.each([
		[4, 'are too many', 3],
		[5, 'were taken, so they are too many a second', 4],
	])('that are refused after %i pages %s', (count, _, most) => {
		const { limit, now } = probing();
		pages(count, limit, 4);
		limit.refuse(limit.send(4, now), now + 1_000);
		expect(paceOf(limit, now + 1_000) > 0).toBe(most === 4);
		pages(10, limit, most);
		expect(mostInFlight(limit, now)).toBe(most);
	});
});

describe('a quota', () => {
	test.each<[Record<string, string>, Quota | undefined]>([
		[
			{ 'ratelimit-remaining': '3', 'ratelimit-reset': '2' },
			{ remaining: 3, resetMs: 2_000 },
		],
		[
			{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '2000000010' },
			{ remaining: 0, resetMs: 10_000 },
		],
		[{ ratelimit: '"default";r=50;t=30' }, { remaining: 50, resetMs: 30_000 }],
		[{ ratelimit: 'limit=100, remaining=0, reset=5' }, { remaining: 0, resetMs: 5_000 }],
		[
			{ 'ratelimit-remaining': ' 3 ', 'ratelimit-reset': '0.125' },
			{ remaining: 3, resetMs: 125 },
		],
		[
			{ 'ratelimit-remaining': '3', 'ratelimit-reset': '1000000000' },
			{ remaining: 3, resetMs: 1e12 },
		],
		[{ 'ratelimit-remaining': '3' }, undefined],
		[{ 'ratelimit-remaining': 'about 3', 'ratelimit-reset': '2' }, undefined],
		[{ 'ratelimit-remaining': '3 or so', 'ratelimit-reset': '2' }, undefined],
		[{ 'ratelimit-remaining': 'many', 'ratelimit-reset': '2' }, undefined],
		[{}, undefined],
	])('is read from %j', (headers, quota) => {
		expect(readQuota(headers, 2_000_000_000_000)).toEqual(quota);
	});

	test('that is used up is waited for, but no longer than for a Retry-After', () => {
		const limit = new ConcurrencyLimit();
		const sent = limit.send(1, 0);
		limit.learn(sent, { remaining: 0, resetMs: 5_000 }, 100);
		expect(limit.waitBefore(0, 8, 100)).toBe(5_000);
		limit.learn(sent, { remaining: 1, resetMs: 5_000 }, 100);
		expect(limit.waitBefore(0, 8, 100)).toBe(0);
		const next = new ConcurrencyLimit();
		next.learn(next.send(1, 0), { remaining: 0, resetMs: 3_600_000 }, 100);
		expect(next.waitBefore(0, 8, 100)).toBe(0);
	});

	test('is waited for as long as for a Retry-After, two minutes, and no longer', () => {
		const limit = new ConcurrencyLimit();
		const sent = limit.send(1, 0);
		limit.learn(sent, { remaining: 0, resetMs: 120_000 }, 0);
		expect(limit.waitBefore(0, 8, 0)).toBe(120_000);
		limit.learn(sent, { remaining: 0, resetMs: 120_001 }, 0);
		expect(limit.waitBefore(0, 8, 0)).toBe(0);
	});

	test('is used up by requests that were sent since, as by those that follow', () => {
		const { limit, now, sent } = open();
		const [first] = sent;
		// Three others were sent since, which leaves two.
		if (first) limit.learn(first, { remaining: 5, resetMs: 1_000 }, now);
		expect(limit.waitBefore(0, 8, now)).toBe(0);
		limit.send(1, now);
		expect(limit.waitBefore(1, 8, now)).toBe(0);
		limit.send(2, now);
		// With a response it is known anew; without one in flight there is nothing else to wait for.
		expect(limit.waitBefore(2, 8, now)).toBe(Infinity);
		expect(limit.waitBefore(0, 8, now)).toBe(1_000);
	});

	test('that has ended is asked for by one request', () => {
		const { limit, now, sent } = open();
		const last = sent.at(-1);
		if (last) limit.learn(last, { remaining: 5, resetMs: 1_000 }, now);
		limit.send(1, now + 1_000);
		expect(limit.waitBefore(1, 8, now + 1_000)).toBe(Infinity);
		expect(limit.waitBefore(0, 8, now + 1_000)).toBe(0);
	});
});

describe('whatever happens', () => {
	const event = fc.record({
		kind: fc.constantFrom(
			'page' as const,
			'page' as const,
			'refused' as const,
			'down' as const,
		),
		rows: fc.nat(1_000),
		after: fc.nat(5_000),
		quota: fc.option(fc.record({ remaining: fc.nat(5), resetMs: fc.nat(200_000) }), {
			nil: undefined,
		}),
	});

	test('no more are in flight than allowed, and an idle one waits two minutes at most', () => {
		fc.assert(
			fc.property(fc.integer({ min: 1, max: 10 }), fc.array(event), (most, events) => {
				const limit = new ConcurrencyLimit();
				let now = 0;
				const inFlight: Array<ReturnType<ConcurrencyLimit['send']>> = [];
				for (const { kind, rows, after, quota } of events) {
					while (limit.waitBefore(inFlight.length, most, now) === 0) {
						inFlight.push(limit.send(inFlight.length + 1, now));
						expect(inFlight.length).toBeLessThanOrEqual(most);
					}
					now += after;
					const sent = inFlight.shift();
					if (!sent) {
						const wait = limit.waitBefore(0, most, now);
						expect(wait).toBeLessThanOrEqual(120_000);
						now += wait;
						continue;
					}
					limit.learn(sent, quota, now);
					if (kind === 'page') limit.succeed(sent, rows, now);
					if (kind === 'refused') limit.refuse(sent, now);
					if (kind === 'down') limit.halve(sent);
				}
			}),
		);
	});

	test('it recovers: two hundred pages later as many are in flight as before', () => {
		fc.assert(
			fc.property(fc.array(event, { maxLength: 30 }), (events) => {
				const limit = new ConcurrencyLimit();
				let now = 0;
				for (const { kind, after } of events) {
					const sent = limit.send(1, now);
					now += after;
					if (kind === 'down') limit.halve(sent);
					else limit.succeed(sent, 1_000, now);
				}
				const inFlight: Array<ReturnType<ConcurrencyLimit['send']>> = [];
				for (let page = 0; page < 200; page++) {
					while (limit.waitBefore(inFlight.length, 8, now) === 0) {
						inFlight.push(limit.send(inFlight.length + 1, now));
					}
					now += 10;
					for (const sent of inFlight.splice(0)) limit.succeed(sent, 1_000, now);
				}
				while (limit.waitBefore(inFlight.length, 8, now) === 0) {
					inFlight.push(limit.send(inFlight.length + 1, now));
				}
				expect(inFlight).toHaveLength(8);
			}),
		);
	});
});
