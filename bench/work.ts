/** What the contestants are set to do, and who they are. */

/** So many leads by search, in pages of so many rows. */
export interface SearchWork {
	readonly kind: 'search';
	readonly leads: number;
	readonly pageSize: number;
	/** Whether each lead comes with its original record under `raw`. */
	readonly raw: boolean;
}

/** So many input items with a LinkedIn URL each, to look up. */
export interface LookUpWork {
	readonly kind: 'lookUp';
	readonly leads: number;
	/** Rows in a page, for those who ask for many URLs at once. */
	readonly pageSize: number;
}

export type Work = SearchWork | LookUpWork;

/** Everybody who can be set to work. */
export const contestants = {
	ours: 'Lead Search',
	oursParallel: 'Lead Search, 8 pages at once',
	helper: 'n8n’s request helper',
	httpRequest: 'HTTP Request + Split Out',
	undici: 'undici',
	undiciParallel: 'undici, 8 at once',
} as const;

export type Contestant = keyof typeof contestants;

/** Pages under way at once for those who ask for several. */
export const atOnce = 8;

/** Fields of a lead or a profile, as the service sends it. */
export function fieldsOf(work: Work): number {
	if (work.kind === 'lookUp') return 12;
	return work.raw ? 18 : 17;
}

/** Requests that the work takes: a request a page, but one a URL for HTTP Request. */
export function requestsOf(work: Work, contestant: Contestant): number {
	return work.kind === 'lookUp' && contestant === 'httpRequest'
		? work.leads
		: Math.ceil(work.leads / work.pageSize);
}
