/**
 * Fetches the rows of all tasks and adds them to the output. Even if the run throws, the paid rows are cached and the
 * cost is saved.
 */
import { ENDPOINTS, type Json } from '../api/contract';
import { costOf } from '../paging/cost';
import type { PagedList } from '../paging/pagedList';
import { fetchAll } from '../paging/fetchAll';
import { collectRows, type Task } from '../resources/operation';
import { addErrorItems, throwIfStopped } from './errors';
import type { PaidResults } from '../cache/paidResults';
import { logProgress, describeRun, type RunHints } from './report';
import type { TaskResult, Run, RunResult } from './runResult';

const NO_SAVED_ROWS = { isWhole: true, minutes: 0, hasRetry: false };

/**
 * Returns hints. `paid` is undefined for free operations. It throws only if On Error is Stop Workflow:
 *
 * @throws NodeApiError if a task failed
 * @throws NodeOperationError if a spending limit left no credits for any row
 */
export async function runTasks(run: Run, tasks: Task[], paid?: PaidResults): Promise<RunHints> {
	const { environment, output } = run;
	const lists = new Set(tasks.map(({ job }) => job.list));
	let isThrown = true;
	try {
		const results = await fetchTasks(run, tasks, lists, paid);
		const runCost = costOf(lists);
		const totalCost = run.credits.totalWith(runCost);
		const limit = run.credits.tightestLimit;
		const rows = collectRows(results);
		const reusedSets = [...lists]
			.map(({ reusedRows }) => reusedRows)
			.filter(({ size }) => size > 0);
		const isReused = (row: Json) => reusedSets.some((set) => set.has(row));
		const reusedRows = reusedSets.length > 0 ? rows.filter(isReused).length : 0;
		// This is slow for 100,000 rows, and only error messages need it.
		const hasFailed = results.some(({ failure }) => failure);
		const savedRows = (hasFailed ? paid?.savedRows : undefined) ?? NO_SAVED_ROWS;
		const result = { results, rows, reusedRows, runCost, totalCost, limit, savedRows };
		if (!environment.continuesOnFail) throwIfStopped(run, result);
		const usage = usageOf(result);
		for (const { entries } of results)
			output.add(entries, run.settings.includesUsage ? usage : undefined);
		addErrorItems(run, result);
		const hints = describeRun(run, result, paid);
		// Agents don't see hints.
		const { costsCredits } = ENDPOINTS[run.api.endpoint];
		if (environment.isTool)
			output.note([...hints.infos, ...hints.warnings], costsCredits ? usage : undefined);
		isThrown = false;
		return hints;
	} finally {
		run.settle(costOf(lists));
		if (isThrown) paid?.saveForRetry();
	}
}

async function fetchTasks(
	run: Run,
	tasks: Task[],
	lists: ReadonlySet<PagedList>,
	paid: PaidResults | undefined,
): Promise<TaskResult[]> {
	const { environment, api, settings, credits } = run;
	const { endpoint, send, wait, onWait, random, isCancelled } = api;
	const { parallelPages, maxRetries } = settings;
	const onResponse = logProgress(environment.log, endpoint, () => costOf(lists));
	const results = await fetchAll(tasks, {
		send,
		wait,
		onWait,
		random,
		isCancelled,
		parallelPages,
		maxRetries,
		credits,
		continuesOnFailure: environment.continuesOnFail,
		onResponse,
	}).finally(() => {
		paid?.save();
	});
	return results.map((result) => ({ ...result, ...result.task.output(result.outcome) }));
}

function usageOf({ runCost, totalCost }: RunResult): Json {
	const { charged: credits, requests } = runCost;
	return { credits, creditsSoFar: totalCost.charged, requests };
}
