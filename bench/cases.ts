/** What is measured: the work, who does it, and what is wanted of Lead Search. */
import { LOOKUP_PATH, SEARCH_PATH, type Limits } from '../sandbox/service';

/** Everybody who can do the work. */
export const subjects = {
	defaults: 'Lead Search',
	httpDefaults: 'HTTP Request + Split Out',
	httpBest: 'HTTP Request + Split Out at its best',
	loop: 'plain loop over n8n’s helper',
	undici: 'undici, 8 in flight',
	least: 'the least that the limits allow',
} as const;
export type Subject = keyof typeof subjects;

/** Kinds of work: a search for leads in pages, or a lookup of one URL in each of many input items. */
export const endpoints = {
	search: { path: SEARCH_PATH, rowsIn: 'preview_data' },
	lookUp: { path: LOOKUP_PATH, rowsIn: 'data' },
};

/** Some work, done by several subjects. */
export interface Case {
	readonly id: string;
	/** The parts of the bench that it is in. */
	readonly groups: readonly string[];
	readonly kind: keyof typeof endpoints;
	readonly leads: number;
	/** Milliseconds that the service lets each request wait. */
	readonly latencyMs: number;
	readonly limits?: Limits;
	readonly subjects: readonly Subject[];
}

/** Leads in a page, URLs in a request: Lead Search's own default, and what the others are set to. */
export const pageSize = 1_000;

const all: readonly Subject[] = ['defaults', 'httpDefaults', 'httpBest', 'loop', 'undici'];
const search = { kind: 'search', leads: 100_000, latencyMs: 0, subjects: all } as const;
const latency = { ...search, groups: ['latency'] };
const growth = { ...search, groups: ['growth'], subjects: ['defaults', 'httpBest'] } as const;
const limits: Limits = { perSecond: 10, concurrent: 4 };
const told: Limits = { ...limits, headers: ['Retry-After', 'RateLimit'] };
const limited = { groups: ['limited'], latencyMs: 50, subjects: ['defaults', 'least'] } as const;

/** Every case. */
export const cases: readonly Case[] = [
	{ ...growth, id: '1k', leads: 1_000 },
	{ ...growth, id: '10k', leads: 10_000 },
	{ ...search, id: '0ms', groups: ['latency', 'growth'] },
	{ ...latency, id: '10ms', latencyMs: 10 },
	{ ...latency, id: '50ms', latencyMs: 50 },
	{ ...latency, id: '150ms', latencyMs: 150 },
	// 100 pages of 500 ms one after the other would take most of the time of the whole bench.
	{ ...latency, id: '500ms', latencyMs: 500, leads: 20_000 },
	{ ...search, ...limited, id: 'limited', limits },
	{ ...search, ...limited, id: 'limited-told', limits: told },
	{
		...{ id: 'urls', groups: ['urls'], kind: 'lookUp', leads: 10_000, latencyMs: 50 },
		subjects: all.filter((subject) => subject !== 'loop'),
	},
];

/** The parts of the bench, to choose from with `--only`. */
export const groups = [...new Set(cases.flatMap((one) => one.groups))];

/** A case with so many times the leads, in whole pages. */
export function scaled(one: Case, scale: number): Case {
	const pages = Math.max(1, Math.round((one.leads * scale) / pageSize));
	return { ...one, leads: pages * pageSize };
}

/** A figure of a case and a subject: the time unless another one is named. */
export type Figure = readonly [id: string, subject: Subject, name?: 'requests' | 'refused'];

/** How many times one figure another one may be, at most. */
export interface Target {
	readonly of: Figure;
	readonly to: Figure;
	readonly atMost: number;
}

/** What is wanted of Lead Search, as far as it was measured. */
export const targets: readonly Target[] = [
	{ of: ['150ms', 'defaults'], to: ['150ms', 'httpBest'], atMost: 1 / 4 },
	{ of: ['150ms', 'defaults'], to: ['150ms', 'undici'], atMost: 1.5 },
	{ of: ['0ms', 'defaults'], to: ['0ms', 'httpBest'], atMost: 0.55 },
	{ of: ['0ms', 'defaults'], to: ['0ms', 'loop'], atMost: 0.9 },
	{ of: ['0ms', 'defaults'], to: ['10k', 'defaults'], atMost: 11 },
	...['limited', 'limited-told'].flatMap((id): Target[] => [
		{ of: [id, 'defaults'], to: [id, 'least'], atMost: 1.25 },
		{ of: [id, 'defaults', 'refused'], to: [id, 'defaults', 'requests'], atMost: 0.05 },
	]),
	{ of: ['urls', 'defaults'], to: ['urls', 'httpBest'], atMost: 1 / 40 },
];
