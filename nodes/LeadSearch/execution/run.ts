/** One run of the node: fetches what the tasks want, puts out what came, and keeps what was paid for. */
import type { IExecuteFunctions } from 'n8n-workflow';

import { ENDPOINTS, type Endpoint, type Json } from '../api/contract';
import { endsTheExecution, type Failure } from '../api/failures';
import { formatNoBudget, hintBudget, notRunAfter, type Limit } from '../messages/budget';
import { formatFailure } from '../messages/failures';
import { formatCost, hintFailed, hintNotRecorded } from '../messages/hints';
import { asInvalid, asNodeError } from '../messages/nodeErrors';
import { formatStoppedRun, stoppedRunDetails, type StoppedRun } from '../messages/stoppedRun';
import type { Ledger } from '../paging/ledger';
import { accountOf, fetchAll, type Result } from '../paging/run';
import type { Task } from '../resources/operation';
import type { AlreadyLookedUp } from './alreadyLookedUp';
import type { ApiAccess } from './apiAccess';
import { RunSpending, type LimitAccount } from './credits';
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
	private readonly ledgers: Ledger[];
	private readonly spending: RunSpending;
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
		this.spending = new RunSpending(context, executionId, this.ledgers);
		const { charged, atRisk } = this.spending.before;
		const left = budget - charged - atRisk;
		const maximum: Limit = { kind: 'maximum', credits: budget };
		this.limits = [Object.assign(accountOf(left), { limit: maximum }), ceiling];
	}

	async execute(): Promise<void> {
		const { context, continues, hints, state } = this;
		const { output, paidResults } = state;
		const results = await this.fetch();
		const failed = results.find(({ failure }) => failure);
		if (failed?.failure && !continues) this.stop(failed.task, failed.failure);
		const ended = results.map((result): Ended => ({
			...result,
			rows: result.task.emit(output, hints.warn),
		}));
		const rows = ended.flatMap((task) => task.rows);
		const limit = results.some(({ end }) => end === 'budget') ? this.spentLimit() : undefined;
		if (limit && rows.length === 0) this.failWithoutBudget(ended, limit);
		const isCancelled = results.some(({ failure }) => failure?.kind === 'cancelled');
		// n8n runs a node again whose first output item is an error.
		const isRetried = context.getNode().retryOnFail === true;
		const isRunAgain = isRetried && (failed !== undefined || output.beginsWithError());
		const hasRoom = isCancelled ? paidResults.keepAll() : this.keep(ended, isRunAgain);
		this.putErrors(ended, hasRoom);
		if (limit && rows.length > 0) this.putCut(ended, limit, rows.length);
		const mayBeDropped = isRetried && output.beginsWithError();
		if (!isCancelled) await this.recordBought(mayBeDropped);
		this.save(mayBeDropped ? 0 : rows.length);
		this.report(ended, rows, limit);
	}

	private async fetch(): Promise<Array<Result<Task>>> {
		const { context, costsCredits, state, limits } = this;
		const { api, tasks, endpoint } = state;
		const [{ settings }] = tasks as [Task];
		const results = await fetchAll(tasks, {
			...api,
			accounts: costsCredits ? limits : [],
			parallelPages: settings.parallelPages,
			maxRetries: settings.maxRetries,
			continues: this.continues,
			onAnswer: logProgress(context.logger, endpoint, () => this.spending.ofRun()),
			onWait: (failure, milliseconds) => {
				logWait(context.logger, failure, milliseconds);
			},
		});
		this.save(0);
		return results;
	}

	/** The limit of which least is left. */
	private spentLimit(): Limit {
		return this.limits.reduce((one, other) => (other.left < one.left ? other : one)).limit;
	}

	/** Saves what the execution has spent, and tells it beside the execution. */
	private save(returned: number): void {
		const { context, costsCredits, spending, state } = this;
		if (!costsCredits) return;
		const inAll = spending.save(returned);
		// What comes in a run that throws is put out by none.
		const cost = { ...inAll, returned: inAll.returned || inAll.charged };
		reportCost(context, formatCost(state.endpoint, cost));
	}

	private keep(ended: Ended[], isRunAgain: boolean): boolean {
		const stopped = new Set<Ledger>();
		const putOut = new Map<Ledger, number>();
		for (const { task, failure, end, rows } of ended) {
			const { ledger } = task.job;
			if (failure) stopped.add(ledger);
			const before = end === 'budget' ? -Infinity : (putOut.get(ledger) ?? 0);
			putOut.set(ledger, before + rows.length);
		}
		const isPutOut = (ledger: Ledger) => putOut.get(ledger) === ledger.rows;
		return this.state.paidResults.keep(stopped, isPutOut, isRunAgain);
	}

	/** @throws NodeApiError for a failure, after what was paid for is kept */
	private stop(task: Task, failure: Failure): never {
		const { context, state } = this;
		const item = this.errorItem(task, failure, state.paidResults.keepAll());
		const { status } = failure;
		throw asNodeError(context.getNode(), item, { status, item: task.items[0] ?? 0 });
	}

	/** Puts out an item for each input item that is not served. */
	private putErrors(ended: Ended[], hasRoom: boolean): void {
		let over: ErrorItem | undefined;
		for (const { task, failure, isNotRun } of ended) {
			if (!failure) continue;
			const text = isNotRun && over ? notRunAfter(over) : this.errorItem(task, failure, hasRoom);
			if (endsTheExecution(failure)) over ??= text;
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
		for (const { task, end } of ended) {
			if (end !== 'budget') continue;
			state.output.add(task.items[0] ?? 0, {
				error: 'This result is cut: there may be more than is returned here',
				message: hintBudget(state.endpoint, limit, rows),
			});
		}
	}

	private errorItem(task: Task, failure: Failure, hasRoom: boolean): ErrorItem {
		const { context, spending, state } = this;
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
			spending: spending.inAll(),
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
	private failWithoutBudget(ended: Ended[], limit: Limit): void {
		const { context, spending, state } = this;
		const text = formatNoBudget(limit, spending.inAll());
		if (!this.continues) throw asInvalid(context.getNode(), text);
		for (const { task, end } of ended) {
			if (end !== 'budget') continue;
			for (const item of task.items) state.output.addError(item, text);
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
		const { hints, context, state, costsCredits, ledgers, spending } = this;
		if (costsCredits) {
			tellCost(hints, state.endpoint, rows, {
				run: spending.ofRun(rows.length),
				inAll: spending.inAll(rows.length),
				repeated: ledgers.reduce((sum, ledger) => sum + ledger.repeated, 0),
				reusedFrom: state.paidResults.reusedFrom,
			});
		}
		warnOfGaps(hints, state.endpoint, ended, limit);
		const { failed } = state.output;
		const items = context.getInputData().length;
		if (failed.size > 0 && items > 1) hints.warn(hintFailed(failed.size, items));
		hints.show(context);
	}
}
