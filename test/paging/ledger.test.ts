/** What a list knows of a place, and which rows are the same. */
import type { Json } from '../../nodes/LeadSearch/api/contract';
import { isSameRow, profileOf } from '../../nodes/LeadSearch/paging/ledger';
import { newProfiles } from './world';

const anna = { linkedin_url: 'anna', city: 'Oslo' };

test.each<[Json, Json, boolean]>([
	[anna, { ...anna, city: 'Bergen' }, true],
	[anna, { ...anna, linkedin_url: 'bob' }, false],
	[anna, { city: 'Oslo' }, false],
	[{ city: 'Oslo' }, { city: 'Oslo' }, true],
	[{ city: 'Oslo' }, { city: 'Bergen' }, false],
	[{ linkedin_url: '', city: 'Oslo' }, { linkedin_url: '', city: 'Bergen' }, false],
	[{ linkedin_url: null, city: 'Oslo' }, { linkedin_url: null, city: 'Bergen' }, false],
])('%j and %j are the same: %s', (one, other, expected) => {
	expect(isSameRow(one, other)).toBe(expected);
});

test.each([
	['', undefined],
	[null, undefined],
	[5, undefined],
	[['x'], undefined],
	['anna', 'anna'],
])('the profile %j is %j', (linkedin_url, expected) => {
	expect(profileOf({ linkedin_url })).toBe(expected);
});

test('a row is counted once, whatever was known of its place', () => {
	const list = newProfiles();
	list.cells.set('a', 2);
	expect([list.rowAt('a'), list.rows]).toEqual([undefined, 0]);
	for (const place of ['a', 'a', 'b']) list.put(place, anna);
	expect([list.rowAt('a'), list.rows]).toEqual([anna, 2]);
	const again = newProfiles().restore({ ...list.toJSON(), cells: [...list.cells, ['c', 0]] });
	expect([again.rows, again.restored, again.rowAt('c')]).toEqual([2, 2, undefined]);
});

/** What is known of a, b and c: a row, by its name, or nobody, or how many may be it. */
test.each<[string, Array<[string, Json | number]>, string[], string[]]>([
	['all that have no row', [['a', anna]], ['a', 'b', 'c'], ['b', 'c']],
	['none that does not exist', [['a', 0]], ['a', 'b', 'c'], ['b', 'c']],
	['those that are unclear', [['a', 2]], ['a', 'b', 'c'], ['a', 'b', 'c']],
	['a namesake', [['a', { full_name: 'N' }]], ['a', 'b', 'c'], ['a', 'b', 'c']],
	['those wanted of them', [], ['a', 'c'], ['a', 'c']],
	['no single one of several', [], ['a'], []],
	[
		'the only one',
		[
			['a', anna],
			['b', 0],
		],
		['a', 'b', 'c'],
		['c'],
	],
	[
		'all, where none fits',
		[
			['a', anna],
			['b', anna],
			['c', 0],
		],
		['a', 'b', 'c'],
		['a', 'b', 'c'],
	],
])('a row that may be about a, b or c comes out for %s', (_, cells, wanted, expected) => {
	const stray = { row: { full_name: 'N' }, places: ['a', 'b', 'c'] };
	const list = newProfiles().restore({ cells, strays: [stray], doubts: [] });
	expect(list.placesAmong(stray, new Set(wanted))).toEqual(expected);
});

test("rows without a name are nobody's namesakes", () => {
	const places = ['a', 'b'];
	for (const nobody of [{}, { full_name: '' }, { full_name: null }]) {
		const list = newProfiles().restore({ cells: [['a', nobody]], strays: [], doubts: [] });
		expect(list.placesAmong({ row: nobody, places }, new Set(places))).toEqual(['b']);
	}
});
