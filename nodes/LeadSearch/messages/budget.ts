/** What people read where nothing could be fetched, since something else had ended before. */
import type { ErrorText } from './failures';
import { CREDIT, quantity } from './quantity';
import { formatLost } from './stoppedRun';

/** The maximum was spent before a run could fetch anything. */
export function formatNoBudget(
	budget: number,
	spending: { charged: number; atRisk: number; lost: number },
): ErrorText {
	const sentences = [
		`This execution has spent ${quantity(spending.charged, CREDIT)}, over all runs of this node.`,
		formatLost(spending),
		'Raise the maximum under Options to get more.',
	];
	return {
		message: `Max Credits per Execution (${quantity(budget, CREDIT)}) is spent, so nothing was fetched`,
		description: sentences.filter((sentence) => sentence !== '').join(' '),
	};
}

/** An earlier input item ended the run. */
export function notRunAfter({ message }: ErrorText): ErrorText {
	return {
		message: `Not run, because an earlier input item ended the run: ${message}`,
		description: 'Nothing was sent or charged for this item.',
	};
}
