/**
 * Fetches what jobs want: one request at first, one more at once for each that came (two for the first one,
 * where it is known how many rows are wanted), half as many when one fails that is tried again. Credits are
 * booked before a request is sent, and corrected by its answer. Knows neither n8n nor HTTP nor time.
 */
import type { Page } from '../api/contract';
import { endsTheExecution, mayHaveBeenCharged, type Failure, type Outcome } from '../api/failures';
import { decideRetry } from '../api/retry';
import type { Ledger, End, Order } from './ledger';

/** What is wanted of a list. Jobs may share a ledger: it serves one at a time, and what has come is there for the next. */
export interface Job {
	readonly ledger: Ledger;
	/** Rows wanted, at most: what the widest has fetched is all that the others want, most often. */
	readonly width: number;
	/**
	 * @param room credits that may still be spent
	 * @returns what to ask for; 'wait' where that depends on answers to come; or why nothing more is, which stands
	 * once nothing is in flight
	 */
	next(room: number): Order | 'wait' | End;
}

/** What may still be spent. Runs at the same time may share it. */
export interface Account {
	/** In credits, orders in flight taken off. */
	readonly left: number;
	/** Takes credits off, or gives them back where negative. */
	book(credits: number): void;
}

/** @param credits that may be spent */
export function accountOf(credits: number): Account {
	let left = credits;
	return {
		get left() {
			return left;
		},
		book(booked) {
			left -= booked;
		},
	};
}

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
	/** All that limits what is spent; none for what is free. */
	accounts: readonly Account[];
	/** The most requests at once. */
	parallelPages: number;
	/** How often a request is repeated. */
	maxRetries: number;
	/** Whether the other jobs go on when one fails. */
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
 * @returns how each of them ended, in their order
 */
export async function fetchAll<AnyTask extends { readonly job: Job }>(
	tasks: readonly AnyTask[],
	surroundings: Surroundings<AnyTask>,
): Promise<Array<Result<AnyTask>>> {
	const { accounts, parallelPages, maxRetries } = surroundings;
	const inOrder = orderOf(tasks);
	/** Whose orders a list has, or had last. */
	const owners = new Map<Ledger, AnyTask>();
	const failures = new Map<AnyTask, Failure>();
	const started = new Set<AnyTask>();
	const inFlight = new Set<Promise<void>>();
	let stopped: Failure | 'outOfTime' | undefined;
	/** Requests that may be in flight at once. */
	let window = 1;
	/** How many more the next answer allows. Of a list whose end is to be found, few are asked for beyond it. */
	let opening = inOrder.every(({ job }) => job.width < Infinity) ? 2 : 1;
	/** Set by a failure: nothing is sent until all that is in flight is answered and this time is over. */
	let backOff: { failure: Failure; milliseconds: number } | undefined;
	/** 429s since the last answer that came whole. */
	let tooManyInARow = 0;

	const failureOf = (task: AnyTask) => failures.get(task) ?? task.job.ledger.broken;
	const isOpen = (task: AnyTask) => !failureOf(task) && !isEnd(task.job.next(room()));
	const room = () => Math.min(...accounts.map(({ left }) => left));
	const book = (credits: number) => {
		for (const account of accounts) account.book(credits);
	};

	/** @returns whether a request was sent */
	const sendNext = (): boolean => {
		if (surroundings.isCancelled()) stopped ??= { kind: 'cancelled' };
		if (stopped !== undefined || backOff || inFlight.size >= window) return false;
		for (const task of inOrder) {
			const { ledger } = task.job;
			const isBusy = ledger.inFlight.size > 0 && owners.get(ledger) !== task;
			if (isBusy || failureOf(task)) continue;
			const order = task.job.next(room());
			if (typeof order === 'string') continue;
			if (surroundings.hasTime?.(0) === false) {
				stopped = 'outOfTime';
				return false;
			}
			started.add(task);
			owners.set(ledger, task);
			ledger.reserve(order);
			book(order.size);
			const answered: Promise<void> = surroundings.send(task, order).then((outcome) => {
				inFlight.delete(answered);
				if ('value' in outcome) onPage(task, order, outcome.value);
				else onFailure(task, order, outcome.failure);
				surroundings.onAnswer?.();
			});
			inFlight.add(answered);
			return true;
		}
		return false;
	};

	const onPage = (task: AnyTask, order: Order, page: Page) => {
		book(page.rows.length - order.size);
		if (!backOff) window = Math.min(window + opening, parallelPages);
		opening = 1;
		tooManyInARow = 0;
		const failure = task.job.ledger.settle(order, page);
		if (failure) endTask(task, failure);
	};

	const onFailure = (task: AnyTask, order: Order, received: Failure) => {
		const { ledger } = task.job;
		if (mayHaveBeenCharged(received)) {
			ledger.atRisk += order.size;
			ledger.lost += 1;
		} else book(-order.size);
		ledger.release(order);
		const failure = ledger.fail(order, received);
		// The list goes on another way, at once.
		if (!failure) return;
		// Of those that were in flight together, the first one halves the window, and one 429 counts.
		const isFirst = !backOff;
		const isTooMany = failure.kind === 'tooManyRequests';
		if (isTooMany && (isFirst || tooManyInARow === 0)) tooManyInARow += 1;
		const tries = isTooMany ? tooManyInARow : ledger.countTry(order, isSlow(failure));
		const milliseconds = decideRetry(failure, tries, maxRetries, surroundings.random());
		if (milliseconds === undefined || surroundings.hasTime?.(milliseconds) === false) {
			endTask(task, failure);
			return;
		}
		if (milliseconds > (backOff?.milliseconds ?? -1)) backOff = { failure, milliseconds };
		if (isFirst) window = Math.max(1, Math.floor(window / 2));
		opening = 1;
	};

	const endTask = (task: AnyTask, failure: Failure) => {
		if (!failures.has(task)) failures.set(task, failure);
		if (endsTheExecution(failure) || !surroundings.continues) stopped ??= failure;
	};

	for (;;) {
		while (sendNext());
		if (inFlight.size > 0) await Promise.race(inFlight);
		else if (backOff && stopped === undefined && tasks.some(isOpen)) {
			surroundings.onWait?.(backOff.failure, backOff.milliseconds);
			await surroundings.wait(backOff.milliseconds);
			backOff = undefined;
		} else break;
	}
	return tasks.map((task): Result<AnyTask> => {
		const failure = failureOf(task);
		const next = task.job.next(room());
		// Another task may have got all of it: then this one is done, in spite of its failure.
		const isServed = next !== 'budget' && failures.get(task)?.kind !== 'protocolViolation';
		if (isEnd(next) && (!failure || isServed)) return { task, end: next };
		if (failure) return { task, failure, isNotRun: false };
		if (stopped === 'outOfTime') return { task, end: 'outOfTime' };
		// What is left to do is never passed off as done.
		return { task, failure: stopped ?? UNDONE, isNotRun: !started.has(task) };
	});
}

/** Tasks by list, in the order in which lists are first asked for, and of each the widest first. */
function orderOf<AnyTask extends { readonly job: Job }>(tasks: readonly AnyTask[]): AnyTask[] {
	const lists = new Map<Ledger, AnyTask[]>();
	for (const task of tasks) {
		const sharing = lists.get(task.job.ledger);
		if (sharing) sharing.push(task);
		else lists.set(task.job.ledger, [task]);
	}
	const widestFirst = ({ job: one }: AnyTask, { job: other }: AnyTask) =>
		// Infinity minus itself is no order.
		one.width === other.width ? 0 : other.width - one.width;
	return [...lists.values()].flatMap((sharing) => sharing.sort(widestFirst));
}

function isEnd(next: ReturnType<Job['next']>): next is End {
	return typeof next === 'string' && next !== 'wait';
}

const UNDONE: Failure = { kind: 'notSent', text: 'Not all that is missing was asked for' };

/** Whether a smaller page may get through where this one did not. */
function isSlow({ kind }: Failure): boolean {
	return kind === 'lostResponse' || kind === 'upstreamDown';
}
