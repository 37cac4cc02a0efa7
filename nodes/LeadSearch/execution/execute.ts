/**
 * Carries out an operation for all input items: reads and checks what they ask for, joins it, fetches
 * it, and emits leads and failures by the node's On Error setting. One place for all operations.
 */
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { ConcurrencyLimit } from '../api/concurrency';
import { ENDPOINTS } from '../api/contract';
import { since, type CreditAccount, type RunFigures } from '../api/credits';
import { endsTheExecution, type Failure } from '../api/failures';
import {
	formatCost,
	hintBudget,
	hintMaxResults,
	hintCost,
	hintLimit,
	hintLostResponses,
	hintMissing,
	hintNotRecorded,
	hintRepeated,
	hintReused,
	hintUnwanted,
	hintUnverifiedEnd,
} from '../messages/hints';
import {
	formatNoBudget,
	formatStoppedRun,
	stoppedRunDetails,
	type StoppedRun,
	type Unfinished,
} from '../messages/stoppedRun';
import { formatFailure, type ErrorText } from '../messages/failures';
import { asInvalid, asNodeError, formatNoRecord } from '../messages/nodeErrors';
import { creditBudget, reusePaidResults } from '../parameters/fetching';
import { collectionValues } from '../parameters/values';
import type { Fetch, ItemRequest, LocalOperation, Operation } from '../resources/operation';
import { openApi, type ApiAccess } from './apiAccess';
import { BoughtProfiles } from './boughtProfiles';
import { withAccount } from './creditAccounts';
import { runFetch, type Fetched } from './fetch';
import { continuesOnFail, readItems, refuse } from './items';
import { Output, type ErrorItem } from './output';
import { OutputHints } from './outputHints';
import { logCheck, logStop } from './progress';
import { executionIdOf, hasSecondOutput, isTool, knowsErrorDetails, reportCost } from './n8n';
import { PaidResultsStore } from './paidResults';

/**
 * @returns leads, and with On Error set to continue an item for each input item that is not served
 * @throws NodeOperationError for what is wrong before anything is sent; NodeApiError for a failure of
 * the service; both only with On Error set to Stop Workflow
 */
export async function executeOperation<Request>(
	context: IExecuteFunctions,
	operation: Operation<Request> | LocalOperation<Request>,
): Promise<INodeExecutionData[][]> {
	if ('answer' in operation) return answerItems(context, operation);
	const run = new Run(context, operation);
	const requests = run.readItems();
	if (requests.length > 0) await run.execute(requests);
	return run.output.outputs();
}

function answerItems<Request>(
	context: IExecuteFunctions,
	operation: LocalOperation<Request>,
): INodeExecutionData[][] {
	const output = new Output();
	const hints = new OutputHints();
	const requests = readItems(context, output, (values) => operation.read(values));
	operation.answer(requests, output, (message) => {
		hints.add(message);
	});
	hints.show(context);
	return output.outputs();
}

/** A fetch that stopped part-way. */
interface Stopped {
	failure: Failure;
	text: ErrorText;
	/** Rows that came. */
	fetched: number;
	unfinished: Unfinished;
	/** The input items that have not got all they asked for. */
	items: number[];
}

class Run<Request> {
	readonly output: Output;
	private readonly continues: boolean;
	private readonly hints = new OutputHints();
	private readonly concurrency = new ConcurrencyLimit();
	private fetches: Fetch[] = [];
	/** Credit Budget, in credits. */
	private budget = Infinity;
	/** Reuse Paid Results, in minutes. */
	private minutesKept = 0;
	/** Whether what was paid for could be kept. */
	private hasRoom = true;
	/** Whether n8n may run the node again in place of passing its output on. */
	private isRunAgain = false;
	/** Rows emitted, each once. */
	private returned = 0;
	/** The same, by where they come from. */
	private readonly emitted = new Map<Fetch['source'], number>();
	private repeatedRows = 0;
	/** Rows that came but are wanted by no input item. */
	private unwantedRows = 0;
	/** Rows emitted that were paid for in an earlier run. */
	private reused = 0;
	private boughtAt = Infinity;
	/** What was left when the Credit Budget was used up. */
	private overBudget?: Unfinished;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly operation: Operation<Request>,
	) {
		this.output = new Output(hasSecondOutput(context) ? new Output() : undefined);
		this.continues = continuesOnFail(context);
	}

	/** @returns what the input items ask for; those that ask for nothing usable are told */
	readItems(): Array<ItemRequest<Request>> {
		let isFirst = true;
		return readItems(this.context, this.output, (values) => {
			const options = collectionValues(values, 'options');
			const budget = creditBudget.read(options);
			const minutes = reusePaidResults.read(options);
			const request = this.operation.read(values);
			if (isFirst) {
				this.budget = budget;
				this.minutesKept = minutes;
			}
			isFirst = false;
			return request;
		});
	}

	async execute(requests: Array<ItemRequest<Request>>): Promise<void> {
		const { context, operation } = this;
		const api = await this.open(requests.map(({ item }) => item));
		if (!api) return;
		const executionId = executionIdOf(context);
		await withAccount(context, executionId, async (account) => {
			const { id: workflowId = '' } = context.getWorkflow();
			const { id: nodeId } = context.getNode();
			const profiles = new BoughtProfiles(context, api.baseUrl);
			const bought = await this.findBought(requests, profiles);
			if (!bought) return;
			const identity = {
				executionId,
				scope: [workflowId, nodeId, api.identity],
				isManual: context.getMode() === 'manual',
				minutes: this.minutesKept,
				costsCredits: ENDPOINTS[operation.endpoint].costsCredits,
			};
			const paidResults = new PaidResultsStore(context, identity, bought);
			this.fetches = operation.plan(requests, paidResults);
			const before = account.figures();
			try {
				await this.fetchAll(api, account, paidResults, profiles);
				account.returned += this.returned;
			} finally {
				this.report(account, since(before, account), paidResults);
			}
			// What is told by a try that n8n drops reaches nobody.
			if (!this.isRunAgain) account.tell();
		});
	}

	/** Opens the way to the service, or tells every item why there is none. */
	private async open(items: number[]): Promise<ApiAccess | undefined> {
		try {
			return await openApi(this.context, this.operation.endpoint, this.cancelSignal());
		} catch (thrown) {
			refuse(this.context, this.output, items, thrown);
			return undefined;
		}
	}

	/**
	 * @returns the profiles that earlier executions bought, of those that are then left out; undefined
	 * where n8n can't tell
	 */
	private async findBought(
		requests: Array<ItemRequest<Request>>,
		profiles: BoughtProfiles,
	): Promise<Set<string> | undefined> {
		const { operation, context } = this;
		const urls = new Set<string>();
		for (const { request } of requests) {
			for (const url of operation.leavesOutBought?.(request) ?? []) urls.add(url);
		}
		if (urls.size > 10_000) logCheck(context.logger, urls.size);
		try {
			return await profiles.find([...urls]);
		} catch (thrown) {
			const error = asInvalid(context.getNode(), formatNoRecord(thrown));
			refuse(
				context,
				this.output,
				requests.map(({ item }) => item),
				error,
			);
			return undefined;
		}
	}

	/** Whether n8n runs the node again where it fails. */
	private isRetried(): boolean {
		return this.context.getNode().retryOnFail === true;
	}

	/** Remembers what leaves the node. It is paid for, so that nothing here may end the run. */
	private async recordBought(
		profiles: BoughtProfiles,
		paidResults: PaidResultsStore,
	): Promise<void> {
		const urls = this.fetches
			.flatMap((fetch) => [...(fetch.bought?.() ?? [])])
			.filter((url) => url !== '');
		if (urls.length === 0 || isTool(this.context)) return;
		try {
			// n8n may drop a try whose first item is an error.
			await profiles.record(urls, this.isRetried() && this.output.beginsWithError());
			if (this.cancelSignal()?.aborted) {
				paidResults.keepAll();
				await profiles.forget(urls);
			}
		} catch (thrown) {
			this.hints.add(hintNotRecorded(urls.length, thrown));
		}
	}

	private async fetchAll(
		api: ApiAccess,
		credits: CreditAccount,
		paidResults: PaidResultsStore,
		profiles: BoughtProfiles,
	): Promise<void> {
		const { endpoint } = this.operation;
		const errors: Array<{ items: number[]; format: () => ErrorItem }> = [];
		const failed = new Set<unknown>();
		const cut = new Set<unknown>();
		let over: ErrorText | undefined;
		let isCancelled = false;
		for (const fetch of this.fetches) {
			if (over) {
				const notRun = over;
				errors.push({ items: fetch.items, format: () => notRun });
				continue;
			}
			const fetched = await runFetch(fetch, {
				endpoint,
				api,
				credits,
				budget: this.budget,
				concurrency: this.concurrency,
				logger: this.context.logger,
			});
			const returned = this.emit(fetch, fetched);
			this.hintAbout(fetch, fetched);
			if (fetched.end === 'budget') cut.add(fetch.source);
			if (!fetched.failure) continue;
			failed.add(fetch.source);
			const stopped = this.stoppedAt(fetch, fetched.failure, returned, api);
			isCancelled ||= fetched.failure.kind === 'cancelled';
			if (!this.continues) {
				this.hasRoom = paidResults.keepAll();
				this.stop(stopped, credits);
			}
			errors.push({
				items: stopped.items,
				format: () => this.errorItem(stopped, credits),
			});
			if (endsTheExecution(fetched.failure)) over = notRunAfter(stopped.text);
		}
		if (this.overBudget && this.returned === 0 && errors.length === 0) {
			this.failWithoutBudget(credits);
		}
		// n8n runs a node again whose first output item is an error.
		this.isRunAgain = this.isRetried() && (errors.length > 0 || this.output.beginsWithError());
		this.hasRoom = isCancelled
			? paidResults.keepAll()
			: paidResults.keep(failed, this.emittedWhole(failed, cut), this.isRunAgain);
		// Only now is it known what was spent in all.
		for (const { items, format } of errors) {
			for (const item of items) this.output.addError(item, format());
		}
		// n8n drops what a cancelled run emits.
		if (!isCancelled) await this.recordBought(profiles, paidResults);
	}

	/** @returns rows emitted that no other fetch of this run had emitted */
	private emit(fetch: Fetch, fetched: Fetched): number {
		const { rows, reused, boughtAt } = fetch.emit(this.output, (message) => {
			this.hints.add(message);
		});
		this.returned += rows;
		this.emitted.set(fetch.source, (this.emitted.get(fetch.source) ?? 0) + rows);
		this.repeatedRows += fetched.repeatedRows;
		this.unwantedRows += fetched.rows - (rows - reused);
		this.reused += reused;
		this.boughtAt = Math.min(this.boughtAt, boughtAt);
		return rows;
	}

	/** What came whole, and of which nothing is kept back by a smaller Limit or other URLs. */
	private emittedWhole(...incomplete: Array<ReadonlySet<unknown>>): Set<unknown> {
		const whole = [...this.emitted].filter(
			([source, rows]) => rows === source.size && !incomplete.some((set) => set.has(source)),
		);
		return new Set(whole.map(([source]) => source));
	}

	private cancelSignal(): AbortSignal | undefined {
		// Older versions of n8n have none.
		return typeof this.context.getExecutionCancelSignal === 'function'
			? this.context.getExecutionCancelSignal()
			: undefined;
	}

	private hintAbout(fetch: Fetch, { end }: Fetched): void {
		const { endpoint } = this.operation;
		// Once it is used up, every fetch after this one ends the same way.
		if (end === 'budget') this.overBudget ??= this.unfinished(fetch, true);
		if (end === 'limit') {
			const unfinished = this.unfinished(fetch, false);
			const { items, rows, urls = 0 } = unfinished.remainder;
			if (rows?.missing.length) this.hints.add(hintMissing(unfinished));
			if (urls > 0 && fetch.items.length > 1) this.hints.add(hintLimit(urls, items));
		}
		if (end === 'maxResults') this.hints.add(hintMaxResults());
		if (end === 'unverifiedEnd') this.hints.add(hintUnverifiedEnd(endpoint));
	}

	/** What stopped a fetch, and where it stands. */
	private stoppedAt(fetch: Fetch, failure: Failure, fetched: number, api: ApiAccess): Stopped {
		const isLast = !this.continues || endsTheExecution(failure);
		const unfinished = this.unfinished(fetch, isLast);
		const { items } = unfinished.remainder;
		return {
			failure,
			text: formatFailure(failure, {
				endpoint: this.operation.endpoint,
				baseUrl: fetch.baseUrl ?? api.baseUrl,
				sessionToken: api.sessionToken,
				fetched,
				timeoutMs: fetch.settings.timeoutMs,
			}),
			fetched,
			unfinished,
			items: items.length > 0 ? items : fetch.items,
		};
	}

	/** @param isLast whether the fetches after this one are not run */
	private unfinished(fetch: Fetch, isLast: boolean): Unfinished {
		const inputItems = this.context.getInputData().length;
		const later = isLast ? this.fetches.slice(this.fetches.indexOf(fetch) + 1) : [];
		return {
			endpoint: this.operation.endpoint,
			remainder: fetch.remainder(),
			items: fetch.items.length < inputItems ? fetch.items : [],
			notRun: later.flatMap(({ items }) => items),
		};
	}

	private errorItem(stopped: Stopped, credits: CreditAccount): ErrorItem {
		const { failure, fetched, text, unfinished } = stopped;
		const isCancelled = failure.kind === 'cancelled';
		const run: StoppedRun = {
			...unfinished,
			// n8n drops what a cancelled node emits.
			continues: this.continues && !isCancelled,
			isRetryable: !this.continues && !isCancelled,
			fetched,
			credits,
			minutesKept: this.minutesKept,
			hasRoom: this.hasRoom,
			isFinal: failure.isFinal === true,
		};
		const description = `${text.description} ${formatStoppedRun(run)}`.trim();
		if (isCancelled) logStop(this.context.logger, description);
		return {
			message: text.message,
			description,
			...(ENDPOINTS[unfinished.endpoint].costsCredits &&
				knowsErrorDetails(this.context) && {
					details: stoppedRunDetails(run, failure.status),
				}),
		};
	}

	private stop(stopped: Stopped, credits: CreditAccount): never {
		const text = this.errorItem(stopped, credits);
		throw asNodeError(this.context.getNode(), text, {
			status: stopped.failure.status,
			item: stopped.items[0] ?? 0,
		});
	}

	/** An empty result would end a loop without a word. */
	private failWithoutBudget(credits: CreditAccount): void {
		const text = formatNoBudget(this.budget, credits);
		if (!this.continues) throw asInvalid(this.context.getNode(), text);
		for (const { items } of this.fetches) {
			for (const item of items) this.output.addError(item, text);
		}
	}

	/** Tells what the run cost, and what else people should know of it. */
	private report(execution: CreditAccount, run: RunFigures, paidResults: PaidResultsStore): void {
		const { endpoint } = this.operation;
		if (ENDPOINTS[endpoint].costsCredits) {
			this.hints.addInfo(hintCost(endpoint, run, execution));
			// What came in a run that throws is emitted by none.
			const returned = execution.returned || execution.charged;
			const figures = { ...execution.figures(), returned };
			reportCost(this.context, formatCost(endpoint, figures));
		}
		if (this.reused > 0) {
			const minutesAgo = paidResults.minutesSince(this.boughtAt);
			this.hints.addInfo(hintReused(endpoint, this.reused, this.returned, minutesAgo));
		}
		if (this.overBudget) this.reportBudget(execution, this.overBudget);
		const untold = execution.untold();
		if (untold.lostResponses > 0) this.hints.add(hintLostResponses(untold));
		if (this.repeatedRows > 0) this.hints.add(hintRepeated(this.repeatedRows, endpoint));
		if (this.unwantedRows > 0 && ENDPOINTS[endpoint].costsCredits) {
			this.hints.add(hintUnwanted(this.unwantedRows, endpoint));
		}
		this.hints.show(this.context);
	}

	private reportBudget(execution: CreditAccount, unfinished: Unfinished): void {
		const message = hintBudget(this.budget, execution, unfinished);
		this.hints.add(message);
		// An agent sees no hints, and must not take what it gets for all there is.
		if (isTool(this.context) && this.returned > 0) {
			this.output.addError(unfinished.remainder.items[0] ?? 0, {
				message: 'This result is cut: there may be more than is returned here',
				description: message,
			});
		}
	}
}

function notRunAfter({ message }: ErrorText): ErrorText {
	return {
		message: `Not run, because an earlier input item ended the run: ${message}`,
		description: 'Nothing was sent or charged for this item.',
	};
}
