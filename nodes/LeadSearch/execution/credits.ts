/**
 * What an execution of the workflow has spent, over all input items, runs and tries (contract, "Credit
 * model": 1 credit for each row returned), and what limits it. It stands in the execution's data, so
 * that it outlasts waiting, other workers know it, and nodes that run at the same time share it.
 */
import type { IContextObject } from 'n8n-workflow';

import { ENDPOINTS } from '../api/contract';
import { formatCost } from '../messages/hints';
import { formatLost } from '../messages/stoppedRun';
import type { Ledger } from '../paging/ledger';
import { accountOf, type Account } from '../paging/run';
import { reportCost } from './n8n';
import type { Run, Spending } from './runResult';

const CONTEXT_KEY = 'credits';

const COUNTED = ['charged', 'repeated', 'atRisk', 'lost', 'requests'] as const;

const NOTHING: Spending = { charged: 0, repeated: 0, atRisk: 0, lost: 0, requests: 0, returned: 0 };

/**
 * What is still on its way counts as lost: its answer is awaited, unless something was thrown meanwhile.
 *
 * @param before what was spent before, to be added
 */
export function spendingOf(ledgers: Iterable<Ledger>, before = NOTHING): Spending {
	const spent = { ...before };
	for (const ledger of ledgers) {
		for (const key of COUNTED) spent[key] += ledger[key];
		spent.atRisk += ledger.pending;
		spent.lost += ledger.inFlight.size;
	}
	return spent;
}

/** What the execution had spent before a run, and what the run may spend. */
export interface Budget {
	before: Spending;
	/** By Max Credits per Execution. */
	maximum: Account;
	/** By the credential's Credit Ceiling. */
	ceiling: Account;
}

export function openBudget({ context, executionId, api, settings }: Run): Budget {
	const before = readSpent(context.getContext('node'), executionId, NOTHING);
	return {
		before,
		maximum: accountOf(settings.maxCredits - before.charged - before.atRisk),
		ceiling: accountOfCeiling(context.getContext('flow'), executionId, api),
	};
}

/**
 * Saves what the execution has spent, and tells it in its custom data.
 *
 * @param returned rows that n8n passes on @param dropped those that it doesn't: told where no others are
 */
export function saveCost(
	{ context, executionId, api }: Run,
	inAll: Spending,
	{ returned, dropped }: Record<'returned' | 'dropped', number>,
): void {
	if (!ENDPOINTS[api.endpoint].costsCredits) return;
	const spent = { ...inAll, returned: inAll.returned + returned };
	saveSpent(context.getContext('node'), executionId, spent);
	const told = { ...spent, returned: spent.returned || dropped };
	const lost = formatLost(spent);
	reportCost(context, `${formatCost(api.endpoint, told)}${lost && `. ${lost}`}`);
}

/** Left in its data by this execution: a Retry is one of its own, although n8n brings the data of the first along. */
function readSpent<T>(data: IContextObject, executionId: string, nothing: T): T {
	const saved = data[CONTEXT_KEY] as { executionId: string; spent: T } | undefined;
	return saved?.executionId === executionId ? saved.spent : nothing;
}

function saveSpent(data: IContextObject, executionId: string, spent: unknown): void {
	data[CONTEXT_KEY] = { executionId, spent };
}

/** What is left of a credential's ceiling. @param flow data that all nodes of the execution share */
function accountOfCeiling(
	flow: IContextObject,
	executionId: string,
	{ credentialId, ceiling }: { credentialId: string; ceiling: number },
): Account {
	const all = () => readSpent<Record<string, number>>(flow, executionId, {});
	const spent = () => all()[credentialId] ?? 0;
	return {
		get left() {
			return ceiling - spent();
		},
		book(credits) {
			saveSpent(flow, executionId, { ...all(), [credentialId]: spent() + credits });
		},
	};
}
