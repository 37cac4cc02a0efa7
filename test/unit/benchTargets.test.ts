/** Whether the bench says rightly which targets are met. */
import { checkOutcome, type Outcome } from '../../bench/check';
import { merged } from '../../bench/results';
import { targetsOf } from '../../bench/targets';
import type { Work } from '../../bench/work';
import { cellResult, resultsWith, took } from './benchResults';

const met = (...cells: Parameters<typeof resultsWith>) =>
	targetsOf(resultsWith(...cells)).map((target) => target.met);

describe('A target', () => {
	test('with an upper bound is met up to it', () => {
		const fast = cellResult('100k', { ours: took(55), httpRequest: took(100) });
		const slow = cellResult('100k', { ours: took(56), httpRequest: took(100) });
		expect(met(fast)).toEqual([true]);
		expect(met(slow)).toEqual([false]);
	});

	test('with a lower bound is met from it', () => {
		expect(met(cellResult('urls', { ours: took(10), httpRequest: took(200) }))).toEqual([true]);
		expect(met(cellResult('urls', { ours: took(10), httpRequest: took(199) }))).toEqual([
			false,
		]);
	});

	test('about memory looks at memory', () => {
		const cell = cellResult('100k', { ours: took(10, 70), httpRequest: took(100, 100) });
		expect(met(cell)).toEqual([true, false, false]);
	});

	test('about growth compares two kinds of work', () => {
		const cells = [
			cellResult('d-10k', { ours: took(10) }),
			cellResult('100k', { ours: took(111) }),
		];
		expect(targetsOf(resultsWith(...cells))).toMatchObject([{ value: 11.1, met: false }]);
	});

	test('without measurements is not told', () => {
		expect(met(cellResult('size-25', { ours: took(1), httpRequest: took(1) }))).toEqual([]);
	});
});

test('New figures take the place of older ones of the same work; others stay, in their order', () => {
	const older = resultsWith(cellResult('d-1k', { ours: took(1) }), cellResult('urls', {}));
	const newer = resultsWith(cellResult('100k', {}), cellResult('d-1k', { ours: took(2) }));
	const { cells } = merged(older, newer);
	expect(cells.map(({ id }) => id)).toEqual(['d-1k', '100k', 'urls']);
	expect(cells[0]?.figures.ours?.milliseconds.median).toBe(2);
});

describe('A run counts only when it did its work, and no other', () => {
	const work: Work = { kind: 'search', leads: 2_000, pageSize: 1_000, raw: true };
	const good: Outcome = {
		items: 2_000,
		leads: 2_000,
		fields: 18,
		requests: 2,
		charged: 2_000,
		refused: 0,
	};

	test('A good one does', () => {
		expect(() => {
			checkOutcome(work, 'ours', good);
		}).not.toThrow();
	});

	test.each([
		['items are missing', { items: 1_999 }],
		['a lead came twice', { leads: 1_999 }],
		['fields are missing', { fields: 17 }],
		['it asked more often', { requests: 3 }],
		['it paid more', { charged: 2_001 }],
		['an answer was no good', { refused: 1 }],
	])('Not when %s', (_what, difference) => {
		expect(() => {
			checkOutcome(work, 'httpRequest', { ...good, ...difference });
		}).toThrow(
			/^This run of HTTP Request \+ Split Out does not count: \w+ \d+ instead of \d+$/,
		);
	});

	test('HTTP Request sends a request for each URL', () => {
		const urls: Work = { kind: 'lookUp', leads: 2_000, pageSize: 1_000 };
		const outcome = { ...good, fields: 12, requests: 2_000 };
		expect(() => {
			checkOutcome(urls, 'httpRequest', outcome);
		}).not.toThrow();
		expect(() => {
			checkOutcome(urls, 'ours', outcome);
		}).toThrow('requests 2000 instead of 2');
	});
});
