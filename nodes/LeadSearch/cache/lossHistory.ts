/**
 * The process's memory of lost responses for which the service may have charged. Because of it, the next execution,
 * and the run in the following night, start with a safe page size.
 */
import type { Endpoint } from '../api/contract';
import type { PagedList, LossHistory } from '../paging/pagedList';

/**
 * The time for which lost responses are remembered, in milliseconds. It is more than a day, so that a workflow that
 * runs every night still knows which page sizes were lost the night before.
 */
const REMEMBERED_MS = 1.5 * 86_400_000;
/** The most services that are remembered. No n8n sends requests to so many. */
const MAX_SERVICES = 1_000;

/**
 * The losses by endpoint and address of the service. The latest entry is last. `at` is the time of the last loss, in
 * milliseconds since 1970.
 */
export const lossesByService = new Map<string, LossHistory & { at: number }>();

/**
 * Loads into a list the page sizes at which responses were lost before, so that it starts with a smaller size.
 * Call this before the list sends its first request.
 */
export function loadLossHistory(list: PagedList, baseUrl: string, endpoint: Endpoint): void {
	const remembered = lossesByService.get(`${endpoint} ${baseUrl}`);
	if (remembered && remembered.at > Date.now() - REMEMBERED_MS)
		list.lossHistory = {
			lostSize: remembered.lostSize,
			sizeBeforeLoss: remembered.sizeBeforeLoss,
		};
}

/** Remembers at which page sizes responses were lost in a run, and which sizes were received. */
export function saveLossHistory(list: PagedList, baseUrl: string, endpoint: Endpoint): void {
	const { lossHistory, cost } = list;
	if (lossHistory.lostSize === Infinity) return;
	const key = `${endpoint} ${baseUrl}`;
	const { sizeBeforeLoss = 0, at = 0 } = lossesByService.get(key) ?? {};
	lossesByService.delete(key);
	lossesByService.set(key, {
		lostSize: lossHistory.lostSize,
		sizeBeforeLoss: Math.max(sizeBeforeLoss, list.confirmedSize),
		at: cost.lostResponses > 0 ? Date.now() : at,
	});
	for (const oldest of lossesByService.keys())
		if (lossesByService.size > MAX_SERVICES) lossesByService.delete(oldest);
}
