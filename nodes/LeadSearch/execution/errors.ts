/** Says why a run has no or incomplete results: in an error, or in error items. Agents see only error items. */
import { ENDPOINTS } from '../api/contract';
import type { Failure } from '../api/failures';
import { formatFailure, type ErrorText } from '../messages/failures';
import { configurationError, serviceError } from '../messages/nodeErrors';
import {
	formatNoBudget,
	formatStoppedRun,
	describeBudget,
	formatNotRun,
	describeDetails,
	type StoppedRun,
} from '../messages/stoppedRun';
import type { TaskResult, Run, RunResult } from './runResult';

/**
 * Throws if a task failed, or if no credits were left for any row. n8n then discards the output of all tasks, so the
 * message counts the rows of all tasks.
 */
export function throwIfStopped(run: Run, result: RunResult): void {
	const { results, rows, totalCost, limit } = result;
	const { node } = run.environment;
	const failed = results.find(({ failure }) => failure);
	if (failed) {
		const [item = 0] = failed.task.items;
		const text = describeFailure(run, { ...failed, rows }, result);
		throw serviceError(node, text, { failure: failed.failure, item });
	}
	if (rows.length === 0 && results.some(({ outcome }) => outcome === 'budget'))
		throw configurationError(node, formatNoBudget(limit, totalCost, 0));
}

/** Adds an error item for each input item whose task failed, or for which a spending limit left no credits. */
export function addErrorItems(run: Run, result: RunResult): void {
	const { environment, api, output } = run;
	const { results, rows, totalCost, limit } = result;
	/** The text of each failure. Tasks that it prevented from running have the same failure, and quote this text. */
	const textByFailure = new Map<Failure, ErrorText>();
	for (const taskResult of results) {
		const { task, outcome, failure, isNotRun, missing } = taskResult;
		if (failure) {
			const before = textByFailure.get(failure);
			const text =
				isNotRun && before ? formatNotRun(before) : describeFailure(run, taskResult, result);
			if (!before) textByFailure.set(failure, text);
			const unserved = missing.items?.length ? missing.items : task.items;
			for (const item of unserved) output.addError(item, text);
		} else if (outcome === 'budget' && rows.length > 0 && environment.isTool) {
			// An agent sees no hints, and must not take an incomplete result for the whole.
			const error = 'This result is incomplete: there may be more results';
			const message = describeBudget(api.endpoint, limit, rows.length, missing);
			output.add([{ item: task.items[0] ?? 0, json: [{ error, message }] }]);
		} else if (outcome === 'budget' && environment.continuesOnFail) {
			// An empty result would end a loop without a message. The workflow could then not release what it has claimed for
			// the item.
			const ofTask = taskResult.rows.length === 0 ? task.items : [];
			const unserved = missing.items?.length ? missing.items : ofTask;
			const text = formatNoBudget(limit, totalCost, rows.length);
			const spent = { missing, fetched: rows.length, cost: totalCost };
			const details = environment.knowsErrorDetails ? describeDetails(spent) : undefined;
			for (const item of unserved) output.addError(item, { ...text, details });
		}
	}
}

function describeFailure(
	{ environment, api }: Run,
	{ task, failure = { kind: 'notSent' }, rows, missing }: TaskResult,
	{ results, totalCost, limit, savedRows }: RunResult,
): ErrorText {
	const { endpoint, sessionToken, account } = api;
	const isCancelled = failure.kind === 'cancelled';
	const continues = environment.continuesOnFail && !isCancelled;
	const stopped: StoppedRun = {
		endpoint,
		sessionToken,
		baseUrl: task.baseUrl ?? api.baseUrl,
		timeoutMs: task.settings.timeoutMs,
		failure,
		fetched: rows.length,
		missing,
		cost: totalCost,
		limit,
		continues,
		// n8n offers a Retry only for executions that failed. A cancelled execution has none.
		savedRows: continues || isCancelled ? { ...savedRows, hasRetry: false } : savedRows,
		isAccountByExpression: account.length > 1,
		limitOfSavedRows:
			results.length === 1 && missing.rowsBefore === rows.length && rows.length > 0
				? rows.length
				: undefined,
		returnsAll: task.job.keyCount === Infinity,
	};
	const text = formatFailure(failure, stopped);
	const description = formatStoppedRun(stopped, text.description);
	const hasDetails = ENDPOINTS[endpoint].costsCredits && environment.knowsErrorDetails;
	const details = hasDetails ? describeDetails(stopped) : undefined;
	return { message: text.message, description, details };
}
