/** Reads the environment: how n8n runs the node. It is read once per run, so that no other file has to ask n8n. */
import type { IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';

import { formatTime } from '../messages/time';
import { logOf, type Log } from '../spending/log';

/** The facts about how n8n runs the node: its input, its outputs, its error handling, and its place in the workflow. */
export interface Environment {
	node: INode;
	inputItems: readonly INodeExecutionData[];
	/** Whether the node is used as a tool, so that an AI agent calls it. */
	isTool: boolean;
	/**
	 * Whether an input item that fails becomes an error item in the output. If not, the failure ends the node with an
	 * error. It is true if On Error is set to continue, and always true for a tool.
	 */
	continuesOnFail: boolean;
	/**
	 * Whether this version of n8n recognises an error item that has the field `details`. n8n 1 doesn't: it outputs such
	 * an item among the leads. Error items for n8n 1 therefore have no `details`.
	 */
	knowsErrorDetails: boolean;
	/**
	 * Whether the node has two outputs, Found and Not Found. The output for errors isn't counted. Only Look Up can have
	 * two, if its option Unmatched URLs adds the second one.
	 */
	hasSecondOutput: boolean;
	/**
	 * Returns whether the node is in a loop of the workflow. If such a node outputs no items, the loop ends. This is a
	 * function, and not a value, because it searches the whole workflow.
	 */
	isInLoop: () => boolean;
	/** Formats a time for a message, in the time zone of the workflow. */
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
