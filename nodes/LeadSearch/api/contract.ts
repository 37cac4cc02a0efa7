/** The lead service's contract: endpoints, limits, prices and the shape of a page. */

/** A JSON object of the service. Fields that this package doesn't know are passed through unchanged. */
export interface Json {
	[key: string]: unknown;
}

export function isObject(value: unknown): value is Json {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The three endpoints (contract, "Endpoints"). */
export type Endpoint = 'preview' | 'search' | 'lookUp';

interface EndpointFacts {
	path: string;
	costsCredits: boolean;
	takesSessionToken: boolean;
	noun: 'lead' | 'profile';
	/** The start of a message for a 502, 503 or 504: "The lead service behind the search is not answering (502)". */
	upstream: string;
}

const LEADS = {
	takesSessionToken: false,
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
		noun: 'profile',
		upstream: 'The LinkedIn service behind the lookup',
	},
};

/** The largest list that the service serves, and the limit of URLs in a lookup request (contract, "Limits"). */
export const MAX_RESULTS = 100_000;

/**
 * Estimates the price of credits in US dollars (contract, "Credit packages"). `usdFrom` uses the price per credit of
 * the largest package, and `usdTo` that of the smallest.
 */
export function estimatePrice(credits: number): {
	credits: number;
	usdFrom: number;
	usdTo: number;
} {
	const usdFrom = (credits * 175) / 60_000;
	const usdTo = (credits * 22.5) / 5_000;
	const roundToCents = (usd: number) => Math.round(usd * 100) / 100;
	return { credits, usdFrom: roundToCents(usdFrom), usdTo: roundToCents(usdTo) };
}

/** One page of rows from a response. */
export interface Page {
	/** Leads or profiles. Each row costs 1 credit, except in a preview. */
	rows: Json[];
	/** The number of the page, counted from 1. */
	page?: number;
	/** The page size that the response reports. It can differ from the requested page size. */
	perPage?: number;
	/** Whether more rows follow this page. It is also true if the response has a `next_page` and no `has_more`. */
	hasMore?: boolean;
	/** The number of the next page; null if the response says that there is none, undefined if it says nothing. */
	nextPage?: number | null;
	/** The size of the whole response after decompression. */
	bytes?: number;
	/**
	 * The first way in which the response violates the contract, as text for users: "page is not a whole number of at
	 * least 1". The rows of such a response were charged nevertheless.
	 */
	violation?: string;
}
