/** What people see of the figures. */
import { hottest } from '../../bench/hottest';
import { chartOf } from '../../bench/report/chart';
import { withFigures } from '../../bench/report/page';
import { rowsOf } from '../../bench/report/rows';
import { cellResult, resultsWith, took } from './benchResults';

const cell = cellResult('100k', {
	ours: took(1_500, 200e6),
	httpRequest: took(3_000, 400e6),
	undici: took(1_000),
});

test('A row tells the time, how it compares, memory, requests and credits', () => {
	expect(rowsOf(resultsWith(cell))).toEqual([
		[
			'100,000 leads, 1,000 a page, 0 ms a request',
			'Lead Search',
			'1.50 s (1.50 s to 1.50 s)',
			'0.50 ×',
			'1.50 ×',
			'3.00 s',
			'200 MB, 100 MB',
			'100',
			'100,000',
		],
		[
			'',
			'HTTP Request + Split Out',
			'3.00 s (3.00 s to 3.00 s)',
			'',
			'3.00 ×',
			'6.00 s',
			'400 MB, 200 MB',
			'100',
			'100,000',
		],
		['', 'undici', '1.00 s (1.00 s to 1.00 s)', '0.33 ×', '', '2.00 s', '', '100', '100,000'],
	]);
});

test('Several pages at once are compared with undici doing the same', () => {
	const rows = rowsOf(
		resultsWith(
			cellResult('100k-150ms', {
				oursParallel: took(300),
				undici: took(1_500),
				undiciParallel: took(200),
			}),
		),
	);
	expect(rows[0]?.[4]).toBe('1.50 ×');
});

test('The page keeps its own words around the figures', () => {
	const page =
		'# Title\n\n<!-- figures: written by npm run bench -->\n\nold\n\n<!-- end of figures -->\n\nWords\n';
	const written = withFigures(page, resultsWith(cell));
	expect(written).toMatch(/^# Title\n\n<!-- figures/);
	expect(written).toMatch(/<!-- end of figures -->\n\nWords\n$/);
	expect(written).toContain('| Lead Search ');
	expect(written).not.toContain('old');
	expect(withFigures(written, resultsWith(cell))).toBe(written);
	expect(() => withFigures('# Title', resultsWith(cell))).toThrow('no place');
});

test('In the chart the slowest is the longest, and half the time is half as long', () => {
	const widths = [...chartOf(resultsWith(cell)).matchAll(/width="(\d+)" height="14"/g)].map(
		([, width]) => Number(width),
	);
	expect(widths).toEqual([200, 400, 133]);
});

test('A profile tells which functions took the longest, without the waiting', () => {
	const node = (id: number, functionName: string, url = '') => ({
		id,
		callFrame: { functionName, url, lineNumber: 9 },
	});
	const profile = {
		nodes: [node(1, '(idle)'), node(2, 'parse', '/x/node_modules/json/index.js'), node(3, '')],
		samples: [1, 2, 3, 2],
		timeDeltas: [9_000, 1_000, 500, 2_000],
	};
	expect(hottest(profile, 5)).toEqual([
		{ where: 'parse  json/index.js:10', milliseconds: 3 },
		{ where: '(anonymous)', milliseconds: 0.5 },
	]);
});
