/** The lead service's contract: endpoints, limits, prices and the shape of a page. */

/** A JSON object that the service sends or receives. Unknown fields are passed through unchanged. */
export interface Json {
	[key: string]: unknown;
}

/** Whether a value is an object, but not an array or null. */
export function isObject(value: unknown): value is Json {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The three endpoints (contract, "Endpoints"). Each takes a POST with a JSON body. */
export type Endpoint = 'preview' | 'search' | 'lookUp';

interface EndpointFacts {
	/** Path after the Base URL. */
	path: string;
	costsCredits: boolean;
	takesSessionToken: boolean;
	/**
	 * The page size that the service uses by default: rows per page, or URLs per request for lookup (contract,
	 * "Limits"). The contract names none for preview, so the value of search is used.
	 */
	documentedPageSize: number;
	/** The noun that messages use for a row. */
	noun: 'lead' | 'profile';
	/** The name, for messages, of the system that is down if the service responds with 502 (contract, "Errors"). */
	upstream: string;
}

const LEADS = {
	takesSessionToken: false,
	documentedPageSize: 25,
	noun: 'lead',
	upstream: 'The lead service behind the search',
} as const;

/** Facts about each endpoint (contract, "Endpoints" and "Limits"). */
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

/** The highest row number that a search can reach, and the most URLs in one lookup request (contract, "Limits"). */
export const MAX_RESULTS = 100_000;

/**
 * Estimates the price of credits in US dollars (contract, "Credit packages"). `usdFrom` uses the price per credit of
 * the largest package, `usdTo` that of the smallest.
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

/** One page of rows from a response. All fields except the rows can be missing. */
export interface Page {
	/** Each row costs 1 credit, except in a preview. */
	rows: Json[];
	/** Number of the page, from 1. */
	page?: number;
	/** The page size that the service reports. It can differ from the requested size. */
	perPage?: number;
	/** Whether more rows follow. If the response has no `has_more`, a number in `next_page` means true. */
	hasMore?: boolean;
	/** The number of the next page; null if the service says that there is none. */
	nextPage?: number | null;
	/** Size of the decompressed response in bytes. */
	bytes?: number;
	/**
	 * The way in which the response violates the contract, as text for users. The rows were charged nevertheless.
	 */
	violation?: string;
}
