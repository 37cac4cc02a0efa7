/** Records the cost of a run in the execution's custom data and in n8n's log, also if the run fails. */
import type { IExecuteFunctions } from 'n8n-workflow';

import type { Endpoint } from '../api/contract';
import { formatCost } from '../messages/hints';
import { formatLost } from '../messages/stoppedRun';
import type { Cost } from '../paging/pagedList';
import { digest } from '../parameters/canonical';
import { logOf } from './log';

/** The cost of a paid run, to be reported. */
export interface CostReport {
	endpoint: Endpoint;
	runCost: Cost;
	/**
	 * The cost of all runs of this node in the execution. If n8n calls the node without an execution (its own Agents
	 * do), the cost of this call.
	 */
	total: Cost;
	isCancelled: boolean;
}

/**
 * Reports the cost of a paid run in two places: in the execution's custom data, and in n8n's log. Both places are
 * needed. If a user cancels the execution, n8n discards the custom data of the node, but not the log. If n8n is set
 * not to save successful executions, users can check a bill only with the log.
 */
export function reportCost(
	context: IExecuteFunctions,
	{ endpoint, runCost, total, isCancelled }: CostReport,
): void {
	saveCustomData(context, describeCost(endpoint, total));
	const text = describeCost(endpoint, runCost);
	if (isCancelled) logOf(context)('warn', `the execution was stopped. ${text}`);
	else logOf(context)('info', text);
}

/**
 * Describes a cost for the custom data and for n8n's log.
 *
 * @returns for example '50 leads for 50 credits', followed by a sentence about lost responses if there were any
 */
function describeCost(endpoint: Endpoint, cost: Cost): string {
	const lost = formatLost(cost);
	return `${formatCost(endpoint, cost)}${lost && `. ${lost}`}`;
}

/** n8n truncates longer keys of custom data. */
const MAX_KEY_LENGTH = 50;

/**
 * Returns the key `lead_search_credits_<node ID, dashes as underscores>`. If the key is too long, its end is replaced
 * by a hash of the whole node ID. Truncating it isn't enough, because two IDs can have the same beginning.
 */
function customDataKeyOf(nodeId: string): string {
	const key = `lead_search_credits_${nodeId.replace(/[^\p{L}\p{N}]/gu, '_')}`;
	if (key.length <= MAX_KEY_LENGTH) return key;
	const hash = digest(nodeId).slice(0, 8);
	return `${key.slice(0, MAX_KEY_LENGTH - 1 - hash.length)}_${hash}`;
}

/**
 * Saves the cost of a node in the execution's custom data, in place of the node's earlier cost.
 *
 * @param text the cost, for example '50 leads for 50 credits'
 */
function saveCustomData(context: IExecuteFunctions, text: string): void {
	const { customData } = context as Partial<IExecuteFunctions>;
	try {
		customData?.set(customDataKeyOf(context.getNode().id), text);
	} catch {
		// The execution must not fail because its cost can't be added to it.
	}
}
