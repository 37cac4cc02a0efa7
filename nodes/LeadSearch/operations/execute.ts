/**
 * Carries out an operation for all input items: reads them at the door, joins what they ask for,
 * fetches it, and hands out leads and failures by the node's On Error setting. One place for all
 * operations.
 */
import type { IExecuteFunctions, INodeExecutionData, NodeExecutionHint } from 'n8n-workflow';

import { CreditAccount } from '../service/credits';
import { endsTheExecution, type Failure } from '../service/failures';
import { Pace } from '../service/pace';
import type { PullResult } from '../service/pull';
import { openAccess, type Access } from './access';
import { tellFailure, type Told } from './failureMessages';
import { fetchJob } from './fetchJob';
import { gapOf, type Gap } from './gap';
import { ItemParameters } from './itemParameters';
import {
	hintBudget,
	hintCeiling,
	hintLostAnswers,
	hintRepeated,
	hintSame,
	tellMissing,
	tellMoney,
} from './moneyMessages';
import { asNodeError, asOperationError, tellRefusal } from './nodeErrors';
import type { ItemRequest, Job, List, Operation } from './operation';
import { Output } from './output';
import { parameterReader } from './parameterReader';
import { logStop } from './progress';

/**
 * @returns leads, and with On Error set to continue an item for each failure
 * @throws NodeOperationError for what is wrong before anything is sent; NodeApiError for a failure of
 * the service; both only with On Error set to Stop Workflow
 */
export async function executeOperation<Request>(
	context: IExecuteFunctions,
	operation: Operation<Request>,
): Promise<INodeExecutionData[][]> {
	const run = new Run(context, operation);
	const { requests, budget } = run.readItems();
	const jobs = operation.plan(requests);
	const access = jobs.length > 0 ? await run.open(jobs) : undefined;
	if (access) await run.fetchAll(jobs, access, new CreditAccount(budget));
	return [run.output.items()];
}

/** A list that stopped part-way. */
interface Setback {
	failure: Failure;
	what: Told;
	/** Results of the list that came. */
	fetched: number;
	gap: Gap;
	/** The input items that have not got all they asked for. */
	unserved: number[];
	/** The first input item of the list. */
	item: number;
}

class Run<Request> {
	readonly output: Output;
	private readonly continues: boolean;
	private readonly hints = new Set<string>();
	private readonly pace = new Pace();
	/** Results that came, of each list in its turn. */
	private fetched = new Map<List, number>();
	private budgetGap?: Gap;
	private repeatedRows = 0;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly operation: Operation<Request>,
	) {
		this.output = new Output(context.getInputData().length);
		this.continues = context.continueOnFail();
	}

	readItems(): { requests: Array<ItemRequest<Request>>; budget: number } {
		const requests: Array<ItemRequest<Request>> = [];
		let budget: number | undefined;
		const read = parameterReader(this.context);
		this.context.getInputData().forEach((_, item) => {
			try {
				const parameters = new ItemParameters((name) => read(name, item));
				const itemBudget = parameters.creditBudget();
				requests.push({ item, request: this.operation.read(parameters) });
				budget ??= itemBudget;
			} catch (thrown) {
				this.refuseItem(item, thrown);
			}
		});
		return { requests, budget: budget ?? Infinity };
	}

	/** Opens the way to the service, or tells every job's items why there is none. */
	async open(jobs: Job[]): Promise<Access | undefined> {
		try {
			return await openAccess(this.context, this.operation.endpoint, this.cancelSignal());
		} catch (thrown) {
			for (const { items } of jobs) this.refuseItem(items[0] ?? 0, thrown, items);
			return undefined;
		}
	}

	async fetchAll(jobs: Job[], access: Access, credits: CreditAccount): Promise<void> {
		const { endpoint } = this.operation;
		this.fetched = new Map(jobs.map(({ list }) => [list, 0]));
		const failures: Array<{ items: number[]; tell: () => Told }> = [];
		let over: Told | undefined;
		let stopped: { list: List; told: Told } | undefined;
		for (const job of jobs) {
			// Skip can't leave out a batch behind one that stopped, so fetching it would pay it twice.
			const notRun = stopped?.list === job.list ? stopped.told : over;
			if (notRun) {
				failures.push({ items: job.items, tell: () => notRun });
				continue;
			}
			if (endpoint !== 'lookUp' && job.items.length > 1) {
				this.hints.add(hintSame(job.items.length, endpoint));
			}
			const result = await this.fetch(job, access, credits);
			this.hintAbout(job, result);
			if (!result.failure) continue;
			const setback = this.setbackOf(result.failure, job, result, access);
			if (!this.continues) this.stop(setback, credits);
			failures.push({ items: setback.unserved, tell: () => this.tell(setback, credits) });
			const { what } = setback;
			stopped = {
				list: job.list,
				told: tellNotRun(what, 'the URLs before were not all fetched', 'these URLs'),
			};
			if (endsTheExecution(result.failure)) {
				over = tellNotRun(what, 'an earlier input item ended the run', 'this item');
			}
		}
		// Only now is it known what was spent in all.
		for (const { items, tell } of failures) this.output.addFailure(items, tell());
		this.showHints(credits);
	}

	private async fetch(job: Job, access: Access, credits: CreditAccount): Promise<PullResult> {
		const result = await fetchJob(job, {
			endpoint: this.operation.endpoint,
			access,
			output: this.output,
			credits,
			pace: this.pace,
			logger: this.context.logger,
		});
		this.fetched.set(job.list, (this.fetched.get(job.list) ?? 0) + result.rows);
		// A list whose last wanted row is in is whole only if nothing was left out by a limit.
		const isWhole =
			result.end === 'endOfList' || (result.end === 'limit' && job.unserved().length === 0);
		if (isWhole && result.missing.length === 0) job.complete?.(this.output);
		return result;
	}

	private cancelSignal(): AbortSignal | undefined {
		// Older versions of n8n have none.
		return typeof this.context.getExecutionCancelSignal === 'function'
			? this.context.getExecutionCancelSignal()
			: undefined;
	}

	private hintAbout(job: Job, result: PullResult): void {
		// Once it is used up, every list after this one ends the same way.
		if (result.end === 'budget') this.budgetGap ??= this.gapOf(job, result, true);
		if (result.end === 'ceiling') this.hints.add(hintCeiling());
		if (!result.failure && result.end !== 'budget' && result.missing.length > 0) {
			this.hints.add(tellMissing(this.gapOf(job, result, false)));
		}
		this.repeatedRows += result.repeatedRows;
	}

	/** What stopped a list, and where it stands. */
	private setbackOf(failure: Failure, job: Job, result: PullResult, access: Access): Setback {
		const fetched = this.fetched.get(job.list) ?? 0;
		const unserved = job.unserved();
		return {
			failure,
			what: tellFailure(failure, {
				endpoint: this.operation.endpoint,
				baseUrl: job.baseUrl ?? access.baseUrl,
				sessionToken: access.sessionToken,
				fetched,
				timeoutMs: job.fetching().timeoutMs,
			}),
			fetched,
			gap: this.gapOf(job, result, !this.continues || endsTheExecution(failure)),
			unserved: unserved.length > 0 ? unserved : job.items,
			item: job.items[0] ?? 0,
		};
	}

	private tell({ failure, what, fetched, gap }: Setback, credits: CreditAccount): Told {
		const { charged, lostAnswers, possiblyCharged } = credits;
		const { continues } = this;
		const money = tellMoney({
			...gap,
			continues,
			fetched,
			charged,
			lostAnswers,
			possiblyCharged,
		});
		const description = `${what.description} ${money}`.trim();
		if (failure.kind === 'cancelled') logStop(this.context.logger, description);
		return { message: what.message, description };
	}

	private stop(setback: Setback, credits: CreditAccount): never {
		const { failure, item } = setback;
		const told = this.tell(setback, credits);
		this.showHints(credits);
		throw asNodeError(this.context.getNode(), told, { status: failure.status, item });
	}

	/** @param isLast whether the lists after the job's are not run */
	private gapOf(job: Job, result: PullResult, isLast: boolean): Gap {
		const lists = [...this.fetched.keys()];
		const later = isLast ? lists.slice(lists.indexOf(job.list) + 1) : [];
		return gapOf(
			this.operation.endpoint,
			job,
			result,
			this.context.getInputData().length,
			later,
		);
	}

	private refuseItem(item: number, thrown: unknown, items: number[] = [item]): void {
		if (!this.continues) throw asOperationError(this.context.getNode(), thrown, item);
		this.output.addFailure(items, tellRefusal(thrown, item));
	}

	private showHints(credits: CreditAccount): void {
		if (this.budgetGap) {
			const { budget, charged, possiblyCharged } = credits;
			this.hints.add(hintBudget(budget, charged, possiblyCharged, this.budgetGap));
		}
		if (credits.lostAnswers > 0) {
			this.hints.add(hintLostAnswers(credits.lostAnswers, credits.possiblyCharged));
		}
		if (this.repeatedRows > 0) {
			this.hints.add(hintRepeated(this.repeatedRows, this.operation.endpoint));
		}
		const hints: NodeExecutionHint[] = [...this.hints].map((message) => ({
			message,
			type: 'warning',
			location: 'outputPane',
		}));
		// Older versions of n8n show no hints.
		if (hints.length > 0 && typeof this.context.addExecutionHints === 'function') {
			this.context.addExecutionHints(...hints);
		}
	}
}

function tellNotRun({ message }: Told, because: string, what: string): Told {
	return {
		message: `Not run, because ${because}: ${message}`,
		description: `Nothing was sent or charged for ${what}.`,
	};
}
