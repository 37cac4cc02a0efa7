/** Which day it is, and how long a poll may take. */
import type { IPollFunctions } from 'n8n-workflow';

/** Today, as YYYY-MM-DD. */
export function dayIn(timeZone: string): string {
	return new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(new Date());
}

export interface Clock {
	signal?: AbortSignal;
	isLeft: (waitMs: number) => boolean;
}

/**
 * n8n abandons a poll that takes too long, and with it the leads that were paid for. So no request
 * starts after half of the time, and none goes on until the end of it.
 */
export function clockOf(context: IPollFunctions): Clock {
	// Older versions of n8n set no bound.
	if (typeof context.getPollBudgetMs !== 'function') return { isLeft: () => true };
	const budget = context.getPollBudgetMs();
	const started = Date.now();
	return {
		signal: AbortSignal.timeout(budget * 0.9),
		isLeft: (waitMs) => Date.now() + waitMs - started < budget / 2,
	};
}
