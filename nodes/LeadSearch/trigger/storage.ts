/** What polls leave for those after them: in n8n's static data, and while its process runs. */
import type { IPollFunctions } from 'n8n-workflow';

import type { Json } from '../api/contract';
import type { Cursor } from './cursor';

export interface CursorStorage {
	/** All that were saved; what stands there may be anything. */
	copies(): unknown[];
	save(cursor: Cursor): void;
}

/**
 * The latest cursor of each trigger. With durable cursors, n8n reads the cursor before a poll waits for
 * its turn: of several polls that are due at once, each would find the one of before.
 */
const latest = new Map<string, Cursor>();

/**
 * Where polls put their cursor: with the node, which is saved with its leads, with the workflow, which
 * outlasts renaming, and in this process.
 *
 * @param key the trigger's own
 */
export function cursorStorage(context: IPollFunctions, key: string): CursorStorage {
	const ofNode = context.getWorkflowStaticData('node');
	const ofWorkflow = context.getWorkflowStaticData('global');
	const name = `leadSearchTrigger_${context.getNode().id}`;
	return {
		copies: () => [ofNode.cursor, ofWorkflow[name], latest.get(key)],
		// Only whole objects that are assigned are saved.
		save(cursor) {
			latest.set(key, cursor);
			ofNode.cursor = { ...cursor };
			ofWorkflow[name] = { ...cursor };
		},
	};
}

/** Leads that tests have paid for: the next test and the poll that comes next deliver them. */
const tested = new Map<string, { row: number; lead: Json; until: number }>();

/** @param key the trigger's, the credential's, and of all that the request asks for */
export function keepTested(key: string, row: number, lead: Json, minutes: number): void {
	tested.set(key, { row, lead, until: Date.now() + minutes * 60_000 });
}

/** @param minutes Reuse Paid Results as it is now */
export function findTested(key: string, row: number, minutes: number): Json | undefined {
	const found = tested.get(key);
	const isUsable = found?.row === row && found.until > Date.now() && minutes > 0;
	return isUsable ? found.lead : undefined;
}

const hasPolled = new WeakSet<IPollFunctions>();

/**
 * Whether a context has been seen to outlast a poll. n8n makes one each time that a workflow is
 * published; its durable scheduler makes one for each poll, as if the workflow were updated.
 */
let contextsLast = false;

/** Called after each poll. */
export function rememberContext(context: IPollFunctions): void {
	contextsLast ||= hasPolled.has(context);
	hasPolled.add(context);
}

/** Whether this is the first poll since somebody published the workflow; a restart of n8n is no such thing. */
export function isPublishedAgain(context: IPollFunctions): boolean {
	const mode = context.getActivationMode();
	const isPublished = mode === 'activate' || (mode === 'update' && contextsLast);
	return isPublished && !hasPolled.has(context);
}
