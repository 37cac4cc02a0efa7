/** How n8n runs the node. It is read once per run, so that no other file has to ask n8n for it. */
import type { IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';

import { logOf, type Log } from '../spending/log';

/** How n8n runs the node. */
export interface Environment {
	node: INode;
	inputItems: readonly INodeExecutionData[];
	/** Whether an AI agent runs the node, as a tool. */
	isTool: boolean;
	/** Whether failures become error items. For a tool they always do. */
	continuesOnFail: boolean;
	/**
	 * Whether this version of n8n recognises an item with the field `details` as an error item. n8n 1 takes it for a
	 * lead.
	 */
	knowsErrorDetails: boolean;
	/** Whether the node has a second output, besides the one for errors. */
	hasSecondOutput: boolean;
	/**
	 * Returns whether the node is in a loop. An empty output would end that loop. The function searches the whole
	 * workflow.
	 */
	isInLoop: () => boolean;
	log: Log;
}

export function readEnvironment(context: IExecuteFunctions): Environment {
	const node = context.getNode();
	const isTool = node.type.endsWith('Tool');
	const ownOutputs = context
		.getNodeOutputs()
		.filter(({ type, category }) => type === 'main' && category !== 'error');
	return {
		node,
		inputItems: context.getInputData(),
		isTool,
		continuesOnFail: context.continueOnFail() || isTool,
		// n8n 1 lacks both this function and `details`.
		knowsErrorDetails: 'isConsoleOutputRedacted' in context,
		hasSecondOutput: ownOutputs.length > 1,
		isInLoop: () => isInLoop(context, node.name),
		log: logOf(context),
	};
}

function isInLoop(context: IExecuteFunctions, name: string): boolean {
	try {
		const previousNodes = new Set(context.getParentNodes(name).map((parent) => parent.name));
		return context.getChildNodes(name).some((child) => previousNodes.has(child.name));
	} catch {
		// n8n throws if a connection leads to a node that was deleted.
		return false;
	}
}
