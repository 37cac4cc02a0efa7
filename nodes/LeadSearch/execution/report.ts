/** What the output pane tells of a run that has put its rows out: what it cost, and what is incomplete. */
import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';

import type { Endpoint, Json } from '../api/contract';
import {
	hintCost,
	hintCut,
	hintFailed,
	hintLimit,
	hintMaxResults,
	hintNoMatch,
	hintRefused,
	hintRepeated,
	hintReused,
} from '../messages/hints';
import { formatLost, hintBudget, type Limit } from '../messages/stoppedRun';
import { LeadList } from '../paging/leadList';
import type { Result } from '../paging/run';
import type { Outcome, Task } from '../resources/operation';
import type { Spending } from './credits';

/** A task, how it ended, and what has come of it. */
export type Ended = Result<Task> &
	Outcome & {
		/** Of its rows, those that are in no task before it. */
		fresh: Json[];
	};

/** Shows hints above the output, the same text once. */
export function showHints(context: IExecuteFunctions, infos: string[], warnings: string[]): void {
	const types = new Map<string, NodeExecutionHint['type']>([
		...infos.map((text) => [text, 'info'] as const),
		...warnings.map((text) => [text, 'warning'] as const),
	]);
	const hints = [...types].map(([message, type]): NodeExecutionHint => ({
		message,
		type,
		location: 'outputPane',
	}));
	// Older versions of n8n show no hints.
	if (hints.length > 0 && typeof context.addExecutionHints === 'function')
		context.addExecutionHints(...hints);
}

/** What a run has cost, in credits and rows. */
export interface Cost {
	/** What this run has spent, and the whole execution. */
	run: Spending;
	inAll: Spending;
	/** Rows that were charged and had come before. */
	repeated: number;
	/** When what was reused was paid for, in milliseconds since 1970; undefined within the execution. */
	reusedFrom: number | undefined;
}

export function costHints(
	endpoint: Endpoint,
	rows: Json[],
	{ run, inAll, repeated, reusedFrom }: Cost,
): { infos: string[]; warnings: string[] } {
	const infos = [hintCost(endpoint, run, inAll.charged, rows)];
	const reused = rows.length - (run.charged - repeated);
	const minutesAgo = reusedFrom && Math.floor((Date.now() - reusedFrom) / 60_000);
	if (reused > 0) infos.push(hintReused(endpoint, { reused, returned: rows.length }, minutesAgo));
	return {
		infos,
		warnings: [
			...(repeated > 0 ? [hintRepeated(repeated, endpoint)] : []),
			...(inAll.lost > 0 ? [formatLost(inAll)] : []),
		],
	};
}

/**
 * Warns of all that is incomplete.
 *
 * @param limit what ended those jobs that ended for want of a budget
 * @param items input items, and how many of them failed
 */
export function gapWarnings(
	endpoint: Endpoint,
	ended: Ended[],
	limit: Limit | undefined,
	items: { failed: number; all: number },
): string[] {
	const returned = ended.reduce((sum, { fresh }) => sum + fresh.length, 0);
	const warnings = ended.flatMap(({ task, end, failure, fresh }) => {
		const { ledger } = task.job;
		const isShared = end === 'limit' && task.items.length > 1;
		const { urls = 0 } = isShared ? task.missing() : {};
		const list = ledger instanceof LeadList ? ledger.end : undefined;
		return [
			failure && fresh.length > 0 && hintCut(endpoint, fresh.length, failure.kind === 'noCredits'),
			end === 'budget' && limit && returned > 0 && hintBudget(endpoint, limit, returned),
			end === 'maxResults' && hintMaxResults(),
			list && end === 'refused' && hintRefused(list.proven, list.refusal?.text),
			end === 'whole' && list?.proven === 0 && hintNoMatch(),
			urls > 0 && hintLimit(urls),
		].filter((warning) => typeof warning === 'string');
	});
	const isTold = items.failed > 0 && items.all > 1;
	return isTold ? [...warnings, hintFailed(items.failed, items.all)] : warnings;
}
