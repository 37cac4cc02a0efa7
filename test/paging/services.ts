/** Random services and searches. */
import fc from 'fast-check';

import type { LeadList } from '../../nodes/LeadSearch/paging/leadList';
import type { Readings } from '../../sandbox/service/model';
import { between, of } from '../seed';
import { idOf, leadsOf, READINGS, anyConditions, type World } from './world';

const allReadings = {
	...READINGS,
	pageSize: of(0, 0, 25, 30, 64, 100, 150),
	maxResults: of<Readings['maxResults']>('rows', 'totalCount'),
	afterLast: of<Readings['afterLast']>('noRows', 'noRows', 'lastPage', 400, 404, 422),
	rowsAt: of<Readings['rowsAt']>('contract', 'data', 'bareArray'),
	lowSays: of<Readings['lowSays']>('end', 'more'),
};
// A service that leaves out has_more can't be wrong about it.
const readings = fc.record(allReadings).map((one) => ({
	...one,
	hasMore: one.missing.includes('has_more') ? ('honest' as const) : one.hasMore,
}));

type Drawn = typeof readings extends fc.Arbitrary<infer T> ? T : never;

/** Whether responses don't report the size of truncated pages. */
export const hidesPageSize = ({ perPage, missing, rowsAt }: Drawn) =>
	perPage === 'asked' || missing.includes('per_page') || rowsAt === 'bareArray';

/** The supported readings: a service that truncates pages reports their size. */
export const namedSizes = readings.filter(
	(drawn) => drawn.pageSize === 0 || drawn.tooLarge !== 'cut' || !hidesPageSize(drawn),
);

const searchTarget = fc.record({
	skip: fc.oneof(fc.constant(0), fc.constant(0), between(0, 400), of(100, 200, 300)),
	limit: fc.oneof(fc.constant(Infinity), between(1, 300), fc.constant(1), fc.constant(50)),
	pageSize: of(undefined, undefined, undefined, 10, 25, 40, 1000),
});
export type Targets = Array<Parameters<typeof leadsOf>[1]>;

const leadCounts = fc.oneof(between(0, 60), of(1, 50, 64, 100, 200), between(0, 900));

/** Supported services, and any runs of searches. */
export const scenario = fc.record({
	readings: namedSizes,
	leads: leadCounts,
	twins: fc.array(between(1, 60), { maxLength: 2 }),
	balance: fc.oneof(fc.constant(100_000), between(0, 150), between(0, 900)),
	runs: fc.array(
		fc.record({
			conditions: anyConditions,
			targets: fc.array(searchTarget, { minLength: 1, maxLength: 2 }),
		}),
		{
			minLength: 1,
			maxLength: 4,
		},
	),
	/** The row from which the service refuses pages. */
	refusesFrom: fc.option(
		fc.record({ row: between(1, 400), status: of<400 | 404 | 422>(400, 404, 422) }),
		{ nil: undefined, freq: 2 },
	),
});

/** Expects that the list accounts for all charges: rows that it has, wasted rows, and lost responses. */
export function expectAccounted(world: World, list: LeadList): void {
	const { charged, possiblyCharged } = list.cost;
	expect(charged).toBe(world.charged.length - world.lost.length);
	expect(new Set(idsIn(list))).toEqual(world.received);
	expect(possiblyCharged).toBeGreaterThanOrEqual(world.lost.length);
	expect(list.rowsInFlight).toBe(0);
}

export function idsIn({ cells, unmatchedRows }: LeadList): number[] {
	return [...cells.values(), ...unmatchedRows].map(idOf);
}
