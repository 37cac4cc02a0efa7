/** What n8n's log is told: how far a long run has come, what it waits for, and where it was stopped. */
import type { Logger } from 'n8n-workflow';

import { ENDPOINTS, type Endpoint } from '../api/contract';
import type { Failure } from '../api/failures';
import { quantity } from '../messages/quantity';

const EVERY_MS = 10_000;

/** Says, at most every 10 seconds, how far a long run has come. */
export function logProgress(
	logger: Logger,
	endpoint: Endpoint,
	figures: () => { charged: number; requests: number },
): () => void {
	let last = Date.now();
	return () => {
		if (Date.now() - last < EVERY_MS) return;
		last = Date.now();
		const { charged, requests } = figures();
		const rows = quantity(charged, ENDPOINTS[endpoint].noun);
		logger.info(`Lead Search: ${rows} in ${requests} requests so far`);
	};
}

/** Says what a retry waits for, and how long: it can be minutes. */
export function logWait(logger: Logger, { status }: Failure, milliseconds: number): void {
	const answer = status === undefined ? 'no answer came' : `the lead service answered ${status}`;
	const seconds = quantity(Math.ceil(milliseconds / 1000), 'second');
	logger.info(`Lead Search: ${answer}; asking again in ${seconds}`);
}

/** n8n 2.41 keeps no output of a node that was running when it was cancelled. */
export function logStop(logger: Logger, description: string): void {
	logger.warn(`Lead Search: the execution was stopped. ${description}`);
}

/** Says that n8n's record of profiles is read, which can take long. */
export function logCheck(logger: Logger, urls: number): void {
	logger.info(`Lead Search: checking which of ${urls} profiles were bought before`);
}
