/** A lead service that reads the contract in a random way, and fails at random requests. */
import fc from 'fast-check';

import type { Behaviour, FaultAction } from '../../sandbox/service';

const retryAtOnce = { 'retry-after': '0' };
/** A request that goes wrong. */
export const fault = fc.oneof(
	fc.constantFrom(429, 500, 502, 503, 504).map((status): FaultAction => ({
		kind: 'status',
		status,
		headers: retryAtOnce,
	})),
	fc
		.constantFrom('loseBeforeAnswer', 'loseAfterAnswer', 'loseMidAnswer')
		.map((kind): FaultAction => ({ kind })),
	fc.constantFrom<FaultAction>(
		{ kind: 'status', status: 402 },
		{ kind: 'status', status: 400 },
		{ kind: 'status', status: 401 },
		{ kind: 'status', status: 504, headers: retryAtOnce, charge: true },
		{ kind: 'notJson' },
		{ kind: 'notJson', charge: true },
		{ kind: 'raw', body: '', charge: true },
		{ kind: 'raw', body: '{"success": true, "preview_data": null}', charge: true },
		{ kind: 'wrongEncoding' },
		{ kind: 'hugeHeaders' },
		{ kind: 'truncatedJson' },
		{ kind: 'raw', body: '{"success": false, "message": "No"}' },
		{ kind: 'merge', merge: { next_page: 1 } },
		{ kind: 'merge', merge: { per_page: 'many' } },
		{ kind: 'merge', merge: { has_more: 'perhaps', success: false } },
	),
);

const flag = fc.constant(true);
const rows = (min: number, max: number) => fc.integer({ min, max });

/** How a service may count its pages: one reading for each run. */
const pageSizes: fc.Arbitrary<Behaviour> = fc.oneof(
	{ arbitrary: fc.constant({}), weight: 3 },
	fc.record({ clampPerPage: rows(1, 60) }),
	fc.record({ silentClamp: rows(5, 60) }),
	fc.record({ clampPerPage: rows(5, 60), answersPerPage: fc.constant(false) }),
	fc.record({ laterClamp: fc.record({ fromPage: rows(2, 4), size: rows(5, 60) }) }),
	fc.record({ fixedPerPage: rows(5, 60) }),
	fc.record({ clampPerPage: rows(5, 60), renumbersPages: flag }),
	fc.record({ minPerPage: rows(2, 40), renumbersPages: flag }),
	fc.record({ perPageIsCount: flag }),
	fc.record({ sendsExtra: rows(1, 7) }),
	fc.record({ ignoresPage: fc.constantFrom('echo' as const, 'one' as const) }),
	fc.record({
		behindEnd: fc.constantFrom(
			'lastPage' as const,
			'namedLastPage' as const,
			'firstPage' as const,
			'notFound' as const,
		),
	}),
	fc.record(
		{ minPerPage: rows(2, 40), omitsWhenEmpty: fc.constant<string[]>(['page', 'per_page']) },
		{ requiredKeys: ['minPerPage'] },
	),
	fc.record({
		allowedPerPage: fc.constantFrom<number[][]>([10, 25, 50], [25, 100], [5, 20, 40]),
	}),
	fc.record({ omitsWhenEmpty: fc.constant<string[]>(['page', 'per_page']) }),
);

/** What else the contract leaves open: any of these together. */
const others: fc.Arbitrary<Behaviour> = fc.record(
	{
		ignoresMaxResults: flag,
		saysMoreWhenShort: flag,
		deniesMoreAtZero: flag,
		perPageIsCut: flag,
		answersAtZero: flag,
		refusesAllAtZero: flag,
		setsCreditsAside: flag,
		lookupPagesBy: fc.constant('urls' as const),
		renamesEvery: rows(2, 9),
		twoRowsEvery: rows(2, 9),
		omits: fc.subarray(['page', 'per_page', 'has_more', 'next_page', 'count', 'success'], {
			maxLength: 3,
		}),
		answerShape: fc.constantFrom(
			'otherName' as const,
			'bareArray' as const,
			'nullWhenEmpty' as const,
			'nullRows' as const,
			'noContent' as const,
		),
		refusesPerPageAbove: fc.record({
			size: rows(100, 120),
			status: fc.constantFrom(400 as const, 413 as const, 422 as const),
		}),
	},
	{ requiredKeys: [] },
);

/** A reading of the contract: mostly the usual one. */
export const behaviour: fc.Arbitrary<Behaviour> = fc.oneof(
	fc.constant<Behaviour>({}),
	fc.tuple(pageSizes, fc.oneof(fc.constant({}), others)).map(([one, more]) => ({
		...one,
		...more,
	})),
);

/** The sum of a number that people are told, with or without commas. */
export function told(text: string, pattern: RegExp): number {
	const found = [...text.matchAll(pattern)].map(([, number]) =>
		Number(number?.replaceAll(',', '')),
	);
	return found.reduce((sum, number) => sum + number, 0);
}
