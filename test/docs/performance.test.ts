import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { chartOf } from '../../bench/report/chart';
import { pageFile, readResults, resultsFile } from '../../bench/report/files';
import { withFigures } from '../../bench/report/page';

const results = readResults();
const page = readFileSync(pageFile, 'utf8');

test('the page shows the figures of bench/results, and no others', () => {
	expect(results && withFigures(page, results)).toBe(page);
});

test('the chart shows them too', () => {
	const chart = readFileSync(join(resultsFile, '..', 'chart.svg'), 'utf8');
	expect(results && chartOf(results)).toBe(chart);
});

test('every run was of the full size, five times at least', () => {
	const counts = results?.cells.flatMap(({ figures }) =>
		Object.values(figures).map(({ milliseconds }) => milliseconds.runs.length),
	);
	expect(Math.min(...(counts ?? [0]))).toBeGreaterThanOrEqual(5);
});
