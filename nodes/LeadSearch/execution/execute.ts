/**
 * Carries out an operation for all input items: reads and checks what they ask for, joins it, fetches
 * it, and puts out leads and failures by the node's On Error setting. One place for all operations.
 */
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { ConcurrencyLimit } from '../api/concurrency';
import { ENDPOINTS } from '../api/contract';
import { CreditAccount } from '../api/credits';
import { endsTheExecution, type Failure } from '../api/failures';
import {
	formatCost,
	formatGaps,
	formatStoppedRun,
	hintBudget,
	hintCeiling,
	hintLostResponses,
	hintRepeated,
	hintSame,
	hintUnwanted,
	hintUnverifiedEnd,
	stoppedRunDetails,
	type StoppedRun,
	type Unfinished,
} from '../messages/credits';
import { formatFailure, type ErrorText } from '../messages/failures';
import { asNodeError, asOperationError, formatInvalid } from '../messages/nodeErrors';
import { creditBudget } from '../parameters/fetching';
import { collectionValues, itemValues } from '../parameters/values';
import type { Fetch, ItemRequest, Operation } from '../resources/operation';
import { openApi, type ApiAccess } from './apiAccess';
import { runFetch, type Fetched } from './fetch';
import { Hints } from './hints';
import { Output, type ErrorItem } from './output';
import { parameterReader } from './parameterReader';
import { logStop } from './progress';
import { knowsErrorDetails, reportCost } from './n8n';

/**
 * @returns leads, and with On Error set to continue an item for each input item that is not served
 * @throws NodeOperationError for what is wrong before anything is sent; NodeApiError for a failure of
 * the service; both only with On Error set to Stop Workflow
 */
export async function executeOperation<Request>(
	context: IExecuteFunctions,
	operation: Operation<Request>,
): Promise<INodeExecutionData[][]> {
	const run = new Run(context, operation);
	const { requests, budget } = run.readItems();
	const fetches = operation.plan(requests);
	const api = fetches.length > 0 ? await run.open(fetches) : undefined;
	if (api) await run.fetchAll(fetches, api, new CreditAccount(budget));
	return [run.output.items()];
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
	readonly output = new Output();
	private readonly continues: boolean;
	private readonly hints = new Hints();
	private readonly concurrency = new ConcurrencyLimit();
	private fetches: Fetch[] = [];
	private rows = 0;
	private repeatedRows = 0;
	/** Rows that came but are wanted by no input item. */
	private unwantedRows = 0;
	/** What was left when the Credit Budget was used up. */
	private overBudget?: Unfinished;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly operation: Operation<Request>,
	) {
		this.continues = context.continueOnFail();
	}

	readItems(): { requests: Array<ItemRequest<Request>>; budget: number } {
		const requests: Array<ItemRequest<Request>> = [];
		let budget: number | undefined;
		const read = parameterReader(this.context);
		this.context.getInputData().forEach((_, item) => {
			try {
				const values = itemValues((name) => read(name, item));
				const itemBudget = creditBudget.read(collectionValues(values, 'options'));
				requests.push({ item, request: this.operation.read(values) });
				budget ??= itemBudget;
			} catch (thrown) {
				this.refuse([item], thrown);
			}
		});
		return { requests, budget: budget ?? Infinity };
	}

	/** Opens the way to the service, or tells every item why there is none. */
	async open(fetches: Fetch[]): Promise<ApiAccess | undefined> {
		try {
			return await openApi(this.context, this.operation.endpoint, this.cancelSignal());
		} catch (thrown) {
			this.refuse(
				fetches.flatMap(({ items }) => items),
				thrown,
			);
			return undefined;
		}
	}

	async fetchAll(fetches: Fetch[], api: ApiAccess, credits: CreditAccount): Promise<void> {
		const { endpoint } = this.operation;
		this.fetches = fetches;
		const errors: Array<{ items: number[]; format: () => ErrorItem }> = [];
		let over: ErrorText | undefined;
		for (const fetch of fetches) {
			if (over) {
				const notRun = over;
				errors.push({ items: fetch.items, format: () => notRun });
				continue;
			}
			if (endpoint !== 'lookUp' && fetch.items.length > 1) {
				this.hints.add(hintSame(fetch.items.length, endpoint));
			}
			const fetched = await runFetch(fetch, {
				endpoint,
				api,
				credits,
				concurrency: this.concurrency,
				logger: this.context.logger,
			});
			this.rows += fetched.rows;
			this.repeatedRows += fetched.repeatedRows;
			this.unwantedRows += fetched.rows - this.emit(fetch);
			this.hintAbout(fetch, fetched);
			if (!fetched.failure) continue;
			const stopped = this.stoppedAt(fetch, fetched, fetched.failure, api);
			if (!this.continues) this.stop(stopped, credits);
			errors.push({
				items: stopped.items,
				format: () => this.errorItem(stopped, credits),
			});
			if (endsTheExecution(fetched.failure)) over = notRunAfter(stopped.text);
		}
		// Only now is it known what was spent in all.
		for (const { items, format } of errors) {
			for (const item of items) this.output.addError(item, format());
		}
		this.report(credits);
	}

	/** @returns rows that were not put out before */
	private emit(fetch: Fetch): number {
		return fetch.emit({
			add: (item, json) => {
				this.output.add(item, json);
			},
			addForAny: (items, json) => {
				this.output.addForAny(items, json);
			},
			hint: (message) => {
				this.hints.add(message);
			},
		});
	}

	private cancelSignal(): AbortSignal | undefined {
		// Older versions of n8n have none.
		return typeof this.context.getExecutionCancelSignal === 'function'
			? this.context.getExecutionCancelSignal()
			: undefined;
	}

	private hintAbout(fetch: Fetch, { end, failure }: Fetched): void {
		const { endpoint } = this.operation;
		// Once it is used up, every fetch after this one ends the same way.
		if (end === 'budget') this.overBudget ??= this.unfinished(fetch, true);
		if (end === 'ceiling') this.hints.add(hintCeiling());
		if (end === 'unverifiedEnd') this.hints.add(hintUnverifiedEnd(endpoint));
		if (!failure && end === 'limit') {
			const unfinished = this.unfinished(fetch, false);
			if (unfinished.remainder.rows?.missing.length) this.hints.add(formatGaps(unfinished));
		}
	}

	/** What stopped a fetch, and where it stands. */
	private stoppedAt(fetch: Fetch, fetched: Fetched, failure: Failure, api: ApiAccess): Stopped {
		const isLast = !this.continues || endsTheExecution(failure);
		const unfinished = this.unfinished(fetch, isLast);
		const { items } = unfinished.remainder;
		return {
			failure,
			text: formatFailure(failure, {
				endpoint: this.operation.endpoint,
				baseUrl: fetch.baseUrl ?? api.baseUrl,
				sessionToken: api.sessionToken,
				fetched: fetched.rows,
				timeoutMs: fetch.settings.timeoutMs,
			}),
			fetched: fetched.rows,
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
		const run: StoppedRun = { ...unfinished, continues: this.continues, fetched, credits };
		const description = `${text.description} ${formatStoppedRun(run)}`.trim();
		if (failure.kind === 'cancelled') logStop(this.context.logger, description);
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
		this.report(credits);
		throw asNodeError(this.context.getNode(), text, {
			status: stopped.failure.status,
			item: stopped.items[0] ?? 0,
		});
	}

	/** Tells what can't be used for input items: nothing was sent for them. */
	private refuse(items: number[], thrown: unknown): void {
		const [first = 0] = items;
		if (!this.continues) throw asOperationError(this.context.getNode(), thrown, first);
		for (const item of items) this.output.addError(item, formatInvalid(thrown, item));
	}

	/** Tells what the run cost, and what else people should know of it. */
	private report(credits: CreditAccount): void {
		const { endpoint } = this.operation;
		if (ENDPOINTS[endpoint].costsCredits) {
			const cost = formatCost(endpoint, this.rows, credits);
			this.hints.addInfo(cost);
			reportCost(this.context, cost);
		}
		if (this.overBudget) this.hints.add(hintBudget(credits, this.overBudget));
		if (credits.lostResponses > 0) this.hints.add(hintLostResponses(credits));
		if (this.repeatedRows > 0) this.hints.add(hintRepeated(this.repeatedRows, endpoint));
		if (this.unwantedRows > 0 && ENDPOINTS[endpoint].costsCredits) {
			this.hints.add(hintUnwanted(this.unwantedRows, endpoint));
		}
		this.hints.show(this.context);
	}
}

function notRunAfter({ message }: ErrorText): ErrorText {
	return {
		message: `Not run, because an earlier input item ended the run: ${message}`,
		description: 'Nothing was sent or charged for this item.',
	};
}
