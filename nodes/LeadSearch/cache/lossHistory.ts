/**
 * What the process remembers of responses that a service has lost and may have charged. The next execution, and the one
 * in the following night, start with a size that is safe.
 */
import type { Endpoint } from '../api/contract';
import type { PagedList, LossHistory } from '../paging/ledger';

/** More than a day, so that it covers the run of the next night whenever that starts. */
const REMEMBERED_MS = 1.5 * 86_400_000;
/** No n8n sends requests to this many services. */
const MAX_SERVICES = 1_000;

/** By endpoint and address of the service, the latest last; `at` in milliseconds since 1970. */
export const lossesByService = new Map<string, LossHistory & { at: number }>();

/** Tells a list that has sent nothing yet which sizes came and which were lost. */
export function loadLossHistory(list: PagedList, baseUrl: string, endpoint: Endpoint): void {
	const remembered = lossesByService.get(`${endpoint} ${baseUrl}`);
	if (remembered && remembered.at > Date.now() - REMEMBERED_MS)
		list.lossHistory = {
			smallestLost: remembered.smallestLost,
			largestReceived: remembered.largestReceived,
		};
}

/** Remembers what a list has learnt in a run. */
export function saveLossHistory(list: PagedList, baseUrl: string, endpoint: Endpoint): void {
	const { lossHistory, largestResponse, cost } = list;
	if (lossHistory.smallestLost === Infinity) return;
	const id = `${endpoint} ${baseUrl}`;
	const { largestReceived = 0, at = 0 } = lossesByService.get(id) ?? {};
	lossesByService.delete(id);
	lossesByService.set(id, {
		smallestLost: lossHistory.smallestLost,
		largestReceived: Math.max(largestReceived, largestResponse),
		at: cost.lostResponses > 0 ? Date.now() : at,
	});
	for (const oldest of lossesByService.keys())
		if (lossesByService.size > MAX_SERVICES) lossesByService.delete(oldest);
}
