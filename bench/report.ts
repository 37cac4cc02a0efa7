/** The results of the bench, and their table. */

/** The programs that are compared. */
export const subjects = {
	leadSearch: 'Lead Search',
	least: 'The least that a node has to pay',
	http: 'HTTP Request + Split Out',
	undici: 'undici, 8 in flight',
} as const;
export type Subject = keyof typeof subjects;

/**
 * Work to measure: a search for leads in pages, a search for one lead per input item with filters of its own, or a lookup
 * of one URL per input item.
 */
export interface Case {
	readonly kind: 'search' | 'searchPerItem' | 'lookUp';
	readonly leads: number;
	readonly latencyMs: number;
	/** Leads per page, or URLs per request. All subjects use it, except that HTTP Request sends one URL in each request. */
	readonly pageSize: number;
	/** Whether each lead has 60 long texts in addition, 30 kB in total. */
	readonly isWide?: boolean;
	/** The subjects that are left out. */
	readonly without?: readonly Subject[];
}

/** The measurements of one run. */
export interface Run {
	/** Execution time of n8n's nodes; for undici, the time from the first request to the last row. */
	readonly milliseconds: number;
	/** Processor time of n8n's main thread for the whole execution, in milliseconds; undefined for undici. */
	readonly processor?: number;
	/** Peak of n8n's resident memory above the value before the run, in bytes; on Linux only. */
	readonly peak?: number;
	/** Memory that n8n holds after the run, including the items of all nodes, above the value before, in bytes. */
	readonly held?: number;
	readonly requests: number;
}

/** The runs of a case. A subject that was left out has none. */
export interface Result {
	readonly case: Case;
	readonly runs: Readonly<Record<Subject, readonly Run[]>>;
}

/** Returns the subjects that are measured in a case. */
export function subjectsOf({ without = [] }: Case): Subject[] {
	const all = Object.keys(subjects) as Subject[];
	return all.filter((subject) => !without.includes(subject));
}

const figuresPattern =
	/(?<=<!-- figures: written by npm run bench -->\n\n).*(?=\n\n<!-- end of figures -->)/s;

const formatCount = (value: number) => Math.round(value).toLocaleString('en');
const formatRatio = (ratio: number) => `${ratio.toFixed(2)} ×`;
const formatMegabytes = (bytes: number) => `${formatCount(bytes / 1e6)} MB`;

/** Formats results as a Markdown table. */
export function formatTable(results: readonly Result[]): string {
	const rows = results.flatMap(({ case: one, runs }) => {
		const measured = subjectsOf(one);
		return measured.map((subject, row) => {
			const own = runs[subject];
			const times = own.map((run) => run.milliseconds);
			const time = median(times);
			const fastest = formatSeconds(Math.min(...times));
			const slowest = formatSeconds(Math.max(...times));
			const formatMedian = (name: keyof Run, format: (value: number) => string) =>
				formatKnown(medianOf(own, name), format);
			return [
				row === 0 ? formatTitle(one) : '',
				subjects[subject],
				`${formatSeconds(time)} (${fastest} to ${slowest})`,
				formatKnown(time / medianOf(runs.http, 'milliseconds'), formatRatio),
				formatMedian('processor', (value) => `${formatCount(value)} ms`),
				formatKnown(medianOf(own, 'processor') / medianOf(runs.least, 'processor'), formatRatio),
				formatMedian('peak', formatMegabytes),
				formatMedian('held', formatMegabytes),
				formatMedian('requests', formatCount),
			];
		});
	});
	const titles = ['Work', 'Who', 'Time: median (min to max)', 'To HTTP'];
	titles.push('Processor', 'To the least', 'Memory: peak', 'Memory: held', 'Requests');
	const lines = [titles, titles.map(() => '---'), ...rows];
	return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Returns the median of a measurement; NaN if no run has it. */
function medianOf(runs: readonly Run[], name: keyof Run): number {
	return median(runs.flatMap((run) => run[name] ?? []));
}

/** Formats a number; NaN becomes an empty string. */
function formatKnown(value: number, format: (value: number) => string): string {
	return Number.isNaN(value) ? '' : format(value);
}

/** Reads the ratio of Lead Search's time to that of HTTP Request for each case of a table. */
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

/** Returns a line for each case whose ratio to HTTP Request is more than a tenth higher than on the page. */
export function findSlower(page: string, table: string): string[] {
	const before = readRatios(page);
	const lines = [...readRatios(table)].flatMap(([work, now]) => {
		const then = before.get(work) ?? Infinity;
		return now > then * 1.1
			? [
					`Slower: ${work}: ${now.toPrecision(2)} × HTTP Request, but ${then.toPrecision(2)} on the page`,
				]
			: [];
	});
	return lines.length > 0 ? lines : ['No case is more than a tenth slower than on the page.'];
}

/** Replaces the figures of the page, which are between two comments. */
export function replaceFigures(page: string, figures: string): string {
	if (!figuresPattern.test(page)) throw new Error('The page lacks the comments around the figures');
	return page.replace(figuresPattern, () => figures);
}

/** Returns the title of a case. */
export function formatTitle({ kind, leads, latencyMs, pageSize, isWide }: Case): string {
	const titles = {
		search: 'leads',
		searchPerItem: 'searches for one lead',
		lookUp: 'LinkedIn URLs',
	};
	const pages =
		leads > pageSize && kind !== 'searchPerItem' ? `, ${formatCount(pageSize)} each` : '';
	return `${formatCount(leads)} ${titles[kind]}${isWide ? ' of 30 kB' : ''}, ${latencyMs} ms a request${pages}`;
}

/** Formats milliseconds as seconds. */
export function formatSeconds(milliseconds: number): string {
	return `${(milliseconds / 1000).toFixed(milliseconds < 10_000 ? 2 : 1)} s`;
}

/** Returns the median of numbers. */
export function median(values: readonly number[]): number {
	const sorted = values.toSorted((one, other) => one - other);
	const [lower = NaN, upper = NaN] = sorted.slice((sorted.length - 1) / 2);
	return sorted.length % 2 === 1 ? lower : (lower + upper) / 2;
}
