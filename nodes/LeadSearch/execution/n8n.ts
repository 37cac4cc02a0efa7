/** What differs between versions of n8n, or is not among its types: custom data, error items, agents. */
import type { IExecuteFunctions } from 'n8n-workflow';

/** Whether this n8n takes an item with `details` for an error. n8n 1 takes it for a lead; it lacks `isConsoleOutputRedacted`. */
export function knowsErrorDetails(context: object): boolean {
	return 'isConsoleOutputRedacted' in context;
}

/** Whether an AI agent runs the node, as a tool. */
export function isTool(context: IExecuteFunctions): boolean {
	return context.getNode().type.endsWith('Tool');
}

/** Whether what goes wrong for an item becomes an item; as a tool, always. */
export function continuesOnFail(context: IExecuteFunctions): boolean {
	return context.continueOnFail() || isTool(context);
}

/** Whether a round of a loop leads back to the node. */
export function isInLoop(context: IExecuteFunctions): boolean {
	const { name } = context.getNode();
	try {
		const before = new Set(context.getParentNodes(name).map((parent) => parent.name));
		return context.getChildNodes(name).some((child) => before.has(child.name));
	} catch {
		// n8n stumbles over a connection whose node is gone.
		return false;
	}
}
