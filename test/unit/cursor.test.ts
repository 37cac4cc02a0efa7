/** The trigger's place in its search: which of the saved ones counts, and what may still be spent. */
import { UNKNOWN_SIZES } from '../../nodes/LeadSearch/paging/pageSizes';
import {
	ceilingReached,
	creditsLeft,
	cursorAfter,
	findCursor,
	fingerprintOf,
	restartsTooOften,
	type Cursor,
} from '../../nodes/LeadSearch/trigger/cursor';

const NOW = { now: 1_800_000_000_000, day: '2027-01-15' };
const HOUR_MS = 3_600_000;

const cursor = (fields: Partial<Cursor> = {}): Cursor => ({
	version: 4,
	revision: 4,
	fingerprint: 'search',
	row: 60,
	sizes: { ...UNKNOWN_SIZES, served: 25 },
	isAtEnd: true,
	isHalted: false,
	day: NOW.day,
	spentToday: 20,
	spentInTotal: 60,
	restarts: [],
	...fields,
});
const find = (copies: unknown[], skip = 0, fingerprint = 'search') =>
	findCursor(copies, fingerprint, skip, NOW);

test.each<[string, unknown[], number, Partial<Cursor>]>([
	['of several copies, the newest', [cursor(), cursor({ revision: 6, row: 80 })], 0, { row: 80 }],
	['the one that can be read', ['row 7', cursor()], 0, { row: 60 }],
	['on another day, nothing spent today', [cursor({ day: '2027-01-14' })], 0, { spentToday: 0 }],
	['after leads that Skip passes over', [cursor()], 70, { row: 70, isAtEnd: false }],
	['where it is beyond Skip', [cursor()], 50, { row: 60 }],
])('a search goes on: %s', (_, copies, skip, expected) => {
	const { cursor: found, restart } = find(copies, skip);
	expect(found).toMatchObject({ spentInTotal: 60, day: NOW.day, ...expected });
	expect(restart).toBeUndefined();
});

test.each<[string, unknown[]]>([
	['firstPoll', [undefined, null]],
	...[
		{ ...cursor(), version: 2 },
		cursor({ row: -3 }),
		cursor({ row: 100_001 }),
		cursor({ spentToday: 0.5 }),
		{ ...cursor(), sizes: undefined },
		{ ...cursor(), restarts: 'none' },
		'row 7',
		[1],
		5,
	].map((copy): [string, unknown[]] => ['unreadable', [copy, undefined]]),
])('a search starts after the leads that Skip passes over (%s): %j', (restart, copies) => {
	const start = { row: 7, sizes: UNKNOWN_SIZES, isAtEnd: false, spentToday: 0, spentInTotal: 0 };
	expect(find(copies, 7)).toMatchObject({ cursor: start, restart });
});

test('another search starts anew, keeps what was spent today, and counts the new starts of a day', () => {
	const restarts = [NOW.now - 25 * HOUR_MS, NOW.now - 23 * HOUR_MS];
	const { cursor: found, restart } = find([cursor({ restarts, isHalted: true })], 0, 'other');
	expect(restart).toBe('searchChanged');
	expect(found).toMatchObject({
		row: 0,
		spentToday: 20,
		spentInTotal: 0,
		revision: 4,
		isHalted: false,
	});
	expect(found.restarts).toEqual([NOW.now - 23 * HOUR_MS, NOW.now]);
	expect(restartsTooOften(found)).toBe(false);
	expect(restartsTooOften({ ...found, restarts: [1, 2, 3] })).toBe(true);
});

test('a poll moves it, and makes it the newest', () => {
	const { sizes } = cursor();
	const outcome = { row: 85, sizes, isAtEnd: false, isHalted: true };
	expect(cursorAfter(cursor(), outcome, 30)).toEqual(
		cursor({ ...outcome, revision: 5, spentToday: 50, spentInTotal: 90 }),
	);
});

test.each<[number, number, number, string | undefined]>([
	[Infinity, Infinity, Infinity, undefined],
	[120, 1_000, 100, undefined],
	[120, 70, 10, undefined],
	[20, 1_000, 0, 'Max Credits per Day (20) is spent for 2027-01-15'],
	[10, 50, 0, 'Max Credits in Total (50) is spent'],
])('of %d a day and %d in total, %d credits are left', (perDay, inTotal, left, reached) => {
	expect(creditsLeft(cursor(), { perDay, inTotal })).toBe(left);
	expect(ceilingReached(cursor(), { perDay, inTotal })).toBe(reached);
});

test('searches are told apart by what they hold, not by its order', () => {
	const one = fingerprintOf({ a: ['x', 'y'], b: 1 }, 'https://a.example');
	expect(fingerprintOf({ b: 1, a: ['y', 'x'] }, 'https://a.example')).toBe(one);
	expect(fingerprintOf({ a: ['x'], b: 1 }, 'https://a.example')).not.toBe(one);
	expect(fingerprintOf({ a: ['x', 'y'], b: 1 }, 'https://b.example')).not.toBe(one);
});
