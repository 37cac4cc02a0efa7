/** The loop that fetches the rows of jobs. It doesn't depend on n8n, HTTP or a clock. */
import type { Page } from '../api/contract';
import {
	CONSEQUENCES,
	endsTheExecution,
	mayHaveBeenCharged,
	type Failure,
	type ValueOrFailure,
} from '../api/failures';
import type { Credits } from './credits';
import { isOutcome, type Outcome, type Job, type PageRequest } from './job';
import type { PagedList } from './pagedList';
import { adviseSmallPages, SMALL_PAGE_SIZE } from './pages';
import { Pace } from './pace';

/** The functions, the credits and the settings that {@link fetchAll} needs. */
export interface FetchContext<AnyTask> {
	/** A failed request is returned as a value, not thrown. */
	send(task: AnyTask, request: PageRequest): Promise<ValueOrFailure<Page>>;
	/** If the execution is cancelled, the promise resolves at once. It is never rejected. */
	wait(milliseconds: number): Promise<void>;
	/** Returns a number from 0 to below 1. */
	random(): number;
	isCancelled(): boolean;
	/** Returns whether there is time for another request after a wait. Without this function, time is unlimited. */
	hasTime?(waitMs: number): boolean;
	credits: Credits;
	/** The limit of requests in flight, over all lists. */
	parallelPages: number;
	/** The limit of retries of a request. After a 429, it is up to three times as high. */
	maxRetries: number;
	/** Whether other tasks go on after one has failed. Some failures, such as a 402, end all tasks in any case. */
	continuesOnFailure: boolean;
	/** It is called after failed requests, too. */
	onResponse?(): void;
	onWait?(failure: Failure, milliseconds: number): void;
}

/** How a task ended. `isNotRun` is true if the task has sent no request and its own list has no failure. */
export type Result<AnyTask = unknown> = { readonly task: AnyTask } & (
	| { outcome: Outcome | 'outOfTime'; failure?: undefined; isNotRun?: undefined }
	| { outcome?: undefined; failure: Failure; isNotRun: boolean }
);

/**
 * Sends the requests of all jobs until each task has ended. Lists are fetched in the order of their first tasks. The
 * job with the most rows goes first for each list.
 *
 * @example
 * const tasks = [{ job: new LeadJob(list, { skip: 0, limit: 60, pageSize: 50 }) }];
 * const [result] = await fetchAll(tasks, context); // { task, outcome: 'limit' }
 * @returns the results in the order of the tasks
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

class Scheduler<AnyTask extends { readonly job: Job }> {
	readonly pace: Pace;
	private readonly tasksByList: AnyTask[];
	/** The task that each list is requested for. While a request is in flight, no other task of the list sends one. */
	private readonly activeTasks = new Map<PagedList, AnyTask>();
	private readonly failures = new Map<AnyTask, Failure>();
	private readonly started = new Set<AnyTask>();
	private stopReason: Failure | 'outOfTime' | undefined;
	/** The limit of rows (Look Up: URLs) in one request. After a lost response, it stays at SMALL_PAGE_SIZE. */
	private maxSize = Infinity;

	constructor(
		private readonly tasks: readonly AnyTask[],
		private readonly context: FetchContext<AnyTask>,
	) {
		this.tasksByList = sortByList(tasks);
		// A job without a limit may request pages beyond the end of the list, which may cost credits. Slower growth keeps
		// them few.
		const isEveryJobLimited = this.tasksByList.every(({ job }) => job.keyCount < Infinity);
		this.pace = new Pace({
			maxConcurrency: context.parallelPages,
			growth: isEveryJobLimited ? 2 : 1,
		});
	}

	get hasWork(): boolean {
		if (this.stopReason !== undefined) return false;
		const { maxRows } = this;
		return this.tasks.some((task) => !this.failureOf(task) && !isOutcome(task.job.next(maxRows)));
	}

	private get maxRows(): number {
		return Math.min(this.context.credits.remaining, this.maxSize);
	}

	nextRequest(): { task: AnyTask; request: PageRequest } | undefined {
		const { context } = this;
		if (context.isCancelled()) this.stopReason ??= { kind: 'cancelled' };
		if (this.stopReason !== undefined) return undefined;
		// The budget is read once, since there may be thousands of tasks.
		const { maxRows } = this;
		for (const task of this.tasksByList) {
			const { list } = task.job;
			const isBusy = list.inFlight.size > 0 && this.activeTasks.get(list) !== task;
			if (isBusy || this.failureOf(task)) continue;
			const request = task.job.next(maxRows);
			if (typeof request === 'string') continue;
			if (context.hasTime?.(0) === false) {
				this.stopReason = 'outOfTime';
				return undefined;
			}
			this.started.add(task);
			this.activeTasks.set(list, task);
			list.take(request);
			context.credits.reserve(request.size);
			return { task, request };
		}
		return undefined;
	}

	onPage(task: AnyTask, request: PageRequest, page: Page): void {
		this.context.credits.release(request.size - page.rows.length);
		this.pace.onResponse();
		const failure = task.job.list.settle(request, page);
		if (failure) this.endTask(task, failure);
	}

	onFailure(task: AnyTask, request: PageRequest, reported: Failure): void {
		const { list } = task.job;
		if (!mayHaveBeenCharged(reported)) this.context.credits.release(request.size);
		list.putBack(request);
		if (list.refusesSize(request, reported)) {
			this.onRefusedSize(task, request, reported);
			return;
		}
		if (CONSEQUENCES[reported.kind].needsSmallPages) this.maxSize = SMALL_PAGE_SIZE;
		const failure = list.fail(request, reported);
		const isTooLarge = reported.kind === 'tooLargeForGateway' && request.size > SMALL_PAGE_SIZE;
		// The list continues with another request, so no back-off is needed.
		if (!failure || isTooLarge) return;
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

	/**
	 * Continues with small pages, because a refusal is free. A size that a user has set is never replaced: the task ends,
	 * so that the user sees what the service accepts.
	 */
	private onRefusedSize(task: AnyTask, { size }: PageRequest, failure: Failure): void {
		const { list, pageSize } = task.job;
		if (pageSize === undefined) list.pageSize = SMALL_PAGE_SIZE;
		else this.endTask(task, { ...failure, advice: adviseSmallPages(size) });
	}

	resultOf(task: AnyTask): Result<AnyTask> {
		const next = task.job.next(this.maxRows);
		const ownFailure = this.failureOf(task);
		// Possibly charged credits stay subtracted from the budget, so a lost response can be why it is exhausted.
		const failure = ownFailure ?? (next === 'budget' ? this.lastLoss : undefined);
		// Another task of the list may have fetched all rows of this task, so that its own failure doesn't matter.
		const isDone = next !== 'budget' && this.failures.get(task)?.kind !== 'protocolViolation';
		if (isOutcome(next) && (!failure || isDone)) return { task, outcome: next };
		if (failure) return { task, failure, isNotRun: !ownFailure && !this.started.has(task) };
		if (this.stopReason === 'outOfTime') return { task, outcome: 'outOfTime' };
		// A task never counts as done while rows are missing.
		return { task, failure: this.stopReason ?? INCOMPLETE, isNotRun: !this.started.has(task) };
	}

	private get lastLoss(): Failure | undefined {
		const losses = this.tasks.map(({ job }) => job.list.cost.lastLoss);
		return (
			losses.findLast((failure) => failure !== undefined) ?? this.context.credits.before.lastLoss
		);
	}

	private failureOf(task: AnyTask): Failure | undefined {
		return this.failures.get(task) ?? task.job.list.violation;
	}

	private endTask(task: AnyTask, failure: Failure): void {
		if (!this.failures.has(task)) this.failures.set(task, failure);
		if (endsTheExecution(failure) || !this.context.continuesOnFailure) this.stopReason ??= failure;
	}
}

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
