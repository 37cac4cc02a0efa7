/** What people read of what limits a run: what may be spent, and what ended before it. */
import { ENDPOINTS, type Endpoint } from '../api/contract';
import type { ErrorText } from './failures';
import { quantity } from './quantity';
import { formatLost } from './stoppedRun';

const LIMITS = {
	/** The node's Max Credits per Execution. */
	maximum: {
		name: 'Max Credits per Execution',
		advice: 'Raise it under Options to get the rest.',
	},
	/** The credential's Credit Ceiling. */
	ceiling: {
		name: "The credential's Credit Ceiling",
		advice:
			'It holds for all nodes of the execution that use this credential. Ask whoever owns the credential to raise it.',
	},
};

/** What limits what an execution may spend. */
export interface Limit {
	kind: keyof typeof LIMITS;
	credits: number;
}

/** What may be spent ended a run that has rows to put out. */
export function hintBudget(endpoint: Endpoint, { kind, credits }: Limit, rows: number): string {
	const { name, advice } = LIMITS[kind];
	return `This list is cut: ${name} (${quantity(credits, 'credit')}) was reached after ${quantity(rows, ENDPOINTS[endpoint].noun)}. ${advice}`;
}

/** A limit was spent before a run could fetch anything. */
export function formatNoBudget(
	{ kind, credits }: Limit,
	spending: { charged: number; atRisk: number; lost: number },
): ErrorText {
	const { name, advice } = LIMITS[kind];
	const ofNode = `This node has spent ${quantity(spending.charged, 'credit')} in this execution.`;
	const spent =
		kind === 'maximum' ? ofNode : 'Nodes of this execution have spent it, or are about to.';
	return {
		message: `${name} (${quantity(credits, 'credit')}) is spent, so nothing was fetched`,
		description: [spent, formatLost(spending), advice].filter((one) => one !== '').join(' '),
	};
}

/** An earlier input item ended the run. */
export function notRunAfter({ message }: ErrorText): ErrorText {
	return {
		message: `Not run, because an earlier input item ended the run: ${message}`,
		description: 'Nothing was sent or charged for this item.',
	};
}
