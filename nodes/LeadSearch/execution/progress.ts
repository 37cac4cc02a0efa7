import type { Logger } from 'n8n-workflow';

import { ENDPOINTS, type Endpoint } from '../api/contract';
import type { CreditAccount } from '../api/credits';
import type { Failure } from '../api/failures';
import { quantity, SECOND } from '../messages/quantity';

const EVERY_MS = 10_000;

/** Says in n8n's log, at most every 10 seconds, how far a long fetch has come. */
export function logProgress(logger: Logger, endpoint: Endpoint, credits: CreditAccount) {
	let last = Date.now();
	return ({ rows, requests }: { rows: number; requests: number }) => {
		const now = Date.now();
		if (now - last < EVERY_MS) return;
		last = now;
		logger.info(
			`Lead Search: ${rows} ${ENDPOINTS[endpoint].noun.many} in ${requests} requests so far, ${credits.charged} credits spent`,
		);
	};
}

/** Says in n8n's log what a retry waits for, and how long: it can be minutes. */
export function logRetry(logger: Logger, { status }: Failure, waitMs: number): void {
	const answer = status === undefined ? 'no answer came' : `the lead service answered ${status}`;
	const seconds = quantity(Math.ceil(waitMs / 1000), SECOND);
	logger.info(`Lead Search: ${answer}; asking again in ${seconds}`);
}

/**
 * Says in n8n's log where a cancelled execution stood: n8n 2.41 keeps no output of a node that was
 * running when it was cancelled, so this may be the only place that tells.
 */
export function logStop(logger: Logger, description: string): void {
	logger.warn(`Lead Search: the execution was stopped. ${description}`);
}

/** Says in n8n's log that its record of profiles is read, which can take long. */
export function logCheck(logger: Logger, urls: number): void {
	logger.info(`Lead Search: checking which of ${urls} profiles were bought before`);
}
