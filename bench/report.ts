/** The figures as one table, for the screen and for the page. */
import { subjects, type Case, type Result, type Run } from './cases';

/** Where the page has the figures. */
const place =
	/(?<=<!-- figures: written by npm run bench -->\n\n).*(?=\n\n<!-- end of figures -->)/s;

const count = (value: number) => Math.round(value).toLocaleString('en');
const megabytes = (bytes: number) => `${count(bytes / 1e6)} MB`;

/** The figures of all results as a table in Markdown. */
export function tableOf(results: readonly Result[]): string {
	const rows = results.flatMap(({ case: one, runs }) => {
		const ofHttp = median(valuesOf(runs.get('http') ?? []));
		return [...runs].map(([subject, own], row) => {
			const times = valuesOf(own);
			const [fastest, slowest] = [Math.min(...times), Math.max(...times)].map(seconds);
			const told = (name: keyof Run, inWords: (value: number) => string) => {
				const values = valuesOf(own, name);
				return values.length > 0 ? inWords(median(values)) : '';
			};
			return [
				row === 0 ? titleOf(one) : '',
				subjects[subject],
				`${seconds(median(times))} (${fastest} to ${slowest})`,
				`${(median(times) / ofHttp).toFixed(2)} ×`,
				told('peak', megabytes),
				told('held', megabytes),
				told('requests', count),
			];
		});
	});
	const time = 'Time: median (min to max)';
	const memory = ['Memory: peak', 'Memory: held'];
	const lines = [['Work', 'Who', time, 'To HTTP', ...memory, 'Requests'], ...rows];
	const [head = '', ...others] = lines.map((cells) => `| ${cells.join(' | ')} |`);
	return [head, head.replace(/[^|]+/g, ' --- '), ...others].join('\n');
}

/**
 * Puts the figures into the page, in place of those between the two marks.
 * @throws Error when the marks are missing
 */
export function withFigures(page: string, figures: string): string {
	if (!place.test(page)) throw new Error('The page has no place for the figures');
	return page.replace(place, () => figures);
}

/** What a case is about. */
export function titleOf({ kind, leads, latencyMs }: Case): string {
	const what = kind === 'search' ? 'leads' : 'LinkedIn URLs';
	return `${count(leads)} ${what}, ${latencyMs} ms a request`;
}

/** Seconds, with as many digits as mean something. */
export function seconds(milliseconds: number): string {
	const value = milliseconds / 1000;
	return `${value.toFixed(value < 10 ? 2 : 1)} s`;
}

/** The middle one, or the mean of the two in the middle; NaN without any. */
export function median(values: readonly number[]): number {
	const sorted = values.toSorted((one, other) => one - other);
	const [lower = NaN, upper = NaN] = sorted.slice((sorted.length - 1) / 2);
	return sorted.length % 2 === 1 ? lower : (lower + upper) / 2;
}

/** A figure of every run; none where it wasn't measured. */
function valuesOf(runs: readonly Run[], name: keyof Run = 'milliseconds'): number[] {
	return runs.flatMap((run) => run[name] ?? []);
}
