/** What the bench measures, and the table that it makes of it. */

export const subjects = {
	leadSearch: 'Lead Search',
	least: 'The least that a node has to pay',
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
	/** Milliseconds of the processor in n8n's main thread, for the whole execution. undici has none. */
	readonly processor?: number;
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

const place =
	/(?<=<!-- figures: written by npm run bench -->\n\n).*(?=\n\n<!-- end of figures -->)/s;

const count = (value: number) => Math.round(value).toLocaleString('en');
const megabytes = (bytes: number) => `${count(bytes / 1e6)} MB`;

export function tableOf(results: readonly Result[]): string {
	const rows = results.flatMap(({ case: one, runs }) => {
		const timesOf = (some: readonly Run[]) => some.map((run) => run.milliseconds);
		return Object.entries(subjects).map(([subject, title], row) => {
			const own = runs[subject as Subject];
			const times = timesOf(own);
			const time = median(times);
			const [fastest, slowest] = [Math.min(...times), Math.max(...times)].map(seconds);
			const told = (name: keyof Run, inWords: (value: number) => string) => {
				const values = own.flatMap((run) => run[name] ?? []);
				return values.length > 0 ? inWords(median(values)) : '';
			};
			return [
				...[row === 0 ? titleOf(one) : '', title],
				`${seconds(time)} (${fastest} to ${slowest})`,
				`${(time / median(timesOf(runs.http))).toFixed(2)} ×`,
				...[
					told('processor', (value) => `${count(value)} ms`),
					told('peak', megabytes),
					told('held', megabytes),
					told('requests', count),
				],
			];
		});
	});
	const titles = ['Work', 'Who', 'Time: median (min to max)', 'To HTTP'];
	titles.push('Processor', 'Memory: peak', 'Memory: held', 'Requests');
	const lines = [titles, titles.map(() => '---'), ...rows];
	return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** @returns a line for each work: the processor time of Lead Search, divided by the least that a node has to pay */
export function leastRatios(results: readonly Result[]): string[] {
	return results.map(({ case: one, runs }) => {
		const processorOf = (subject: Subject) =>
			median(runs[subject].flatMap(({ processor }) => processor ?? []));
		const ratio = processorOf('leadSearch') / processorOf('least');
		return `Processor time: ${titleOf(one)}: ${ratio.toFixed(2)} × the least that a node has to pay`;
	});
}

/** What Lead Search takes of the time of HTTP Request, by the work: of a table that was written before, too. */
function ratiosOf(page: string): Map<string, number> {
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
export function slowerThan(page: string, table: string): string[] {
	const before = ratiosOf(page);
	const lines = [...ratiosOf(table)].flatMap(([work, now]) => {
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
export function withFigures(page: string, figures: string): string {
	if (!place.test(page)) throw new Error('The page has no place for the figures');
	return page.replace(place, () => figures);
}

export function titleOf({ kind, leads, latencyMs }: Case): string {
	const what = kind === 'search' ? 'leads' : 'LinkedIn URLs';
	return `${count(leads)} ${what}, ${latencyMs} ms a request`;
}

export function seconds(milliseconds: number): string {
	return `${(milliseconds / 1000).toFixed(milliseconds < 10_000 ? 2 : 1)} s`;
}

export function median(values: readonly number[]): number {
	const sorted = values.toSorted((one, other) => one - other);
	const [lower = NaN, upper = NaN] = sorted.slice((sorted.length - 1) / 2);
	return sorted.length % 2 === 1 ? lower : (lower + upper) / 2;
}
