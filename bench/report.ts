/** The figures in words: one table, for the screen and for the page. */
import { cases, subjects, targets, type Case, type Figure, type Subject } from './cases';
import { median, ratiosOf, valuesOf, type Result } from './figures';

/** Where the page has the figures. */
const place =
	/(?<=<!-- figures: written by npm run bench -- --save -->\n\n).*(?=\n\n<!-- end of figures -->)/s;

type InWords = (value: number) => string;
const countText: InWords = (count) => Math.round(count).toLocaleString('en');
const megabytesText: InWords = (bytes) => `${countText(bytes / 1e6)} MB`;
const ratioText: InWords = (ratio) => `${ratio.toFixed(2)} ×`;

/** The figures of all results as a table in Markdown. */
export function tableOf(results: readonly Result[]): string {
	const rows = results.flatMap(({ case: one, runs }) =>
		Object.entries(runs).map(([subject, own], row) => [
			row === 0 ? titleOf(one) : '',
			subjects[subject as Subject],
			spreadText(valuesOf(own), secondsText),
			medianText(ratiosOf(valuesOf(own), valuesOf(runs.httpBest)), ratioText),
			medianText(valuesOf(own, 'peak'), megabytesText),
			medianText(valuesOf(own, 'held'), megabytesText),
			medianText(valuesOf(own, 'requests'), countText),
			medianText(valuesOf(own, 'refused'), (refused) => (refused > 0 ? countText(refused) : '')),
		]),
	);
	const time = 'Time: median (min to max)';
	const memory = ['Memory: peak', 'Memory: held'];
	return markdownTable([['Work', 'Who', time, 'To HTTP', ...memory, 'Requests', '429'], ...rows]);
}

/** Which targets were met, of those that the results tell something about; a table too. */
export function verdictTable(results: readonly Result[]): string {
	const find = ([id, subject, name]: Figure) =>
		valuesOf(results.find((result) => result.case.id === id)?.runs[subject], name);
	const rows = targets.flatMap(({ of, to, atMost }) => {
		const ratios = ratiosOf(find(of), find(to));
		if (ratios.length === 0) return [];
		const verdict = median(ratios) <= atMost ? 'met' : 'missed';
		const measured = spreadText(ratios, (ratio) => ratio.toFixed(3));
		return [[targetText(of, to), `at most ${atMost}`, measured, verdict]];
	});
	return markdownTable([['Target', 'Wanted', 'Measured', ''], ...rows]);
}

/**
 * Puts the figures into the page, in place of those between the two marks.
 * @throws Error when the marks are missing
 */
export function withFigures(page: string, results: readonly Result[]): string {
	if (!place.test(page)) throw new Error('The page has no place for the figures');
	const measured = [...new Set(results.map((result) => result.measured))].join(' ');
	return page.replace(place, () => `${measured}\n\n${tableOf(results)}`);
}

/** What a case is about. */
export function titleOf({ kind, leads, latencyMs, limits }: Case): string {
	const what = kind === 'search' ? 'leads' : 'LinkedIn URLs';
	const limit = limits ? `, ${limits.perSecond} a second, ${limits.concurrent} at once` : '';
	const told = limits?.headers ? ', told in headers' : '';
	return `${countText(leads)} ${what}, ${latencyMs} ms a request${limit}${told}`;
}

/** Seconds, with as many digits as mean something. */
export function secondsText(milliseconds: number): string {
	const seconds = milliseconds / 1000;
	return `${seconds.toFixed(seconds < 10 ? 2 : 1)} s`;
}

function targetText(of: Figure, to: Figure): string {
	const title = ([id]: Figure) => cases.flatMap((one) => (one.id === id ? titleOf(one) : []));
	const who = ([, subject, name]: Figure) => subjects[subject] + (name ? ` (${name})` : '');
	const other = to[0] === of[0] ? '' : `${title(to).join()}: `;
	return `${title(of).join()}: ${who(of)} to ${other}${who(to)}`;
}

function spreadText(values: readonly number[], text: InWords): string {
	return `${text(median(values))} (${text(Math.min(...values))} to ${text(Math.max(...values))})`;
}

/** Nothing for what was not measured. */
function medianText(values: readonly number[], text: InWords): string {
	return values.length > 0 ? text(median(values)) : '';
}

/** A table whose columns are as wide as their widest entry, as Prettier would have it. */
function markdownTable([titles = [], ...rows]: ReadonlyArray<readonly string[]>): string {
	const lines = [titles, titles.map(() => '---'), ...rows];
	const widths = titles.map((_, column) =>
		Math.max(...lines.map((line) => line[column]?.length ?? 0)),
	);
	return lines
		.map((line, row) =>
			line.map((text, column) => text.padEnd(widths[column] ?? 0, row === 1 ? '-' : ' ')),
		)
		.map((line) => `| ${line.join(' | ')} |`)
		.join('\n');
}
