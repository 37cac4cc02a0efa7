import type { Logger } from 'n8n-workflow';

import { DEFAULT_PER_PAGE, type Endpoint } from '../service/contract';
import type { CreditAccount } from '../service/credits';
import type { Pace } from '../service/pace';
import { startWalk } from '../service/paging';
import { pull, type PullResult } from '../service/pull';
import type { Access } from './access';
import type { Job } from './operation';
import type { Output } from './output';
import { logProgress } from './progress';

/** What the lists of one execution have in common. */
export interface Fetchers {
	endpoint: Endpoint;
	access: Access;
	/** Where the rows go. */
	output: Output;
	credits: CreditAccount;
	pace: Pace;
	logger: Logger;
	/** Whether there is time for another request; always, unless given. */
	hasTime?: () => boolean;
}

/** Fetches the list of a job into the output, for the node and the trigger alike. */
export async function fetchJob(job: Job, fetchers: Fetchers): Promise<PullResult> {
	const { endpoint, access, output, credits, pace, logger, hasTime } = fetchers;
	const fetching = job.fetching();
	const isPaid = endpoint !== 'preview';
	return await pull({
		...access.pullThrough(endpoint, job, fetching),
		walk: startWalk({
			...fetching,
			longest: job.longest,
			surePageSize: DEFAULT_PER_PAGE[endpoint],
			prove: isPaid,
		}),
		onRows: (rows) => {
			job.deliver(rows, output);
		},
		...(isPaid && { credits }),
		parallelPages: fetching.parallelPages,
		pace,
		...(hasTime && { hasTime }),
		onProgress: logProgress(logger, endpoint, credits),
	});
}
