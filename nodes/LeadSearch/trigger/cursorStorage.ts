/** Saves cursors for later polls: in n8n's static data, and in the memory of the process. */
import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { digest } from '../parameters/canonical';
import {
	isIntact,
	MAX_DELIVERED_BEFORE,
	MAX_SEARCHES,
	largestSpending,
	sortNewestFirst,
	seal,
} from './cursor';
import type { Days, Cursors, SearchCursor } from './cursor';

/**
 * The copy of a workflow's saved cursors in the memory of the process. It is needed because n8n doesn't save every
 * poll. If a poll returned no leads, n8n may save its changes late or never. If the workflow is published during a
 * poll, n8n discards the leads of the poll. The copy in memory still has the spending of these polls.
 */
interface ProcessMemory extends Cursors {
	/**
	 * The searches that returned leads in their last poll, by their fingerprint. An entry has the revision of the cursor after
	 * that poll, the ID and name of the node that polled, and `since`: when a poll first returned leads that n8n hasn't saved. The entry is deleted once n8n is known to have saved that
	 * cursor. If an entry remains for 10 seconds or more, the leads count as discarded by n8n.
	 */
	readonly handedOver: Map<string, { revision: number; nodeIdentity: string; since: number }>;
	/**
	 * The message about the spent limit that was last shown as an error of the workflow, for example "'Max Credits per
	 * Day' (1000) is spent for 2026-11-28". The next polls don't show the same message again.
	 */
	reportedLimit?: string;
	/** Whether the last poll received only leads that were delivered before, which was shown as an error. */
	receivedOldLeads?: boolean;
}

/**
 * The memory of this process for the triggers of each workflow. The keys are the keys of the workflows' cursors: see
 * {@link keyOf}.
 */
export const memories = new Map<string, ProcessMemory>();

/**
 * Returns the key of a workflow's cursors in n8n's static data. The key depends on the workflow and the n8n instance,
 * so a copy of the workflow doesn't continue at the cursors of the original.
 */
export function keyOf(instanceId: string, workflowId = ''): string {
	return `leadSearchTrigger_${digest([instanceId, workflowId]).slice(0, 16)}`;
}

/**
 * Opens the cursors of a workflow. Each cursor is the saved position in a search. The cursors are saved in two places
 * of n8n's static data: the node's data and the workflow's data. If n8n's durable cursors are on, n8n saves the node's
 * data together with the leads of a poll. The workflow's data are still found after the node was renamed.
 */
export function openCursorStorage(context: IPollFunctions) {
	const key = keyOf(context.getInstanceId(), context.getWorkflow().id);
	const memory: ProcessMemory = memories.get(key) ?? {
		searches: [],
		days: {},
		handedOver: new Map(),
	};
	memories.set(key, memory);
	const nodeIdentity = `${context.getNode().id} ${context.getNode().name}`;
	const stores = (['node', 'global'] as const).map((type) => context.getWorkflowStaticData(type));
	const copies = () => stores.map((store) => store[key] ?? seal({ searches: [], days: {} }));

	/**
	 * Merges the cursors and the spending that n8n has saved into `memory`.
	 *
	 * @param polled the fingerprint of the search of this poll
	 * @returns false if the saved data have the format of another version, or if other code has changed them. `memory`
	 * is then unchanged, and the poll must buy nothing
	 */
	function read(polled: string): boolean {
		const saved = copies();
		if (!saved.every(isIntact)) return false;
		const isPolled = ({ fingerprint }: SearchCursor) => fingerprint === polled;
		// With durable cursors, n8n saves the node's copy with the leads, and the workflow's copy even without them.
		const own = saved[0]?.searches.find(isPolled);
		const newest = sortNewestFirst(saved.flatMap(({ searches }) => searches)).filter((cursor) => {
			const handedOver = memory.handedOver.get(cursor.fingerprint);
			if (!handedOver) return true;
			// The copy of another node, or of a renamed node, doesn't show whether n8n has saved the leads.
			const copy = handedOver.nodeIdentity === nodeIdentity ? own : cursor;
			return isPolled(cursor) && (copy?.revision ?? 0) >= handedOver.revision;
		});
		for (const { fingerprint } of newest) memory.handedOver.delete(fingerprint);
		memory.searches = sortNewestFirst([...memory.searches, ...newest]);
		memory.days = largestSpending([memory.days, ...saved.map(({ days }) => days)]);
		return true;
	}

	/**
	 * Saves a cursor and the spending of the day.
	 *
	 * @param before the cursor before the poll, if the poll returns leads. If n8n discards the leads, the next poll
	 * continues at this cursor
	 */
	function save(after: SearchCursor, today: Days, before?: SearchCursor): void {
		const { fingerprint, revision } = after;
		// Revisions are times, because n8n processes don't know each other's polls without leads.
		const cursor = { ...after, revision: Math.max(revision + 2, Date.now()) };
		// Its revision is between the saved one and the one that is returned with leads.
		const { row, mayEnd, delivered } = before ?? cursor;
		const current = {
			...cursor,
			row,
			mayEnd,
			delivered,
			...(before && { revision: revision + 1 }),
		};
		if (before) {
			const { revision: polledAt } = cursor;
			// A revision can be ahead of the clock.
			const since = memory.handedOver.get(fingerprint)?.since ?? Date.now();
			memory.handedOver.set(fingerprint, { revision: polledAt, nodeIdentity, since });
		}
		const saved = copies().flatMap((copy) => (isIntact(copy) ? copy.searches : []));
		const shorten = (search: SearchCursor) => ({
			...search,
			delivered: search.delivered.slice(-MAX_DELIVERED_BEFORE),
		});
		const searches = sortNewestFirst([cursor, ...memory.searches, ...saved])
			.slice(0, MAX_SEARCHES)
			.map((search) => (search === cursor ? search : shorten(search)));
		memory.searches = sortNewestFirst([current, ...memory.searches]);
		memory.days = largestSpending([memory.days, today]);
		// n8n saves whole objects that are assigned, and watches them, so each store gets its own.
		const text = JSON.stringify(seal({ searches, days: memory.days }));
		for (const store of stores) store[key] = JSON.parse(text) as IDataObject;
	}

	/**
	 * Ends the trigger's pause, after a test in the editor has found a lead. A test saves nothing in n8n's static data,
	 * so only the memory of this process is changed.
	 */
	function endPause(cursor: SearchCursor): void {
		memory.searches = sortNewestFirst([{ ...cursor, pausedUntil: 0 }, ...memory.searches]);
	}

	return { key, memory, read, save, endPause };
}
