/** Items that say what went wrong: for people whose workflow goes on, and for agents, who see nothing else. */
import { ENDPOINTS } from '../api/contract';
import { endsTheExecution } from '../api/failures';
import { formatFailure, type ErrorText } from '../messages/failures';
import {
	formatNoBudget,
	formatStoppedRun,
	hintBudget,
	notRunAfter,
	stoppedRunDetails,
	type StoppedRun,
} from '../messages/stoppedRun';
import { continuesOnFail, isTool, knowsErrorDetails } from './n8n';
import type { Ended, Run, RunResult, Spending } from './runResult';

/** Puts out an item for each input item that is not served. @param hasRoom whether what failed can be kept */
export function putErrors(
	run: Run,
	{ ended, ofRun, inAll, limit }: RunResult,
	hasRoom: boolean,
): void {
	const { context, api, output } = run;
	const { returned } = ofRun;
	let over: ErrorText | undefined;
	for (const one of ended) {
		const { task, end, failure, isNotRun, missing } = one;
		if (failure) {
			const text = isNotRun && over ? notRunAfter(over) : errorItem(run, one, inAll, hasRoom);
			if (endsTheExecution(failure)) over ??= text;
			const lacking = missing.items?.length ? missing.items : task.items;
			for (const item of lacking) output.addError(item, text);
		} else if (end === 'budget' && returned === 0) {
			// An empty result would end a loop without a word.
			for (const item of task.items) output.addError(item, formatNoBudget(limit, inAll));
		} else if (end === 'budget' && isTool(context)) {
			// An agent sees no hints, and must not take what it gets for all there is.
			const error = 'This result is cut: there may be more than is returned here';
			const message = hintBudget(api.endpoint, limit, returned);
			output.add([{ items: task.items.slice(0, 1), json: [{ error, message }] }]);
		}
	}
}

/** @param inAll what the execution has spent @returns why a task failed, what came all the same, and how to get the rest */
export function errorItem(
	{ context, api, settings }: Run,
	{ task, failure = { kind: 'notSent' }, rows, missing }: Ended,
	inAll: Spending,
	hasRoom: boolean,
): ErrorText {
	const { endpoint, sessionToken } = api;
	const isCancelled = failure.kind === 'cancelled';
	const stopped: StoppedRun = {
		endpoint,
		sessionToken,
		baseUrl: task.baseUrl ?? api.baseUrl,
		timeoutMs: task.settings.timeoutMs,
		failure,
		fetched: rows.length,
		missing,
		spending: inAll,
		continues: continuesOnFail(context) && !isCancelled,
		minutesKept: settings.reusePaidResults,
		hasRoom,
	};
	const text = formatFailure(failure, stopped);
	const description = `${text.description} ${formatStoppedRun(stopped)}`.trim();
	if (isCancelled) context.logger.warn(`Lead Search: the execution was stopped. ${description}`);
	const hasDetails = ENDPOINTS[endpoint].costsCredits && knowsErrorDetails(context);
	const details = hasDetails ? stoppedRunDetails(stopped) : undefined;
	return { message: text.message, description, details };
}
