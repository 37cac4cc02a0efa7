/** What people see of the figures, and which targets are called met. */
import { cases, scaled, type Case } from '../../bench/cases';
import { leastOf, type Result, type Run } from '../../bench/figures';
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

const fast = result('0ms', {
	defaults: took(1_500, { peak: 200e6, held: 50e6 }),
	httpBest: took(3_000),
});

test('A row tells the time, how it compares, memory, requests and those refused', () => {
	const limited = result('limited', { defaults: took(9_500, { refused: 4 }) });
	expect(cells(tableOf([fast, limited]))).toEqual([
		[
			'100,000 leads, 0 ms a request',
			'Lead Search',
			'1.50 s (1.50 s to 1.50 s)',
			'0.50 ×',
			'200 MB',
			'50 MB',
			'100',
			'',
		],
		[
			'',
			'HTTP Request + Split Out at its best',
			'3.00 s (3.00 s to 3.00 s)',
			'1.00 ×',
			'',
			'',
			'100',
			'',
		],
		[
			'100,000 leads, 50 ms a request, 10 a second, 4 at once',
			'Lead Search',
			'9.50 s (9.50 s to 9.50 s)',
			'',
			'',
			'',
			'100',
			'4',
		],
	]);
});

test('The page keeps its own words around the figures', () => {
	const page =
		'# Title\n\n<!-- figures: written by npm run bench -- --save -->\n\nold\n\n<!-- end of figures -->\n\nWords\n';
	const written = withFigures(page, [fast]);
	expect(written).toMatch(/^# Title\n\n<!-- figures/);
	expect(written).toMatch(/<!-- end of figures -->\n\nWords\n$/);
	expect(written).toContain('Measured on a machine.');
	expect(written).toContain('| Lead Search ');
	expect(written).not.toContain('old');
	expect(withFigures(written, [fast])).toBe(written);
	expect(() => withFigures('# Title', [fast])).toThrow('no place');
});

describe('A target', () => {
	const cellsOf = (...results: Result[]) => cells(verdictTable(results));
	const verdicts = (...results: Result[]) => cellsOf(...results).map((row) => row.at(-1));

	test('is met up to its bound', () => {
		const httpBest = took(100);
		expect(verdicts(result('0ms', { defaults: took(55), httpBest }))).toEqual(['met']);
		expect(verdicts(result('0ms', { defaults: took(56), httpBest }))).toEqual(['missed']);
	});

	test('about growth compares two cases', () => {
		const results = [
			result('10k', { defaults: took(10) }),
			result('0ms', { defaults: took(111) }),
		];
		expect(cellsOf(...results)).toEqual([
			[
				'100,000 leads, 0 ms a request: Lead Search to 10,000 leads, 0 ms a request: Lead Search',
				'at most 11',
				'11.100 (11.100 to 11.100)',
				'missed',
			],
		]);
	});

	test('about limits compares with what they allow, and counts what was refused', () => {
		// 100 pages, of which 10 may come at once and the others by 10 a second.
		const least = took(9_000);
		const limited = result('limited', { defaults: took(11_250), least });
		expect(leastOf(limited.case)).toEqual(least[0]);
		expect(verdicts(limited)).toEqual(['met', 'met']);
		const slow = took(11_251, { refused: 6 });
		const rows = cellsOf(result('limited', { defaults: slow, least }));
		expect(rows.map(([target, , , verdict]) => [target?.split(': ')[1], verdict])).toEqual([
			['Lead Search to the least that the limits allow', 'missed'],
			['Lead Search (refused) to Lead Search (requests)', 'missed'],
		]);
	});

	test('without measurements is not judged', () => {
		expect(verdicts(result('0ms', { undici: took(1) }))).toEqual([]);
	});
});

test('A try has fewer leads, in whole pages', () => {
	const leads = cases.map((one) => scaled(one, 0.02).leads);
	expect(leads).toEqual([1, 1, 2, 2, 2, 2, 1, 2, 2, 1].map((pages) => pages * 1_000));
});
