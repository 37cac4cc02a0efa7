/** What differs between versions of n8n, or is not among its types: custom data, error items, agents. */
import type { IExecuteFunctions } from 'n8n-workflow';

/** Writes what it cost into the execution's custom data: `lead_search_credits_<node id, dashes as underscores>`. */
export function reportCost(context: IExecuteFunctions, cost: string): void {
	const node = context.getNode().id.replace(/[^\p{L}\p{N}]/gu, '_');
	const { customData } = context as Partial<IExecuteFunctions>;
	try {
		customData?.set(`lead_search_credits_${node}`.slice(0, 50), cost);
	} catch {
		// A note beside the execution is never a reason for it to fail.
	}
}

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
