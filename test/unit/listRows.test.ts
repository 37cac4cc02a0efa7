import fc from 'fast-check';

import { ListRows } from '../../nodes/LeadSearch/api/listRows';

const stretches = fc
	.array(fc.record({ gap: fc.nat(4), rows: fc.integer({ min: 1, max: 5 }) }), { maxLength: 8 })
	.map((parts) => {
		let offset = 0;
		return parts.map(({ gap, rows }) => {
			const from = offset + gap;
			offset = from + rows;
			return { from, to: offset };
		});
	});

test('What is missing of a range is what did not come of it, up to the end of the list', () => {
	fc.assert(
		fc.property(
			stretches,
			fc.nat(50),
			fc.nat(50),
			fc.option(fc.nat(60), { nil: undefined }),
			(held, from, length, end) => {
				const list = new ListRows();
				for (const { from: offset, to } of held) {
					const rows = Array.from({ length: to - offset }, (_, index) => ({
						id: offset + index,
					}));
					list.add(offset, rows);
				}
				list.end = end;

				const missing = list.missingOf({ from, to: from + length });

				const places = Array.from({ length }, (_, index) => from + index);
				expect(
					missing.flatMap((range) =>
						Array.from(
							{ length: range.to - range.from },
							(_, index) => range.from + index,
						),
					),
				).toEqual(
					places.filter(
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
