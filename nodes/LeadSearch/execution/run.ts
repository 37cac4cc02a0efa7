/** One run of the node: fetches what the tasks want, puts out what came, and keeps what was paid for. */
import type { IExecuteFunctions } from 'n8n-workflow';

import { ENDPOINTS, type Json } from '../api/contract';
import { endsTheExecution } from '../api/failures';
import { formatFailure, type ErrorText } from '../messages/failures';
import { formatCost } from '../messages/hints';
import { asInvalid, asNodeError } from '../messages/nodeErrors';
import {
	formatLost,
	formatNoBudget,
	formatStoppedRun,
	hintBudget,
	notRunAfter,
	stoppedRunDetails,
	type Limit,
	type StoppedRun,
} from '../messages/stoppedRun';
import { accountOf, fetchAll, type Result } from '../paging/run';
import type { FetchSettings } from '../parameters/fetching';
import { rowsOf, type Outcome, type Task } from '../resources/operation';
import { recordBought } from './alreadyLookedUp';
import type { ApiAccess } from './apiAccess';
import { accountOfCeiling, readSpent, saveSpent, spendingOf, type Spending } from './credits';
import { continuesOnFail, isTool, knowsErrorDetails, reportCost } from './n8n';
import type { Output } from './output';
import type { PaidResults } from './paidResults';
import { logProgress, report } from './report';

/** What a run works with. */
export interface Run {
	context: IExecuteFunctions;
	executionId: string;
	api: ApiAccess;
	/** Those of the first item, which hold for the whole run. */
	settings: FetchSettings;
	output: Output;
}

/** A task, how it ended, and what has come of it; tasks that share a list may share rows. */
export type Ended = Result<Task> & Outcome;

/** What has come of a run. */
export interface RunResult {
	ended: Ended[];
	/** Those of all tasks, each once. */
	rows: Json[];
	/** What this run has spent, and the whole execution before it has put anything out. */
	ofRun: Spending;
	inAll: Spending;
	/** What ended those tasks that ended for want of a budget. */
	limit: Limit;
}

/** @throws NodeApiError, NodeOperationError with On Error set to Stop Workflow; keeps what was paid for */
export async function runTasks(run: Run, tasks: Task[], paidResults: PaidResults): Promise<void> {
	const { context, executionId, api, settings, output } = run;
	const { costsCredits } = ENDPOINTS[api.endpoint];
	const node = context.getNode();
	const ofNode = context.getContext('node');
	const before = readSpent(ofNode, executionId, spendingOf([]));
	const maximum = accountOf(settings.maxCredits - before.charged - before.atRisk);
	const ceiling = accountOfCeiling(context.getContext('flow'), executionId, api);
	const ledgers = new Set(tasks.map(({ job }) => job.ledger));
	const results = await fetchAll(tasks, {
		...api,
		...settings,
		accounts: costsCredits ? [maximum, ceiling] : [],
		continues: continuesOnFail(context),
		onAnswer: logProgress(context.logger, api.endpoint, () => spendingOf(ledgers)),
	});
	const ended: Ended[] = results.map((result) => ({
		...result,
		...result.task.outcome(result.end),
	}));
	const rows = rowsOf(ended);
	const { length: returned } = rows;
	const inAll = spendingOf(ledgers, before);
	const limit: Limit =
		ceiling.left < maximum.left
			? { kind: 'ceiling', credits: api.ceiling }
			: { kind: 'maximum', credits: settings.maxCredits };
	const result = { ended, rows, ofRun: { ...spendingOf(ledgers), returned }, inAll, limit };
	/** @param isDropped whether n8n puts nothing of it out, as of a run that throws: then it tells what came */
	const save = (putOut: number, isDropped: boolean) => {
		if (!costsCredits) return;
		const spent = { ...inAll, returned: inAll.returned + putOut };
		saveSpent(ofNode, executionId, spent);
		const told = isDropped ? { ...spent, returned: spent.returned || returned } : spent;
		const lost = formatLost(spent);
		reportCost(context, `${formatCost(api.endpoint, told)}${lost && `. ${lost}`}`);
	};
	save(0, true);

	const failed = ended.find(({ failure }) => failure);
	if (!continuesOnFail(context)) {
		if (failed) {
			// Nothing comes out, so that it tells what came of all tasks.
			const item = errorItem(run, { ...failed, rows }, inAll, paidResults.keep());
			const [first = 0] = failed.task.items;
			throw asNodeError(node, item, { status: failed.failure?.status, item: first });
		}
		if (returned === 0 && ended.some(({ end }) => end === 'budget'))
			throw asInvalid(node, formatNoBudget(limit, inAll));
	}
	for (const { entries } of ended) output.add(entries);

	// n8n runs a node again whose first output item is an error.
	const isRetried = node.retryOnFail === true;
	const isRunAgain = isRetried && (failed !== undefined || output.beginsWithError());
	// n8n drops what a cancelled node puts out.
	const hasRoom = paidResults.keep(api.isCancelled() ? undefined : ended, isRunAgain);
	putErrors(run, result, hasRoom);
	const mayBeDropped = isRetried && output.beginsWithError();
	const bought = new Set(ended.flatMap((one) => one.bought ?? []));
	const notRecorded = await recordBought(context, api, bought, mayBeDropped);
	if (api.isCancelled()) paidResults.keep();
	save(mayBeDropped ? 0 : returned, mayBeDropped);
	report(run, result, paidResults.reusedFrom, notRecorded);
}

/** Puts out an item for each input item that is not served. */
function putErrors(run: Run, { ended, ofRun, inAll, limit }: RunResult, hasRoom: boolean): void {
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

function errorItem(
	{ context, api, settings }: Run,
	{ task, failure = { kind: 'notSent' }, rows, missing }: Ended,
	spending: Spending,
	hasRoom: boolean,
): ErrorText {
	const isCancelled = failure.kind === 'cancelled';
	const continues = continuesOnFail(context);
	const stopped: StoppedRun = {
		...api,
		...{ baseUrl: task.baseUrl ?? api.baseUrl, timeoutMs: task.settings.timeoutMs },
		...{ failure, fetched: rows.length, missing, spending },
		continues: continues && !isCancelled,
		...{ minutesKept: settings.reusePaidResults, hasRoom },
	};
	const text = formatFailure(failure, stopped);
	const description = `${text.description} ${formatStoppedRun(stopped)}`.trim();
	if (isCancelled) context.logger.warn(`Lead Search: the execution was stopped. ${description}`);
	const hasDetails = ENDPOINTS[api.endpoint].costsCredits && knowsErrorDetails(context);
	const details = hasDetails ? stoppedRunDetails(stopped) : undefined;
	return { message: text.message, description, details };
}
