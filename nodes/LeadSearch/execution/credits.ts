/** What a run may spend, and what it has spent (contract, "Credit model": 1 credit for each row returned). */
import { ENDPOINTS } from '../api/contract';
import { formatCost } from '../messages/hints';
import { formatLost } from '../messages/stoppedRun';
import { accountOf, type Account } from '../paging/job';
import { NO_COST, type Cost, type Ledger } from '../paging/ledger';
import { add, spentIn } from './belonging';
import { logOf } from './log';
import { reportCost } from './n8n';
import type { Run } from './runResult';

/** What lists have cost. What is still on its way counts as lost: its answer is awaited, unless something was thrown meanwhile. */
export function costOf(ledgers: Iterable<Ledger>): Cost {
	let sum: Cost = NO_COST;
	for (const { cost, pending, inFlight } of ledgers)
		sum = add(sum, {
			...cost,
			atRisk: cost.atRisk + pending,
			lost: cost.lost + inFlight.size,
		});
	return sum;
}

/** What had been spent before a run, and what the run may spend. */
export interface Budget {
	before: Cost;
	/** What is left of Max Credits, and of the credential's Credit Ceiling, which other nodes may spend meanwhile. */
	left(): { maximum: number; ceiling: number };
	/** The smaller of both; for what costs nothing, without an end. */
	account: Account;
}

export function openBudget({ belonging: { books }, api, settings }: Run): Budget {
	const before = books.together;
	let booked = 0;
	const left = () => ({
		maximum: settings.maxCredits - spentIn(before) - booked,
		ceiling: api.ceiling - books.withCredential,
	});
	const account: Account = {
		get left() {
			const { maximum, ceiling } = left();
			return Math.min(maximum, ceiling);
		},
		book(credits) {
			booked += credits;
			// Until an answer comes, and until the run is over, what is booked may have been charged.
			books.write({ ...NO_COST, atRisk: booked });
		},
	};
	const { costsCredits } = ENDPOINTS[api.endpoint];
	return { before, left, account: costsCredits ? account : accountOf(Infinity) };
}

/** Saves what a run has spent, and tells in the custom data, and after a stop in the log, what all runs of the execution have; of a call, what it has. */
export function saveCost({ belonging, context, api }: Run, before: Cost, ofRun: Cost): void {
	if (!ENDPOINTS[api.endpoint].costsCredits) return;
	belonging.books.write(ofRun);
	const cost = belonging.isExecution ? add(before, ofRun) : ofRun;
	const lost = formatLost(cost);
	const text = `${formatCost(api.endpoint, cost)}${lost && `. ${lost}`}`;
	reportCost(context, text);
	// Of a node that it cancels, n8n keeps neither output nor custom data.
	if (api.isCancelled()) logOf(context)('warn', `the execution was stopped. ${text}`);
}
