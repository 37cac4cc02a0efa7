/** Why n8n polls, and how long a poll may take. */
import type { IPollFunctions } from 'n8n-workflow';

/**
 * Somebody tests the trigger in the editor; somebody publishes the workflow; n8n starts, or another n8n becomes the
 * one that polls; or the schedule says so.
 */
export type Occasion = 'test' | 'publishing' | 'start' | 'schedule';

/** The time of a poll in milliseconds where n8n sets no bound, as older versions never do. */
const NO_BOUND_MS = 300_000;

/** Those that have polled: n8n polls once at an activation, and by the schedule with the same one. */
const known = new WeakSet<IPollFunctions>();

/** @returns why n8n polls; of each context, to be asked once a poll */
export function occasionOf(context: IPollFunctions): Occasion {
	if (context.getMode() === 'manual') return 'test';
	const isFirst = !known.has(context);
	known.add(context);
	if (!isFirst || isLeased(context)) return 'schedule';
	const isOwnStart = ['init', 'leadershipChange'].includes(context.getActivationMode());
	return isOwnStart ? 'start' : 'publishing';
}

/** Milliseconds after which n8n abandons a poll, and with it the leads that were paid for. */
export function pollTimeOf(context: IPollFunctions): number {
	return 'getPollBudgetMs' in context ? context.getPollBudgetMs() : NO_BOUND_MS;
}

/**
 * Whether n8n's durable scheduler polls: it makes a context for each poll, reads the place before it lets the poll
 * begin, and sets a bound.
 */
export function isLeased(context: IPollFunctions): boolean {
	return pollTimeOf(context) !== NO_BOUND_MS;
}
