import type { IPollFunctions } from 'n8n-workflow';

import type { Cursor, CursorCopies } from './cursor';

/**
 * Where the cursor stands: in the static data of the node, which is saved together with a poll's
 * leads, and in that of the workflow, which outlasts renaming the node. Only whole objects that are
 * assigned are saved.
 */
export function storedCursor(context: IPollFunctions) {
	const ofNode = context.getWorkflowStaticData('node');
	const ofWorkflow = context.getWorkflowStaticData('global');
	const key = `leadSearchTrigger_${context.getNode().id}`;
	return {
		copies: (): CursorCopies => ({ ofNode: ofNode.cursor, ofWorkflow: ofWorkflow[key] }),
		save(cursor: Cursor): void {
			const { name: nodeName } = context.getNode();
			ofNode.cursor = { ...cursor, nodeName };
			ofWorkflow[key] = { ...cursor, nodeName };
		},
	};
}
