/** The lead service's contract. Its own names (`next_page`) live here and in request bodies only. */

/** A JSON object as the service sends or takes it; unknown fields pass through untouched. */
export interface Json {
	[key: string]: unknown;
}

/** Neither a list nor null. */
export function isObject(value: unknown): value is Json {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The three endpoints (contract, "Endpoints"), all POST with a JSON body. */
export type Endpoint = 'preview' | 'search' | 'lookUp';

interface EndpointFacts {
	path: string;
	costsCredits: boolean;
	takesSessionToken: boolean;
	/** Rows (look up: URLs) a page (contract, "Limits"); none is documented for preview. */
	documentedPageSize: number;
	/** What a row is. */
	noun: 'lead' | 'profile';
	/** What does not answer at a 502 (contract, "Errors"). */
	upstream: string;
}

const LEADS = {
	takesSessionToken: false,
	documentedPageSize: 25,
	noun: 'lead',
	upstream: 'The lead service behind the search',
} as const;

export const ENDPOINTS: Readonly<Record<Endpoint, EndpointFacts>> = {
	preview: { ...LEADS, path: '/api/preview', costsCredits: false },
	search: { ...LEADS, path: '/api/public/search', costsCredits: true },
	lookUp: {
		path: '/api/linkedin/lookup',
		costsCredits: true,
		takesSessionToken: true,
		documentedPageSize: 100,
		noun: 'profile',
		upstream: 'The LinkedIn service behind the lookup',
	},
};

/** The most rows that a search can reach, counted from its first row; the most URLs of one lookup request. */
export const MAX_RESULTS = 100_000;

/** What credits cost in US dollars, pro rata by the largest and by the smallest package (contract). */
export function estimatePrice(credits: number): {
	credits: number;
	usdFrom: number;
	usdTo: number;
} {
	const [usdFrom, usdTo] = [(credits * 175) / 60_000, (credits * 22.5) / 5_000];
	const roundToCents = (usd: number) => Math.round(usd * 100) / 100;
	return { credits, usdFrom: roundToCents(usdFrom), usdTo: roundToCents(usdTo) };
}

/** One page of an answer; everything but the rows may be missing. */
export interface Page {
	/** Each row costs a credit, except in preview. */
	rows: Json[];
	page?: number;
	/** Rows per page by which the service counted, which may differ from the request. */
	perPage?: number;
	/** Where only `next_page` says so, too. */
	hasMore?: boolean;
	/** Null where the service says there is none. */
	nextPage?: number | null;
	/** Of the answer, decompressed. */
	bytes?: number;
	/** What in the answer contradicts the contract, for people; its rows were charged all the same. */
	violation?: string;
}
