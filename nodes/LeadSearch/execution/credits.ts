/**
 * What an execution of the workflow has spent, over all input items, runs and tries (contract, "Credit
 * model": 1 credit for each row returned), and what limits it. It stands in the execution's data, so
 * that it outlasts waiting, and other workers know it.
 */
import type { IExecuteFunctions } from 'n8n-workflow';

import type { Limit } from '../messages/stoppedRun';
import type { Ledger } from '../paging/ledger';
import type { Account } from '../paging/run';

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

const NOTHING_SPENT: Spending = { charged: 0, atRisk: 0, lost: 0, requests: 0, returned: 0 };

type Data = ReturnType<IExecuteFunctions['getContext']>;

/** A Retry is an execution of its own, although n8n brings the data of the first one along. */
function read<T>(data: Data, executionId: string, nothing: T): T {
	const saved = data[CONTEXT_KEY] as { executionId: string; spent: T } | undefined;
	return saved?.executionId === executionId ? saved.spent : nothing;
}

function write(data: Data, executionId: string, spent: unknown): void {
	data[CONTEXT_KEY] = { executionId, spent };
}

/** What a run of a node spends, and the execution with that node. */
export class RunSpending {
	/** What the execution had spent with the node before. */
	readonly before: Spending;

	/** @param ledgers those that the run works with; none where nothing costs credits */
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly executionId: string,
		private readonly ledgers: readonly Ledger[],
	) {
		this.before = read(context.getContext('node'), executionId, NOTHING_SPENT);
	}

	/** @param returned rows that the run puts out */
	ofRun(returned = 0): Spending {
		const spent = { ...NOTHING_SPENT, returned };
		for (const ledger of this.ledgers) {
			for (const key of ['charged', 'atRisk', 'lost', 'requests'] as const)
				spent[key] += ledger[key];
		}
		return spent;
	}

	/** Rows that were charged and had come before. */
	repeated(): number {
		return this.ledgers.reduce((sum, { repeated }) => sum + repeated, 0);
	}

	inAll(returned = 0): Spending {
		const spent = this.ofRun(returned);
		for (const [key, before] of Object.entries(this.before) as Array<[keyof Spending, number]>)
			spent[key] += before;
		return spent;
	}

	/** Leaves it in the execution's data. */
	save(returned = 0): Spending {
		const spent = this.inAll(returned);
		write(this.context.getContext('node'), this.executionId, spent);
		return spent;
	}
}

/** A limit, and what is left of it. */
export interface LimitAccount extends Account {
	readonly limit: Limit;
}

/** What executions have spent and have under way with a credential, while runs use it. */
const shared = new Map<string, { spent: number; runs: number }>();

/**
 * Lends a run what is left of a credential's ceiling. All nodes of an execution share it, so that runs
 * at the same time have one account.
 */
export async function withCeiling(
	context: IExecuteFunctions,
	executionId: string,
	{ credentialId, ceiling }: { credentialId: string; ceiling: number },
	run: (account: LimitAccount) => Promise<void>,
): Promise<void> {
	const data = context.getContext('flow');
	const saved = () => read<Record<string, number>>(data, executionId, {});
	const key = `${executionId} ${credentialId}`;
	const common = shared.get(key) ?? { spent: saved()[credentialId] ?? 0, runs: 0 };
	shared.set(key, common);
	common.runs += 1;
	try {
		await run({
			limit: { kind: 'ceiling', credits: ceiling },
			get left() {
				return ceiling - common.spent;
			},
			book(credits) {
				common.spent += credits;
			},
		});
	} finally {
		common.runs -= 1;
		if (common.runs === 0) shared.delete(key);
		if (common.spent > 0) {
			write(data, executionId, { ...saved(), [credentialId]: common.spent });
		}
	}
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
