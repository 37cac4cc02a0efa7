import fc from 'fast-check';

import { countRows, withoutRange } from '../../nodes/LeadSearch/api/ranges';
import { placesOf, rowRanges } from './rowRanges';

test('A range takes its rows out of others, and nothing else', () => {
	fc.assert(
		fc.property(rowRanges, fc.nat(30), fc.nat(10), (held, from, rows) => {
			const left = withoutRange(held, { from, to: from + rows });
			const places = held
				.flatMap(placesOf)
				.filter((place) => place < from || place >= from + rows);
			expect(left.flatMap(placesOf)).toEqual(places);
			expect(countRows(left)).toBe(places.length);
			expect(left.filter((range) => range.to <= range.from)).toEqual([]);
		}),
	);
});

test.each([
	['is empty', { from: 5, to: 5 }],
	['ends before it begins', { from: 7, to: 3 }],
])('A range that %s takes nothing, and splits none', (_, taken) => {
	expect(withoutRange([{ from: 0, to: 10 }], taken)).toEqual([{ from: 0, to: 10 }]);
});

test('A range without an end takes all that follows', () => {
	const held = [
		{ from: 0, to: 10 },
		{ from: 20, to: Infinity },
	];
	expect(withoutRange(held, { from: 5, to: Infinity })).toEqual([{ from: 0, to: 5 }]);
});
