/** What people are told of a run: how far it has come, what it cost, and what is incomplete. */
import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';

import { ENDPOINTS, type Endpoint } from '../api/contract';
import {
	hintCost,
	hintCut,
	hintEmpty,
	hintRepeated,
	hintReused,
	type Hint,
} from '../messages/hints';
import { quantity } from '../messages/quantity';
import { hintBudget, hintLost } from '../messages/stoppedRun';
import type { Cost } from '../paging/ledger';
import type { Log } from './log';
import { isTool } from './n8n';
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

/** Shows hints above the output, the same text once. */
export function showHints(context: IExecuteFunctions, infos: Hint[], warnings: Hint[]): void {
	const hintsOf = (texts: Hint[], type: NodeExecutionHint['type']): NodeExecutionHint[] =>
		[...new Set(texts)].flatMap((message) =>
			message ? [{ message, type, location: 'outputPane' }] : [],
		);
	context.addExecutionHints(...hintsOf(infos, 'info'), ...hintsOf(warnings, 'warning'));
}

/** @returns what a run cost, and warnings of what is incomplete @param answers to questions of its tasks @param reusedFrom when what was reused was paid for, if not just now */
export function report(
	{ context, api: { endpoint }, output, belonging }: Run,
	{ ended, rows, reused, ofRun, inAll, limit }: RunResult,
	answers: Hint[],
	reusedFrom: number | undefined,
): Record<'infos' | 'warnings', Hint[]> {
	const { costsCredits } = ENDPOINTS[endpoint];
	const { length: returned } = rows;
	const { repeated } = ofRun;
	const minutesAgo = reusedFrom && Math.floor((Date.now() - reusedFrom) / 60_000);
	const infos = [
		hintCost(endpoint, { ...ofRun, inAll: inAll.charged }, rows, belonging.isExecution),
		reused > 0 && hintReused(endpoint, { reused, returned }, minutesAgo),
	];
	const errors = context.getNode().onError === 'continueErrorOutput' ? 'error branch' : 'last item';
	const isOverBudget = ended.some(({ end }) => end === 'budget');
	const isEmptyOfLoop = output.isEmpty && !context.getNode().alwaysOutputData;
	// To an agent, items of their own say what is cut, and it runs in no loop.
	const toPeople = [
		...ended.map(
			({ failure, rows: { length } }) =>
				failure && length > 0 && hintCut(endpoint, length, failure.kind === 'noCredits', errors),
		),
		returned > 0 && isOverBudget && hintBudget(endpoint, limit, returned),
		isEmptyOfLoop && hintEmpty(endpoint),
	];
	const warnings = [
		...ended.flatMap(({ warnings }) => warnings),
		...answers,
		costsCredits && repeated > 0 && hintRepeated(repeated, endpoint),
		costsCredits && inAll.lost > 0 && hintLost(inAll),
		...(isTool(context) ? [] : toPeople),
	];
	const whatItIs = isTool(context) ? [] : ended.flatMap(({ infos: told = [] }) => told);
	return { infos: [...(costsCredits ? infos : []), ...whatItIs], warnings };
}
