/** What is measured: the work, who does it, and what is wanted of Lead Search. */
import { LOOKUP_PATH, SEARCH_PATH, type Limits } from '../sandbox/service';

/** Everybody who can do the work. */
export const subjects = {
	defaults: 'Lead Search',
	baseline: 'Lead Search, baseline',
	httpDefaults: 'HTTP Request + Split Out',
	httpBest: 'HTTP Request + Split Out at its best',
	loop: 'plain loop over n8n’s helper',
	undici: 'undici, 8 in flight',
	least: 'the least that the limits allow',
} as const;
export type Subject = keyof typeof subjects;

/** The parts of the bench, to choose from with `--only`. */
export const groups = ['latency', 'limited', 'urls', 'growth'] as const;
export type Group = (typeof groups)[number];

/** Kinds of work: a search for leads in pages, or a lookup of one URL in each of many input items. */
export const endpoints = {
	search: { path: SEARCH_PATH, rowsIn: 'preview_data' },
	lookUp: { path: LOOKUP_PATH, rowsIn: 'data' },
};

/** Some work, done by several subjects. */
export interface Case {
	readonly id: string;
	readonly groups: readonly Group[];
	readonly kind: keyof typeof endpoints;
	readonly leads: number;
	/** Milliseconds that the service lets each request wait. */
	readonly latencyMs: number;
	readonly limits?: Limits;
	readonly subjects: readonly Subject[];
}

/** Leads in a page, URLs in a request: Lead Search's own default, and what the others are set to. */
export const pageSize = 1_000;

const limits: Limits = { perSecond: 10, concurrent: 4 };
const limited = { latencyMs: 50, limits, subjects: ['defaults', 'least'] } as const;
const growth = { subjects: ['defaults', 'httpBest'] } as const;

/**
 * Every case.
 * @param scale 1 for the real thing, less for a try: so many times the leads
 * @param isComparison whether it is Lead Search with its baseline, and nobody else
 */
export function casesOf(scale = 1, isComparison = false): Case[] {
	const all: Subject[] = ['defaults', 'httpDefaults', 'httpBest', 'loop', 'undici'];
	const one = (id: string, inGroups: Group[], leads: number, more: Partial<Case> = {}): Case => ({
		...{ id, groups: inGroups, kind: 'search', latencyMs: 0, subjects: all },
		...more,
		...(isComparison && { subjects: ['defaults', 'baseline'] }),
		leads: Math.max(pageSize, Math.round((leads * scale) / pageSize) * pageSize),
	});
	return [
		one('1k', ['growth'], 1_000, growth),
		one('10k', ['growth'], 10_000, growth),
		one('0ms', ['latency', 'growth'], 100_000),
		...[10, 50, 150].map((latencyMs) =>
			one(`${latencyMs}ms`, ['latency'], 100_000, { latencyMs }),
		),
		// 100 pages of 500 ms one after the other would take most of the time of the whole bench.
		one('500ms', ['latency'], 20_000, { latencyMs: 500 }),
		one('limited', ['limited'], 100_000, limited),
		one('limited-told', ['limited'], 100_000, {
			...limited,
			limits: { ...limits, headers: ['Retry-After', 'RateLimit'] },
		}),
		one('urls', ['urls'], 10_000, {
			kind: 'lookUp',
			latencyMs: 50,
			subjects: all.filter((subject) => subject !== 'loop'),
		}),
	];
}

/** A figure of a case and a subject: the time, unless another one is named. */
export type Figure = readonly [id: string, subject: Subject, name?: 'requests' | 'refused'];

/** A ratio that is wanted, of one figure to another. */
export interface Target {
	readonly of: Figure;
	readonly to: Figure;
	readonly atMost?: number;
	readonly atLeast?: number;
}

/** What is wanted of Lead Search. A run of the bench is judged by those that it measured. */
export const targets: readonly Target[] = [
	{ of: ['150ms', 'httpBest'], to: ['150ms', 'defaults'], atLeast: 4 },
	{ of: ['150ms', 'defaults'], to: ['150ms', 'undici'], atMost: 1.5 },
	{ of: ['0ms', 'defaults'], to: ['0ms', 'httpBest'], atMost: 0.55 },
	{ of: ['0ms', 'defaults'], to: ['0ms', 'loop'], atMost: 0.9 },
	{ of: ['0ms', 'defaults'], to: ['10k', 'defaults'], atMost: 11 },
	...['limited', 'limited-told'].flatMap((id): Target[] => [
		{ of: [id, 'defaults'], to: [id, 'least'], atMost: 1.25 },
		{ of: [id, 'defaults', 'refused'], to: [id, 'defaults', 'requests'], atMost: 0.05 },
	]),
	{ of: ['urls', 'httpBest'], to: ['urls', 'defaults'], atLeast: 40 },
	// Beside a baseline: no slower than before.
	...casesOf().map(({ id }): Target => ({
		of: [id, 'defaults'],
		to: [id, 'baseline'],
		atMost: 1.02,
	})),
];
