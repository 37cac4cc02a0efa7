/** Saves cursors for later polls: in n8n's static data, and in the memory of the process. */
import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { digest } from '../parameters/canonical';
import { isSaved, MAX_SEARCHES, largestSpending, newestFirst, seal } from './cursor';
import type { Days, Cursors, SearchCursor } from './cursor';

/**
 * The in-memory copy of the saved state of a workflow. n8n may save changes of polls without leads late or never, and
 * discards the leads of a poll during which the workflow is published. The copy still has the spending of these
 * polls.
 */
interface ProcessMemory extends Cursors {
	/**
	 * For each search, if its last poll returned leads: the revision of the cursor after that poll, and the node. The
	 * entry is deleted once n8n is known to have saved the cursor.
	 */
	readonly handedOver: Map<string, { revision: number; nodeIdentity: string }>;
	/** The limit that was last reported as reached. Each limit is reported once. */
	reportedLimit?: string;
}

/**
 * What this process remembers of each workflow's triggers. The key is the key of the workflow's cursors: see {@link
 * keyOf}.
 */
export const memories = new Map<string, ProcessMemory>();

/** Returns the key of a workflow's cursors in static data. A copy of the workflow, or another n8n, has another key. */
export function keyOf(instanceId: string, workflowId = ''): string {
	return `leadSearchTrigger_${digest([instanceId, workflowId]).slice(0, 16)}`;
}

/**
 * Opens the cursors of a workflow. They are saved in two places: the node's data, which durable cursors save together with
 * the leads, and the workflow's data, which survive a renamed node.
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
	 * Restores the state that n8n has saved.
	 *
	 * @param polled the fingerprint of the polled search
	 * @returns whether the state can be read
	 */
	function read(polled: string): boolean {
		const saved = copies();
		if (!saved.every(isSaved)) return false;
		const isPolled = ({ fingerprint }: SearchCursor) => fingerprint === polled;
		// With durable cursors, n8n saves the node's copy with the leads, and the workflow's copy even without them.
		const own = saved[0]?.searches.find(isPolled);
		const newest = newestFirst(saved.flatMap(({ searches }) => searches)).filter((cursor) => {
			const handedOver = memory.handedOver.get(cursor.fingerprint);
			if (!handedOver) return true;
			// The copy of another node, or of a renamed node, doesn't show whether n8n has saved the leads.
			const copy = handedOver.nodeIdentity === nodeIdentity ? own : cursor;
			return isPolled(cursor) && (copy?.revision ?? 0) >= handedOver.revision;
		});
		for (const { fingerprint } of newest) memory.handedOver.delete(fingerprint);
		memory.searches = newestFirst([...memory.searches, ...newest]);
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
		if (before)
			memory.handedOver.set(fingerprint, { revision: cursor.revision, nodeIdentity: nodeIdentity });
		const saved = copies().flatMap((copy) => (isSaved(copy) ? copy.searches : []));
		const searches = newestFirst([cursor, ...memory.searches, ...saved]).slice(0, MAX_SEARCHES);
		memory.searches = newestFirst([current, ...memory.searches]);
		memory.days = largestSpending([memory.days, today]);
		// n8n saves whole objects that are assigned, and watches them, so each store gets its own.
		const text = JSON.stringify(seal({ searches, days: memory.days }));
		for (const store of stores) store[key] = JSON.parse(text) as IDataObject;
	}

	/** Ends the trigger's pause. The change is kept only in the memory of this process. */
	function endPause(cursor: SearchCursor): void {
		memory.searches = newestFirst([{ ...cursor, pausedUntil: 0 }, ...memory.searches]);
	}

	return { key, memory, read, save, endPause };
}
