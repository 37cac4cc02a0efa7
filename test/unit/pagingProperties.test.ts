/** What holds for every run through every service that follows the contract. */
import fc from 'fast-check';

import { MAX_RESULTS, type PageAnswer } from '../../nodes/LeadSearch/service/contract';
import {
	largestPage,
	nextStep,
	startWalk,
	takeAnswer,
} from '../../nodes/LeadSearch/service/paging';
import { maxResultsOf, services, wantedRows, wishes } from './serviceModel';
import { walkThrough } from './walking';

const runs = { numRuns: 1_000 };
const clamped = services({ balance: Infinity, tellsPerPage: true }).chain((service) =>
	fc.integer({ min: 1, max: 60 }).map((mostPerPage) => ({ ...service, mostPerPage })),
);

describe('Promise 1: never overspend', () => {
	test('every request is for rows that are wanted and can be paid for, next in order', () => {
		fc.assert(
			fc.property(fc.oneof(services(), clamped), wishes(), (service, wish) => {
				const astray = walkThrough(service, wish).asks.filter(
					({ page, size, after, passed, creditsLeft }) =>
						size < 1 ||
						size > Math.min(wish.pageSize, creditsLeft) ||
						after !== passed ||
						(page - 1) * size !== passed ||
						passed + size > maxResultsOf(wish),
				);
				expect(astray).toEqual([]);
			}),
			runs,
		);
	});

	test('what is charged stays within Credit Budget and Limit, moved pages included', () => {
		fc.assert(
			fc.property(fc.oneof(services(), clamped), wishes(), (service, wish) => {
				const { charged, received, repeated } = walkThrough(service, wish);
				expect(charged).toBeLessThanOrEqual(wish.budget);
				expect(charged).toBeLessThanOrEqual(wish.rows);
				expect(charged).toBe(received.length + repeated);
			}),
			runs,
		);
	});
});

describe('Promise 2: never lose what was paid for', () => {
	test('every wanted row is received exactly once, in order, and nothing else is charged', () => {
		fc.assert(
			fc.property(
				services({ balance: Infinity }),
				fc.boolean(),
				wishes({ budget: Infinity }),
				(service, prove, wish) => {
					const walked = walkThrough(service, wish, { prove });
					expect(walked.received).toEqual(wantedRows(wish, service));
					expect(walked.repeated).toBe(0);
					expect(['endOfList', 'limit']).toContain(walked.end);
				},
			),
			runs,
		);
	});

	test('with clamped pages too; rows come twice only behind Skip, one page of them at most', () => {
		fc.assert(
			fc.property(clamped, wishes({ budget: Infinity }), (service, wish) => {
				const { received, repeated } = walkThrough(service, wish);
				// Rows that came twice count towards Limit.
				expect(received).toEqual(wantedRows(wish, service).slice(0, wish.rows - repeated));
				expect(repeated).toBeLessThanOrEqual(wish.skip === 0 ? 0 : service.mostPerPage);
			}),
			runs,
		);
	});

	test('with pages clamped in silence too, when has_more knows what follows', () => {
		// From the first row on: behind Skip, nothing in the answer would tell which rows came.
		fc.assert(
			fc.property(clamped, wishes({ skip: 0, budget: Infinity }), (service, wish) => {
				const silent = {
					...service,
					tellsPerPage: false,
					hasMoreBy: 'rowsThatFollow' as const,
				};
				const { received, repeated } = walkThrough(silent, wish);
				expect(received).toEqual(wantedRows(wish, service));
				expect(repeated).toBe(0);
			}),
			runs,
		);
	});

	test('whatever ends a run, Skip at its place gets the rest, without a gap or a row twice', () => {
		fc.assert(
			fc.property(services(), wishes(), (service, wish) => {
				const first = walkThrough(service, wish);
				const { passed } = first.walk;
				const rest = { ...wish, skip: passed, rows: maxResultsOf(wish) - passed };
				const second = walkThrough(
					{ ...service, balance: Infinity },
					{ ...rest, budget: Infinity },
				);
				expect([...first.received, ...second.received]).toEqual(wantedRows(wish, service));
			}),
			runs,
		);
	});
});

describe('Promise 3: never pass off a cut result as whole', () => {
	test("a run that ends as 'endOfList' has all rows that exist up to the wanted end", () => {
		fc.assert(
			fc.property(services(), wishes(), (service, wish) => {
				const { end, received } = walkThrough(service, wish);
				if (end === 'endOfList' || end === 'limit') {
					expect(received).toEqual(wantedRows(wish, service));
				}
			}),
			runs,
		);
	});

	test('a run that got less than exists says why: 402 or the budget', () => {
		fc.assert(
			fc.property(services(), wishes(), (service, wish) => {
				const wanted = wantedRows(wish, service);
				const { end, received } = walkThrough(service, wish);
				if (received.length < wanted.length) expect(['402', 'budget']).toContain(end);
				expect(received).toEqual(wanted.slice(0, received.length));
			}),
			runs,
		);
	});
});

describe("Promise 7: the service's word counts", () => {
	test('a service that follows the contract is never said to contradict itself', () => {
		fc.assert(
			fc.property(fc.oneof(services(), clamped), wishes(), (service, wish) => {
				expect(walkThrough(service, wish).end).not.toContain('misfit');
			}),
			runs,
		);
	});

	test('whatever a service answers, a walk never goes back and comes to an end', () => {
		const count = fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined });
		const answers = fc.array(
			fc.record({
				rows: fc.nat(40).map((rows) => Array.from({ length: rows }, () => ({}))),
				page: count,
				perPage: count,
				nextPage: fc.oneof(count, fc.constant(null)),
				hasMore: fc.constantFrom(true, false, undefined),
			}),
			{ minLength: 1, maxLength: 6 },
		);
		fc.assert(
			fc.property(answers, fc.boolean(), fc.nat(50), (round, prove, skip) => {
				let walk = startWalk({ surePageSize: 25, skip, rows: 150, pageSize: 40, prove });
				const most = 2 * 150 + 2 * 40;
				for (let requests = 0; requests <= most; requests++) {
					const step = nextStep(walk, Infinity);
					if (!('ask' in step)) return;
					const answer: PageAnswer = round[requests % round.length] ?? { rows: [] };
					const progress = takeAnswer(walk, step.ask, answer);
					const isSane =
						progress.firstNewRow >= 0 &&
						progress.firstNewRow <= answer.rows.length &&
						progress.walk.passed >= walk.passed;
					expect({ isSane, progress }).toMatchObject({ isSane: true });
					if (progress.misfit !== undefined) return;
					walk = progress.walk;
				}
				throw new Error(`still asking after ${most} requests`);
			}),
			runs,
		);
	});
});

describe('How many requests a run takes', () => {
	test('at most twice as many as there are full pages, and twenty', () => {
		fc.assert(
			fc.property(
				services({ balance: Infinity, rows: MAX_RESULTS }),
				fc.record({
					skip: fc.nat(MAX_RESULTS - 1),
					rows: fc.integer({ min: 1, max: 5_000 }),
					pageSize: fc.integer({ min: 1, max: 1_000 }),
					budget: fc.constant(Infinity),
				}),
				(service, wish) => {
					const { asks } = walkThrough(service, wish);
					const fullPages = Math.ceil(wish.rows / wish.pageSize);
					expect(asks.length).toBeLessThanOrEqual(2 * fullPages + 20);
				},
			),
			{ numRuns: 300 },
		);
	});

	test('Return All takes at most 200 of the default 1,000 rows, whatever Skip; 100 without', () => {
		const requests = new Uint16Array(MAX_RESULTS + 1);
		for (let skip = MAX_RESULTS - 1; skip >= 0; skip--) {
			const size = largestPage(skip, Math.min(1_000, MAX_RESULTS - skip));
			requests[skip] = 1 + (requests[skip + size] ?? 0);
		}
		expect(requests[0]).toBe(100);
		expect(Math.max(...new Set(requests))).toBe(200);
	});

	test('Limit 1,000 takes at most 14 requests, whatever Skip', () => {
		const worstSkips = [49_459, 39_317];
		let most = 0;
		for (let skip = 0; skip < MAX_RESULTS; skip = skip + 97) worstSkips.push(skip);
		for (const skip of worstSkips) {
			const until = Math.min(skip + 1_000, MAX_RESULTS);
			let requests = 0;
			for (let passed = skip; passed < until; requests++) {
				passed += largestPage(passed, until - passed);
			}
			most = Math.max(most, requests);
		}
		expect(most).toBe(14);
	});
});
