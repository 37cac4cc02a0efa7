/** The trigger's place in its search: what is no such place, and what a poll does by it. */
import { END_COSTS, HALTED, TOO_MANY_RESTARTS } from '../../nodes/LeadSearch/messages/polls';
import { decide, findCursor } from '../../nodes/LeadSearch/trigger/cursor';
import type { Cursor } from '../../nodes/LeadSearch/trigger/cursor';

const NOW = { now: Date.parse('2027-01-14T20:00:00Z'), timeZone: 'Pacific/Auckland' };

const cursor = (fields: Partial<Cursor> = {}): Cursor => ({
	...{ revision: 4, fingerprint: 'search', row: 60, served: 25, isAtEnd: true, isHalted: false },
	...{ day: '2027-01-15', spentToday: 20, spentInTotal: 60, restarts: [] },
	...fields,
});
test.each<[string, unknown[]]>([
	['firstPoll', [undefined, null]],
	...[
		{ ...cursor(), revision: undefined },
		cursor({ row: -3 }),
		cursor({ revision: 0.5 }),
		cursor({ spentToday: 0.5 }),
		{ ...cursor(), served: undefined },
		{ ...cursor(), restarts: 'none' },
		'row 7',
	].map((copy): [string, unknown[]] => ['unreadable', [copy, undefined]]),
])('a search starts after the leads that Skip passes over (%s): %j', (restart, copies) => {
	const start = { row: 7, served: 0, isAtEnd: false, spentToday: 0, spentInTotal: 0 };
	expect(findCursor(copies, 'search', 7, NOW)).toMatchObject({ cursor: start, restart });
});

const perDay = 'Max Credits per Day (20) is spent for 2027-01-15';
const inTotal = 'Max Credits in Total (50) is spent';
const ceilingIn = (message: string) => ({
	...{ refusal: { message, description: 'Raise it to get more leads.' } },
});
const refused = { refusal: TOO_MANY_RESTARTS };

test.each<[string, Partial<Cursor>, number, number, object, object]>([
	['no ceiling', {}, Infinity, Infinity, { room: Infinity }, { room: 1 }],
	['100 left today', {}, 120, 1_000, { room: 100 }, { room: 1 }],
	['10 left in total', {}, 120, 70, { room: 10 }, { room: 1 }],
	['none left today', {}, 20, 1_000, { note: perDay }, ceilingIn(perDay)],
	['none left in total', {}, 10, 50, { note: inTotal }, ceilingIn(inTotal)],
	['halted', { isHalted: true }, 120, 70, { note: HALTED }, { room: 1 }],
	['an end that costs', { endCosts: true }, 120, 70, { note: END_COSTS }, { room: 1 }],
	['the same, not asked today', { endCosts: true, spentToday: 0 }, 9, 99, { room: 9 }, { room: 1 }],
	['two new starts', { restarts: [1, 2] }, 120, 70, { room: 10 }, { room: 1 }],
	['three new starts', { restarts: [1, 2, 3], isHalted: true }, 20, 70, refused, refused],
])('with %s (%j) of %d a day and %d in total', (_, fields, ofDay, ofAll, inPoll, inTest) => {
	const ceilings = { perDay: ofDay, inTotal: ofAll };
	expect(decide(cursor(fields), ceilings, false)).toEqual(inPoll);
	expect(decide(cursor(fields), ceilings, true)).toEqual(inTest);
});
