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
import { errorText, putErrors } from './errorItems';
import { logOf } from './log';
import { continuesOnFail, isTool } from './n8n';
import type { PaidLists } from './paidLists';
import { logProgress, report, type RunHints } from './report';
import type { TaskResult, Run, RunResult } from './runResult';

const NOTHING_KEPT = { isWhole: true, minutes: 0, hasRetry: false };

/**
 * @param paid where their lists come from, unless they cost nothing
 * @returns what people are to be told
 * @throws NodeApiError, NodeOperationError with On Error set to Stop Workflow
 */
export async function runTasks(run: Run, tasks: Task[], paid?: PaidLists): Promise<RunHints> {
	const { context, output } = run;
	const ledgers = new Set(tasks.map(({ job }) => job.ledger));
	const budget = openBudget(run);
	let isThrown = true;
	try {
		const results = await fetchTasks(run, tasks, ledgers, budget);
		paid?.keep();
		const ofRun = costOf(ledgers);
		const inAll = add(budget.before, ofRun);
		const limit = limitOf(run, budget);
		const rows = rowsOf(results);
		const bought = [...ledgers].map(({ paidBefore }) => paidBefore).filter(({ size }) => size > 0);
		const reused = rows.filter((row) => bought.some((set) => set.has(row))).length;
		// Of 100,000 rows it takes a while, and only of what failed it is told.
		const hasFailed = results.some(({ failure }) => failure);
		const kept = (hasFailed ? paid?.kept : undefined) ?? NOTHING_KEPT;
		const result: RunResult = { results, rows, reused, ofRun, inAll, limit, kept };
		if (!continuesOnFail(context)) throwIfStopped(run, result);
		const usage = usageOf(result);
		for (const { entries } of results)
			output.add(entries, run.settings.includesUsage ? usage : undefined);
		putErrors(run, result);
		const hints = report(run, result, paid?.reusedFrom);
		// An agent sees no hints.
		const { costsCredits } = ENDPOINTS[run.api.endpoint];
		if (isTool(context))
			output.note([...hints.infos, ...hints.warnings], costsCredits ? usage : undefined);
		isThrown = false;
		return hints;
	} finally {
		saveCost(run, budget.before, costOf(ledgers));
		paid?.keep();
		if (isThrown) paid?.leaveForRetry();
	}
}

/** @returns how the tasks ended, and what has come of them */
async function fetchTasks(
	run: Run,
	tasks: Task[],
	ledgers: ReadonlySet<Ledger>,
	budget: Budget,
): Promise<TaskResult[]> {
	const { context, api, settings } = run;
	const { endpoint, send, wait, onWait, random, isCancelled } = api;
	const { parallelPages, maxRetries } = settings;
	const tell = logProgress(logOf(context), endpoint, () => costOf(ledgers));
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
		onAnswer: tell,
	});
	return results.map((result) => ({ ...result, ...result.task.output(result.end) }));
}

/** What a run cost, as data. */
function usageOf({ ofRun, inAll }: RunResult): Json {
	const { charged: credits, requests } = ofRun;
	return { credits, creditsSoFar: inAll.charged, requests };
}

/** What limits the run most. */
function limitOf({ api, settings, belonging }: Run, budget: Budget): SpendingLimit {
	const { maximum, ceiling } = budget.left();
	const { isExecution } = belonging;
	const isCeiling = ceiling < maximum;
	return {
		...(isCeiling
			? { kind: 'ceiling', credits: api.ceiling, left: ceiling }
			: { kind: 'maximum', credits: settings.maxCredits, left: maximum }),
		isExecution,
	};
}

/** Under Stop Workflow, nothing comes out of a run that failed, so that it tells what came of all tasks. */
function throwIfStopped(run: Run, result: RunResult): void {
	const { results, rows, inAll, limit } = result;
	const node = run.context.getNode();
	const failed = results.find(({ failure }) => failure);
	if (failed) {
		const [item = 0] = failed.task.items;
		const text = errorText(run, { ...failed, rows }, result);
		throw asNodeError(node, text, { failure: failed.failure, item });
	}
	if (rows.length === 0 && results.some(({ end }) => end === 'budget'))
		throw asInvalid(node, formatNoBudget(limit, inAll, 0));
}
