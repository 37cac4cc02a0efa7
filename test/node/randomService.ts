/** A lead service that reads the contract in a random way, and fails at random requests. */
import fc from 'fast-check';

import type { FaultAction, Readings } from '../../sandbox/service';

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

const rows = (min: number, max: number) => fc.integer({ min, max });

/** How a service may count its pages, so that the node has nothing to excuse. */
const pageSizes: fc.Arbitrary<Partial<Readings>> = fc.oneof(
	{ arbitrary: fc.constant({}), weight: 2 },
	fc.record({ pageSize: rows(25, 60) }),
	fc.record({
		pageSize: rows(100, 120),
		tooLarge: fc.constantFrom(400 as const, 413 as const, 422 as const),
	}),
	fc.record({ perPage: fc.constant('rowsOnLastPage' as const) }),
	fc.record(
		{
			missing: fc.subarray<Readings['missing'][number]>(
				['page', 'per_page', 'has_more', 'next_page'],
				{ maxLength: 3 },
			),
			rowsAt: fc.constantFrom('data' as const, 'preview_data' as const, 'bareArray' as const),
		},
		{ requiredKeys: [] },
	),
);

/** What else the contract leaves open: any of these together. */
const others: fc.Arbitrary<Partial<Readings>> = fc.record(
	{
		hasMore: fc.constant('fullPage' as const),
		zeroBalance: fc.constant('refusesAll' as const),
		maxResults: fc.constant('totalCount' as const),
		noRows: fc.constantFrom('null' as const, 'missing' as const),
		lookUpPages: fc.constant('urls' as const),
		profiles: fc.record(
			{ renamedEvery: rows(2, 9), twiceEvery: rows(2, 9) },
			{ requiredKeys: [] },
		),
	},
	{ requiredKeys: [] },
);

/** A reading of the contract: mostly the usual one. */
export const readings: fc.Arbitrary<Partial<Readings>> = fc.oneof(
	fc.constant({}),
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
