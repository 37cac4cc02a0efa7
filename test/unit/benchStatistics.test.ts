/** What the bench makes of its measurements. */
import fc from 'fast-check';

import { median, ratioOf, spreadOf } from '../../bench/figures';

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

	test('of nothing is refused', () => {
		expect(() => median([])).toThrow(RangeError);
	});
});

test('A spread tells both ends, and keeps every run in its order', () => {
	expect(spreadOf([7, 3, 12])).toEqual({ median: 7, min: 3, max: 12, runs: [7, 3, 12] });
});

test('A ratio compares round by round: a round that was slow for both does not count', () => {
	const ratio = ratioOf(spreadOf([1, 1, 50]), spreadOf([2, 2, 100]));
	expect(ratio).toMatchObject({ median: 0.5, min: 0.5, max: 0.5 });
	expect(() => ratioOf(spreadOf([1]), spreadOf([0]))).toThrow(RangeError);
});
