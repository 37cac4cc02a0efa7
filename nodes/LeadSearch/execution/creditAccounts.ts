/** The accounts of credits of executions, over all runs and tries of a node. */
import type { IExecuteFunctions } from 'n8n-workflow';

import { CreditAccount, type CreditFigures } from '../api/credits';

const CONTEXT_KEY = 'credits';

interface SavedFigures {
	executionId: string;
	figures: CreditFigures;
}

/** Accounts in use; runs of an agent's tool can overlap. */
const open = new Map<string, { account: CreditAccount; runs: number }>();

/**
 * Opens the account of the node in this execution. Between runs its figures stand in the execution's
 * data, so that they outlast waiting, and other workers know them.
 */
export function openAccount(context: IExecuteFunctions, executionId: string): CreditAccount {
	const key = keyOf(context, executionId);
	const known = open.get(key);
	if (known) {
		known.runs += 1;
		return known.account;
	}
	const saved = context.getContext('node')[CONTEXT_KEY] as SavedFigures | undefined;
	// A Retry is an execution of its own, although n8n brings the data of the first one along.
	const account = new CreditAccount(saved?.executionId === executionId ? saved.figures : {});
	open.set(key, { account, runs: 1 });
	return account;
}

/** Ends a run's use of the account, and saves its figures with the execution. */
export function closeAccount(
	context: IExecuteFunctions,
	executionId: string,
	account: CreditAccount,
): void {
	const saved: SavedFigures = { executionId, figures: account.figures() };
	context.getContext('node')[CONTEXT_KEY] = saved;
	const key = keyOf(context, executionId);
	const known = open.get(key);
	if (!known) return;
	known.runs -= 1;
	if (known.runs === 0) open.delete(key);
}

function keyOf(context: IExecuteFunctions, executionId: string): string {
	return `${executionId}:${context.getNode().id}`;
}
