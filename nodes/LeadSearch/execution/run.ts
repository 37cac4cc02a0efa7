/** One run of the node: fetches what the tasks want, puts out what came, and keeps what was paid for. */
import type { IExecuteFunctions } from 'n8n-workflow';

import { ENDPOINTS, type Json } from '../api/contract';
import { endsTheExecution } from '../api/failures';
import { formatNoBudget, hintBudget, notRunAfter, type Limit } from '../messages/budget';
import { formatFailure } from '../messages/failures';
import { formatCost, hintNotRecorded } from '../messages/hints';
import { asInvalid, asNodeError } from '../messages/nodeErrors';
import { formatStoppedRun, stoppedRunDetails, type StoppedRun } from '../messages/stoppedRun';
import { fetchAll, type Account } from '../paging/run';
import type { FetchSettings } from '../parameters/fetching';
import type { Task } from '../resources/operation';
import { AlreadyLookedUp } from './alreadyLookedUp';
import type { ApiAccess } from './apiAccess';
import { ceilingOf, maximumOf, NOTHING_SPENT, readSpent, saveSpent, spendingOf } from './credits';
import type { Spending } from './credits';
import { cancelSignalOf, continuesOnFail, isTool, knowsErrorDetails, reportCost } from './n8n';
import type { ErrorItem, Output } from './output';
import type { PaidResults } from './paidResults';
import { logProgress, report, type Ended } from './report';

/** What a run works with. */
export interface Run {
	context: IExecuteFunctions;
	executionId: string;
	api: ApiAccess;
	/** Those of the first item, which hold for the whole run. */
	settings: FetchSettings;
	tasks: Task[];
	output: Output;
	paidResults: PaidResults;
}

/** @throws NodeApiError or NodeOperationError with On Error set to Stop Workflow; what was paid for is kept */
export async function runTasks(run: Run): Promise<void> {
	const { context, executionId, api, settings, tasks, output, paidResults } = run;
	const { costsCredits } = ENDPOINTS[api.endpoint];
	const node = context.getNode();
	const ofNode = context.getContext('node');
	const before = readSpent(ofNode, executionId, NOTHING_SPENT);
	const maximum = maximumOf(settings.maxCredits, before);
	const ceiling = ceilingOf(context.getContext('flow'), executionId, api);
	const ledgers = new Set(tasks.map(({ job }) => job.ledger));
	const ofRun = () => spendingOf(ledgers);
	const ended = await fetchTasks(run, costsCredits ? [maximum, ceiling] : [], ofRun);
	const spent = spendingOf(ledgers, before);
	const save = (rows: number) => {
		if (!costsCredits) return;
		const inAll = { ...spent, returned: spent.returned + rows };
		saveSpent(ofNode, executionId, inAll);
		// What comes in a run that throws is put out by none.
		const told = { ...inAll, returned: inAll.returned || inAll.charged };
		reportCost(context, formatCost(api.endpoint, told));
	};
	save(0);

	const { length: returned } = ended.flatMap(({ fresh }) => fresh);
	const failed = ended.find(({ failure }) => failure);
	const isCut = ended.some(({ end }) => end === 'budget');
	const { limit } = ceiling.left < maximum.left ? ceiling : maximum;
	if (!continuesOnFail(context)) {
		if (failed) {
			const item = errorItem(run, failed, spent, paidResults.keepAll());
			const [first = 0] = failed.task.items;
			throw asNodeError(node, item, { status: failed.failure?.status, item: first });
		}
		if (isCut && returned === 0) throw asInvalid(node, formatNoBudget(limit, spent));
	}
	for (const entry of ended.flatMap(({ entries }) => entries)) output.add(entry);

	// n8n runs a node again whose first output item is an error.
	const isRetried = node.retryOnFail === true;
	const isRunAgain = isRetried && (failed !== undefined || output.beginsWithError());
	const isCancelled = ended.some(({ failure }) => failure?.kind === 'cancelled');
	const hasRoom = isCancelled ? paidResults.keepAll() : paidResults.keep(ended, isRunAgain);
	putErrors(run, ended, { limit, spent, returned, hasRoom });
	const mayBeDropped = isRetried && output.beginsWithError();
	const notRecorded = isCancelled ? undefined : await recordBought(run, ended, mayBeDropped);
	save(mayBeDropped ? 0 : returned);
	report(context, ended, {
		endpoint: api.endpoint,
		run: { ...ofRun(), returned },
		inAll: spent,
		limit,
		reusedFrom: paidResults.reusedFrom,
		failed: output.failed.size,
		notRecorded,
	});
}

async function fetchTasks(
	{ context, api, settings, tasks }: Run,
	accounts: Account[],
	spent: () => Spending,
): Promise<Ended[]> {
	const { parallelPages, maxRetries } = settings;
	const results = await fetchAll(tasks, {
		...api,
		...{ accounts, parallelPages, maxRetries },
		continues: continuesOnFail(context),
		onAnswer: logProgress(context.logger, api.endpoint, spent),
	});
	const seen = new Set<Json>();
	return results.map((result) => {
		const outcome = result.task.outcome();
		const fresh = outcome.rows.filter((row) => !seen.has(row));
		if (tasks.length > 1) for (const row of fresh) seen.add(row);
		return { ...result, ...outcome, fresh };
	});
}

/** Puts out an item for each input item that is not served. */
function putErrors(
	run: Run,
	ended: Ended[],
	state: { limit: Limit; spent: Spending; returned: number; hasRoom: boolean },
): void {
	const { context, api, output } = run;
	const { limit, spent, returned, hasRoom } = state;
	let over: ErrorItem | undefined;
	for (const one of ended) {
		const { task, end, failure, isNotRun } = one;
		if (failure) {
			const text = isNotRun && over ? notRunAfter(over) : errorItem(run, one, spent, hasRoom);
			if (endsTheExecution(failure)) over ??= text;
			const { items } = task.missing();
			for (const item of items.length > 0 ? items : task.items) output.addError(item, text);
		} else if (end === 'budget' && returned === 0) {
			// An empty result would end a loop without a word.
			for (const item of task.items) output.addError(item, formatNoBudget(limit, spent));
		} else if (end === 'budget' && isTool(context)) {
			// An agent sees no hints, and must not take what it gets for all there is.
			const error = 'This result is cut: there may be more than is returned here';
			const message = hintBudget(api.endpoint, limit, returned);
			output.add({ items: task.items.slice(0, 1), json: [{ error, message }] });
		}
	}
}

function errorItem(
	{ context, api, settings }: Run,
	{ task, failure = { kind: 'notSent' }, rows: { length: fetched } }: Ended,
	spending: Spending,
	hasRoom: boolean,
): ErrorItem {
	const { endpoint } = api;
	const { timeoutMs } = task.settings;
	const baseUrl = task.baseUrl ?? api.baseUrl;
	const text = formatFailure(failure, { ...api, baseUrl, fetched, timeoutMs });
	const isCancelled = failure.kind === 'cancelled';
	const continues = continuesOnFail(context);
	const stopped: StoppedRun = {
		...{ endpoint, fetched, spending, hasRoom },
		missing: task.missing(),
		// n8n drops what a cancelled node puts out.
		continues: continues && !isCancelled,
		isRetryable: !continues && !isCancelled,
		minutesKept: settings.reusePaidResults,
	};
	const description = `${text.description} ${formatStoppedRun(stopped)}`.trim();
	if (isCancelled) context.logger.warn(`Lead Search: the execution was stopped. ${description}`);
	const hasDetails = ENDPOINTS[endpoint].costsCredits && knowsErrorDetails(context);
	const details = hasDetails ? stoppedRunDetails(stopped, failure.status) : undefined;
	return { message: text.message, description, details };
}

/**
 * Remembers what leaves the node. It is paid for, so that nothing here may end the run.
 *
 * @param mayBeDropped whether n8n may run the node again in place of passing its output on
 * @returns a warning where n8n can't
 */
async function recordBought(
	{ context, api, paidResults }: Run,
	ended: Ended[],
	mayBeDropped: boolean,
): Promise<string | undefined> {
	const urls = [...new Set(ended.flatMap(({ bought }) => [...(bought ?? [])]))];
	if (urls.length === 0 || isTool(context)) return undefined;
	const lookedUp = new AlreadyLookedUp(context, api.baseUrl);
	try {
		await lookedUp.record(urls, mayBeDropped);
		if (!cancelSignalOf(context)?.aborted) return undefined;
		paidResults.keepAll();
		await lookedUp.forget(urls);
		return undefined;
	} catch (thrown) {
		return hintNotRecorded(urls.length, thrown);
	}
}
