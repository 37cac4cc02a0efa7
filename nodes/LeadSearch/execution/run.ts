/**
 * One run of the node: fetches what the tasks want and puts out what came. Whatever is thrown on the way,
 * what was paid for is kept and what was spent is saved.
 */
import { ENDPOINTS, type Json } from '../api/contract';
import { asInvalid, asNodeError } from '../messages/nodeErrors';
import { formatNoBudget, type Limit } from '../messages/stoppedRun';
import { fetchAll } from '../paging/run';
import { rowsOf, type Task } from '../resources/operation';
import { recordBought } from './alreadyLookedUp';
import { openBudget, saveCost, spendingOf, type Budget } from './credits';
import { errorItem, putErrors } from './errorItems';
import { continuesOnFail, isTool } from './n8n';
import { leaveForRetry } from './leftForRetry';
import type { PaidLists } from './paidLists';
import { answerQuestions } from './questions';
import { logProgress, report, showHints } from './report';
import type { Ended, Run, RunResult } from './runResult';

/**
 * @param paid where their lists come from, unless they cost nothing
 * @throws NodeApiError, NodeOperationError with On Error set to Stop Workflow
 */
export async function runTasks(run: Run, tasks: Task[], paid?: PaidLists): Promise<void> {
	const { context, api, settings, output } = run;
	const ledgers = new Set(tasks.map(({ job }) => job.ledger));
	const budget = openBudget(run);
	let result: RunResult | undefined;
	/** What n8n passes on, as far as can be told from here: nothing of a run that throws. */
	let delivered: RunResult | undefined;
	let isThrown = true;
	try {
		const ended = await fetchTasks(run, tasks, budget);
		const rows = rowsOf(ended);
		const ofRun = { ...spendingOf(ledgers), returned: rows.length };
		const inAll = spendingOf(ledgers, budget.before);
		result = { ended, rows, ofRun, inAll, limit: limitOf(run, budget) };
		if (!continuesOnFail(context)) throwIfStopped(run, result, paid);
		const usage = settings.includesUsage ? usageOf(result) : undefined;
		for (const { entries } of ended) output.add(entries, usage);
		const failed = ended.filter(({ failure }) => failure);
		putErrors(run, result, hasRoom(failed, paid));
		const answers = await answerQuestions(run, ended);
		const { infos, warnings } = report(run, result, answers, paid?.reusedFrom);
		showHints(context, infos, warnings);
		// An agent sees no hints.
		if (isTool(context)) output.note([...infos, ...warnings]);
		// Last, so that nothing is recorded of a run that throws.
		const bought = new Set(ended.flatMap((one) => one.bought ?? []));
		showHints(context, [], [await recordBought(context, api, bought, isDelivered(run))]);
		if (isDelivered(run)) delivered = result;
		isThrown = false;
	} finally {
		saveCost(run, spendingOf(ledgers, budget.before), {
			returned: delivered?.rows.length ?? 0,
			dropped: delivered ? 0 : (result?.rows.length ?? 0),
		});
		const stopped = paid?.keep(delivered?.ended) ?? [];
		if (isThrown && settings.reusePaidResults > 0) leaveForRetry(context, stopped);
	}
}

/** @returns how the tasks ended, and what has come of them */
async function fetchTasks(run: Run, tasks: Task[], budget: Budget): Promise<Ended[]> {
	const { context, api, settings } = run;
	const { endpoint, send, wait, onWait, random, isCancelled } = api;
	const { parallelPages, maxRetries } = settings;
	const ledgers = new Set(tasks.map(({ job }) => job.ledger));
	const results = await fetchAll(tasks, {
		send,
		wait,
		onWait,
		random,
		isCancelled,
		parallelPages,
		maxRetries,
		accounts: ENDPOINTS[endpoint].costsCredits ? [budget.maximum, budget.ceiling] : [],
		continues: continuesOnFail(context),
		onAnswer: logProgress(context.logger, endpoint, () => spendingOf(ledgers)),
	});
	return results.map((ended) => ({ ...ended, ...ended.task.outcome(ended.end) }));
}

/**
 * Whether n8n passes on what has been put out: not what a cancelled node puts out, nor what begins with an error
 * item under Retry On Fail, but for the last try, which nobody can tell from here.
 */
function isDelivered({ context, api, output }: Run): boolean {
	const isRunAgain = context.getNode().retryOnFail === true && output.beginsWithError();
	return !isRunAgain && !api.isCancelled();
}

/** What a run cost, as data. */
function usageOf({ ofRun, inAll }: RunResult): Json {
	const { charged: credits, requests } = ofRun;
	return { credits, creditsInExecution: inAll.charged, requests };
}

/** What limits the run most. */
function limitOf({ api, settings }: Run, { maximum, ceiling }: Budget): Limit {
	return ceiling.left < maximum.left
		? { kind: 'ceiling', credits: api.ceiling }
		: { kind: 'maximum', credits: settings.maxCredits };
}

/** Under Stop Workflow, nothing comes out of a run that failed, so that it tells what came of all tasks. */
function throwIfStopped(run: Run, result: RunResult, paid?: PaidLists): void {
	const { ended, rows, inAll, limit } = result;
	const node = run.context.getNode();
	const failed = ended.find(({ failure }) => failure);
	if (failed) {
		const [item = 0] = failed.task.items;
		const text = errorItem(run, { ...failed, rows }, inAll, hasRoom(ended, paid));
		throw asNodeError(node, text, { failure: failed.failure, item });
	}
	if (rows.length === 0 && ended.some(({ end }) => end === 'budget'))
		throw asInvalid(node, formatNoBudget(limit, inAll));
}

/** Whether what has come of these tasks can be kept. */
function hasRoom(ended: readonly Ended[], paid?: PaidLists): boolean {
	return paid?.hasRoom(ended.map(({ task }) => task.job.ledger)) ?? true;
}
