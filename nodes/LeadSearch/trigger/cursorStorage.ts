/** What polls leave for those after them: in n8n's static data, and while its process runs. */
import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { digest } from '../parameters/canonical';
import { isSaved, MAX_SEARCHES, largestSpending, newestFirst, seal } from './cursor';
import type { Days, Cursors, SearchCursor } from './cursor';

/**
 * What is known of a workflow while n8n's process runs, as if n8n saved nothing of it: it saves later or never what a poll
 * without leads changes, and drops what a poll hands over beside a publication. What was spent is spent.
 */
interface ProcessMemory extends Cursors {
	/** By search, what was handed over with leads, and by which node, until n8n is known to have saved it. */
	readonly handedOver: Map<string, { revision: number; nodeIdentity: string }>;
	/** The ceiling that was told as reached, which is told once. */
	reportedLimit?: string;
}

/** By the keys under which places stand. */
export const memories = new Map<string, ProcessMemory>();

/** Under which places stand, whatever node polls. Another workflow or n8n finds nothing there, as where a workflow is copied. */
export function keyOf(instanceId: string, workflowId = ''): string {
	return `leadSearchTrigger_${digest([instanceId, workflowId]).slice(0, 16)}`;
}

/** Places stand with the node, which durable cursors save together with leads, and with the workflow, which outlasts renaming. */
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

	/** Takes in what n8n has saved. @param polled the search that is polled for @returns whether it can be read */
	function read(polled: string): boolean {
		const saved = copies();
		if (!saved.every(isSaved)) return false;
		const isPolled = ({ fingerprint }: SearchCursor) => fingerprint === polled;
		// With durable cursors, the node's own copy is saved with the leads; the workflow's beside them, also without.
		const own = saved[0]?.searches.find(isPolled);
		const newest = newestFirst(saved.flatMap(({ searches }) => searches)).filter((cursor) => {
			const handedOver = memory.handedOver.get(cursor.fingerprint);
			if (!handedOver) return true;
			// Another node, and a node with another name, has an own copy that says nothing of it.
			const copy = handedOver.nodeIdentity === nodeIdentity ? own : cursor;
			return isPolled(cursor) && (copy?.revision ?? 0) >= handedOver.revision;
		});
		for (const { fingerprint } of newest) memory.handedOver.delete(fingerprint);
		memory.searches = newestFirst([...memory.searches, ...newest]);
		memory.days = largestSpending([memory.days, ...saved.map(({ days }) => days)]);
		return true;
	}

	/** Saves a place, and what was spent. @param before where leads are handed over: should n8n drop them, the place stays there */
	function save(after: SearchCursor, today: Days, before?: SearchCursor): void {
		const { fingerprint, revision } = after;
		// By the time: n8n processes that take turns at polling don't know each other's polls without leads.
		const cursor = { ...after, revision: Math.max(revision + 2, Date.now()) };
		// Later than what was saved before, and earlier than what is handed over.
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
		// n8n saves whole objects that are assigned, and watches them: each has its own.
		const text = JSON.stringify(seal({ searches, days: memory.days }));
		for (const store of stores) store[key] = JSON.parse(text) as IDataObject;
	}

	/** Ends a wait, while the process runs. */
	function endPause(cursor: SearchCursor): void {
		memory.searches = newestFirst([{ ...cursor, pausedUntil: 0 }, ...memory.searches]);
	}

	return { key, memory, read, save, endPause };
}
