/**
 * The loop that fetches the rows of jobs. It reserves credits before it sends a request, and releases those that the
 * response didn't charge. It doesn't depend on n8n, HTTP or a clock.
 */
import type { Page } from '../api/contract';
import {
	endsTheExecution,
	mayHaveBeenCharged,
	type Failure,
	type ValueOrFailure,
} from '../api/failures';
import type { Budget } from './budget';
import { isEnd, type End, type Job, type PageRequest } from './job';
import type { PagedList } from './pagedList';
import { Pace } from './pace';

/** Everything that the loop needs from its caller. */
export interface FetchContext<AnyTask> {
	send(task: AnyTask, request: PageRequest): Promise<ValueOrFailure<Page>>;
	/** Waits for a back-off. If the execution is cancelled, the promise resolves at once. It is never rejected. */
	wait(milliseconds: number): Promise<void>;
	/** Returns a number from 0 to below 1, for jitter. */
	random(): number;
	isCancelled(): boolean;
	/** Returns whether there is time for another request after this wait. If it is undefined, there always is. */
	hasTime?(waitMs: number): boolean;
	budget: Budget;
	/** The last lost response of earlier runs. The budget counts the credits of that response as charged. */
	readonly lastLoss?: Failure | undefined;
	/** The limit of requests in flight. */
	parallelPages: number;
	/** The option 'Max Retries': how often a request is retried. A 429 is retried more often. */
	maxRetries: number;
	/** Whether the other tasks continue if one fails. */
	continuesOnFailure: boolean;
	/** Called after each response and each failed request. */
	onResponse?(): void;
	/** Called before each back-off, with the failure that caused it. */
	onWait?(failure: Failure, milliseconds: number): void;
}

/**
 * How the job of a task ended: with an end, without time for further requests, or with a failure. `isNotRun` is true
 * if the failure of another task ended the run before this task sent a request.
 */
export type Result<AnyTask = unknown> = { readonly task: AnyTask } & (
	| { end: End | 'outOfTime'; failure?: undefined; isNotRun?: undefined }
	| { end?: undefined; failure: Failure; isNotRun: boolean }
);

/**
 * Fetches the rows that the jobs of tasks request. Lists go in the order of their first tasks; in each list, the job that
 * requests the most rows goes first. All lists share the limit of requests in flight.
 *
 * @example
 * const tasks = [{ job: new LeadJob(list, { skip: 0, limit: 60, pageSize: 50 }) }];
 * const [result] = await fetchAll(tasks, context); // { task, end: 'limit' }
 * @returns the result of each task, in the order of the tasks
 */
export async function fetchAll<AnyTask extends { readonly job: Job }>(
	tasks: readonly AnyTask[],
	context: FetchContext<AnyTask>,
): Promise<Array<Result<AnyTask>>> {
	const scheduler = new Scheduler(tasks, context);
	const inFlight = new Set<Promise<void>>();
	const sendNext = () => {
		const next = scheduler.pace.allowsRequest(inFlight.size) ? scheduler.nextRequest() : undefined;
		if (!next) return false;
		const { task, request } = next;
		const settled: Promise<void> = context.send(task, request).then((outcome) => {
			inFlight.delete(settled);
			if ('value' in outcome) scheduler.onPage(task, request, outcome.value);
			else scheduler.onFailure(task, request, outcome.failure);
			context.onResponse?.();
		});
		inFlight.add(settled);
		return true;
	};
	for (;;) {
		while (sendNext());
		const { backOff } = scheduler.pace;
		if (inFlight.size > 0) await Promise.race(inFlight);
		else if (backOff && scheduler.hasWork) {
			context.onWait?.(backOff.failure, backOff.milliseconds);
			await context.wait(backOff.milliseconds);
			scheduler.pace.endBackOff();
		} else return tasks.map((task) => scheduler.resultOf(task));
	}
}

/** Decides which task sends the next request, reserves its credits, and determines the result of each task. */
class Scheduler<AnyTask extends { readonly job: Job }> {
	readonly pace: Pace;
	private readonly tasksByList: AnyTask[];
	/**
	 * The task that sent the latest request for each list. While requests of a list are in flight, only this task
	 * sends more.
	 */
	private readonly activeTasks = new Map<PagedList, AnyTask>();
	private readonly failures = new Map<AnyTask, Failure>();
	private readonly started = new Set<AnyTask>();
	/** The reason why no task sends any more requests; undefined while tasks may send. */
	private stopReason: Failure | 'outOfTime' | undefined;

	constructor(
		private readonly tasks: readonly AnyTask[],
		private readonly context: FetchContext<AnyTask>,
	) {
		this.tasksByList = sortByList(tasks);
		// A job without a limit may request pages beyond the end of the list, which may cost credits. Slower growth keeps them few.
		const isEveryJobLimited = this.tasksByList.every(({ job }) => job.keyCount < Infinity);
		this.pace = new Pace({
			maxConcurrency: context.parallelPages,
			growth: isEveryJobLimited ? 2 : 1,
		});
	}

	/** Whether a task has more requests to send. */
	get hasWork(): boolean {
		if (this.stopReason !== undefined) return false;
		const { remaining } = this.context.budget;
		return this.tasks.some((task) => !this.failureOf(task) && !isEnd(task.job.next(remaining)));
	}

	/** Reserves the next request and its credits. @returns undefined if no task can send a request now */
	nextRequest(): { task: AnyTask; request: PageRequest } | undefined {
		const { context } = this;
		if (context.isCancelled()) this.stopReason ??= { kind: 'cancelled' };
		if (this.stopReason !== undefined) return undefined;
		// The budget is read once, since there may be thousands of tasks.
		const { remaining } = context.budget;
		for (const task of this.tasksByList) {
			const { list } = task.job;
			const isBusy = list.inFlight.size > 0 && this.activeTasks.get(list) !== task;
			if (isBusy || this.failureOf(task)) continue;
			const request = task.job.next(remaining);
			if (typeof request === 'string') continue;
			if (context.hasTime?.(0) === false) {
				this.stopReason = 'outOfTime';
				return undefined;
			}
			this.started.add(task);
			this.activeTasks.set(list, task);
			list.reserve(request);
			context.budget.reserve(request.size);
			return { task, request };
		}
		return undefined;
	}

	onPage(task: AnyTask, request: PageRequest, page: Page): void {
		this.context.budget.release(request.size - page.rows.length);
		this.pace.onResponse();
		const failure = task.job.list.settle(request, page);
		if (failure) this.endTask(task, failure);
	}

	onFailure(task: AnyTask, request: PageRequest, reported: Failure): void {
		const { list } = task.job;
		if (!mayHaveBeenCharged(reported)) this.context.budget.release(request.size);
		list.release(request);
		const failure = list.fail(request, reported);
		// The list continues with another request, so no back-off is needed.
		if (!failure) return;
		const { context } = this;
		const retryOptions = { maxRetries: context.maxRetries, random: context.random() };
		const milliseconds = this.pace.onFailure(
			failure,
			() => list.countAttempt(request),
			retryOptions,
		);
		if (milliseconds === undefined || context.hasTime?.(milliseconds) === false)
			this.endTask(task, failure);
		else this.pace.startBackOff({ failure, milliseconds });
	}

	resultOf(task: AnyTask): Result<AnyTask> {
		const next = task.job.next(this.context.budget.remaining);
		const ownFailure = this.failureOf(task);
		// If possibly charged credits have exhausted the budget, the user needs to know of the lost response.
		const failure = ownFailure ?? (next === 'budget' ? this.lastLoss : undefined);
		// Another task of the list may have fetched all rows of this task, so that its own failure doesn't matter.
		const isDone = next !== 'budget' && this.failures.get(task)?.kind !== 'protocolViolation';
		if (isEnd(next) && (!failure || isDone)) return { task, end: next };
		if (failure) return { task, failure, isNotRun: !ownFailure && !this.started.has(task) };
		if (this.stopReason === 'outOfTime') return { task, end: 'outOfTime' };
		// A task never counts as done while rows are missing.
		return { task, failure: this.stopReason ?? INCOMPLETE, isNotRun: !this.started.has(task) };
	}

	/** The last lost response, of this run or of earlier ones. The budget counts the credits of that response as charged. */
	private get lastLoss(): Failure | undefined {
		const losses = this.tasks.map(({ job }) => job.list.cost.lastLoss);
		return losses.findLast((failure) => failure !== undefined) ?? this.context.lastLoss;
	}

	private failureOf(task: AnyTask): Failure | undefined {
		return this.failures.get(task) ?? task.job.list.violation;
	}

	private endTask(task: AnyTask, failure: Failure): void {
		if (!this.failures.has(task)) this.failures.set(task, failure);
		if (endsTheExecution(failure) || !this.context.continuesOnFailure) this.stopReason ??= failure;
	}
}

/** Groups tasks by list, in the order of the lists' first tasks. In each group, the job that requests the most rows goes first. */
function sortByList<AnyTask extends { readonly job: Job }>(tasks: readonly AnyTask[]): AnyTask[] {
	const lists = new Map<PagedList, AnyTask[]>();
	for (const task of tasks) {
		const sharing = lists.get(task.job.list);
		if (sharing) sharing.push(task);
		else lists.set(task.job.list, [task]);
	}
	const compareByKeyCount = ({ job: a }: AnyTask, { job: b }: AnyTask) =>
		// Infinity minus Infinity is NaN, which can't be sorted by.
		a.keyCount === b.keyCount ? 0 : b.keyCount - a.keyCount;
	return [...lists.values()].flatMap((sharing) => sharing.sort(compareByKeyCount));
}

const INCOMPLETE: Failure = { kind: 'notSent', text: 'some missing rows were not requested' };
