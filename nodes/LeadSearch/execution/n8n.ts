/** Finds out how n8n runs the node: as a tool, in a loop, and in which version. */
import type { IExecuteFunctions } from 'n8n-workflow';

/** Returns whether this n8n treats an item with `details` as an error. n8n 1 treats it as a lead; it lacks `isConsoleOutputRedacted`. */
export function knowsErrorDetails(context: object): boolean {
	return 'isConsoleOutputRedacted' in context;
}

/** Returns whether an AI agent runs the node, as a tool. */
export function isTool(context: IExecuteFunctions): boolean {
	return context.getNode().type.endsWith('Tool');
}

/** Returns whether failures become error items. For a tool they always do. */
export function continuesOnFail(context: IExecuteFunctions): boolean {
	return context.continueOnFail() || isTool(context);
}

/** Returns whether the node is in a loop. */
export function isInLoop(context: IExecuteFunctions): boolean {
	const { name } = context.getNode();
	try {
		const previousNodes = new Set(context.getParentNodes(name).map((parent) => parent.name));
		return context.getChildNodes(name).some((child) => previousNodes.has(child.name));
	} catch {
		// n8n throws if a connection leads to a node that was deleted.
		return false;
	}
}
