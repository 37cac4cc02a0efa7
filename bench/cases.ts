/** What is measured: the work, and who does it. */

/** Everybody who does the work. */
export const subjects = {
	leadSearch: 'Lead Search',
	http: 'HTTP Request + Split Out',
	loop: 'plain loop over n8n’s helper',
	undici: 'undici, 8 in flight',
} as const;
export type Subject = keyof typeof subjects;

/** Some work: a search for leads in pages, or a lookup of one URL in each of many input items. */
export interface Case {
	readonly kind: 'search' | 'lookUp';
	readonly leads: number;
	/** Milliseconds that the service lets each request wait. */
	readonly latencyMs: number;
	readonly subjects: readonly Subject[];
}

/** Leads in a page, URLs in a request: Lead Search's own default, and what the others are set to. */
export const pageSize = 1_000;

const search = { kind: 'search', subjects: ['leadSearch', 'http', 'loop', 'undici'] } as const;
const lookUp = { kind: 'lookUp', subjects: ['leadSearch', 'http', 'undici'] } as const;

/** Every case. */
export const cases: readonly Case[] = [0, 150].flatMap((latencyMs) => [
	{ ...search, leads: 10_000, latencyMs },
	{ ...search, leads: 100_000, latencyMs },
	{ ...lookUp, leads: 10_000, latencyMs },
]);

/** What came of some work: how long it took, what it held and returned. */
export interface Outcome {
	/** Of n8n's nodes their execution time; of undici, first request to last row. */
	readonly milliseconds: number;
	/** Bytes of n8n's resident memory at its peak, above what it had before; where the system tells. */
	readonly peak?: number;
	/** Bytes that n8n held in the end, with the items of all its nodes, above what it held before. */
	readonly held?: number;
	readonly items: number;
	/** Different LinkedIn URLs among the items. */
	readonly leads: number;
}

/** A run that did its work, with all its requests. */
export type Run = Omit<Outcome, 'items' | 'leads'> & { readonly requests: number };

/** A case, and the runs of each subject. */
export interface Result {
	readonly case: Case;
	readonly runs: ReadonlyMap<Subject, readonly Run[]>;
}
