/** Items that say what went wrong: for people whose workflow goes on, and for agents, who see nothing else. */
import { ENDPOINTS } from '../api/contract';
import type { Failure } from '../api/failures';
import { formatFailure, type ErrorText } from '../messages/failures';
import {
	formatNoBudget,
	formatStoppedRun,
	hintBudget,
	formatNotRun,
	stoppedRunDetails,
	type StoppedRun,
} from '../messages/stoppedRun';
import { continuesOnFail, isTool, knowsErrorDetails } from './n8n';
import type { TaskResult, Run, RunResult } from './runResult';

/** Puts out an item for each input item that is not served. */
export function addErrorItems(run: Run, result: RunResult): void {
	const { context, api, output } = run;
	const { results, rows, totalCost, limit } = result;
	/** What has ended the run for others. */
	const texts = new Map<Failure, ErrorText>();
	for (const taskResult of results) {
		const { task, end, failure, isNotRun, missing } = taskResult;
		if (failure) {
			const before = texts.get(failure);
			const text =
				isNotRun && before ? formatNotRun(before) : describeFailure(run, taskResult, result);
			if (!before) texts.set(failure, text);
			const lacking = missing.items?.length ? missing.items : task.items;
			for (const item of lacking) output.addError(item, text);
		} else if (end === 'budget' && rows.length > 0 && isTool(context)) {
			// An agent sees no hints, and must not take what it gets for all there is.
			const error = 'This result is cut: there may be more than is returned here';
			const message = hintBudget(api.endpoint, limit, rows.length, missing);
			output.add([{ item: task.items[0] ?? 0, json: [{ error, message }] }]);
		} else if (end === 'budget' && continuesOnFail(context)) {
			// An empty result would end a loop without a word, and what an item has claimed would never be given back.
			const ofTask = taskResult.rows.length === 0 ? task.items : [];
			const lacking = missing.items?.length ? missing.items : ofTask;
			const text = formatNoBudget(limit, totalCost, rows.length);
			const spent = { missing, fetched: rows.length, cost: totalCost };
			const details = knowsErrorDetails(context) ? stoppedRunDetails(spent) : undefined;
			for (const item of lacking) output.addError(item, { ...text, details });
		}
	}
}

/** @returns why a task failed, what came all the same, and how to get the rest */
export function describeFailure(
	{ context, api }: Run,
	{ task, failure = { kind: 'notSent' }, rows, missing }: TaskResult,
	{ totalCost, limit, savedRows }: RunResult,
): ErrorText {
	const { endpoint, sessionToken, account } = api;
	const isCancelled = failure.kind === 'cancelled';
	const continues = continuesOnFail(context) && !isCancelled;
	const { list } = task.job;
	const stopped: StoppedRun = {
		endpoint,
		sessionToken,
		baseUrl: task.baseUrl ?? api.baseUrl,
		timeoutMs: task.settings.timeoutMs,
		failure,
		fetched: rows.length,
		largestResponse: list.largestResponse,
		missing,
		cost: totalCost,
		limit,
		continues,
		// n8n retries executions that failed; a Retry of a cancelled one ends as failed, whatever comes.
		savedRows: continues || isCancelled ? { ...savedRows, hasRetry: false } : savedRows,
		isAccountByExpression: account.length > 1,
	};
	const text = formatFailure(failure, stopped);
	const description = formatStoppedRun(stopped, text.description);
	const hasDetails = ENDPOINTS[endpoint].costsCredits && knowsErrorDetails(context);
	const details = hasDetails ? stoppedRunDetails(stopped) : undefined;
	return { message: text.message, description, details };
}
