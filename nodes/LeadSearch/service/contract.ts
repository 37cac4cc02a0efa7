/**
 * What the lead service's contract fixes: addresses, names, numbers. The contract's own names
 * (`next_page`, `_per_page`) live in this folder only; the rest of the package speaks n8n's.
 */

/** A JSON object as the service sends or takes it; unknown fields pass through untouched. */
export interface Json {
	[key: string]: unknown;
}

/** The three endpoints (contract, "Endpoints"), all POST with a JSON body. */
export type Endpoint = 'preview' | 'search' | 'lookUp';

/** Paths relative to the base URL. */
export const ENDPOINT_PATH: Readonly<Record<Endpoint, string>> = {
	preview: '/api/preview',
	search: '/api/public/search',
	lookUp: '/api/linkedin/lookup',
};

/**
 * Rows a page when none is asked for (contract, "Limits"). A service that refuses a larger page
 * surely takes this one. For preview none is documented; it pages like search.
 */
export const DEFAULT_PER_PAGE: Readonly<Record<Endpoint, number>> = {
	preview: 25,
	search: 25,
	lookUp: 100,
};

/** The most rows that one search or lookup can reach, counted from its first row. */
export const MAX_RESULTS = 100_000;

/** The most LinkedIn URLs that one lookup request can carry. */
export const MAX_LINKEDIN_URLS = 100_000;

/** What ends up in one page, as the service tells it; everything but the rows may be missing. */
export interface PageAnswer {
	/** The rows of the page, in order. Each one costs a credit, except in preview. */
	rows: Json[];
	/** The number of the page answered, 1-based. */
	page?: number;
	/** Rows per page by which the service counted, which may be fewer than asked for. */
	perPage?: number;
	/** Whether the service says that more pages exist. */
	hasMore?: boolean;
	/** The number of the next page; null where the service says there is none. */
	nextPage?: number | null;
	/** What in the answer doesn't fit the contract, for people; its rows were charged all the same. */
	misfit?: string;
}
