import type { Results } from '../results';
import { targetsOf } from '../targets';
import { columns, rowsOf, wantedText } from './rows';

const begin = '<!-- figures: written by npm run bench -->';
const end = '<!-- end of figures -->';

/** The figures in Markdown: machine, table, targets. */
export function pageFigures(results: Results): string {
	const { machine } = results;
	const dates = [...new Set(results.cells.map(({ date }) => date.slice(0, 10)))].sort();
	const commits = [...new Set(results.cells.map(({ commit }) => commit))];
	const gigabytes = Math.round(machine.memory / 2 ** 30);
	return [
		`Measured on ${dates.join(' and ')} at commit ${commits.join(', ')}: n8n ${machine.n8n} on Node ${machine.node}, undici ${machine.undici}, ${machine.system} with ${machine.cores} cores (${machine.cpu}) and ${gigabytes} GB.`,
		markdownTable(columns, rowsOf(results)),
		markdownTable(
			['Target', 'Wanted', 'Measured', ''],
			targetsOf(results).map((target) => [
				target.what,
				wantedText(target),
				target.value.toFixed(2),
				target.met ? 'met' : 'missed',
			]),
		),
	].join('\n\n');
}

/**
 * Puts the figures into the page, in place of those between the two marks.
 *
 * @throws Error when the marks are missing.
 */
export function withFigures(page: string, results: Results): string {
	const from = page.indexOf(begin);
	const to = page.indexOf(end);
	if (from < 0 || to < from) throw new Error('The page has no place for the figures');
	return `${page.slice(0, from)}${begin}\n\n${pageFigures(results)}\n\n${page.slice(to)}`;
}

/** A table whose columns are as wide as their widest cell, as Prettier would have it. */
function markdownTable(head: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
	const widths = head.map((title, column) =>
		Math.max(3, title.length, ...rows.map((row) => row[column]?.length ?? 0)),
	);
	const line = (cells: readonly string[]) =>
		`| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width)).join(' | ')} |`;
	const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
	return [line(head), rule, ...rows.map(line)].join('\n');
}
