import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';

import { ENDPOINTS, type Endpoint } from '../api/contract';
import { describeNextRows, type Hint } from '../messages/hint';
import { quantity } from '../messages/quantity';
import type { PaidResults } from '../cache/paidResults';
import { describeBudget, describeLostResponses } from '../messages/stoppedRun';
import type { Cost } from '../paging/cost';
import { DEFAULT_PAGE_SIZE, SMALL_PAGE_SIZE } from '../paging/pages';
import { describeAbsentCountries } from '../resources/lead/hints';
import type { Log } from '../spending/log';
import type { Run, RunResult } from './runResult';
import {
	describeCost,
	describeEmptyRound,
	describeFreeCount,
	describeMatchingCost,
	describeReusedRows,
	describeSplitLists,
	describeTruncation,
	describeUnreadableResults,
} from './hints';

/** Returns a function that writes the progress to n8n's log, unless it did so in the last ten seconds. */
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

export type RunHints = Record<'infos' | 'warnings', Hint[]>;

export function showHints(context: IExecuteFunctions, { infos, warnings }: RunHints): void {
	const show = (texts: Hint[], type: NodeExecutionHint['type']) => {
		const message = joinLines(texts);
		if (message !== '') context.addExecutionHints({ message, type, location: 'outputPane' });
	};
	show(infos, 'info');
	show(warnings, 'warning');
}

function joinLines(texts: Hint[]): string {
	return [...new Set(texts)].filter((text) => text).join('<br>');
}

export function describeRun(
	{ environment, api: { endpoint, credentialName }, output }: Run,
	{ results, rows, reusedRows, runCost, totalCost, limit }: RunResult,
	paid: PaidResults | undefined,
): RunHints {
	const { node, isTool, isInLoop } = environment;
	const { costsCredits } = ENDPOINTS[endpoint];
	const { length: returned } = rows;
	const freeUntil = reusedRows > 0 ? (paid?.freeUntil ?? 0) : 0;
	const isLookUp = endpoint === 'lookUp';
	const profiles = isLookUp ? results.reduce((sum, { task }) => sum + task.job.keyCount, 0) : 0;
	// Searches with different values of Skip have no common value for the next leads.
	const [nextSkip, ...otherSkips] = new Set(results.map((result) => result.nextSkip));
	const infos = [
		describeCost(
			endpoint,
			{
				...runCost,
				totalCharged: totalCost.charged,
				isExecution: limit.isExecution,
				profiles,
				includesPhones: results.some(({ task }) => task.settings.includesPhones),
				// An agent can't choose another credential.
				credential: isTool ? '' : credentialName,
			},
			rows,
		),
		reusedRows > 0 &&
			describeReusedRows(
				endpoint,
				{ reused: reusedRows, returned },
				freeUntil > Date.now() ? environment.formatTime(freeUntil) : undefined,
			),
		// The note for an agent has its own line about the next leads.
		!isTool &&
			nextSkip !== undefined &&
			otherSkips.length === 0 &&
			describeNextRows(nextSkip, isTool),
	];
	const errors = node.onError === 'continueErrorOutput' ? 'error branch' : 'item that says why';
	const hasLargePages = results.some(
		({ task: { job } }) =>
			Math.min(job.pageSize ?? DEFAULT_PAGE_SIZE, job.keyCount) > SMALL_PAGE_SIZE,
	);
	const isOverBudget = results.some(({ outcome }) => outcome === 'budget');
	const endsLoop = output.isEmpty && !node.alwaysOutputData && isInLoop();
	// An agent gets error items for incomplete results, and runs in no loop.
	const userWarnings = [
		...results.map(
			({ failure, rows: { length } }) =>
				failure &&
				length > 0 &&
				describeTruncation(endpoint, length, failure.kind === 'noCredits', errors),
		),
		returned > 0 && isOverBudget && describeBudget(endpoint, limit, returned),
		endsLoop && describeEmptyRound(endpoint),
	];
	const warnings = [
		...results.flatMap(({ warnings }) => warnings),
		...results.map(
			({ absentCountries = [], rows: { length } }) =>
				absentCountries.length > 0 && describeAbsentCountries(absentCountries, length),
		),
		isLookUp && runCost.wasted > 0 && describeMatchingCost(runCost.wasted),
		paid?.isRetryDataUnreadable === true && describeUnreadableResults(),
		costsCredits && describeLostResponses(endpoint, totalCost, hasLargePages),
		...(isTool ? [] : userWarnings),
	];
	const isEstimate = !isTool && results.some((result) => result.isEstimate);
	return {
		infos: [
			isEstimate && describeFreeCount(),
			...(costsCredits ? infos : []),
			describeSplitLists(results.flatMap(({ splitLists = [] }) => splitLists)),
		],
		warnings,
	};
}
