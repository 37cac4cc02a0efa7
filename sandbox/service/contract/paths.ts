/** The service's three endpoints, all POST (contract: "Endpoints"). */
export const PREVIEW_PATH = '/api/preview';
export const SEARCH_PATH = '/api/public/search';
export const LOOKUP_PATH = '/api/linkedin/lookup';

/** Largest `max_results`, in rows, and largest number of `linkedinUrls` (contract: "Limits"). */
export const MOST_RESULTS = 100_000;

/** `max_results`, in rows, when the request names none; for lookup, when it has no URL either. */
export const DEFAULT_MAX_RESULTS = 500;
