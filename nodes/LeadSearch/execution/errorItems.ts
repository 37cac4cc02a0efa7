/** Items that say what went wrong: for people whose workflow goes on, and for agents, who see nothing else. */
import { ENDPOINTS } from '../api/contract';
import type { Failure } from '../api/failures';
import { formatFailure, type ErrorText } from '../messages/failures';
import {
	formatNoBudget,
	formatStoppedRun,
	hintBudget,
	notRunAfter,
	stoppedRunDetails,
	type StoppedRun,
} from '../messages/stoppedRun';
import { logOf } from './log';
import { continuesOnFail, isTool, knowsErrorDetails } from './n8n';
import type { Ended, Run, RunResult } from './runResult';

/** Puts out an item for each input item that is not served. */
export function putErrors(run: Run, result: RunResult): void {
	const { context, api, output } = run;
	const { ended, rows, inAll, limit } = result;
	/** What has ended the run for others. */
	const told = new Map<Failure, ErrorText>();
	for (const one of ended) {
		const { task, end, failure, isNotRun, missing } = one;
		if (failure) {
			const before = told.get(failure);
			const text = isNotRun && before ? notRunAfter(before) : errorText(run, one, result);
			if (!before) told.set(failure, text);
			const lacking = missing.items?.length ? missing.items : task.items;
			for (const item of lacking) output.addError(item, text);
		} else if (end === 'budget' && rows.length > 0 && isTool(context)) {
			// An agent sees no hints, and must not take what it gets for all there is.
			const error = 'This result is cut: there may be more than is returned here';
			const message = hintBudget(api.endpoint, limit, rows.length);
			output.add([{ item: task.items[0] ?? 0, json: [{ error, message }] }]);
		} else if (end === 'budget' && continuesOnFail(context)) {
			// An empty result would end a loop without a word, and what an item has claimed would never be given back.
			const ofTask = one.rows.length === 0 ? task.items : [];
			const lacking = missing.items?.length ? missing.items : ofTask;
			const text = formatNoBudget(limit, inAll, { ...keptOf(run, [one]), returned: rows.length });
			const hasDetails = missing.urls !== undefined && knowsErrorDetails(context);
			const spent = { missing, fetched: rows.length, cost: inAll };
			const details = hasDetails ? stoppedRunDetails(spent) : undefined;
			for (const item of lacking) output.addError(item, { ...text, details });
		}
	}
}

/** @returns rows that came, are kept, and whose owners are not known yet */
export function keptOf({ settings }: Run, ended: readonly Ended[]) {
	const unmatched = ended.flatMap(({ missing }) => missing.unmatched ?? []).length;
	return { unmatched, minutesKept: settings.reusePaidResults };
}

/** @returns why a task failed, what came all the same, and how to get the rest */
export function errorText(
	{ context, api, settings, belonging }: Run,
	{ task, failure = { kind: 'notSent' }, rows, missing }: Ended,
	{ inAll, limit, ended }: Pick<RunResult, 'inAll' | 'limit' | 'ended'>,
): ErrorText {
	const { endpoint, sessionToken } = api;
	const isCancelled = failure.kind === 'cancelled';
	const { ledger } = task.job;
	const stopped: StoppedRun = {
		endpoint,
		sessionToken,
		baseUrl: task.baseUrl ?? api.baseUrl,
		timeoutMs: task.settings.timeoutMs,
		failure,
		fetched: rows.length,
		largestAnswer: ledger.largestAnswer,
		missing,
		cost: inAll,
		limit,
		continues: continuesOnFail(context) && !isCancelled,
		isRetryable: belonging.isRetryable && !continuesOnFail(context) && !isCancelled,
		isByHand: belonging.isByHand,
		isOnly: ended.length === 1,
		minutesKept: settings.reusePaidResults,
	};
	const text = formatFailure(failure, stopped);
	const description = `${text.description} ${formatStoppedRun(stopped)}`.trim();
	if (isCancelled) logOf(context)('warn', `the execution was stopped. ${description}`);
	const hasDetails = ENDPOINTS[endpoint].costsCredits && knowsErrorDetails(context);
	const details = hasDetails ? stoppedRunDetails(stopped) : undefined;
	return { message: text.message, description, details };
}
