import { readFileSync } from 'node:fs';

import { cellsOf } from '../../bench/cells';
import { chartOf } from '../../bench/report/chart';
import { chartFile, pageFile, readResults } from '../../bench/report/files';
import { withFigures } from '../../bench/report/page';
import { memoryContestants } from '../../bench/rounds';

const results = readResults();
const page = readFileSync(pageFile, 'utf8');

test('the page shows the figures of bench/results, and no others', () => {
	expect(results && withFigures(page, results)).toBe(page);
});

test('the chart shows them too', () => {
	const chart = readFileSync(chartFile, 'utf8');
	expect(results && chartOf(results)).toBe(chart);
});

test('all kinds of work are in them, of the full size, five runs each at least', () => {
	expect(results?.cells.map(({ id, work, latencyMs }) => ({ id, work, latencyMs }))).toEqual(
		cellsOf().map(({ id, work, latencyMs }) => ({ id, work, latencyMs })),
	);
	for (const { id, memory, contestants } of cellsOf()) {
		const figures = results?.cells.find((cell) => cell.id === id)?.figures ?? {};
		expect(Object.keys(figures)).toEqual(contestants);
		for (const [contestant, { milliseconds, held }] of Object.entries(figures)) {
			expect(milliseconds.runs.length).toBeGreaterThanOrEqual(5);
			const isMeasured = memory && memoryContestants.some((name) => name === contestant);
			if (isMeasured) expect(held?.runs.length).toBeGreaterThanOrEqual(5);
		}
	}
});
