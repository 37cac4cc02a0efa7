/** What is measured: the work, who does it, and what is wanted of Lead Search. */
import type { Limits } from '../sandbox/service';

/** Everybody who can do the work. */
export const subjects = {
	defaults: 'Lead Search',
	baseline: 'Lead Search, baseline',
	httpDefaults: 'HTTP Request + Split Out',
	httpBest: 'HTTP Request + Split Out at its best',
	loop: 'plain loop over n8n’s helper',
	undici: 'undici, 8 in flight',
} as const;
export type Subject = keyof typeof subjects;

/** The parts of the bench, to choose from with `--only`. */
export const groups = ['latency', 'limited', 'urls', 'growth'] as const;
export type Group = (typeof groups)[number];

/** Some work, done by several subjects. */
export interface Case {
	readonly id: string;
	readonly groups: readonly Group[];
	/** A search for leads in pages, or a lookup of one URL in each of so many input items. */
	readonly kind: 'search' | 'lookUp';
	readonly leads: number;
	/** Milliseconds that the service lets each request wait. */
	readonly latencyMs: number;
	readonly limits?: Limits;
	readonly subjects: readonly Subject[];
}

/** Leads in a page, URLs in a request: Lead Search's own default, and what the others are set to. */
export const pageSize = 1_000;

const limits: Limits = { perSecond: 10, concurrent: 4 };
const limited = { latencyMs: 50, limits, subjects: ['defaults'] } as const;
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

/** Milliseconds that a limited service takes for the pages at best: those beyond the first burst. */
export function leastMilliseconds({ leads, limits: { perSecond = Infinity } = {} }: Case): number {
	return ((leads / pageSize - perSecond) / perSecond) * 1000;
}

/** A ratio that is wanted, of figures of one run of the bench. */
export interface Target {
	/** Case and subject whose time is divided ... */
	readonly of: readonly [id: string, subject: Subject];
	/** ... by that of another one, or by the least that the limits allow; or its share of 429. */
	readonly by: readonly [id: string, subject: Subject] | 'least' | 'refused';
	readonly atMost?: number;
	readonly atLeast?: number;
}

/** What is wanted of Lead Search. */
export const targets: readonly Target[] = [
	{ of: ['150ms', 'httpBest'], by: ['150ms', 'defaults'], atLeast: 4 },
	{ of: ['150ms', 'defaults'], by: ['150ms', 'undici'], atMost: 1.5 },
	{ of: ['0ms', 'defaults'], by: ['0ms', 'httpBest'], atMost: 0.55 },
	{ of: ['0ms', 'defaults'], by: ['0ms', 'loop'], atMost: 0.9 },
	{ of: ['0ms', 'defaults'], by: ['10k', 'defaults'], atMost: 11 },
	{ of: ['limited', 'defaults'], by: 'least', atMost: 1.25 },
	{ of: ['limited', 'defaults'], by: 'refused', atMost: 0.05 },
	{ of: ['limited-told', 'defaults'], by: 'least', atMost: 1.25 },
	{ of: ['limited-told', 'defaults'], by: 'refused', atMost: 0.05 },
	{ of: ['urls', 'httpBest'], by: ['urls', 'defaults'], atLeast: 40 },
];

/** What is wanted of a build that is compared with a baseline: no slower than before. */
export const comparisonTargets: readonly Target[] = casesOf().map(({ id }) => ({
	of: [id, 'defaults'],
	by: [id, 'baseline'],
	atMost: 1.02,
}));
