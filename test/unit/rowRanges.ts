/** Ranges of rows, to draw from. */
import fc from 'fast-check';

import type { RowRange } from '../../nodes/LeadSearch/api/ranges';

/** In order, without overlap, none of them empty. */
export const rowRanges: fc.Arbitrary<RowRange[]> = fc
	.array(fc.record({ gap: fc.nat(4), rows: fc.integer({ min: 1, max: 5 }) }), { maxLength: 8 })
	.map((parts) => {
		let offset = 0;
		return parts.map(({ gap, rows }) => {
			const from = offset + gap;
			offset = from + rows;
			return { from, to: offset };
		});
	});

export const placesOf = ({ from, to }: RowRange) =>
	Array.from({ length: to - from }, (_, index) => from + index);
