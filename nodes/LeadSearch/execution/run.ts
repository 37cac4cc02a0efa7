/**
 * One run of the node: fetches what the tasks want and puts out what came. Whatever is thrown on the way,
 * what was paid for is kept and what was spent is saved.
 */
import { ENDPOINTS, type Json } from '../api/contract';
import { asInvalid, asNodeError } from '../messages/nodeErrors';
import { formatNoBudget, type SpendingLimit } from '../messages/stoppedRun';
import type { Ledger } from '../paging/ledger';
import { fetchAll } from '../paging/fetchAll';
import { rowsOf, type Task } from '../resources/operation';
import { add } from './belonging';
import { costOf, openBudget, saveCost, type Budget } from './credits';
import { errorText, keptOf, putErrors } from './errorItems';
import { leaveForRetry } from './leftForRetry';
import { logOf } from './log';
import { continuesOnFail, isTool } from './n8n';
import { letOthersGoOnFrom, type PaidLists } from './paidLists';
import { answerQuestions } from './questions';
import { logProgress, report, type Told } from './report';
import type { Ended, Run, RunResult } from './runResult';

/**
 * @param paid where their lists come from, unless they cost nothing
 * @returns what people are to be told
 * @throws NodeApiError, NodeOperationError with On Error set to Stop Workflow
 */
export async function runTasks(run: Run, tasks: Task[], paid?: PaidLists): Promise<Told> {
	const { context, belonging, output } = run;
	const ledgers = new Set(tasks.map(({ job }) => job.ledger));
	const budget = openBudget(run);
	/** What n8n passes on; nothing of a run that throws, is cancelled or is tried again. */
	let delivered: Ended[] | undefined;
	let isThrown = true;
	// Whoever cancels may run it again before the last answers have come.
	const onCancel = () => paid?.keep(undefined);
	const cancelSignal = context.getExecutionCancelSignal();
	cancelSignal?.addEventListener('abort', onCancel);
	watchForCancel(cancelSignal, belonging.executionId);
	try {
		const ended = await fetchTasks(run, tasks, ledgers, budget);
		const ofRun = costOf(ledgers);
		const inAll = add(budget.before, ofRun);
		const limit = limitOf(run, budget);
		const rows = rowsOf(ended);
		const before = [...ledgers].map(({ paidBefore }) => paidBefore).filter(({ size }) => size > 0);
		const reused = rows.filter((row) => before.some((known) => known.has(row))).length;
		const result: RunResult = { ended, rows, reused, ofRun, inAll, limit };
		if (!continuesOnFail(context)) throwIfStopped(run, result);
		const usage = usageOf(result);
		for (const { entries } of ended)
			output.add(entries, run.settings.includesUsage ? usage : undefined);
		putErrors(run, result);
		const answers = await answerQuestions(run, ended);
		const told = report(run, result, answers, paid?.reusedFrom);
		// An agent sees no hints.
		const { costsCredits } = ENDPOINTS[run.api.endpoint];
		if (isTool(context))
			output.note([...told.infos, ...told.warnings], costsCredits ? usage : undefined);
		if (isDelivered(run)) delivered = ended;
		isThrown = false;
		return told;
	} finally {
		cancelSignal?.removeEventListener('abort', onCancel);
		saveCost(run, budget.before, costOf(ledgers));
		const stopped = paid?.keep(delivered) ?? [];
		if (!delivered && run.settings.reusePaidResults > 0) leaveForRetry(belonging, stopped);
		if (isThrown && context.getNode().retryOnFail !== true)
			letOthersGoOnFrom(belonging.executionId);
	}
}

/** By what executions that have paid for something are cancelled, also while a later node runs. */
const watched = new WeakSet<AbortSignal>();

function watchForCancel(signal: AbortSignal | undefined, executionId: string): void {
	if (!signal || watched.has(signal)) return;
	watched.add(signal);
	const onCancel = () => {
		letOthersGoOnFrom(executionId);
	};
	signal.addEventListener('abort', onCancel, { once: true });
}

/** @returns how the tasks ended, and what has come of them */
async function fetchTasks(
	run: Run,
	tasks: Task[],
	ledgers: ReadonlySet<Ledger>,
	budget: Budget,
): Promise<Ended[]> {
	const { context, api, settings } = run;
	const { endpoint, send, wait, onWait, random, isCancelled } = api;
	const { parallelPages, maxRetries } = settings;
	const results = await fetchAll(tasks, {
		send,
		wait,
		onWait,
		random,
		isCancelled,
		parallelPages,
		maxRetries,
		account: budget.account,
		lastLost: budget.before.lastLost,
		continues: continuesOnFail(context),
		onAnswer: logProgress(logOf(context), endpoint, () => costOf(ledgers)),
	});
	return results.map((ended) => ({ ...ended, ...ended.task.output(ended.end) }));
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
	return { credits, creditsSoFar: inAll.charged, requests };
}

/** What limits the run most. */
function limitOf({ api, settings, belonging }: Run, budget: Budget): SpendingLimit {
	const { maximum, ceiling } = budget.left();
	const { isByHand, isExecution, reusesAll } = belonging;
	const isCeiling = ceiling < maximum;
	return {
		...(isCeiling
			? { kind: 'ceiling', credits: api.ceiling, left: ceiling }
			: { kind: 'maximum', credits: settings.maxCredits, left: maximum }),
		isByHand,
		isExecution,
		reusesAll,
	};
}

/** Under Stop Workflow, nothing comes out of a run that failed, so that it tells what came of all tasks. */
function throwIfStopped(run: Run, result: RunResult): void {
	const { ended, rows, inAll, limit } = result;
	const node = run.context.getNode();
	const failed = ended.find(({ failure }) => failure);
	if (failed) {
		const [item = 0] = failed.task.items;
		const text = errorText(run, { ...failed, rows }, result);
		throw asNodeError(node, text, { failure: failed.failure, item });
	}
	if (rows.length === 0 && ended.some(({ end }) => end === 'budget'))
		throw asInvalid(node, formatNoBudget(limit, inAll, { ...keptOf(run, ended), returned: 0 }));
}
