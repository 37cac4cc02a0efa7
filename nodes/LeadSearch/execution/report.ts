/** What the output pane tells of a run that has put its rows out: what it cost, and what is incomplete. */
import type { Endpoint, Json } from '../api/contract';
import { hintBudget, type Limit } from '../messages/budget';
import {
	hintCost,
	hintCut,
	hintLimit,
	hintMaxResults,
	hintNoMatch,
	hintRefused,
	hintRepeated,
	hintReused,
} from '../messages/hints';
import { formatLost } from '../messages/stoppedRun';
import { LeadList } from '../paging/leadList';
import type { Result } from '../paging/run';
import type { Task } from '../resources/operation';
import type { Spending } from './credits';
import type { Hints } from './hints';

/** A task, how it ended, and the rows that it alone has put out. */
export type Ended = Result<Task> & { rows: Json[] };

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

export function tellCost(hints: Hints, endpoint: Endpoint, rows: Json[], cost: Cost): void {
	const { run, inAll, repeated, reusedFrom } = cost;
	hints.inform(hintCost(endpoint, run, inAll.charged, rows));
	const reused = rows.length - (run.charged - repeated);
	if (reused > 0) {
		const minutesAgo = reusedFrom && Math.floor((Date.now() - reusedFrom) / 60_000);
		hints.inform(hintReused(endpoint, { reused, returned: rows.length }, minutesAgo));
	}
	if (repeated > 0) hints.warn(hintRepeated(repeated, endpoint));
	hints.warn(formatLost(inAll));
}

/**
 * Warns of all that is incomplete.
 *
 * @param limit what ended those jobs that ended for want of a budget
 */
export function warnOfGaps(
	hints: Hints,
	endpoint: Endpoint,
	ended: Ended[],
	limit: Limit | undefined,
): void {
	const returned = ended.reduce((sum, { rows }) => sum + rows.length, 0);
	for (const { task, end, failure, rows } of ended) {
		const { ledger } = task.job;
		if (failure && rows.length > 0) {
			hints.warn(hintCut(endpoint, rows.length, failure.kind === 'noCredits'));
		}
		if (end === 'budget' && limit && returned > 0) {
			hints.warn(hintBudget(endpoint, limit, returned));
		}
		if (end === 'maxResults') hints.warn(hintMaxResults());
		if (ledger instanceof LeadList) {
			const { proven, refusal } = ledger.end;
			if (end === 'refused') hints.warn(hintRefused(proven, refusal?.text));
			if (end === 'whole' && proven === 0) hints.warn(hintNoMatch());
		}
		const { urls = 0 } = task.missing();
		if (end === 'limit' && urls > 0 && task.items.length > 1) hints.warn(hintLimit(urls));
	}
}
