/** One run of the node: fetches what the tasks want, puts out what came, and keeps what was paid for. */
import type { IExecuteFunctions } from 'n8n-workflow';

import { ENDPOINTS, type Endpoint, type Json } from '../api/contract';
import { endsTheExecution, type Failure } from '../api/failures';
import { formatFailure } from '../messages/failures';
import { formatCost, hintNotRecorded } from '../messages/hints';
import { asInvalid, asNodeError } from '../messages/nodeErrors';
import {
	formatNoBudget,
	formatStoppedRun,
	hintBudget,
	notRunAfter,
	stoppedRunDetails,
	type Limit,
	type StoppedRun,
} from '../messages/stoppedRun';
import { accountOf, fetchAll } from '../paging/run';
import type { Task } from '../resources/operation';
import type { AlreadyLookedUp } from './alreadyLookedUp';
import type { ApiAccess } from './apiAccess';
import { RunSpending, type LimitAccount } from './credits';
import { continuesOnFail } from './items';
import { cancelSignalOf, isTool, knowsErrorDetails, reportCost } from './n8n';
import type { ErrorItem, Output } from './output';
import type { PaidResults } from './paidResults';
import { logProgress, logStop, logWait } from './progress';
import { costHints, gapWarnings, showHints, type Ended } from './report';

/** What a run works with. */
export interface RunState {
	executionId: string;
	endpoint: Endpoint;
	/** At least one. */
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
	private readonly continues: boolean;
	private readonly costsCredits: boolean;
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
		const ledgers = new Set(tasks.map(({ job }) => job.ledger));
		this.spending = new RunSpending(context, executionId, [...ledgers]);
		const { charged, atRisk } = this.spending.before;
		const maximum: Limit = { kind: 'maximum', credits: budget };
		const left = accountOf(budget - charged - atRisk);
		this.limits = [Object.assign(left, { limit: maximum }), ceiling];
	}

	async execute(): Promise<void> {
		const { context, continues } = this;
		const { output, paidResults } = this.state;
		const ended = await this.fetch();
		const failed = ended.find(({ failure }) => failure);
		if (failed && !continues) this.stop(failed);
		for (const entry of ended.flatMap(({ entries }) => entries)) output.add(entry);
		const rows = ended.flatMap(({ fresh }) => fresh);
		const limit = ended.some(({ end }) => end === 'budget') ? this.spentLimit() : undefined;
		if (limit && rows.length === 0) this.failWithoutBudget(ended, limit);
		const isCancelled = ended.some(({ failure }) => failure?.kind === 'cancelled');
		// n8n runs a node again whose first output item is an error.
		const isRetried = context.getNode().retryOnFail === true;
		const isRunAgain = isRetried && (failed !== undefined || output.beginsWithError());
		const hasRoom = isCancelled ? paidResults.keepAll() : paidResults.keep(ended, isRunAgain);
		this.putErrors(ended, hasRoom);
		if (limit && rows.length > 0) this.putCut(ended, limit, rows.length);
		const mayBeDropped = isRetried && output.beginsWithError();
		const warnings = isCancelled ? [] : await this.recordBought(ended, mayBeDropped);
		this.save(mayBeDropped ? 0 : rows.length);
		this.report(ended, rows, limit, warnings);
	}

	private async fetch(): Promise<Ended[]> {
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
		const seen = new Set<Json>();
		return results.map((result) => {
			const outcome = result.task.outcome();
			const fresh = outcome.rows.filter((row) => !seen.has(row));
			if (tasks.length > 1) for (const row of fresh) seen.add(row);
			return { ...result, ...outcome, fresh };
		});
	}

	/** The limit of which least is left. */
	private spentLimit(): Limit {
		return this.limits.reduce((one, other) => (other.left < one.left ? other : one)).limit;
	}

	/** Saves what the execution has spent, and tells it beside the execution. */
	private save(returned: number): void {
		if (!this.costsCredits) return;
		const inAll = this.spending.save(returned);
		// What comes in a run that throws is put out by none.
		const cost = { ...inAll, returned: inAll.returned || inAll.charged };
		reportCost(this.context, formatCost(this.state.endpoint, cost));
	}

	/** @throws NodeApiError for a failure, after what was paid for is kept */
	private stop(ended: Ended): never {
		const { context, state } = this;
		const item = this.errorItem(ended, state.paidResults.keepAll());
		const [first = 0] = ended.task.items;
		throw asNodeError(context.getNode(), item, { status: ended.failure?.status, item: first });
	}

	/** Puts out an item for each input item that is not served. */
	private putErrors(ended: Ended[], hasRoom: boolean): void {
		let over: ErrorItem | undefined;
		for (const one of ended) {
			const { task, failure, isNotRun } = one;
			if (!failure) continue;
			const text = isNotRun && over ? notRunAfter(over) : this.errorItem(one, hasRoom);
			if (endsTheExecution(failure)) over ??= text;
			const { items } = task.missing();
			for (const item of items.length > 0 ? items : task.items)
				this.state.output.addError(item, text);
		}
	}

	/** An agent sees no hints, and must not take what it gets for all there is. */
	private putCut(ended: Ended[], limit: Limit, rows: number): void {
		const { context, state } = this;
		if (!isTool(context)) return;
		const error = 'This result is cut: there may be more than is returned here';
		const message = hintBudget(state.endpoint, limit, rows);
		for (const { task, end } of ended)
			if (end === 'budget')
				state.output.add({ items: task.items.slice(0, 1), json: [{ error, message }] });
	}

	private errorItem({ task, failure, rows }: Ended, hasRoom: boolean): ErrorItem {
		const { context, spending, state } = this;
		const { kind, status }: Failure = failure ?? { kind: 'notSent' };
		const isCancelled = kind === 'cancelled';
		const text = formatFailure(failure ?? { kind }, {
			endpoint: state.endpoint,
			baseUrl: task.baseUrl ?? state.api.baseUrl,
			sessionToken: state.api.sessionToken,
			fetched: rows.length,
			timeoutMs: task.settings.timeoutMs,
		});
		const run: StoppedRun = {
			endpoint: state.endpoint,
			missing: task.missing(),
			fetched: rows.length,
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
			...(details && { details: stoppedRunDetails(run, status) }),
		};
	}

	/** An empty result would end a loop without a word. */
	private failWithoutBudget(ended: Ended[], limit: Limit): void {
		const { context, spending, state } = this;
		const text = formatNoBudget(limit, spending.inAll());
		if (!this.continues) throw asInvalid(context.getNode(), text);
		for (const { task, end } of ended)
			if (end === 'budget') for (const item of task.items) state.output.addError(item, text);
	}

	/**
	 * Remembers what leaves the node. It is paid for, so that nothing here may end the run.
	 *
	 * @returns warnings
	 */
	private async recordBought(ended: Ended[], mayBeDropped: boolean): Promise<string[]> {
		const { context, state } = this;
		const urls = [...new Set(ended.flatMap(({ bought }) => [...(bought ?? [])]))];
		if (urls.length === 0 || isTool(context)) return [];
		try {
			await state.lookedUp.record(urls, mayBeDropped);
			if (cancelSignalOf(context)?.aborted) {
				state.paidResults.keepAll();
				await state.lookedUp.forget(urls);
			}
			return [];
		} catch (thrown) {
			return [hintNotRecorded(urls.length, thrown)];
		}
	}

	/** Tells what the run cost, and what else people should know of it. */
	private report(ended: Ended[], rows: Json[], limit: Limit | undefined, more: string[]): void {
		const { context, state, costsCredits, spending } = this;
		const cost = costsCredits
			? costHints(state.endpoint, rows, {
					run: spending.ofRun(rows.length),
					inAll: spending.inAll(rows.length),
					repeated: spending.repeated(),
					reusedFrom: state.paidResults.reusedFrom,
				})
			: { infos: [], warnings: [] };
		const outcomes = ended.flatMap(({ warnings }) => warnings);
		const items = { failed: state.output.failed.size, all: context.getInputData().length };
		const gaps = gapWarnings(state.endpoint, ended, limit, items);
		showHints(context, cost.infos, [...outcomes, ...more, ...cost.warnings, ...gaps]);
	}
}
