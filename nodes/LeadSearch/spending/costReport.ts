import type { IExecuteFunctions } from 'n8n-workflow';

import { ENDPOINTS, type Endpoint } from '../api/contract';
import { quantity } from '../messages/quantity';
import { formatLost } from '../messages/stoppedRun';
import type { Cost } from '../paging/cost';
import { digest } from '../parameters/canonical';
import { logOf } from './log';

/**
 * Writes the cost to the execution's custom data and to n8n's log. If a user cancels the execution, n8n discards the
 * custom data. If n8n doesn't save successful executions, users can check a bill only with the log.
 *
 * @param totalCost of all runs of this node in the execution; without an execution, of this call
 */
export function reportCost(
	context: IExecuteFunctions,
	endpoint: Endpoint,
	{ runCost, totalCost }: { runCost: Cost; totalCost: Cost },
	isCancelled: boolean,
): void {
	saveCustomData(context, describeResults(endpoint, totalCost));
	const text = describeResults(endpoint, runCost);
	if (isCancelled) logOf(context)('warn', `the execution was stopped. ${text}`);
	else logOf(context)('info', text);
}

/** Wasted rows count as credits, but not as leads. */
function formatCost(endpoint: Endpoint, { charged, wasted }: Cost): string {
	return `${quantity(charged - wasted, ENDPOINTS[endpoint].noun)} for ${quantity(charged, 'credit')}`;
}

function describeResults(endpoint: Endpoint, cost: Cost): string {
	const lost = formatLost(cost);
	return `${formatCost(endpoint, cost)}${lost && `. ${lost}`}`;
}

const MAX_KEY_LENGTH = 50;

/**
 * Returns the node's key in the custom data. n8n truncates keys after 50 characters. Two node IDs can have the same
 * beginning, so the end of a long key is a hash.
 */
function customDataKeyOf(nodeId: string): string {
	const key = `lead_search_credits_${nodeId.replace(/[^\p{L}\p{N}]/gu, '_')}`;
	if (key.length <= MAX_KEY_LENGTH) return key;
	const hash = digest(nodeId).slice(0, 8);
	return `${key.slice(0, MAX_KEY_LENGTH - 1 - hash.length)}_${hash}`;
}

function saveCustomData(context: IExecuteFunctions, text: string): void {
	const { customData } = context as Partial<IExecuteFunctions>;
	try {
		customData?.set(customDataKeyOf(context.getNode().id), text);
	} catch {
		// The execution must not fail because its cost can't be added to it.
	}
}
