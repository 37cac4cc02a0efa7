/** What people read of what limits a run: what may be spent, and what ended before it. */
import { ENDPOINTS, type Endpoint } from '../api/contract';
import type { ErrorText } from './failures';
import { quantity } from './quantity';
import { formatLost } from './stoppedRun';

/** What limits what an execution may spend. */
export interface Limit {
	/** The node's Max Credits per Execution, or the credential's Credit Ceiling. */
	kind: 'maximum' | 'ceiling';
	credits: number;
}

/** 'Max Credits per Execution (50 credits)'. */
function nameLimit({ kind, credits }: Limit): string {
	const name = kind === 'maximum' ? 'Max Credits per Execution' : "The credential's Credit Ceiling";
	return `${name} (${quantity(credits, 'credit')})`;
}

function adviseLimit({ kind }: Limit): string {
	return kind === 'maximum'
		? 'Raise it under Options to get the rest.'
		: 'It holds for all nodes of the execution that use this credential. Ask whoever owns the credential to raise it.';
}

/** What may be spent ended a run that has rows to put out. */
export function hintBudget(endpoint: Endpoint, limit: Limit, rows: number): string {
	return `This list is cut: ${nameLimit(limit)} was reached after ${quantity(rows, ENDPOINTS[endpoint].noun)}. ${adviseLimit(limit)}`;
}

/** A limit was spent before a run could fetch anything. */
export function formatNoBudget(
	limit: Limit,
	spending: { charged: number; atRisk: number; lost: number },
): ErrorText {
	const spent =
		limit.kind === 'maximum'
			? `This node has spent ${quantity(spending.charged, 'credit')} in this execution.`
			: 'Nodes of this execution have spent it, or are about to.';
	return {
		message: `${nameLimit(limit)} is spent, so nothing was fetched`,
		description: `${spent} ${formatLost(spending)} ${adviseLimit(limit)}`.replace('  ', ' '),
	};
}

/** An earlier input item ended the run. */
export function notRunAfter({ message }: ErrorText): ErrorText {
	return {
		message: `Not run, because an earlier input item ended the run: ${message}`,
		description: 'Nothing was sent or charged for this item.',
	};
}
