/** Tests that a page has a whole number and a whole size. */
import fc from 'fast-check';

import { pageAt } from '../../nodes/LeadSearch/paging/pages';

const number = fc.oneof(fc.nat(), fc.double(), fc.constantFrom(NaN, Infinity, -1, 0, 0.5));

test('a page starts at the requested row with a whole number and a whole size, and any other row or size throws', () => {
	fc.assert(
		fc.property(number, number, (row, maxSize) => {
			const isWhole = Number.isInteger(row) && Number.isInteger(maxSize);
			if (!isWhole || row < 0 || maxSize < 1 || maxSize > 100_000) {
				if (maxSize <= 100_000) expect(() => pageAt(row, maxSize, 'rows')).toThrow(RangeError);
				return;
			}
			const { page, size } = pageAt(row, maxSize, 'rows');
			expect((page - 1) * size - row).toBe(0);
			expect(size).toBeGreaterThanOrEqual(1);
			expect(size).toBeLessThanOrEqual(maxSize);
		}),
	);
});
