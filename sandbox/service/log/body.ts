/** What the log keeps of a long list of URLs. */
export interface UrlListSummary {
	count: number;
	first: unknown;
	last: unknown;
}

/** URLs up to which a list is logged whole. */
const LONGEST_LIST = 1_000;

function urlsOf(body: unknown): unknown[] | undefined {
	if (typeof body !== 'object' || body === null || !('linkedinUrls' in body)) return undefined;
	return Array.isArray(body.linkedinUrls) ? body.linkedinUrls : undefined;
}

/** Number of URLs that a body holds. */
export function urlCount(body: unknown): number {
	return urlsOf(body)?.length ?? 0;
}

/** The body itself, or one that has a summary in place of a list longer than `longest`. */
export function condensed(body: unknown, longest = LONGEST_LIST): unknown {
	const urls = urlsOf(body);
	if (urls === undefined || urls.length <= longest) return body;
	const linkedinUrls: UrlListSummary = {
		count: urls.length,
		first: urls[0],
		last: urls[urls.length - 1],
	};
	return { ...Object(body), linkedinUrls };
}
