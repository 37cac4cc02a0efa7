/** The lead service's contract: endpoints, limits, prices and the shape of a page. */

/**
 * A JSON object that the service sends or receives, such as a request body or a row. Fields that this package doesn't
 * know are passed through unchanged.
 */
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
	/** The path that follows the Base URL, for example `/api/preview`. */
	path: string;
	costsCredits: boolean;
	takesSessionToken: boolean;
	/** The noun that messages use for one row of a response. */
	noun: 'lead' | 'profile';
	/**
	 * The system behind the endpoint, as the start of a message for a 502, 503 or 504: "The lead service behind the
	 * search is not answering (502)".
	 */
	upstream: string;
}

const LEADS = {
	takesSessionToken: false,
	noun: 'lead',
	upstream: 'The lead service behind the search',
} as const;

/**
 * The path, the price and the terms for messages of each endpoint. The first two come from the service's contract
 * ("Endpoints").
 */
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

/**
 * The largest list that the service serves (contract, "Limits"). A search can't reach row 100,001, and one lookup
 * request can't contain more than 100,000 URLs.
 */
export const MAX_RESULTS = 100_000;

/**
 * Estimates the price of credits in US dollars, rounded to cents (contract, "Credit packages"). `usdFrom` uses the
 * price per credit of the largest package. `usdTo` uses the price per credit of the smallest package.
 *
 * @example estimatePrice(5_000) // { credits: 5000, usdFrom: 14.58, usdTo: 22.5 }
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
	/**
	 * The rows of the page: leads of a search or a preview, or profiles of a lookup. Each row costs 1 credit, except
	 * in a preview.
	 */
	rows: Json[];
	/** The number of the page that the response says it is. The first page is 1. */
	page?: number;
	/** The page size that the response reports in `per_page`. It can differ from the requested page size. */
	perPage?: number;
	/**
	 * Whether more rows follow this page. If the response has no `has_more`, a number in `next_page` means that more
	 * rows follow.
	 */
	hasMore?: boolean;
	/**
	 * The number of the next page. It is null if the response says that there is no next page, and undefined if it
	 * says nothing.
	 */
	nextPage?: number | null;
	/** The size of the whole response in bytes, after decompression. */
	bytes?: number;
	/**
	 * The first way in which the response violates the contract, as text for users, for example "page is not a whole
	 * number of at least 1". The rows of such a response were charged nevertheless.
	 */
	violation?: string;
}
