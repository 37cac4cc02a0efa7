/**
 * Fetches what jobs want. Credits are booked before a request is sent, and corrected by its answer. Knows neither n8n
 * nor HTTP nor time.
 */
import type { Page } from '../api/contract';
import { endsTheExecution, mayHaveBeenCharged, type Failure, type Outcome } from '../api/failures';
import type { Budget } from './budget';
import { isEnd, type End, type Job, type Order } from './job';
import type { Ledger } from './ledger';
import { Pace } from './pace';

/** What a run needs of the world. */
export interface Surroundings<AnyTask> {
	send(task: AnyTask, order: Order): Promise<Outcome<Page>>;
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
	readonly lastLost?: Failure | undefined;
	/** The most requests at once. */
	parallelPages: number;
	/** How often a request is repeated. */
	maxRetries: number;
	/** Whether the other jobs go on when a job fails. */
	continues: boolean;
	/** Called when a request is over, answered or failed. */
	onAnswer?(): void;
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
	surroundings: Surroundings<AnyTask>,
): Promise<Array<Result<AnyTask>>> {
	const turns = new Turns(tasks, surroundings);
	const inFlight = new Set<Promise<void>>();
	const sendNext = () => {
		const next = turns.pace.allows(inFlight.size) ? turns.take() : undefined;
		if (!next) return false;
		const { task, order } = next;
		const answered: Promise<void> = surroundings.send(task, order).then((outcome) => {
			inFlight.delete(answered);
			if ('value' in outcome) turns.onPage(task, order, outcome.value);
			else turns.onFailure(task, order, outcome.failure);
			surroundings.onAnswer?.();
		});
		inFlight.add(answered);
		return true;
	};
	for (;;) {
		while (sendNext());
		const { backOff } = turns.pace;
		if (inFlight.size > 0) await Promise.race(inFlight);
		else if (backOff && turns.isOpen) {
			surroundings.onWait?.(backOff.failure, backOff.milliseconds);
			await surroundings.wait(backOff.milliseconds);
			turns.pace.rest();
		} else return tasks.map((task) => turns.resultOf(task));
	}
}

/** Whose turn it is, what it may cost, and how each task ends. */
class Turns<AnyTask extends { readonly job: Job }> {
	readonly pace: Pace;
	private readonly sorted: AnyTask[];
	/** Whose orders a list has, or had last. */
	private readonly owners = new Map<Ledger, AnyTask>();
	private readonly failures = new Map<AnyTask, Failure>();
	private readonly started = new Set<AnyTask>();
	/** Why nothing more is sent for anybody. */
	private stopped: Failure | 'outOfTime' | undefined;

	constructor(
		private readonly tasks: readonly AnyTask[],
		private readonly surroundings: Surroundings<AnyTask>,
	) {
		this.sorted = sortedByList(tasks);
		// Of a list whose end is to be found, few pages are requested beyond it.
		const isWidthKnown = this.sorted.every(({ job }) => job.width < Infinity);
		this.pace = new Pace({ most: surroundings.parallelPages, opening: isWidthKnown ? 2 : 1 });
	}

	/** Whether anything is left to request. */
	get isOpen(): boolean {
		if (this.stopped !== undefined) return false;
		const { remaining } = this.surroundings.budget;
		return this.tasks.some((task) => !this.failureOf(task) && !isEnd(task.job.next(remaining)));
	}

	/** The next order, booked and reserved; undefined where none may leave now. */
	take(): { task: AnyTask; order: Order } | undefined {
		const { surroundings } = this;
		if (surroundings.isCancelled()) this.stopped ??= { kind: 'cancelled' };
		if (this.stopped !== undefined) return undefined;
		// Of thousands of tasks, it is asked once.
		const { remaining } = surroundings.budget;
		for (const task of this.sorted) {
			const { ledger } = task.job;
			const isBusy = ledger.inFlight.size > 0 && this.owners.get(ledger) !== task;
			if (isBusy || this.failureOf(task)) continue;
			const order = task.job.next(remaining);
			if (typeof order === 'string') continue;
			if (surroundings.hasTime?.(0) === false) {
				this.stopped = 'outOfTime';
				return undefined;
			}
			this.started.add(task);
			this.owners.set(ledger, task);
			ledger.reserve(order);
			surroundings.budget.reserve(order.size);
			return { task, order };
		}
		return undefined;
	}

	onPage(task: AnyTask, order: Order, page: Page): void {
		this.surroundings.budget.release(order.size - page.rows.length);
		this.pace.onAnswer();
		const failure = task.job.ledger.settle(order, page);
		if (failure) this.endTask(task, failure);
	}

	onFailure(task: AnyTask, order: Order, received: Failure): void {
		const { ledger } = task.job;
		if (!mayHaveBeenCharged(received)) this.surroundings.budget.release(order.size);
		ledger.release(order);
		const failure = ledger.fail(order, received);
		// Without a failure, the list goes on another way, at once.
		if (!failure) return;
		const { surroundings } = this;
		const how = { maxRetries: surroundings.maxRetries, random: surroundings.random() };
		const milliseconds = this.pace.onFailure(failure, () => ledger.countTry(order), how);
		if (milliseconds === undefined || surroundings.hasTime?.(milliseconds) === false)
			this.endTask(task, failure);
		else this.pace.wait({ failure, milliseconds });
	}

	resultOf(task: AnyTask): Result<AnyTask> {
		const next = task.job.next(this.surroundings.budget.remaining);
		const own = this.failureOf(task);
		// What may have been charged for nothing has used up what may be spent: that is what happened.
		const failure = own ?? (next === 'budget' ? this.lastLost : undefined);
		// Another task may have got all of it: then this task is done, in spite of its failure.
		const isServed = next !== 'budget' && this.failures.get(task)?.kind !== 'protocolViolation';
		if (isEnd(next) && (!failure || isServed)) return { task, end: next };
		if (failure) return { task, failure, isNotRun: !own && !this.started.has(task) };
		if (this.stopped === 'outOfTime') return { task, end: 'outOfTime' };
		// What is left to do is never passed off as done.
		return { task, failure: this.stopped ?? UNDONE, isNotRun: !this.started.has(task) };
	}

	/** The last answer that was lost, of those that the budget counts as charged. */
	private get lastLost(): Failure | undefined {
		const lost = this.tasks.map(({ job }) => job.ledger.cost.lastLost);
		return lost.findLast((failure) => failure !== undefined) ?? this.surroundings.lastLost;
	}

	private failureOf(task: AnyTask): Failure | undefined {
		return this.failures.get(task) ?? task.job.ledger.broken;
	}

	private endTask(task: AnyTask, failure: Failure): void {
		if (!this.failures.has(task)) this.failures.set(task, failure);
		if (endsTheExecution(failure) || !this.surroundings.continues) this.stopped ??= failure;
	}
}

/** Tasks by list, in the order in which tasks first name them, and of each the widest first. */
function sortedByList<AnyTask extends { readonly job: Job }>(tasks: readonly AnyTask[]): AnyTask[] {
	const lists = new Map<Ledger, AnyTask[]>();
	for (const task of tasks) {
		const sharing = lists.get(task.job.ledger);
		if (sharing) sharing.push(task);
		else lists.set(task.job.ledger, [task]);
	}
	const widestFirst = ({ job: a }: AnyTask, { job: b }: AnyTask) =>
		// Infinity minus itself is no order.
		a.width === b.width ? 0 : b.width - a.width;
	return [...lists.values()].flatMap((sharing) => sharing.sort(widestFirst));
}

const UNDONE: Failure = { kind: 'notSent', text: 'Not all that is missing was asked for' };
