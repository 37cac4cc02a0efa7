/**
 * The process's memory of lost responses: responses that never arrived, or can't be used, although the service may
 * have charged for them. Because of this memory, the next execution, and the run in the following night, start with a
 * page size that isn't lost again.
 */
import type { Endpoint } from '../api/contract';
import type { PagedList, LossHistory } from '../paging/pagedList';

/**
 * The time for which lost responses are remembered, in milliseconds. It is more than a day, so that a workflow that
 * runs every night still knows which page sizes were lost the night before.
 */
const REMEMBERED_MS = 1.5 * 86_400_000;
/**
 * The limit of entries in {@link lossesByService}. No n8n sends requests to so many services. If there are more, the
 * oldest entry is deleted.
 */
const MAX_SERVICES = 1_000;

/**
 * The page sizes at which responses were lost. A key is an endpoint and the address of a service, for example
 * `search https://leads.example.com`. The entry that was saved last is the last one. `at` is the time of the last lost
 * response, in milliseconds since 1970.
 */
export const lossesByService = new Map<string, LossHistory & { at: number }>();

/**
 * Copies the page sizes at which earlier runs lost responses into a list, so that the list starts with smaller
 * requests. Losses that are older than {@link REMEMBERED_MS} are ignored. Call this before the list sends its first
 * request.
 */
export function loadLossHistory(list: PagedList, baseUrl: string, endpoint: Endpoint): void {
	const remembered = lossesByService.get(`${endpoint} ${baseUrl}`);
	if (remembered && remembered.at > Date.now() - REMEMBERED_MS)
		list.lossHistory = {
			lostSize: remembered.lostSize,
			sizeBeforeLoss: remembered.sizeBeforeLoss,
		};
}

/**
 * Remembers the smallest page size at which a response of the list was lost, and the largest size that is confirmed.
 * Does nothing if the list knows of no loss.
 */
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
