/** Reads once per run how n8n runs the node. */
import type { IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';

import { formatTime } from '../messages/time';
import { logOf, type Log } from '../spending/log';

export interface Environment {
	node: INode;
	inputItems: readonly INodeExecutionData[];
	isTool: boolean;
	/**
	 * Whether a failed input item becomes an error item in the output: always for a tool, otherwise if On Error is
	 * set to continue.
	 */
	continuesOnFail: boolean;
	/** Whether error items can have the field `details`. n8n 1 outputs such an item among the leads. */
	knowsErrorDetails: boolean;
	/** Whether the node has the output Not Found. The output for errors isn't counted. */
	hasSecondOutput: boolean;
	/** Whether the node is part of a loop: if it outputs no items, the loop ends. It searches the whole workflow. */
	isInLoop: () => boolean;
	formatTime: (time: number) => string;
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
		formatTime: (time) => formatTime(time, context.getTimezone()),
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
