/** One run of the node: fetches what the tasks want, puts out what came, and keeps what was paid for. */
import type { IExecuteFunctions } from 'n8n-workflow';

import { ENDPOINTS, type Endpoint, type Json } from '../api/contract';
import { endsTheExecution, type Failure } from '../api/failures';
import { formatNoBudget, hintBudget, notRunAfter, type Limit } from '../messages/budget';
import { formatFailure } from '../messages/failures';
import { formatCost, hintNotRecorded } from '../messages/hints';
import { asInvalid, asNodeError } from '../messages/nodeErrors';
import { formatStoppedRun, stoppedRunDetails, type StoppedRun } from '../messages/stoppedRun';
import type { AnyLedger } from '../paging/ledger';
import { fetchAll, type Result } from '../paging/run';
import type { Task } from '../resources/operation';
import type { AlreadyLookedUp } from './alreadyLookedUp';
import type { ApiAccess } from './apiAccess';
import { add, savedSpending, saveSpending, type LimitAccount, type Spending } from './credits';
import { Hints } from './hints';
import { continuesOnFail } from './items';
import { cancelSignalOf, isTool, knowsErrorDetails, reportCost } from './n8n';
import type { ErrorItem, Output } from './output';
import type { PaidResults } from './paidResults';
import { logProgress, logStop, logWait } from './progress';
import { tellCost, warnOfGaps, type Ended } from './report';

/** What a run works with. */
export interface RunState {
	executionId: string;
	endpoint: Endpoint;
	tasks: Task[];
	api: ApiAccess;
	output: Output;
	paidResults: PaidResults;
	lookedUp: AlreadyLookedUp;
	/** Max Credits per Execution; Infinity without. */
	budget: number;
	/** What is left of the credential's ceiling. */
	ceiling: LimitAccount;
	/** Reuse Paid Results, in minutes. */
	minutes: number;
}

export class Run {
	private readonly hints = new Hints();
	private readonly continues: boolean;
	private readonly costsCredits: boolean;
	private readonly ledgers: AnyLedger[];
	/** What the execution had spent with the node before this run. */
	private readonly before: Spending;
	/** What limits what may be spent; the node's own maximum first. */
	private readonly limits: LimitAccount[];

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly state: RunState,
	) {
		const { budget, ceiling, endpoint, executionId, tasks } = state;
		this.continues = continuesOnFail(context);
		this.costsCredits = ENDPOINTS[endpoint].costsCredits;
		this.ledgers = [...new Set(tasks.map(({ job }) => job.ledger))];
		this.before = savedSpending(context, executionId);
		const left = budget - this.before.charged - this.before.atRisk;
		this.limits = [{ limit: { kind: 'maximum', credits: budget }, left }, ceiling];
	}

	async execute(): Promise<void> {
		const { context, state } = this;
		const results = await this.fetch();
		const failed = state.tasks.findIndex((_, index) => results[index]?.failure);
		if (failed >= 0 && !this.continues) this.stop(failed, results[failed]);
		const ended = state.tasks.map((task, index): Ended => {
			const result = results[index] ?? { end: 'whole' };
			return { task, result, rows: this.emit(task) };
		});
		const rows = ended.flatMap((task) => task.rows);
		const limit = results.some(({ end }) => end === 'budget') ? this.spentLimit() : undefined;
		if (limit && rows.length === 0 && failed < 0) this.failWithoutBudget(limit);
		const isCancelled = results.some(({ failure }) => failure?.kind === 'cancelled');
		// n8n runs a node again whose first output item is an error.
		const isRetried = context.getNode().retryOnFail === true;
		const isRunAgain = isRetried && (failed >= 0 || state.output.beginsWithError());
		const hasRoom = isCancelled ? state.paidResults.keepAll() : this.keep(ended, isRunAgain);
		this.putErrors(ended, hasRoom);
		if (limit && rows.length > 0) this.putCut(ended, limit, rows.length);
		if (!isCancelled) await this.recordBought(isRetried && state.output.beginsWithError());
		this.report(ended, rows, limit);
	}

	private async fetch(): Promise<Result[]> {
		const { context, costsCredits, state, limits } = this;
		const { api, tasks, endpoint } = state;
		const [{ settings }] = tasks as [Task];
		const results = await fetchAll(tasks, {
			...api,
			accounts: costsCredits ? limits : [],
			parallelPages: settings.parallelPages,
			maxRetries: settings.maxRetries,
			continues: this.continues,
			onAnswer: logProgress(context.logger, endpoint, () => this.spent()),
			onWait: (failure, milliseconds) => {
				logWait(context.logger, failure, milliseconds);
			},
		});
		this.save(0);
		return results;
	}

	/** What this run has spent. */
	private spent(returned = 0): Spending {
		const sum = (of: (ledger: AnyLedger) => number) =>
			this.ledgers.reduce((total, ledger) => total + of(ledger), 0);
		return {
			charged: this.costsCredits ? sum(({ charged }) => charged) : 0,
			atRisk: this.costsCredits ? sum(({ atRisk }) => atRisk) : 0,
			lost: sum(({ lost }) => lost),
			requests: sum(({ requests }) => requests),
			returned,
		};
	}

	/** The limit of which least is left. */
	private spentLimit(): Limit {
		return this.limits.reduce((one, other) => (other.left < one.left ? other : one)).limit;
	}

	/** Saves what the execution has spent, and tells it beside the execution. */
	private save(returned: number): Spending {
		const { context, before, state } = this;
		const inAll = add(before, this.spent(returned));
		saveSpending(context, state.executionId, inAll);
		if (this.costsCredits) {
			// What comes in a run that throws is put out by none.
			const cost = { ...inAll, returned: inAll.returned || inAll.charged };
			reportCost(context, formatCost(state.endpoint, cost));
		}
		return inAll;
	}

	private emit(task: Task): Json[] {
		return task.emit(this.state.output, (message) => {
			this.hints.warn(message);
		});
	}

	private keep(ended: Ended[], isRunAgain: boolean): boolean {
		const stopped = new Set<AnyLedger>();
		const putOut = new Map<AnyLedger, number>();
		for (const { task, result, rows } of ended) {
			const { ledger } = task.job;
			if (result.failure) stopped.add(ledger);
			if (result.end === 'budget') putOut.set(ledger, -Infinity);
			putOut.set(ledger, (putOut.get(ledger) ?? 0) + rows.length);
		}
		const isPutOut = (ledger: AnyLedger) => putOut.get(ledger) === ledger.rows;
		return this.state.paidResults.keep(stopped, isPutOut, isRunAgain);
	}

	/** @throws NodeApiError for a failure, after what was paid for is kept */
	private stop(index: number, result: Result | undefined): never {
		const { context, state } = this;
		const task = state.tasks[index];
		if (!task || !result?.failure) throw new Error('There is no failure to tell');
		const item = this.errorItem(task, result.failure, state.paidResults.keepAll());
		throw asNodeError(context.getNode(), item, {
			status: result.failure.status,
			item: task.items[0] ?? 0,
		});
	}

	/** Puts out an item for each input item that is not served. */
	private putErrors(ended: Ended[], hasRoom: boolean): void {
		let over: ErrorItem | undefined;
		for (const { task, result } of ended) {
			if (!result.failure) continue;
			const isNotRun = result.isNotRun && over;
			const text = isNotRun
				? notRunAfter(isNotRun)
				: this.errorItem(task, result.failure, hasRoom);
			if (endsTheExecution(result.failure)) over ??= text;
			const { items } = task.missing();
			for (const item of items.length > 0 ? items : task.items) {
				this.state.output.addError(item, text);
			}
		}
	}

	/** An agent sees no hints, and must not take what it gets for all there is. */
	private putCut(ended: Ended[], limit: Limit, rows: number): void {
		const { context, state } = this;
		if (!isTool(context)) return;
		for (const { task, result } of ended) {
			if (result.end !== 'budget') continue;
			state.output.addError(task.items[0] ?? 0, {
				message: 'This result is cut: there may be more than is returned here',
				description: hintBudget(state.endpoint, limit, rows),
			});
		}
	}

	private errorItem(task: Task, failure: Failure, hasRoom: boolean): ErrorItem {
		const { context, state, before } = this;
		const isCancelled = failure.kind === 'cancelled';
		const { settings } = task;
		const text = formatFailure(failure, {
			endpoint: state.endpoint,
			baseUrl: task.baseUrl ?? state.api.baseUrl,
			sessionToken: state.api.sessionToken,
			fetched: task.fetched(),
			timeoutMs: settings.timeoutMs,
		});
		const run: StoppedRun = {
			endpoint: state.endpoint,
			missing: task.missing(),
			fetched: task.fetched(),
			spending: add(before, this.spent()),
			// n8n drops what a cancelled node puts out.
			continues: this.continues && !isCancelled,
			isRetryable: !this.continues && !isCancelled,
			minutesKept: state.minutes,
			hasRoom,
		};
		const description = `${text.description} ${formatStoppedRun(run)}`.trim();
		if (isCancelled) logStop(context.logger, description);
		const details = this.costsCredits && knowsErrorDetails(context);
		return {
			message: text.message,
			description,
			...(details && { details: stoppedRunDetails(run, failure.status) }),
		};
	}

	/** An empty result would end a loop without a word. */
	private failWithoutBudget(limit: Limit): void {
		const { context, state, before } = this;
		const text = formatNoBudget(limit, add(before, this.spent()));
		if (!this.continues) throw asInvalid(context.getNode(), text);
		for (const { items } of state.tasks) {
			for (const item of items) state.output.addError(item, text);
		}
	}

	/** Remembers what leaves the node. It is paid for, so that nothing here may end the run. */
	private async recordBought(mayBeDropped: boolean): Promise<void> {
		const { context, state } = this;
		const urls = [...new Set(state.tasks.flatMap((task) => [...(task.bought?.() ?? [])]))];
		if (urls.length === 0 || isTool(context)) return;
		try {
			await state.lookedUp.record(urls, mayBeDropped);
			if (!cancelSignalOf(context)?.aborted) return;
			state.paidResults.keepAll();
			await state.lookedUp.forget(urls);
		} catch (thrown) {
			this.hints.warn(hintNotRecorded(urls.length, thrown));
		}
	}

	/** Tells what the run cost, and what else people should know of it. */
	private report(ended: Ended[], rows: Json[], limit: Limit | undefined): void {
		const { hints, context, state, costsCredits, ledgers } = this;
		const inAll = this.save(rows.length);
		if (costsCredits) {
			tellCost(hints, state.endpoint, rows, {
				run: this.spent(rows.length),
				inAll,
				repeated: ledgers.reduce((sum, ledger) => sum + ledger.repeated, 0),
				reusedFrom: state.paidResults.reusedFrom,
			});
		}
		const items = context.getInputData().length;
		warnOfGaps(hints, state.endpoint, ended, { items, limit });
		hints.show(context);
	}
}
