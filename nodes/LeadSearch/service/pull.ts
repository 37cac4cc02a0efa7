/**
 * Walks a list page by page: asks, retries, counts credits, and hands each page on as it comes. The
 * deciding is done in `paging.ts` and `retries.ts`; here is the order of events.
 */
import type { Json, PageAnswer } from './contract';
import type { CreditAccount } from './credits';
import { mayHaveBeenCharged, type Failure, type Outcome } from './failures';
import {
	nextStep,
	takeAnswer,
	withHalfPages,
	withSurePages,
	type PageAsk,
	type Walk,
	type WalkEnd,
} from './paging';
import { retryAfter } from './retries';

/** How a walk is carried out. */
export interface Pull {
	walk: Walk;
	/** Fetches one page. */
	fetchPage(ask: PageAsk): Promise<Outcome<PageAnswer>>;
	/** Takes the new rows of a page; they have been paid for. */
	onRows(rows: Json[]): void;
	/** The execution's credits; undefined for a list that costs none. */
	credits?: CreditAccount;
	/** How often a page is asked for again. */
	maxRetries: number;
	/** Waits; ends early, without rejecting, when the execution is cancelled. */
	wait(milliseconds: number): Promise<void>;
	cancelSignal?: AbortSignal;
	/** A number from 0 up to 1. */
	random(): number;
	/** Whether there is time for another request; always, unless given. */
	hasTime?(): boolean;
	/** Called after each page, with the rows and requests so far. */
	onProgress?(progress: { rows: number; requests: number }): void;
}

/** How a walk went. */
export interface PullResult {
	walk: Walk;
	/** Why it ended; undefined when `failure` ended it. */
	end?: WalkEnd | 'outOfTime';
	failure?: Failure;
	/** Rows handed on. */
	rows: number;
	/** Rows charged that had come before, because the service moved its pages. */
	repeatedRows: number;
	requests: number;
}

/** Runs a walk to its end or its first lasting failure. */
export async function pull(job: Pull): Promise<PullResult> {
	const result: PullResult = { walk: job.walk, rows: 0, repeatedRows: 0, requests: 0 };
	let tries = 0;
	for (;;) {
		if (job.cancelSignal?.aborted) return { ...result, failure: { kind: 'cancelled' } };
		const step = nextStep(result.walk, job.credits?.left ?? Infinity);
		if ('end' in step) return { ...result, end: step.end };
		if (job.hasTime?.() === false) return { ...result, end: 'outOfTime' };

		result.requests += 1;
		const outcome = await job.fetchPage(step.ask);
		if ('value' in outcome) {
			tries = 0;
			const failure = take(job, result, step.ask, outcome.value);
			job.onProgress?.(result);
			if (failure) return { ...result, failure };
			continue;
		}

		const { failure } = outcome;
		if (mayHaveBeenCharged(failure)) job.credits?.loseAnswer(step.ask.size);
		if (isPageSizeRefused(failure, step.ask, result.walk)) {
			result.walk = withSurePages(result.walk);
			continue;
		}
		tries += 1;
		const retry = retryAfter(failure, tries, job.maxRetries, job.random());
		if (!retry) return { ...result, failure };
		if (retry.smallerPage) result.walk = withHalfPages(result.walk, step.ask);
		await job.wait(retry.waitMs);
	}
}

/** Counts, hands on and moves forward, in this order: what was charged is never lost to a misfit. */
function take(
	job: Pull,
	result: PullResult,
	ask: PageAsk,
	answer: PageAnswer,
): Failure | undefined {
	job.credits?.charge(answer.rows.length);
	const progress = takeAnswer(result.walk, ask, answer);
	const fresh =
		progress.firstNewRow === 0 ? answer.rows : answer.rows.slice(progress.firstNewRow);
	result.walk = progress.walk;
	result.rows += fresh.length;
	result.repeatedRows += answer.rows.length - fresh.length;
	job.onRows(fresh);
	const words = answer.misfit ?? progress.misfit;
	return words === undefined ? undefined : { kind: 'misfit', status: 200, words };
}

function isPageSizeRefused(failure: Failure, ask: PageAsk, walk: Walk): boolean {
	return (
		failure.kind === 'refused' &&
		[400, 413, 422].includes(failure.status ?? 0) &&
		ask.size > walk.surePageSize
	);
}
