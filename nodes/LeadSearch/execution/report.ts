/** What people are told of a run: how far it has come, what it cost, and what is incomplete. */
import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';

import { ENDPOINTS, type Endpoint } from '../api/contract';
import {
	hintCost,
	hintCut,
	hintEmpty,
	hintRepeated,
	hintReused,
	linesOf,
	type Hint,
} from '../messages/hints';
import { quantity } from '../messages/quantity';
import { hintBudget, hintLost } from '../messages/stoppedRun';
import { LeadList } from '../paging/leadList';
import type { Cost, PagedList } from '../paging/pagedList';
import type { Log } from '../spending/log';
import { isInLoop, isTool } from './n8n';
import type { Run, RunResult } from './runResult';

/** @returns says in n8n's log, at most every 10 seconds, how far a long run has come */
export function logProgress(log: Log, endpoint: Endpoint, spent: () => Cost): () => void {
	let last = Date.now();
	return () => {
		if (Date.now() - last < 10_000) return;
		last = Date.now();
		const { charged, requests } = spent();
		const rows = quantity(charged, ENDPOINTS[endpoint].noun);
		log('info', `${rows} in ${requests} requests so far`);
	};
}

/** What people are told: what a run cost and what it is, and what is wrong or incomplete. */
export type RunHints = Record<'infos' | 'warnings', Hint[]>;

/** Shows all of it above the output, in a box each. */
export function showHints(context: IExecuteFunctions, { infos, warnings }: RunHints): void {
	const show = (texts: Hint[], type: NodeExecutionHint['type']) => {
		const message = linesOf(texts);
		if (message !== '') context.addExecutionHints({ message, type, location: 'outputPane' });
	};
	show(infos, 'info');
	show(warnings, 'warning');
}

/** @param oldestPurchase when the oldest of the reused rows was paid for */
export function describeRun(
	{ context, api: { endpoint }, output, scope, settings }: Run,
	{ results, rows, reusedRows, runCost, totalCost, limit }: RunResult,
	oldestPurchase: number | undefined,
): RunHints {
	const { costsCredits } = ENDPOINTS[endpoint];
	const { length: returned } = rows;
	// A hint of its own speaks of rows that came again because the list has changed.
	const lists = new Set(results.map(({ task }) => task.job.list));
	const repeated = runCost.wasted - [...lists].reduce((sum, list) => sum + repeatsOf(list), 0);
	const minutesAgo = Math.ceil((Date.now() - (oldestPurchase ?? Date.now())) / 60_000);
	const isLookUp = endpoint === 'lookUp';
	const profiles = isLookUp ? results.reduce((sum, { task }) => sum + task.job.keyCount, 0) : 0;
	const infos = [
		hintCost(endpoint, { ...runCost, inAll: totalCost.charged }, rows, scope.isExecution, profiles),
		reusedRows > 0 &&
			hintReused(
				endpoint,
				{ reused: reusedRows, returned },
				minutesAgo,
				settings.reusePaidResults > 0,
			),
	];
	const errors =
		context.getNode().onError === 'continueErrorOutput' ? 'error branch' : 'item that tells why';
	const isOverBudget = results.some(({ end }) => end === 'budget');
	const usesSmallerPages = results.some(
		({ task }) => task.job.list.lossHistory.smallestLost < Infinity,
	);
	const endsLoop = output.isEmpty && !context.getNode().alwaysOutputData && isInLoop(context);
	// To an agent, items of their own say what is cut, and it runs in no loop.
	const userWarnings = [
		...results.map(
			({ failure, rows: { length } }) =>
				failure && length > 0 && hintCut(endpoint, length, failure.kind === 'noCredits', errors),
		),
		returned > 0 && isOverBudget && hintBudget(endpoint, limit, returned),
		endsLoop && hintEmpty(endpoint),
	];
	const warnings = [
		...results.flatMap(({ warnings }) => warnings),
		costsCredits && repeated > 0 && hintRepeated(repeated, endpoint),
		costsCredits && totalCost.lostResponses > 0 && hintLost(totalCost, usesSmallerPages),
		...(isTool(context) ? [] : userWarnings),
	];
	return { infos: costsCredits ? infos : [], warnings };
}

/** Rows that this run paid for although an earlier execution had paid for them: the list has changed since. */
function repeatsOf(list: PagedList): number {
	return list instanceof LeadList ? list.paidRepeatCount : 0;
}
