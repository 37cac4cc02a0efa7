/** What polls leave for those after them: in n8n's static data, and while its process runs. */
import type { IPollFunctions } from 'n8n-workflow';

import type { Json } from '../api/contract';
import type { Cursor } from './cursor';

/** What is known of a trigger while n8n's process runs. */
interface Memory {
	/** Whether a poll is under way: a second one at the same time would pay twice. */
	isPolling?: boolean;
	/** The latest: with durable cursors, n8n may read the saved one before the poll before has ended. */
	cursor?: Cursor;
	/** The lead that the last test has paid for, what tells it from others, and when that was. */
	tested?: { lead: Json; place: string; hasRaw: boolean; paidAt: number };
}

const memories = new Map<string, Memory>();

/** Cursors stand with the node, which is saved with its leads, and with the workflow, which outlasts renaming. */
export function storageOf(context: IPollFunctions) {
	const { id } = context.getNode();
	const key = `${context.getWorkflow().id ?? ''}:${id}`;
	const memory = memories.get(key) ?? {};
	memories.set(key, memory);
	const ofNode = context.getWorkflowStaticData('node');
	const ofWorkflow = context.getWorkflowStaticData('global');
	const name = `leadSearchTrigger_${id}`;
	return {
		memory,
		/** What stands there may be anything. */
		copies: [ofNode.cursor, ofWorkflow[name], memory.cursor] as unknown[],
		/** @returns the cursor, now the newest */
		save: (cursor: Cursor): Cursor => {
			// By the time: n8n processes that take turns at polling don't know each other's polls without leads.
			const saved = { ...cursor, revision: Math.max(cursor.revision + 1, Date.now()) };
			memory.cursor = saved;
			// Only whole objects that are assigned are saved.
			ofNode.cursor = { ...saved };
			ofWorkflow[name] = { ...saved };
			return saved;
		},
	};
}
