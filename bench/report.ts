/** What the bench measures, and the table that it makes of it. */

export const subjects = {
	leadSearch: 'Lead Search',
	http: 'HTTP Request + Split Out',
	undici: 'undici, 8 in flight',
} as const;
export type Subject = keyof typeof subjects;

/** Some work: a search for leads in pages, or a lookup of one URL in each of many input items. */
export interface Case {
	readonly kind: 'search' | 'lookUp';
	readonly leads: number;
	readonly latencyMs: number;
}

export interface Run {
	/** Of n8n's nodes their execution time; of undici, first request to last row. */
	readonly milliseconds: number;
	/** Bytes of n8n's resident memory at its peak, above what it had before; where the system tells. */
	readonly peak?: number;
	/** Bytes that n8n held in the end, with the items of all its nodes, above what it held before. */
	readonly held?: number;
	readonly requests: number;
}

export interface Result {
	readonly case: Case;
	readonly runs: Readonly<Record<Subject, readonly Run[]>>;
}

const figuresPattern =
	/(?<=<!-- figures: written by npm run bench -->\n\n).*(?=\n\n<!-- end of figures -->)/s;

const formatCount = (value: number) => Math.round(value).toLocaleString('en');
const formatMegabytes = (bytes: number) => `${formatCount(bytes / 1e6)} MB`;

export function formatTable(results: readonly Result[]): string {
	const rows = results.flatMap(({ case: one, runs }) => {
		const timesOf = (some: readonly Run[]) => some.map((run) => run.milliseconds);
		return Object.entries(subjects).map(([subject, title], row) => {
			const own = runs[subject as Subject];
			const times = timesOf(own);
			const time = median(times);
			const [fastest, slowest] = [Math.min(...times), Math.max(...times)].map(formatSeconds);
			const formatMedian = (name: keyof Run, format: (value: number) => string) => {
				const values = own.flatMap((run) => run[name] ?? []);
				return values.length > 0 ? format(median(values)) : '';
			};
			return [
				...[row === 0 ? formatTitle(one) : '', title],
				`${formatSeconds(time)} (${fastest} to ${slowest})`,
				`${(time / median(timesOf(runs.http))).toFixed(2)} ×`,
				...[
					formatMedian('peak', formatMegabytes),
					formatMedian('held', formatMegabytes),
					formatMedian('requests', formatCount),
				],
			];
		});
	});
	const titles = ['Work', 'Who', 'Time: median (min to max)', 'To HTTP'];
	titles.push('Memory: peak', 'Memory: held', 'Requests');
	const lines = [titles, titles.map(() => '---'), ...rows];
	return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** What Lead Search takes of the time of HTTP Request, by the work: of a table that was written before, too. */
function readRatios(page: string): Map<string, number> {
	const ratios = new Map<string, number>();
	let work = '';
	let own = NaN;
	for (const line of page.split('\n')) {
		const [, title = '', who = '', time = ''] = line.split('|').map((cell) => cell.trim());
		const median = Number(/^([\d.]+) s \(/.exec(time)?.[1]);
		if (title !== '') work = title;
		if (who === subjects.leadSearch) own = median;
		if (who === subjects.http && own / median > 0) ratios.set(work, own / median);
	}
	return ratios;
}

/** @returns a line for each work of which the ratio to HTTP Request is more than a tenth above that of the page */
export function findSlower(page: string, table: string): string[] {
	const before = readRatios(page);
	const lines = [...readRatios(table)].flatMap(([work, now]) => {
		const then = before.get(work) ?? Infinity;
		return now > then * 1.1
			? [
					`Slower: ${work}: ${now.toPrecision(2)} × HTTP Request, and ${then.toPrecision(2)} on the page`,
				]
			: [];
	});
	return lines.length > 0 ? lines : ['Nothing is slower than on the page by more than a tenth.'];
}

/** Puts the figures into the page, in place of those between its two marks. */
export function replaceFigures(page: string, figures: string): string {
	if (!figuresPattern.test(page)) throw new Error('The page has no place for the figures');
	return page.replace(figuresPattern, () => figures);
}

export function formatTitle({ kind, leads, latencyMs }: Case): string {
	const what = kind === 'search' ? 'leads' : 'LinkedIn URLs';
	return `${formatCount(leads)} ${what}, ${latencyMs} ms a request`;
}

export function formatSeconds(milliseconds: number): string {
	return `${(milliseconds / 1000).toFixed(milliseconds < 10_000 ? 2 : 1)} s`;
}

export function median(values: readonly number[]): number {
	const sorted = values.toSorted((one, other) => one - other);
	const [lower = NaN, upper = NaN] = sorted.slice((sorted.length - 1) / 2);
	return sorted.length % 2 === 1 ? lower : (lower + upper) / 2;
}
