/**
 * What an execution of the workflow has spent, over all input items, runs and tries (contract, "Credit
 * model": 1 credit for each row returned), and what limits it. It stands in the execution's data, so
 * that it outlasts waiting, other workers know it, and nodes that run at the same time share it.
 */
import type { IContextObject } from 'n8n-workflow';

import type { Ledger } from '../paging/ledger';
import type { Account } from '../paging/run';

const CONTEXT_KEY = 'credits';

const COUNTED = ['charged', 'repeated', 'atRisk', 'lost', 'requests'] as const;

/** What ledgers count, and the rows that were put out. */
export type Spending = Record<(typeof COUNTED)[number] | 'returned', number>;

const NOTHING: Spending = { charged: 0, repeated: 0, atRisk: 0, lost: 0, requests: 0, returned: 0 };

/** @param before what was spent before, to be added */
export function spendingOf(ledgers: Iterable<Ledger>, before = NOTHING): Spending {
	const spent = { ...before };
	for (const ledger of ledgers) for (const key of COUNTED) spent[key] += ledger[key];
	return spent;
}

/** Left in its data by this execution: a Retry is one of its own, although n8n brings the data of the first along. */
export function readSpent<T>(data: IContextObject, executionId: string, nothing: T): T {
	const saved = data[CONTEXT_KEY] as { executionId: string; spent: T } | undefined;
	return saved?.executionId === executionId ? saved.spent : nothing;
}

export function saveSpent(data: IContextObject, executionId: string, spent: unknown): void {
	data[CONTEXT_KEY] = { executionId, spent };
}

/** What is left of a credential's ceiling. @param flow data that all nodes of the execution share */
export function accountOfCeiling(
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
