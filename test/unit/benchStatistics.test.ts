/** What the bench makes of its measurements. */
import fc from 'fast-check';

import { median, ratiosOf } from '../../bench/figures';

const measurements = fc.array(fc.integer({ min: 1, max: 1e6 }), { minLength: 1, maxLength: 15 });

describe('The median', () => {
	test.each([
		[[3], 3],
		[[9, 1, 5], 5],
		[[10, 2, 4, 100], 7],
		[[5, 5, 5, 900, 5], 5],
	])('of %j is %d', (values, expected) => {
		expect(median(values)).toBe(expected);
	});

	test('has as many measurements above it as below it, in whatever order they were made', () => {
		fc.assert(
			fc.property(measurements, (values) => {
				const middle = median(values);
				const above = values.filter((value) => value > middle).length;
				const below = values.filter((value) => value < middle).length;
				expect(Math.max(above, below)).toBeLessThanOrEqual(values.length / 2);
				expect(median([...values].reverse())).toBe(middle);
			}),
		);
	});

	test('of nothing is no number', () => {
		expect(median([])).toBeNaN();
	});
});

test('Ratios compare round by round: a round that was slow for both does not count', () => {
	expect(ratiosOf([1, 1, 50], [2, 2, 100])).toEqual([0.5, 0.5, 0.5]);
});
