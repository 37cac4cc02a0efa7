/** The accounts of credits of executions, over all runs and tries of a node. */
import type { IExecuteFunctions } from 'n8n-workflow';

import { CreditAccount, type CreditFigures } from '../api/credits';

const CONTEXT_KEY = 'credits';

interface SavedFigures {
	executionId: string;
	figures: CreditFigures;
}

/** The account of each node that is running, by execution; settles when its latest run has ended. */
const inUse = new Map<string, Promise<CreditAccount>>();

/**
 * Runs something with the account of the node in this execution. Calls of an agent's tool can overlap:
 * one begins when the one before has ended, so that it knows what that one has spent and bought.
 * Between runs the figures stand in the execution's data, so that they outlast waiting, and other
 * workers know them.
 */
export async function withAccount(
	context: IExecuteFunctions,
	executionId: string,
	run: (account: CreditAccount) => Promise<void>,
): Promise<void> {
	const key = `${executionId}:${context.getNode().id}`;
	const open = (async () => (await inUse.get(key)) ?? savedAccount(context, executionId))();
	const running = open.then(run);
	const ended = running.then(
		async () => await open,
		async () => await open,
	);
	inUse.set(key, ended);
	try {
		await running;
	} finally {
		const saved: SavedFigures = { executionId, figures: (await open).figures() };
		context.getContext('node')[CONTEXT_KEY] = saved;
		if (inUse.get(key) === ended) inUse.delete(key);
	}
}

function savedAccount(context: IExecuteFunctions, executionId: string): CreditAccount {
	const saved = context.getContext('node')[CONTEXT_KEY] as SavedFigures | undefined;
	// A Retry is an execution of its own, although n8n brings the data of the first one along.
	return new CreditAccount(saved?.executionId === executionId ? saved.figures : {});
}
