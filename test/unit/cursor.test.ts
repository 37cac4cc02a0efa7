/** The trigger's place in its search: which of the saved ones counts, and what a poll does by it. */
import { HALTED, TOO_MANY_RESTARTS } from '../../nodes/LeadSearch/messages/polls';
import type { Result } from '../../nodes/LeadSearch/paging/run';
import { cursorAfter, decide, findCursor, listAt } from '../../nodes/LeadSearch/trigger/cursor';
import type { Cursor } from '../../nodes/LeadSearch/trigger/cursor';

/** A day later there than in most of the world. */
const NOW = { now: Date.parse('2027-01-14T20:00:00Z'), timeZone: 'Pacific/Auckland' };
const TODAY = '2027-01-15';
const HOUR_MS = 3_600_000;

const cursor = (fields: Partial<Cursor> = {}): Cursor => ({
	...{ revision: 4, fingerprint: 'search', row: 60, served: 25, isAtEnd: true, isHalted: false },
	...{ day: TODAY, spentToday: 20, spentInTotal: 60, restarts: [] },
	...fields,
});
const find = (copies: unknown[], skip = 0, fingerprint = 'search') =>
	findCursor(copies, fingerprint, skip, NOW);

test.each<[string, unknown[], number, Partial<Cursor>]>([
	['the one that can be read', ['row 7', cursor()], 0, { row: 60 }],
	['on another day, nothing spent today', [cursor({ day: '2027-01-14' })], 0, { spentToday: 0 }],
	['after leads that Skip passes over', [cursor()], 70, { row: 70, isAtEnd: false }],
	['where it is beyond Skip', [cursor()], 50, { row: 60 }],
])('a search goes on: %s', (_, copies, skip, expected) => {
	const { cursor: found, restart } = find(copies, skip);
	expect(found).toMatchObject({ spentInTotal: 60, day: TODAY, ...expected });
	expect(restart).toBeUndefined();
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
		[1],
		5,
	].map((copy): [string, unknown[]] => ['unreadable', [copy, undefined]]),
])('a search starts after the leads that Skip passes over (%s): %j', (restart, copies) => {
	const start = { row: 7, served: 0, isAtEnd: false, spentToday: 0, spentInTotal: 0 };
	expect(find(copies, 7)).toMatchObject({ cursor: start, restart });
});

test('another search starts anew, keeps what was spent today, and counts the new starts of a day', () => {
	const restarts = [NOW.now - 25 * HOUR_MS, NOW.now - 23 * HOUR_MS];
	const { cursor: found, restart } = find([cursor({ restarts, isHalted: true })], 0, 'other');
	expect(restart).toBe('searchChanged');
	const anew = { row: 0, spentToday: 20, spentInTotal: 0, revision: 4, isHalted: false };
	expect(found).toMatchObject({ ...anew, restarts: [NOW.now - 23 * HOUR_MS, NOW.now] });
});

test('a poll moves it over the rows that came in a row, and counts what was or may have been charged', () => {
	const list = listAt(cursor());
	for (const place of [60, 61, 63]) list.cells.set(place, { place });
	list.charged = 20;
	list.atRisk = 10;
	list.sizes.served = 60;
	list.isAnswered = true;
	const violation = { kind: 'protocolViolation' } as const;
	const moved = { row: 62, served: 60, isHalted: true, spentToday: 50, spentInTotal: 90 };
	const result = { task: {}, failure: violation, isNotRun: false };
	expect(cursorAfter(cursor(), list, result)).toEqual(cursor(moved));
});

test.each<[Result['end'], number, boolean]>([
	['limit', 62, false],
	['whole', 62, true],
	['budget', 62, true],
	['budget', Infinity, false],
])('ended by %s, with a list that ends at row %d: may it end there? %j', (end, proven, isAtEnd) => {
	const list = listAt(cursor({ isAtEnd: false }));
	for (const place of [60, 61]) list.cells.set(place, { place });
	list.end.prove(proven);
	expect(cursorAfter(cursor(), list, { task: {}, end } as Result)).toMatchObject({ isAtEnd });
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
	['two new starts', { restarts: [1, 2] }, 120, 70, { room: 10 }, { room: 1 }],
	['three new starts', { restarts: [1, 2, 3], isHalted: true }, 20, 70, refused, refused],
])('with %s (%j) of %d a day and %d in total', (_, fields, ofDay, ofAll, inPoll, inTest) => {
	const ceilings = { perDay: ofDay, inTotal: ofAll };
	expect(decide(cursor(fields), ceilings, false)).toEqual(inPoll);
	expect(decide(cursor(fields), ceilings, true)).toEqual(inTest);
});
