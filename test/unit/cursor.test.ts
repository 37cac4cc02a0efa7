/** The trigger's place in its search: what is no such place, and what a poll does by it. */
import { formatPaused, TOO_MANY_RESTARTS } from '../../nodes/LeadSearch/messages/polls';
import { dayAt, decide, findCursor, isPaidAgain } from '../../nodes/LeadSearch/trigger/cursor';
import type { Failure, FailureKind } from '../../nodes/LeadSearch/api/failures';
import type { Result } from '../../nodes/LeadSearch/paging/run';
import type { Cursor } from '../../nodes/LeadSearch/trigger/cursor';

const DAY = '2027-01-15';
const NOW = { now: Date.parse('2027-01-14T20:00:00Z'), day: DAY };

const cursor = (fields: Partial<Cursor> = {}): Cursor => ({
	...{ revision: 4, fingerprint: 'search', row: 60, served: 25, isAtEnd: true },
	...{ day: DAY, spentToday: 20, spentInTotal: 60, spentBefore: {}, restarts: [] },
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
		{ ...cursor(), spentBefore: undefined },
		cursor({ spentBefore: { '2027-01-14': -1 } }),
		'row 7',
	].map((copy): [string, unknown[]] => ['unreadable', [copy, undefined]]),
])('a search starts after the leads that Skip passes over (%s): %j', (restart, copies) => {
	const start = { row: 7, served: 0, isAtEnd: false, spentToday: 0, spentInTotal: 0 };
	expect(findCursor(copies, 'search', 7, NOW)).toMatchObject({ cursor: start, restart });
});

const perDay = "'Max Credits per Day' (20) is spent for 2027-01-15";
const inTotal = "'Max Credits in Total' (50) is spent";
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
	['a pause', { pausedOn: DAY }, 120, 70, { note: formatPaused(DAY) }, { room: 1 }],
	['one of another day', { pausedOn: '2027-01-14' }, 120, 70, { room: 10 }, { room: 1 }],
	['two new starts', { restarts: [1, 2] }, 120, 70, { room: 10 }, { room: 1 }],
	['three new starts', { restarts: [1, 2, 3], pausedOn: DAY }, 20, 70, refused, refused],
])('with %s (%j) of %d a day and %d in total', (_, fields, ofDay, ofAll, inPoll, inTest) => {
	const ceilings = { perDay: ofDay, inTotal: ofAll };
	expect(decide(cursor(fields), ceilings, false)).toEqual(inPoll);
	expect(decide(cursor(fields), ceilings, true)).toEqual(inTest);
});

describe('A day never begins twice', () => {
	const spent = { spentToday: 20, spentBefore: { '2027-01-13': 7 } };
	const find = (saved: Partial<Cursor>, day: string, fingerprint = 'search') =>
		findCursor([cursor({ ...spent, ...saved })], fingerprint, 0, { ...NOW, day }).cursor;

	test.each<[string, string, number]>([
		['the same day', DAY, 20],
		['the next day', '2027-01-16', 0],
		['a day that has been, as where the time zone is another one now', '2027-01-13', 7],
		['a day before on which nothing was spent, as where the clock was set back', '2027-01-14', 0],
	])('%s: %s has spent %i', (_, day, credits) => {
		for (const fingerprint of ['search', 'another search'])
			expect(find({}, day, fingerprint)).toMatchObject({ day, spentToday: credits });
	});

	test('also where it is left and come back to', () => {
		const before = find({}, '2027-01-13');
		const back = findCursor([{ ...before, spentToday: 9 }], 'search', 0, NOW).cursor;
		expect(back).toMatchObject({ spentToday: 20, spentBefore: { '2027-01-13': 9 } });
	});

	test('of those on which something was spent, the last 31 are known', () => {
		let found = cursor({ spentToday: 1 });
		for (let day = 10; day < 50; day++)
			found = {
				...findCursor([found], 'search', 0, { ...NOW, day: `2028-${day}` }).cursor,
				spentToday: 1,
			};
		expect(Object.keys(found.spentBefore)).toHaveLength(31);
		expect(found.spentBefore).toHaveProperty('2028-48', 1);
	});
});

test.each([
	['Pacific/Auckland', DAY],
	['America/New_York', '2027-01-14'],
	['DEFAULT', undefined],
	['GMT+2', undefined],
	['', undefined],
])('in the time zone %j it is %s', (timeZone, day) => {
	expect(dayAt(NOW.now, timeZone)).toBe(day);
});

const failed = (kind: FailureKind, more: Partial<Failure> = {}): Result => {
	return { task: undefined, failure: { kind, ...more }, isNotRun: false };
};
const ended = (end: 'whole' | 'limit' | 'refused'): Result => ({ task: undefined, end });

test.each<[string, Result, number, number, boolean]>([
	['the question at the end cost a credit', ended('whole'), 11, 10, true],
	['it was free', ended('whole'), 10, 10, false],
	['all that was wanted came', ended('limit'), 10, 10, false],
	['what came contradicts itself', failed('protocolViolation'), 0, 0, true],
	['what came is no list of leads', failed('notTheService', { status: 200 }), 0, 0, true],
	['there is nothing at the address', failed('notTheService', { status: 404 }), 0, 0, false],
	['what came is not readable', failed('unreadable'), 0, 0, true],
	['what came is too large', failed('tooLarge'), 0, 0, true],
	['an answer was lost', failed('lostResponse'), 0, 0, false],
	['credits ran out', failed('noCredits'), 10, 10, false],
])(
	'where %s, would the next poll pay for the same again?',
	(_, result, paid, delivered, isPaid) => {
		expect(isPaidAgain(result, paid, delivered)).toBe(isPaid);
	},
);
