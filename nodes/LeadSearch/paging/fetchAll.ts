/**
 * Fetches what jobs want. Credits are booked before a request is sent, and corrected by its answer. Knows neither n8n
 * nor HTTP nor time.
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
import type { PagedList } from './ledger';
import { Pace } from './pace';

/** What a run needs of the world. */
export interface FetchContext<AnyTask> {
	send(task: AnyTask, request: PageRequest): Promise<ValueOrFailure<Page>>;
	/** Waits; ends early, without rejecting, when the execution is cancelled. */
	wait(milliseconds: number): Promise<void>;
	/** A number from 0 up to 1. */
	random(): number;
	isCancelled(): boolean;
	/** Whether another request may begin after so many milliseconds; always, unless given. */
	hasTime?(waitMs: number): boolean;
	/** What may be spent. */
	budget: Budget;
	/** The last answer that was lost before, of those that the budget counts as charged; none, unless given. */
	readonly lastLoss?: Failure | undefined;
	/** The most requests at once. */
	parallelPages: number;
	/** How often a request is repeated. */
	maxRetries: number;
	/** Whether the other jobs go on when a job fails. */
	continuesOnFailure: boolean;
	/** Called when a request is over, answered or failed. */
	onResponse?(): void;
	/** Called before each wait, with what it is for. */
	onWait?(failure: Failure, milliseconds: number): void;
}

/** How a task's job ended. */
export type Result<AnyTask = unknown> = { readonly task: AnyTask } & (
	| { end: End | 'outOfTime'; failure?: undefined; isNotRun?: undefined }
	| { end?: undefined; failure: Failure; isNotRun: boolean }
);

/**
 * Fetches what the jobs of tasks want: those of the first list first, and of a list the widest. Lists share the
 * requests that may be in flight.
 *
 * @example
 * const tasks = [{ job: new LeadJob(list, { skip: 0, limit: 60, pageSize: 50 }) }];
 * const [result] = await fetchAll(tasks, surroundings); // { task, end: 'limit' }
 * @returns how each of them ended, in their order
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

/** Whose turn it is, what it may cost, and how each task ends. */
class Scheduler<AnyTask extends { readonly job: Job }> {
	readonly pace: Pace;
	private readonly tasksByList: AnyTask[];
	/** Whose orders a list has, or had last. */
	private readonly activeTasks = new Map<PagedList, AnyTask>();
	private readonly failures = new Map<AnyTask, Failure>();
	private readonly started = new Set<AnyTask>();
	/** Why nothing more is sent for anybody. */
	private stopReason: Failure | 'outOfTime' | undefined;

	constructor(
		private readonly tasks: readonly AnyTask[],
		private readonly context: FetchContext<AnyTask>,
	) {
		this.tasksByList = sortByList(tasks);
		// Of a list whose end is to be found, few pages are requested beyond it.
		const isEveryJobLimited = this.tasksByList.every(({ job }) => job.keyCount < Infinity);
		this.pace = new Pace({
			maxConcurrency: context.parallelPages,
			growth: isEveryJobLimited ? 2 : 1,
		});
	}

	/** Whether anything is left to request. */
	get hasWork(): boolean {
		if (this.stopReason !== undefined) return false;
		const { remaining } = this.context.budget;
		return this.tasks.some((task) => !this.failureOf(task) && !isEnd(task.job.next(remaining)));
	}

	/** The next order, booked and reserved; undefined where none may leave now. */
	nextRequest(): { task: AnyTask; request: PageRequest } | undefined {
		const { context } = this;
		if (context.isCancelled()) this.stopReason ??= { kind: 'cancelled' };
		if (this.stopReason !== undefined) return undefined;
		// Of thousands of tasks, it is asked once.
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
		// Without a failure, the list goes on another way, at once.
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
		// What may have been charged for nothing has used up what may be spent: that is what happened.
		const failure = ownFailure ?? (next === 'budget' ? this.lastLoss : undefined);
		// Another task may have got all of it: then this task is done, in spite of its failure.
		const isDone = next !== 'budget' && this.failures.get(task)?.kind !== 'protocolViolation';
		if (isEnd(next) && (!failure || isDone)) return { task, end: next };
		if (failure) return { task, failure, isNotRun: !ownFailure && !this.started.has(task) };
		if (this.stopReason === 'outOfTime') return { task, end: 'outOfTime' };
		// What is left to do is never passed off as done.
		return { task, failure: this.stopReason ?? INCOMPLETE, isNotRun: !this.started.has(task) };
	}

	/** The last answer that was lost, of those that the budget counts as charged. */
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

/** Tasks by list, in the order in which tasks first name them, and of each the widest first. */
function sortByList<AnyTask extends { readonly job: Job }>(tasks: readonly AnyTask[]): AnyTask[] {
	const lists = new Map<PagedList, AnyTask[]>();
	for (const task of tasks) {
		const sharing = lists.get(task.job.list);
		if (sharing) sharing.push(task);
		else lists.set(task.job.list, [task]);
	}
	const compareByKeyCount = ({ job: a }: AnyTask, { job: b }: AnyTask) =>
		// Infinity minus itself is no order.
		a.keyCount === b.keyCount ? 0 : b.keyCount - a.keyCount;
	return [...lists.values()].flatMap((sharing) => sharing.sort(compareByKeyCount));
}

const INCOMPLETE: Failure = { kind: 'notSent', text: 'Not all that is missing was asked for' };
