/**
 * Fetches the pages of a pagination: one or several at a time, with retries, counting credits. What
 * to request, and what a response means, the pagination decides; here is the order of events.
 */
import type { ConcurrencyLimit, Sent } from './concurrency';
import type { Page } from './contract';
import { creditsLeft, type CreditAccount } from './credits';
import { endsTheExecution, mayHaveBeenCharged, type Failure, type Outcome } from './failures';
import { decideRetry } from './retry';

/** Why nothing more is requested. */
export type ListEnd =
	/** The service has said that the next row does not exist. */
	| 'endOfList'
	/** The service says so, but serves no page that would show it. */
	| 'unverifiedEnd'
	/** As many rows as wanted are in. */
	| 'limit'
	/** The list goes on, but no search reaches beyond row 100,000. */
	| 'maxResults';

/** What a pagination wants to happen next. */
export type Step<Request> =
	| { request: Request }
	/** Nothing to request before a response that is in flight. */
	| { wait: true }
	/** Nothing more to request at all. */
	| { end: ListEnd | 'budget' }
	/** The service makes it impossible to go on; for people. */
	| { violation: string };

/** What a response gave. */
export interface Accepted {
	/** Set when it contradicts the contract or itself, for people. Its rows count all the same. */
	violation?: string;
	/** Whether running again would end the same way. */
	isFinal?: boolean;
}

/** Decides what to request. Knows rows and credits, neither HTTP nor time. */
export interface Pagination<Request> {
	/** @param creditsLeft rows that may still be paid for in this execution, those in flight included */
	next(creditsLeft: number, inFlight: readonly Request[]): Step<Request>;
	/** @param inFlight the requests that are still in flight */
	accept(request: Request, page: Page, inFlight: readonly Request[]): Accepted;
	/** @returns whether it goes on another way, so that the failure is none */
	fail(request: Request, failure: Failure): boolean;
	/** Whether nothing may be missing, by all that came. */
	mayBeWhole?(): boolean;
	/** Makes requests smaller, since one did not get through. */
	halve(request: Request): void;
	/** Rows that came for the first time. */
	readonly rows: number;
}

export interface FetchJob<Request> {
	pagination: Pagination<Request>;
	/** Fetches one page. */
	fetchPage(request: Request): Promise<Outcome<Page>>;
	/** The execution's credits; undefined for an endpoint that costs none. */
	credits?: CreditAccount;
	/** The most credits that the execution may spend; Infinity without a Credit Budget. */
	budget: number;
	/** The most requests in flight at once. */
	parallelPages: number;
	concurrency: ConcurrencyLimit;
	/** How often a request is repeated. */
	maxRetries: number;
	/** Waits; ends early, without rejecting, when the execution is cancelled. */
	wait(milliseconds: number): Promise<void>;
	cancelSignal?: AbortSignal;
	/** A number from 0 up to 1. */
	random(): number;
	/** The present, in milliseconds. */
	now(): number;
	/** Whether there is time for another request after so many milliseconds; always, unless given. */
	hasTime?(waitMs: number): boolean;
	/** Called after each page, with the rows and requests so far. */
	onProgress?(progress: { rows: number; requests: number }): void;
	/** Called before the wait for a retry, with what the retry is for. */
	onRetry?(failure: Failure, waitMs: number): void;
}

/** How fetching ended. */
export interface FetchResult {
	/** Undefined when `failure` ended it. */
	end?: ListEnd | 'budget' | 'outOfTime';
	failure?: Failure;
	/** What the last retry was for, if no response has come since. */
	retried?: Failure;
	requests: number;
}

/** What is common to the requests of all paginations. */
export interface AnyRequest {
	/** The most credits that the response may cost. */
	cost: number;
	isEndProbe?: boolean;
}

/** Fetches pages to the end of the pagination or to the first lasting failure. */
export async function fetchPages<Request extends AnyRequest>(
	job: FetchJob<Request>,
): Promise<FetchResult> {
	return await new PageFetcher(job).run();
}

type Response<Request> = { request: Request; sent: Sent } & Outcome<Page>;

/** Why nothing more is sent for now: for good, or for so many milliseconds. */
type Stop = Pick<FetchResult, 'end' | 'failure'> & { waitMs?: number };

class PageFetcher<Request extends AnyRequest> {
	private requests = 0;

	private readonly inFlight = new Map<Request, Promise<Response<Request>>>();

	/** What failed since a request was sent last. */
	private failed: Array<{ request: Request; sent: Sent; failure: Failure }> = [];

	/** Decided on, but to be sent later. */
	private delayed?: Request;

	private pause?: Promise<void>;

	/** Whether a pause is over, so that a request is due whatever the clock says. */
	private isDue = false;

	/** Whether one page at a time is requested from now on. */
	private isAlone = false;

	/** Set by a response that ends the run, although its rows count. */
	private violation?: Failure;

	/** How often in a row nothing but failures came, and what the last retry is for. */
	private tries = 0;
	private retried?: Failure;

	constructor(private readonly job: FetchJob<Request>) {}

	async run(): Promise<FetchResult> {
		for (;;) {
			const stop = this.launch();
			if (this.inFlight.size > 0) {
				const response = await Promise.race([
					...this.inFlight.values(),
					...this.pauseFor(stop),
				]);
				if (response) this.receive(response);
				continue;
			}
			if (stop.waitMs !== undefined) {
				await this.job.wait(stop.waitMs);
				if (this.job.cancelSignal?.aborted) continue;
				if (this.delayed) this.send(this.delayed);
				continue;
			}
			// Whatever ends the run, what was in flight has been paid for and is in by now.
			if (this.failed.length === 0) {
				return this.result(this.violation ? { failure: this.violation } : stop);
			}
			const retry = this.settle();
			if ('failure' in retry) return this.result(retry);
			if (retry.waitMs === undefined) continue;
			if (this.job.hasTime?.(retry.waitMs) === false)
				return this.result({ end: 'outOfTime' });
			if (this.retried) this.job.onRetry?.(this.retried, retry.waitMs);
			await this.job.wait(retry.waitMs);
		}
	}

	/** Sends as many requests as may be in flight; says why there is no further one to send. */
	private launch(): Stop {
		const { job, inFlight } = this;
		if (this.violation !== undefined || this.failed.length > 0) return {};
		const most = this.tries > 0 || this.isAlone ? 1 : job.parallelPages;
		for (;;) {
			const wait = job.concurrency.waitBefore(inFlight.size, most, job.now());
			if (wait === Infinity) return {};
			const waitMs = this.isDue ? 0 : wait;
			if (inFlight.size > 0 && waitMs > 0) return { waitMs };
			if (job.cancelSignal?.aborted) return { failure: { kind: 'cancelled' } };
			const left = job.credits ? creditsLeft(job.budget, job.credits) : Infinity;
			const step = job.pagination.next(left, [...inFlight.keys()]);
			if ('violation' in step) {
				return { failure: protocolViolation(step.violation, true) };
			}
			if (!('request' in step)) return 'end' in step ? step : {};
			if (job.hasTime?.(waitMs) === false) return { end: 'outOfTime' };
			if (waitMs > 0) {
				this.delayed = step.request;
				return { waitMs };
			}
			this.send(step.request);
		}
	}

	private send(request: Request): void {
		const { job, inFlight } = this;
		this.delayed = undefined;
		this.isDue = false;
		this.requests += 1;
		job.credits?.send();
		const sent = job.concurrency.send(inFlight.size + 1, job.now());
		const fetched = job.fetchPage(request).then((outcome) => ({ request, sent, ...outcome }));
		inFlight.set(request, fetched);
	}

	/** A pause to be awaited beside the responses; the same one until it is over. */
	private pauseFor({ waitMs }: Stop): Array<Promise<undefined>> {
		if (waitMs === undefined) return [];
		this.pause ??= this.job.wait(waitMs).then(() => {
			this.pause = undefined;
			this.isDue = true;
		});
		return [this.pause.then(() => undefined)];
	}

	private receive(response: Response<Request>): void {
		const { job } = this;
		const { request, sent, quota } = response;
		this.inFlight.delete(request);
		job.concurrency.learn(sent, quota, job.now());
		if ('failure' in response) {
			const { failure } = response;
			if (mayHaveBeenCharged(failure)) job.credits?.loseResponse(request.cost);
			this.failed.push({ request, sent, failure });
			return;
		}
		job.concurrency.succeed(sent, response.value.rows.length, job.now());
		this.tries = 0;
		this.retried = undefined;
		job.credits?.charge(response.value.rows.length);
		const accepted = job.pagination.accept(request, response.value, [...this.inFlight.keys()]);
		if (accepted.violation !== undefined) {
			this.violation ??= protocolViolation(accepted.violation, accepted.isFinal);
		}
		job.onProgress?.({ rows: job.pagination.rows, requests: this.requests });
	}

	/** Decides what to do about all that failed at once. */
	private settle(): { waitMs?: number } | { failure: Failure } {
		const { job, failed } = this;
		this.failed = [];
		this.slowDown(failed);
		const tries = this.tries + 1;
		const lasting: Failure[] = [];
		let waitMs: number | undefined;
		for (const { request, failure } of failed) {
			if (job.pagination.fail(request, failure)) continue;
			this.tries = tries;
			const retry = decideRetry(failure, tries, job.maxRetries, job.random());
			if (!retry) {
				const atEndProbe =
					request.isEndProbe === true ||
					(failure.kind === 'noCredits' && job.pagination.mayBeWhole?.() === true);
				lasting.push({ ...failure, ...(atEndProbe && { atEndProbe }) });
				continue;
			}
			this.retried = failure;
			if (retry.smallerPage) job.pagination.halve(request);
			waitMs = Math.max(waitMs ?? 0, retry.waitMs);
		}
		if (this.mayBeForOthers(failed, lasting)) {
			this.isAlone = true;
			return { waitMs };
		}
		// What every other request would meet as well comes first: nothing more may be sent after it.
		const failure = lasting.find(endsTheExecution) ?? this.violation ?? lasting[0];
		return failure ? { failure } : { waitMs };
	}

	/**
	 * A service may set credits aside for requests in flight, and refuse those beside them. One that
	 * is sent alone tells for sure.
	 */
	private mayBeForOthers(
		failed: ReadonlyArray<{ sent: Sent }>,
		lasting: readonly Failure[],
	): boolean {
		if (this.isAlone || this.violation || lasting.length === 0) return false;
		return (
			lasting.every(({ kind }) => kind === 'noCredits') &&
			failed.some(({ sent }) => sent.inFlight > 1)
		);
	}

	private slowDown(failed: ReadonlyArray<{ sent: Sent; failure: Failure }>): void {
		const { concurrency } = this.job;
		const sentWith = (isMeant: (failure: Failure) => boolean) =>
			failed
				.filter(({ failure }) => isMeant(failure))
				.map(({ sent }) => sent)
				.sort((one, other) => one.inFlight - other.inFlight);
		const [refused] = sentWith(({ kind }) => kind === 'tooManyRequests');
		const [unanswered] = sentWith(
			({ kind, timedOut }) => kind === 'upstreamDown' || timedOut === true,
		);
		if (refused) concurrency.refuse(refused, this.job.now());
		else if (unanswered) concurrency.halve(unanswered);
	}

	private result({ end, failure }: Stop): FetchResult {
		const stop = failure ? { failure } : { end };
		return { ...stop, retried: this.retried, requests: this.requests };
	}
}

function protocolViolation(text: string, isFinal = false): Failure {
	return { kind: 'protocolViolation', status: 200, text, ...(isFinal && { isFinal }) };
}
