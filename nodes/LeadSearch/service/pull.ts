/**
 * Walks a list: asks for its pages, one or several at a time, retries, counts credits, and hands the
 * rows on in their order. The deciding is done in `paging.ts` and `retries.ts`; here is the order of
 * events.
 */
import type { Json, PageAnswer } from './contract';
import type { CreditAccount } from './credits';
import { endsTheExecution, mayHaveBeenCharged, type Failure, type Outcome } from './failures';
import type { Pace } from './pace';
import {
	nextStep,
	startOf,
	takeAnswer,
	withHalfPages,
	withSurePages,
	type PageAhead,
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
	/** The most pages under way at once. */
	parallelPages: number;
	/** The execution's pace. */
	pace: Pace;
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

/** Rows `after + 1` to `until` of a list. */
export interface RowRange {
	after: number;
	until: number;
}

/** How a walk went. */
export interface PullResult {
	walk: Walk;
	/** Why it ended; undefined when `failure` ended it. */
	end?: WalkEnd | 'outOfTime';
	failure?: Failure;
	/** What the last retry was for, if no answer has come since. */
	retried?: Failure;
	/** Rows handed on. */
	rows: number;
	/** Rows passed, counted from the first of the list: up to here all came but the missing ones. */
	reached: number;
	/** Rows that did not come although later ones did, which can happen with several pages at once. */
	missing: RowRange[];
	/** Rows charged that had come before, because the service moved its pages. */
	repeatedRows: number;
	requests: number;
}

/** Runs a walk to its end or its first lasting failure. */
export async function pull(job: Pull): Promise<PullResult> {
	return await new Puller(job).run();
}

interface Answered {
	ask: PageAsk;
	answer: PageAnswer;
}

interface Failed {
	ask: PageAsk;
	failure: Failure;
}

type Stop = Pick<PullResult, 'end' | 'failure'>;

class Puller {
	private walk: Walk;
	private readonly counts = { rows: 0, repeatedRows: 0, requests: 0 };
	private readonly underWay = new Map<PageAsk, Promise<Answered | Failed>>();

	/** Answers whose turn has not come, in the order of their rows. */
	private early: Answered[] = [];

	/** What failed since something was sent last. */
	private failed: Failed[] = [];

	/** Set by an answer that ends the run, although its rows count. */
	private misfit?: Failure;

	/** How often in a row nothing but failures came, and what the last retry is for. */
	private tries = 0;
	private retried?: Failure;

	constructor(private readonly job: Pull) {
		this.walk = job.walk;
	}

	async run(): Promise<PullResult> {
		for (;;) {
			const idle = this.launch();
			if (this.underWay.size > 0) {
				this.receive(await Promise.race(this.underWay.values()));
				continue;
			}
			// Whatever ends the run, what was under way has been paid for and is in by now.
			if (this.failed.length === 0) {
				return this.finish(this.misfit ? { failure: this.misfit } : idle);
			}
			const retry = this.settle();
			if ('failure' in retry) return this.finish(retry);
			if (retry.waitMs !== undefined) await this.job.wait(retry.waitMs);
		}
	}

	/** Sends as many requests as may be under way; says why there is no further one to send. */
	private launch(): Stop {
		const { job, underWay, early } = this;
		if (this.misfit !== undefined || this.failed.length > 0) return {};
		const most = this.tries > 0 ? 1 : job.pace.pagesAtOnce(job.parallelPages);
		// An early answer keeps its place, so that no request goes further past the end than `most`.
		while (underWay.size === 0 || underWay.size + early.length < most) {
			if (job.cancelSignal?.aborted) return { failure: { kind: 'cancelled' } };
			const step = nextStep(this.walk, job.credits?.left ?? Infinity, this.ahead());
			if (!('ask' in step)) return 'end' in step ? step : {};
			if (job.hasTime?.() === false) return { end: 'outOfTime' };
			this.counts.requests += 1;
			underWay.set(step.ask, this.send(step.ask));
		}
		return {};
	}

	private async send(ask: PageAsk): Promise<Answered | Failed> {
		const outcome = await this.job.fetchPage(ask);
		return 'value' in outcome
			? { ask, answer: outcome.value }
			: { ask, failure: outcome.failure };
	}

	private ahead(): PageAhead[] {
		const answered = this.early.map(({ ask, answer }) => ({
			...ask,
			received: answer.rows.length,
		}));
		return [...answered, ...this.underWay.keys()].sort((one, other) => one.after - other.after);
	}

	private receive(arrived: Answered | Failed): void {
		const { job, early } = this;
		this.underWay.delete(arrived.ask);
		if ('failure' in arrived) {
			if (mayHaveBeenCharged(arrived.failure)) job.credits?.loseAnswer(arrived.ask.size);
			this.failed.push(arrived);
			return;
		}
		this.tries = 0;
		this.retried = undefined;
		job.credits?.charge(arrived.answer.rows.length);
		early.push(arrived);
		early.sort((one, other) => one.ask.after - other.ask.after);
		for (;;) {
			const [next] = early;
			if (!next || next.ask.after > this.walk.passed || this.misfit) break;
			early.shift();
			this.take(next);
		}
		job.onProgress?.(this.counts);
	}

	/** Hands on and moves forward, in this order: what was charged is never lost to a misfit. */
	private take({ ask, answer }: Answered): void {
		const progress = takeAnswer(this.walk, ask, answer, this.ahead());
		this.handOn(answer.rows, progress.firstNewRow);
		this.walk = progress.walk;
		const words = answer.misfit ?? progress.misfit;
		if (words !== undefined) this.misfit = { kind: 'misfit', status: 200, words };
	}

	private handOn(rows: Json[], firstNewRow: number): void {
		const fresh = firstNewRow === 0 ? rows : rows.slice(firstNewRow);
		this.counts.rows += fresh.length;
		this.counts.repeatedRows += rows.length - fresh.length;
		this.job.onRows(fresh);
	}

	/** Decides what to do about all that failed at once. */
	private settle(): { waitMs?: number } | { failure: Failure } {
		const { job } = this;
		const failed = this.failed.sort((one, other) => one.ask.after - other.ask.after);
		this.failed = [];
		if (failed.some(({ failure }) => failure.kind === 'tooManyRequests')) job.pace.slowDown();
		const tries = this.tries + 1;
		const lasting: Failure[] = [];
		let waitMs: number | undefined;
		for (const { ask, failure } of failed) {
			if (isPageSizeRefused(failure, ask, this.walk)) {
				this.walk = withSurePages(this.walk);
				continue;
			}
			this.tries = tries;
			const retry = retryAfter(failure, tries, job.maxRetries, job.random());
			if (!retry) {
				lasting.push(failure);
				continue;
			}
			this.retried = failure;
			if (retry.smallerPage) this.walk = withHalfPages(this.walk, ask);
			waitMs = Math.max(waitMs ?? 0, retry.waitMs);
		}
		// What every other request would meet as well comes first: nothing more may be sent after it.
		const failure = lasting.find(endsTheExecution) ?? this.misfit ?? lasting[0];
		return failure ? { failure } : { waitMs };
	}

	/** Hands on what came early and never had its turn: it has been paid for. */
	private finish(stop: Stop): PullResult {
		const missing: RowRange[] = [];
		let reached = this.walk.passed;
		for (const { ask, answer } of this.early) {
			const { rows } = answer;
			// A place further on than asked is not believed, as in `takeAnswer`.
			const start = Math.min(startOf(ask, answer), ask.after);
			const end = start + rows.length;
			this.handOn(rows, Math.min(rows.length, Math.max(0, reached - start)));
			if (rows.length === 0 || end <= reached) continue;
			if (start > reached) missing.push({ after: reached, until: start });
			reached = end;
		}
		const earlyRows = this.early.reduce((sum, { answer }) => sum + answer.rows.length, 0);
		return {
			...this.counts,
			...stop,
			retried: this.retried,
			walk: { ...this.walk, rowsLeft: this.walk.rowsLeft - earlyRows },
			reached,
			// What the service says is no part of the list is not missing.
			missing: stop.end === 'endOfList' ? [] : missing,
		};
	}
}

function isPageSizeRefused(failure: Failure, ask: PageAsk, walk: Walk): boolean {
	return (
		failure.kind === 'refused' &&
		[400, 413, 422].includes(failure.status ?? 0) &&
		ask.size > walk.surePageSize
	);
}
