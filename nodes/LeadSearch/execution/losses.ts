/**
 * What the process remembers of answers that a service has lost and may have charged: the next execution, and the next
 * night's, begins with what is safe.
 */
import type { Endpoint } from '../api/contract';
import type { Ledger, Loss } from '../paging/ledger';

/** More than a day, so that the next night's run comes in time, whenever it begins. */
const REMEMBERED_MS = 1.5 * 86_400_000;

/** By endpoint and the service's address, the latest last; `at` in milliseconds since 1970. */
export const losses = new Map<string, Loss & { at: number }>();

/** Hands what is remembered to a list that knows nothing yet. */
export function handIn(list: Ledger, baseUrl: string, endpoint: Endpoint): void {
	const loss = losses.get(`${endpoint} ${baseUrl}`);
	if (loss && loss.at > Date.now() - REMEMBERED_MS)
		list.loss = { lost: loss.lost, came: loss.came };
}

/** Takes back what a list has learnt in a run. */
export function takeBack(list: Ledger, baseUrl: string, endpoint: Endpoint): void {
	const { loss, largestAnswer, cost } = list;
	if (loss.lost === Infinity) return;
	const id = `${endpoint} ${baseUrl}`;
	const { came = 0, at = 0 } = losses.get(id) ?? {};
	losses.delete(id);
	losses.set(id, {
		lost: loss.lost,
		came: Math.max(came, largestAnswer),
		at: cost.lost > 0 ? Date.now() : at,
	});
	// No n8n asks so many services.
	for (const oldest of losses.keys()) if (losses.size > 1_000) losses.delete(oldest);
}
