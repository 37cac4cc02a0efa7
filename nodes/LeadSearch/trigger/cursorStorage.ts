import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { digest } from '../parameters/canonical';
import { largestSpending, limitSize, readCursors, seal, sortNewestFirst } from './cursor';
import type { Cursors, SearchCursor, SpentByPeriod } from './cursor';

/** The last poll of a search that returned leads which n8n isn't known to have saved yet. */
interface HandedOver {
	revision: number;
	nodeIdentity: string;
	/** When a poll first returned such leads, in milliseconds since 1970. */
	since: number;
}

/**
 * The saved cursors of a workflow in the memory of the process. n8n doesn't save every poll: if it returned no leads,
 * n8n may save its changes late or never. If the workflow is published meanwhile, n8n discards them.
 */
interface ProcessMemory extends Cursors {
	readonly handedOver: Map<string, HandedOver>;
	/** The message of the error that polls have shown since the last fetch. They show it once. */
	reported?: string | undefined;
}

/** The memory of each workflow, by the key of {@link keyOf}. */
export const memories = new Map<string, ProcessMemory>();

/**
 * Returns a key in n8n's static data that is the same in all versions of this package. A copy of the workflow, or the
 * workflow in another n8n, has another key.
 */
export function keyOf(instanceId: string, workflowId = ''): string {
	return `leadSearchTrigger_${digest([instanceId, workflowId]).slice(0, 16)}`;
}

/**
 * Opens the saved cursors. Both the node and the workflow have a copy, and the newest one counts. n8n saves the node's
 * static data together with the leads of a poll. After the node was renamed, only the workflow's copy is found.
 */
export function openCursorStorage(context: IPollFunctions) {
	const key = keyOf(context.getInstanceId(), context.getWorkflow().id);
	const memory: ProcessMemory = memories.get(key) ?? {
		searches: [],
		spent: {},
		handedOver: new Map(),
	};
	memories.set(key, memory);
	const nodeIdentity = `${context.getNode().id} ${context.getNode().name}`;
	const nodeStore = context.getWorkflowStaticData('node');
	const workflowStore = context.getWorkflowStaticData('global');
	// n8n marks static data that it saves with the workflow. With durable cursors, it saves the node's data with the
	// leads instead, after those of the workflow.
	const isSavedWithWorkflow = Reflect.has(nodeStore, '__dataChanged');
	const read = () => [nodeStore, workflowStore].map((store) => readCursors(store[key]));

	/**
	 * Merges both copies into `memory`, except cursors whose leads n8n isn't known to have saved.
	 *
	 * @param polled the fingerprint of the search that is polled
	 * @returns false if a copy can't be read. `memory` is then unchanged, and the poll must buy nothing
	 */
	function load(polled: string): boolean {
		const [own, ofWorkflow] = read();
		if (!own || !ofWorkflow) return false;
		const ownCursor = own.searches.find(({ fingerprint }) => fingerprint === polled);
		const newest = sortNewestFirst([...own.searches, ...ofWorkflow.searches]).filter((cursor) => {
			const handedOver = memory.handedOver.get(cursor.fingerprint);
			if (!handedOver) return true;
			// The copy of another node, or of a renamed one, doesn't show whether n8n has saved the leads.
			const copy = handedOver.nodeIdentity === nodeIdentity ? ownCursor : cursor;
			return cursor.fingerprint === polled && (copy?.revision ?? 0) >= handedOver.revision;
		});
		for (const { fingerprint } of newest) memory.handedOver.delete(fingerprint);
		memory.searches = sortNewestFirst([...memory.searches, ...newest]);
		memory.spent = largestSpending([memory.spent, own.spent, ofWorkflow.spent]);
		return true;
	}

	/**
	 * Saves the cursor after a poll, and the spending, in `memory` and in both copies.
	 *
	 * @param before set if the poll returns leads: the cursor before the poll, and when the first poll returned them. The
	 * next poll continues there if n8n discards them
	 */
	function save(
		after: SearchCursor,
		spent: SpentByPeriod,
		before?: { cursor: SearchCursor; since: number },
	): void {
		const { fingerprint, revision } = after;
		// Revisions are times, because n8n processes don't know each other's polls without leads.
		const cursor = { ...after, revision: Math.max(revision + 2, Date.now()) };
		const { row, mayEnd, delivered } = before?.cursor ?? cursor;
		// This copy is newer than the saved copies, and older than the one that n8n saves with the leads.
		const unmoved = { ...cursor, row, mayEnd, delivered, revision: revision + 1 };
		const current = before ? unmoved : cursor;
		if (before) {
			const { since } = before;
			memory.handedOver.set(fingerprint, { revision: cursor.revision, nodeIdentity, since });
		}
		const saved = read().flatMap((copy) => copy?.searches ?? []);
		const others = [...memory.searches, ...saved];
		memory.searches = sortNewestFirst([current, ...memory.searches]);
		memory.spent = largestSpending([memory.spent, spent]);
		const write = (store: IDataObject, own: SearchCursor) => {
			const searches = limitSize(sortNewestFirst([own, ...others]));
			// n8n saves whole objects that are assigned, and watches them, so each store gets its own.
			const text = JSON.stringify(seal({ searches, spent: memory.spent }));
			store[key] = JSON.parse(text) as IDataObject;
		};
		write(nodeStore, cursor);
		// If n8n stops between the two, a copy that is ahead of the leads would lose them.
		write(workflowStore, isSavedWithWorkflow ? cursor : current);
	}

	/** Ends the pause in memory. A test in the editor that finds a lead calls this, and saves nothing else. */
	function endPause(cursor: SearchCursor): void {
		memory.searches = sortNewestFirst([{ ...cursor, pausedUntil: 0 }, ...memory.searches]);
	}

	return { key, memory, load, save, endPause };
}
