/** What polls leave for those after them: in n8n's static data, and while its process runs. */
import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { digest } from '../parameters/canonical';
import { isSaved, newestOf, VERSION, type SearchPlace } from './place';

/** What is known of a search while n8n's process runs. */
interface Memory {
	/** Whether a poll is under way: a second one at the same time is none too many. */
	isPolling?: boolean;
	/**
	 * The latest place, as it is where n8n saves nothing of it: it saves what a poll without leads changes later or never,
	 * and drops what a poll hands over beside a publication. What was spent is spent; the leads have not come.
	 */
	place?: SearchPlace;
	/** Since when leads were handed over that n8n is not known to have saved, and when last, in milliseconds since 1970. */
	unsaved?: { since: number; last: number } | undefined;
	/** Whether a test has brought a lead since: whatever polls wait for is over. */
	isTested?: boolean;
}

/** By the keys under which places stand, and by search. */
export const memories = new Map<string, Map<string, Memory>>();

const MAX_SEARCHES = 10;

/** Under which places stand, whatever node polls. Another workflow or n8n finds nothing there, as where a workflow is copied. */
export function keyOf(instanceId: string, workflowId = ''): string {
	return `leadSearchTrigger_${digest([instanceId, workflowId]).slice(0, 16)}`;
}

/** Places stand with the node, which durable cursors save together with leads, and with the workflow, which outlasts renaming. */
export function storageOf(context: IPollFunctions) {
	const key = keyOf(context.getInstanceId(), context.getWorkflow().id);
	const all = memories.get(key) ?? new Map<string, Memory>();
	memories.set(key, all);
	const memoryOf = (fingerprint: string): Memory => {
		const memory = all.get(fingerprint) ?? {};
		all.set(fingerprint, memory);
		return memory;
	};
	const ownOf = (fingerprint: string) => {
		const own = data[0]?.[key];
		return isSaved(own) ? own.searches.find((one) => one.fingerprint === fingerprint) : undefined;
	};
	const data = (['node', 'global'] as const).map((type) => context.getWorkflowStaticData(type));
	/** @param polled the search that is polled for @returns each as it was saved last; undefined where what is there can't be read */
	const find = (polled?: string): SearchPlace[] | undefined => {
		const copies = data
			.map((one) => one[key])
			.filter((copy) => copy !== undefined && copy !== null);
		if (!copies.every(isSaved)) return undefined;
		for (const place of newestOf(copies.flatMap(({ searches }) => searches))) {
			const memory = memoryOf(place.fingerprint);
			const { unsaved, place: known } = memory;
			if (place.revision < (known?.revision ?? 0)) continue;
			// With durable cursors, the node's own copy is saved with the leads; the workflow's beside them, also without.
			const own = place.fingerprint === polled ? ownOf(polled) : undefined;
			if ((own ?? place).revision < (unsaved?.last ?? 0)) continue;
			Object.assign(memory, { place, unsaved: undefined });
		}
		return newestOf([...all.values()].flatMap(({ place }) => place ?? []));
	};
	return {
		key,
		memoryOf,
		find,
		/**
		 * Saves a place.
		 *
		 * @param unmoved the same where n8n does not save it, with the leads that are handed over; undefined for none
		 * @param began when the poll began, in milliseconds since 1970
		 */
		save(after: SearchPlace, unmoved: SearchPlace | undefined, began: number): void {
			const memory = memoryOf(after.fingerprint);
			const { unsaved } = memory;
			const others = find() ?? [];
			// By the time: n8n processes that take turns at polling don't know each other's polls without leads.
			const revision = Math.max(after.revision + 2, Date.now());
			const place = { ...after, revision };
			Object.assign(memory, {
				// Later than what was saved before, and no later than what is handed over.
				place: unmoved ? { ...unmoved, revision: revision - 1 } : place,
				isTested: false,
				unsaved: unmoved ? { since: unsaved?.since ?? began, last: revision } : unsaved,
			});
			const searches = newestOf([place, ...others]).slice(0, MAX_SEARCHES);
			// n8n saves whole objects that are assigned, and watches them: each has its own.
			const text = JSON.stringify({ version: VERSION, searches });
			for (const one of data) one[key] = JSON.parse(text) as IDataObject;
		},
	};
}
