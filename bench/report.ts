/** The figures in words: one table, for the screen and for the page. */
import { casesOf, subjects, type Case, type Subject, type Target } from './cases';
import { ratioOf, type Figures, type Result, type Spread, type Verdict } from './figures';

const begin = '<!-- figures: written by npm run bench -- --save -->';
const end = '<!-- end of figures -->';

/** The figures of all results as a table in Markdown. */
export function tableOf(results: readonly Result[]): string {
	const rows = results.flatMap((result) =>
		(Object.entries(result.figures) as Array<[Subject, Figures]>).map(
			([name, figures], row) => [
				row === 0 ? titleOf(result.case) : '',
				subjects[name],
				spreadText(figures.time, secondsText),
				ratioText(result, name),
				[figures.peak, figures.held]
					.flatMap((bytes) => bytes ?? [])
					.map(megabytes)
					.join(', '),
				count(figures.requests.median),
				figures.refused.max > 0 ? count(figures.refused.median) : '',
			],
		),
	);
	const time = 'Time: median (min to max)';
	const titles = ['Work', 'Who', time, 'To HTTP', 'Memory: peak, held', 'Requests', '429'];
	return markdownTable(titles, rows);
}

/** Which targets were met, as a table in Markdown. */
export function verdictTable(verdicts: readonly Verdict[]): string {
	const rows = verdicts.map((verdict) => [
		targetText(verdict),
		verdict.atMost === undefined ? `at least ${verdict.atLeast}` : `at most ${verdict.atMost}`,
		spreadText(verdict.ratio, (ratio) => ratio.toFixed(2)),
		verdict.isMet ? 'met' : 'missed',
	]);
	return markdownTable(['Target', 'Wanted', 'Measured', ''], rows);
}

/**
 * Puts the figures into the page, in place of those between the two marks.
 * @throws Error when the marks are missing
 */
export function withFigures(page: string, results: readonly Result[]): string {
	const from = page.indexOf(begin);
	const to = page.indexOf(end);
	if (from < 0 || to < from) throw new Error('The page has no place for the figures');
	const measured = [...new Set(results.map((result) => result.measured))].join(' ');
	const figures = [measured, tableOf(results)].join('\n\n');
	return `${page.slice(0, from)}${begin}\n\n${figures}\n\n${page.slice(to)}`;
}

/** What a case is about. */
export function titleOf({ kind, leads, latencyMs, limits }: Case): string {
	const what = kind === 'search' ? 'leads' : 'LinkedIn URLs';
	const limit = limits ? `, ${limits.perSecond} a second, ${limits.concurrent} at once` : '';
	const told = limits?.headers ? ', told in headers' : '';
	return `${count(leads)} ${what}, ${latencyMs} ms a request${limit}${told}`;
}

/** Seconds, with as many digits as mean something. */
export function secondsText(milliseconds: number): string {
	const seconds = milliseconds / 1000;
	return `${seconds.toFixed(seconds < 10 ? 2 : 1)} s`;
}

function targetText({ of, by }: Target): string {
	const title = (id: string) =>
		casesOf()
			.filter((one) => one.id === id)
			.map(titleOf)
			.join();
	const start = `${title(of[0])}: ${subjects[of[1]]}`;
	if (by === 'refused') return `${start}, share of 429`;
	if (by === 'least') return `${start} to the least that the limits allow`;
	return `${start} to ${by[0] === of[0] ? subjects[by[1]] : title(by[0])}`;
}

function spreadText({ median, min, max }: Spread, text: (value: number) => string): string {
	return `${text(median)} (${text(min)} to ${text(max)})`;
}

function ratioText({ figures: { httpBest: other, ...figures } }: Result, name: Subject): string {
	const one = name === 'httpBest' ? undefined : figures[name];
	return one && other ? `${ratioOf(one.time, other.time).median.toFixed(2)} ×` : '';
}

function megabytes({ median }: Spread): string {
	return `${count(median / 1e6)} MB`;
}

function count(number: number): string {
	return Math.round(number).toLocaleString('en');
}

/** A table whose columns are as wide as their widest entry, as Prettier would have it. */
function markdownTable(titles: readonly string[], rows: readonly string[][]): string {
	const widths = titles.map((title, column) =>
		Math.max(3, title.length, ...rows.map((row) => row[column]?.length ?? 0)),
	);
	const line = (texts: readonly string[]) =>
		`| ${widths.map((width, column) => (texts[column] ?? '').padEnd(width)).join(' | ')} |`;
	const rule = line(widths.map((width) => '-'.repeat(width)));
	return [line(titles), rule, ...rows.map(line)].join('\n');
}
