/** The rows of a list that have come, in this run and in earlier ones. */
import fc from 'fast-check';

import type { Json } from '../../nodes/LeadSearch/api/contract';
import { isSameRow, ListRows } from '../../nodes/LeadSearch/api/listRows';
import type { RowRange } from '../../nodes/LeadSearch/api/ranges';
import { placesOf, rowRanges } from './rowRanges';

/** Ranges of a list, in any order. */
const inAnyOrder = rowRanges.chain((parts) =>
	fc.shuffledSubarray(parts, { minLength: parts.length }),
);

/** The rows of a range, by their places; marked, to tell which run bought them. */
const rowsOf = ({ from, to }: RowRange, mark = '') =>
	placesOf({ from, to }).map((place) => ({ id: `${mark}${place}` }));

const ids = (rows: Iterable<Json>) => [...rows].map(({ id }) => id);

function listOf(...ranges: RowRange[]): ListRows {
	const list = new ListRows();
	for (const range of ranges) list.add(range.from, rowsOf(range));
	return list;
}

/** What a run keeps that has bought a range at a time. */
function bought(range: RowRange, boughtAt: number, mark = '') {
	const list = new ListRows();
	list.add(range.from, rowsOf(range, mark));
	return list.snapshot(boughtAt);
}

const everything = { from: 0, to: 1_000 };

test('What is missing of a range is what did not come of it, up to the end of the list', () => {
	fc.assert(
		fc.property(
			rowRanges,
			fc.nat(50),
			fc.nat(50),
			fc.option(fc.nat(60), { nil: undefined }),
			(held, from, length, end) => {
				const list = listOf(...held);
				list.end = end;

				const missing = list.missingOf({ from, to: from + length });

				expect(missing.flatMap(placesOf)).toEqual(
					placesOf({ from, to: from + length }).filter(
						(place) => list.at(place) === undefined && place < (end ?? Infinity),
					),
				);
				for (const [index, range] of missing.entries()) {
					expect(range.from).toBeLessThan(range.to);
					expect(range.from).toBeGreaterThan(missing[index - 1]?.to ?? -1);
				}
			},
		),
	);
});

describe('Rows that have come', () => {
	test('come out by their places, in whatever order they came', () => {
		fc.assert(
			fc.property(inAnyOrder, fc.nat(50), fc.nat(50), (held, from, length) => {
				const list = listOf(...held);
				const range = { from, to: from + length };
				const places = new Set(held.flatMap(placesOf));
				const wanted = placesOf(range).filter((place) => places.has(place));

				expect(ids(list.of(range))).toEqual(wanted.map(String));
				expect(list.heldOf([range]).rows).toBe(wanted.length);
				expect(list.size).toBe(places.size);
				expect(placesOf(range).map((place) => list.at(place)?.id)).toEqual(
					placesOf(range).map((place) => (places.has(place) ? String(place) : undefined)),
				);
			}),
		);
	});

	test('are found from any place by where those that came together begin', () => {
		fc.assert(
			fc.property(inAnyOrder, fc.nat(50), (held, place) => {
				const list = listOf(...held);
				const inOrder = [...held].sort((one, other) => one.from - other.from);
				const before = inOrder.findLast(({ from }) => from < place);
				const next = inOrder.find(({ from }) => from >= place);

				expect(list.latestBefore(place)).toEqual({
					offset: before?.from ?? 0,
					rows: before ? rowsOf(before) : [],
				});
				expect(list.nextFrom(place)).toBe(next?.from ?? Infinity);
				expect(list.firstStretch()).toEqual(inOrder[0] ? rowsOf(inOrder[0]) : []);
			}),
		);
	});

	test('are found by their content, each at its first place', () => {
		const list = listOf({ from: 10, to: 13 }, { from: 20, to: 22 });
		list.add(30, rowsOf({ from: 12, to: 13 }));
		const places = [10, 12, 20, 21, 99].map((place) => list.placeOf({ id: `${place}` }));
		expect(places).toEqual([10, 12, 20, 21, undefined]);
	});

	test('are taken out by the place that those which came together begin at, and no others', () => {
		const list = listOf({ from: 10, to: 13 }, { from: 20, to: 22 });
		for (const offset of [0, 11, 22]) list.remove(offset);
		expect(list.size).toBe(5);
		list.remove(20);
		expect(ids(list.of(everything))).toEqual(['10', '11', '12']);
	});

	test('are counted once for each of the ranges that they are in', () => {
		const list = listOf({ from: 10, to: 20 }, { from: 30, to: 40 });
		const ranges = [
			{ from: 0, to: 12 },
			{ from: 18, to: 33 },
			{ from: 50, to: 60 },
		];
		expect(list.heldOf(ranges)).toEqual({ rows: 2 + 2 + 3, reused: 0, boughtAt: Infinity });
	});

	test('are none after a page without rows, which leaves no trace', () => {
		const list = new ListRows();
		list.add(5, []);
		expect(list.nextFrom(0)).toBe(Infinity);
		expect(list.snapshot(1_000).stretches).toEqual([]);
		expect(list.heldOf([everything])).toEqual({ rows: 0, reused: 0, boughtAt: Infinity });
	});
});

describe('Promise 4: a later run takes over what was paid for', () => {
	test('with its places, and with what is known of the list and of the pages served', () => {
		const list = listOf({ from: 0, to: 3 }, { from: 7, to: 9 });
		list.end = 9;
		Object.assign(list.sizes, { provenSize: 3, cappedSize: 4 });
		list.statusBehindEnd = 404;

		const later = new ListRows([list.snapshot(1_000)]);

		expect(ids(later.of(everything))).toEqual(['0', '1', '2', '7', '8']);
		expect(later.missingOf(everything)).toEqual([{ from: 3, to: 7 }]);
		expect(later).toMatchObject({
			end: 9,
			sizes: { provenSize: 3, cappedSize: 4 },
			statusBehindEnd: 404,
		});
	});

	test('with when it was paid for, which is told by the earliest', () => {
		const older = bought({ from: 0, to: 4 }, 1_000);
		const newer = bought({ from: 4, to: 10 }, 2_000);
		const later = new ListRows([newer, older]);
		later.add(10, rowsOf({ from: 10, to: 15 }));

		expect(later.heldOf([everything])).toEqual({ rows: 15, reused: 10, boughtAt: 1_000 });
		expect(later.heldOf([{ from: 4, to: 12 }])).toEqual({
			rows: 8,
			reused: 6,
			boughtAt: 2_000,
		});
		expect(later.heldOf([{ from: 10, to: 15 }])).toEqual({
			rows: 5,
			reused: 0,
			boughtAt: Infinity,
		});
	});

	test('and keeps that time for the runs after it', () => {
		const second = new ListRows([bought({ from: 0, to: 4 }, 1_000)]);
		second.add(4, rowsOf({ from: 4, to: 6 }));
		const third = new ListRows([second.snapshot(2_000)], 1_500);
		expect(ids(third.of(everything))).toEqual(['4', '5']);
		expect(third.heldOf([everything])).toEqual({ rows: 2, reused: 2, boughtAt: 2_000 });
	});

	test('from several runs: the rows of the latest, and of the others what it lacks', () => {
		const latest = bought({ from: 3, to: 6 }, 3_000, 'new ');
		const older = bought({ from: 1, to: 9 }, 2_000, 'old ');
		const later = new ListRows([latest, older]);
		expect(ids(later.of(everything))).toEqual([
			...['old 1', 'old 2'],
			...['new 3', 'new 4', 'new 5'],
			...['old 6', 'old 7', 'old 8'],
		]);
		expect(later.heldOf([{ from: 3, to: 6 }]).boughtAt).toBe(3_000);
	});

	test('but not what was paid for too long ago, nor an end that may have moved since', () => {
		const end = 10;
		const latest = { ...bought({ from: 5, to: 10 }, 2_000), end, sizes: { provenSize: 5 } };
		const older = bought({ from: 0, to: 5 }, 1_000);
		const both = { ...latest, stretches: [...older.stretches, ...latest.stretches] };

		expect(new ListRows([both], 1_000)).toMatchObject({ size: 10, end });
		expect(new ListRows([both], 1_001)).toMatchObject({ size: 5, end: undefined });
		expect(new ListRows([both], 2_001)).toMatchObject({
			size: 0,
			end: undefined,
			sizes: { provenSize: 5 },
		});
		expect(new ListRows([latest, older], 1_500)).toMatchObject({ size: 5, end });
	});

	test('and only the latest run counts for where the list ends', () => {
		const older = { ...bought({ from: 0, to: 5 }, 1_000), end: 5 };
		const later = new ListRows([bought({ from: 0, to: 5 }, 2_000), older]);
		expect(later.end).toBeUndefined();
		expect(later.missingOf({ from: 0, to: 8 })).toEqual([{ from: 5, to: 8 }]);
	});
});

test('Two rows are the same where all their fields are, at any depth', () => {
	const row = { id: 1, raw: { emails: ['a@example.com'] } };
	expect(isSameRow(row, structuredClone(row))).toBe(true);
	expect(isSameRow(row, { ...row, raw: { emails: [] } })).toBe(false);
	expect(isSameRow(row, undefined)).toBe(false);
});
