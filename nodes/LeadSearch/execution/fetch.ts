import type { Logger } from 'n8n-workflow';

import type { ConcurrencyLimit } from '../api/concurrency';
import { ENDPOINTS, type Endpoint } from '../api/contract';
import type { CreditAccount } from '../api/credits';
import { fetchPages, type FetchResult } from '../api/fetchPages';
import type { Fetch, FetchPagination } from '../resources/operation';
import type { ApiAccess } from './apiAccess';
import { logProgress, logRetry } from './progress';

/** What the fetches of one execution have in common. */
export interface FetchContext {
	endpoint: Endpoint;
	api: ApiAccess;
	credits: CreditAccount;
	/** The most credits that the execution may spend; Infinity without a Credit Budget. */
	budget: number;
	concurrency: ConcurrencyLimit;
	logger: Logger;
	/** Whether there is time for another request after so many milliseconds; always, unless given. */
	hasTime?: (waitMs: number) => boolean;
}

/** How a fetch went. */
export interface Fetched extends FetchResult, Pick<FetchPagination<never>, 'repeatedRows'> {
	/** Rows that came. */
	rows: number;
}

/** Carries out a fetch, for the node and the trigger alike. */
export async function runFetch(
	fetch: Fetch,
	{ endpoint, api, credits, budget, concurrency, logger, hasTime }: FetchContext,
): Promise<Fetched> {
	const pagination = fetch.start();
	const result = await fetchPages({
		...api.transport(fetch),
		pagination,
		...(ENDPOINTS[endpoint].costsCredits && { credits }),
		budget,
		parallelPages: fetch.settings.parallelPages,
		concurrency,
		...(hasTime && { hasTime }),
		onProgress: logProgress(logger, endpoint, credits),
		onRetry: (failure, waitMs) => {
			logRetry(logger, failure, waitMs);
		},
	});
	const { rows, repeatedRows } = pagination;
	return { ...result, rows, repeatedRows };
}
