/**
 * What an execution of the workflow has spent with a node, over all input items, runs and tries
 * (contract, "Credit model": 1 credit for each row returned). It stands in the execution's data, so that
 * it outlasts waiting, and other workers know it.
 */
import type { IExecuteFunctions } from 'n8n-workflow';

const CONTEXT_KEY = 'credits';

export interface Spending {
	/** Rows that came back. */
	charged: number;
	/** Rows of answers that were lost; the service may have charged them. */
	atRisk: number;
	/** Answers that were lost. */
	lost: number;
	/** Requests sent. */
	requests: number;
	/** Rows put out. */
	returned: number;
}

export const NOTHING_SPENT: Spending = { charged: 0, atRisk: 0, lost: 0, requests: 0, returned: 0 };

interface SavedSpending {
	executionId: string;
	spending: Spending;
}

/** A Retry is an execution of its own, although n8n brings the data of the first one along. */
export function savedSpending(context: IExecuteFunctions, executionId: string): Spending {
	const saved = context.getContext('node')[CONTEXT_KEY] as SavedSpending | undefined;
	return saved?.executionId === executionId ? saved.spending : NOTHING_SPENT;
}

export function saveSpending(
	context: IExecuteFunctions,
	executionId: string,
	spending: Spending,
): void {
	const saved: SavedSpending = { executionId, spending };
	context.getContext('node')[CONTEXT_KEY] = saved;
}

export function add(one: Spending, other: Spending): Spending {
	return {
		charged: one.charged + other.charged,
		atRisk: one.atRisk + other.atRisk,
		lost: one.lost + other.lost,
		requests: one.requests + other.requests,
		returned: one.returned + other.returned,
	};
}

/** Runs of a node that are under way, by execution. */
const underWay = new Map<string, Promise<unknown>>();

/**
 * Lets one run follow another. Calls of an agent's tool can overlap: each begins when the one before has
 * ended, so that it knows what that one has spent and paid for.
 *
 * @param key of the execution and the node
 */
export async function inTurn(key: string, run: () => Promise<void>): Promise<void> {
	const before = underWay.get(key) ?? Promise.resolve();
	const turn = before.catch(() => undefined).then(run);
	underWay.set(key, turn);
	try {
		await turn;
	} finally {
		if (underWay.get(key) === turn) underWay.delete(key);
	}
}
