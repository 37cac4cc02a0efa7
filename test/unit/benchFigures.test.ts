/** What the bench makes of its measurements, what people see of them, and which targets are called met. */
import { cases, scaled, type Case } from '../../bench/cases';
import { leastOf, median, ratiosOf, type Result, type Run } from '../../bench/figures';
import { tableOf, verdictTable, withFigures } from '../../bench/report';

/** Two runs of a subject that always took so many milliseconds. */
function took(milliseconds: number, more: Partial<Run> = {}): readonly Run[] {
	const run = { milliseconds, requests: 100, refused: 0, ...more };
	return [run, run];
}

function result(id: string, runs: Result['runs']): Result {
	const [one] = cases.filter((known) => known.id === id) as [Case];
	return { case: one, runs, measured: 'Measured on a machine.' };
}

/** The rows of a table, without its titles. */
function cells(table: string): string[][] {
	const rows = table.split('\n').slice(2);
	return rows.map((row) =>
		row
			.split('|')
			.slice(1, -1)
			.map((text) => text.trim()),
	);
}

test.each([
	[[3], 3],
	[[9, 1, 5], 5],
	[[10, 2, 4, 100], 7],
	[[], NaN],
])('the median of %j is %d', (values, expected) => {
	expect(median(values)).toBe(expected);
});

test('ratios compare round by round: a round that was slow for both does not count', () => {
	expect(ratiosOf([1, 1, 50], [2, 2, 100])).toEqual([0.5, 0.5, 0.5]);
});

const fast = result('0ms', {
	defaults: took(1_500, { peak: 200e6, held: 50e6 }),
	httpBest: took(3_000),
});

test('a row tells the time, how it compares, memory, requests and those refused', () => {
	const limited = result('limited', { defaults: took(9_500, { refused: 4 }) });
	const time = (seconds: string) => `${seconds} s (${seconds} s to ${seconds} s)`;
	const [title, other] = [fast, limited].map((one) => cells(tableOf([one]))[0]?.[0]);
	expect(cells(tableOf([fast, limited]))).toEqual([
		[title, 'Lead Search', time('1.50'), '0.50 ×', '200 MB', '50 MB', '100', ''],
		['', 'HTTP Request + Split Out at its best', time('3.00'), '1.00 ×', '', '', '100', ''],
		[other, 'Lead Search', time('9.50'), '', '', '', '100', '4'],
	]);
	expect(title).toBe('100,000 leads, 0 ms a request');
});

test('the page keeps its own words around the figures', () => {
	const page =
		'# Title\n\n<!-- figures: written by npm run bench -- --save -->\n\nold\n\n<!-- end of figures -->\n\nWords\n';
	const written = withFigures(page, [fast]);
	expect(written).toMatch(/^# Title\n\n<!-- figures[^]*<!-- end of figures -->\n\nWords\n$/);
	expect(written).toMatch(/Measured on a machine\.[^]*\| Lead Search /);
	expect(written).not.toContain('old');
	expect(withFigures(written, [fast])).toBe(written);
	expect(() => withFigures('# Title', [fast])).toThrow('no place');
});

describe('A target', () => {
	const verdicts = (...results: Result[]) => cells(verdictTable(results)).map((row) => row.at(-1));
	// 100 pages, of which 10 may come at once and the others by 10 a second.
	const least = took(9_000);

	const one = (id: string, runs: Result['runs']) => [result(id, runs)];
	test.each<[string, Result[], string[]]>([
		['its bound', one('0ms', { defaults: took(55), httpBest: took(100) }), ['met']],
		['beyond', one('0ms', { defaults: took(56), httpBest: took(100) }), ['missed']],
		[
			'growth, of two cases',
			[...one('10k', { defaults: took(10) }), ...one('0ms', { defaults: took(111) })],
			['missed'],
		],
		['limits', one('limited', { defaults: took(11_250), least }), ['met', 'met']],
		[
			'limits, and what was refused',
			one('limited', { defaults: took(11_251, { refused: 6 }), least }),
			['missed', 'missed'],
		],
		['nothing measured', one('0ms', { undici: took(1) }), []],
	])('is judged: %s', (_, results, expected) => {
		expect(verdicts(...results)).toEqual(expected);
		expect(leastOf(result('limited', {}).case)).toEqual(least[0]);
	});
});

test('a try has fewer leads, in whole pages', () => {
	const leads = cases.map((one) => scaled(one, 0.02).leads);
	expect(leads).toEqual([1, 1, 2, 2, 2, 2, 1, 2, 2, 1].map((pages) => pages * 1_000));
});
