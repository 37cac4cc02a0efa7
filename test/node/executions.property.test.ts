/**
 * Promise 4 over many executions of one node: whatever is run after whatever, and wherever it stops,
 * nothing is paid for twice that may be reused, and no execution spends more than it may.
 */
import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import fc from 'fast-check';
import type { IExecuteFunctions, WorkflowExecuteMode } from 'n8n-workflow';

import { LeadSearch } from '../../nodes/LeadSearch/LeadSearch.node';
import { matching, type FaultAction } from '../../sandbox/service';
import { between as count, expectMet, of, RUNS } from '../seed';
import { KeptLists, type Begun, type Source } from './keptLists';
import { icelanders, status, useService, waitForLastAnswers } from './useService';
import type { Outcome, RunOptions } from './useService';

const SEQUENCES = Math.max(75, Math.round(RUNS / 14));
const LEADS = 60;

jest.setTimeout(Math.max(300_000, SEQUENCES * 3_000));

const shared = useService();
const people = icelanders.slice(0, LEADS);
const leads = [...matching({ person_location_country: ['Iceland'] }).subarray(0, LEADS)];
const unknown = people.slice(0, 10).map((url) => `${url}-no`);

const TRIALS: readonly WorkflowExecuteMode[] = ['manual', 'retry'];

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

/** No 400: to a page after a short one, it means that there is none. */
const fault = of<FaultAction>(
	...[401, 402, 403, 413, 500].map((code) => status(code)),
	status(502, { headers: { 'retry-after': '0' } }),
	{ kind: 'notJson' },
);

const execution = fc.record({
	mode: of('manual' as const, 'trigger' as const, 'trigger' as const),
	onError: of('stopWorkflow' as const, 'continueRegularOutput' as const),
	/** Of a Look Up; whether each has an input item of its own. */
	urls: fc.shuffledSubarray([...people, ...unknown], { minLength: 1 }),
	isByItem: fc.boolean(),
	limit: maybe(count(1, 70)),
	pageSize: count(3, 30),
	parallelPages: of(1, 1, 4),
	maxCredits: maybe(count(1, 60)),
	/** As in n8n, a try whose first item is an error is dropped and repeated. */
	maxTries: of(undefined, undefined, 2, 3),
	/** How often the node runs in the execution, as in a loop. */
	rounds: of(1, 1, 1, 3),
	/** Whether it is n8n's Retry of the execution before, if that failed. */
	isRetry: fc.boolean(),
	/** Whether it is one of a sub-workflow, which n8n retries as if it were none. */
	isSub: of(false, false, true),
	/** The request at which somebody stops it. */
	cancelledAt: maybe(of(1, 1, 2, 3, 5)),
	faults: fc.array(fc.record({ nthRequest: count(1, 8), fault }), { maxLength: 2 }),
	topUp: fc.boolean(),
	minutesLater: of(0, 0, 5, 61),
	reusePaidResults: of(60, 60, 60, 0),
	reuseAfter: of('stoppedRuns' as const, 'stoppedRuns' as const, 'allRuns' as const),
	/** Whether the next one runs before it has sent anything, so that neither knows of the other. */
	overlaps: of(false, false, true),
});

const scenario = fc.record({
	operation: of('search' as const, 'lookUp' as const),
	balance: fc.nat({ max: 90 }),
	lookUpPages: of('rows' as const, 'urls' as const),
	executions: fc.array(execution, { minLength: 2, maxLength: 6 }),
});

type Execution = typeof execution extends fc.Arbitrary<infer T> ? T : never;
type Scenario = typeof scenario extends fc.Arbitrary<infer T> ? T : never;

const tally = { stopped: 0, reused: 0, overlapping: 0, cancelled: 0 };

interface Past {
	result: Outcome;
	wanted: Execution;
	executionId: string;
}

async function check({ operation, balance, lookUpPages, executions }: Scenario): Promise<void> {
	const readings = { lookUpPages };
	const buyer = shared.node({ apiCredits: balance, leads: LEADS, readings });
	const { account } = buyer;
	let now = Date.now();
	const clock = jest.spyOn(Date, 'now').mockImplementation(() => now);
	const kept = new KeptLists(operation !== 'search');
	let before: Past | undefined;

	const executed = jest.spyOn(LeadSearch.prototype, 'execute');
	const execute = executed.getMockImplementation();
	/** Called when a try begins, by execution. */
	const onTry = new Map<string, () => void>();
	executed.mockImplementation(async function (this: IExecuteFunctions) {
		onTry.get(this.getExecutionId())?.();
		return (await execute?.call(this)) ?? [];
	});
	try {
		const left = [...executions];
		for (let drawn = left.shift(); drawn; drawn = left.shift()) {
			const other = drawn.overlaps ? left.shift() : undefined;
			if (other) await overlap(drawn, other);
			else await runAll(drawn);
		}
	} finally {
		clock.mockRestore();
		executed.mockRestore();
	}

	/** The first one has begun when the other one runs, and sends what it sends afterwards. */
	async function overlap(drawn: Execution, other: Execution): Promise<void> {
		const events = new EventEmitter();
		const hasBegun = once(events, 'begun');
		const isOver = once(events, 'over');
		/** Of the first one, once it waits. */
		const waiting = { asks: new Set<string | undefined>(), isCancelled: false };
		const running = runAll(drawn, async (asks, isCancelled) => {
			waiting.asks.add(asks);
			waiting.isCancelled ||= isCancelled;
			events.emit('begun');
			await isOver;
		});
		const endFirst = async () => {
			events.emit('over');
			await running;
		};
		// It may have nothing to send.
		await Promise.race([hasBegun, running]);
		try {
			await runAll(other, undefined, async (asks, reusesAll) => {
				const isSame = asks !== undefined && waiting.asks.has(asks);
				if (isSame && (reusesAll || waiting.isCancelled)) await endFirst();
			});
		} finally {
			await endFirst();
		}
		if (waiting.asks.size > 0) tally.overlapping += 1;
	}

	/** @param mayGoOn what each of its requests waits for @param mayBegin what it waits for itself */
	async function runAll(
		drawn: Execution,
		mayGoOn: (asks: string | undefined, isCancelled: boolean) => Promise<void> = () =>
			Promise.resolve(),
		mayBegin: (asks: string | undefined, reusesAll: boolean) => Promise<void> = () =>
			Promise.resolve(),
	): Promise<void> {
		const isFailed = before?.result.error && !isCancelled(before.result);
		const retryOf = drawn.isRetry && isFailed ? before : undefined;
		const { faults, topUp, minutesLater, cancelledAt } = drawn;
		const again = { faults, topUp, minutesLater, cancelledAt, rounds: 1 };
		const wanted = retryOf ? { ...retryOf.wanted, ...again } : drawn;
		const { reusePaidResults: minutes, limit, isSub, reuseAfter } = wanted;
		const mode = modeOf(wanted, retryOf?.result);
		const reusesAll = TRIALS.includes(mode) || reuseAfter === 'allRuns';
		// Executions that ask for the same run one after another, where one may go on from the other.
		const { pageSize, parallelPages, maxCredits, isByItem } = wanted;
		const urls = operation === 'search' ? [] : [isByItem, ...wanted.urls];
		const settings = { limit, pageSize, parallelPages, maxCredits, minutes, reuseAfter };
		const asks = minutes > 0 ? JSON.stringify([isSub && !retryOf, urls, settings]) : undefined;
		await mayBegin(asks, reusesAll);
		now += wanted.minutesLater * 60_000;
		if (wanted.topUp) shared.service.admin.setCredits(account.id, { apiCredits: 200 });
		const executionId = randomUUID();
		const begun: Begun = {
			id: executionId,
			isSub,
			reusesAll,
			since: minutes > 0 ? now - minutes * 60_000 : Infinity,
			wanted: new Set(
				operation === 'search'
					? leads.slice(0, limit)
					: wanted.urls.flatMap((url) => leads[people.indexOf(url)] ?? []),
			),
		};
		/** What the try under way goes on from, and how many leads were charged when it began to send. */
		let from: Source | undefined;
		let sentFrom: number | undefined;
		const charged: number[] = [];
		let requests = 0;
		let cancel: (() => void) | undefined;
		const cancelWhen = new Promise<void>((resolve) => {
			cancel = resolve;
		});
		const endTry = (how: ReturnType<typeof howEnded>) => {
			const paid = sentFrom === undefined ? [] : account.chargedLeads.slice(sentFrom);
			charged.push(...paid);
			if (from) {
				const reusable = new Set(from.from.flatMap((list) => [...list.leads]));
				expect(paid.filter((lead) => reusable.has(lead))).toEqual([]);
				kept.end(executionId, from, { ...how, charged: paid, now, reusesAll, leaves: minutes > 0 });
			}
			from = undefined;
			sentFrom = undefined;
		};
		onTry.set(executionId, () => {
			// n8n dropped what the one before has put out.
			if (from) endTry({ returned: 0, isThrown: false, isFailed: true, isCut: false });
			from = kept.begin({ ...begun, retryOf: retryOf?.executionId });
		});
		const beforeRequest = async () => {
			requests += 1;
			if (requests === cancelledAt) cancel?.();
			await mayGoOn(asks, requests >= (cancelledAt ?? Infinity));
			sentFrom ??= account.chargedLeads.length;
		};
		const remove = buyer.addFaults(faults);
		const run = async (past?: Outcome) => {
			const ways = { executionId, mode, beforeRequest, cancelWhen };
			const result = await runOnce(wanted, past ? { ...ways, retryOf: past } : ways);
			await shared.service.admin.idle();
			endTry(howEnded(wanted, result));
			return result;
		};
		let last = await run(retryOf?.result);
		for (let round = 1; round < wanted.rounds && !last.error && !isCancelled(last); round++)
			last = await run();
		remove();
		note(wanted, last, charged);
		before = { result: last, wanted, executionId };
	}

	async function runOnce(wanted: Execution, ways: RunOptions) {
		const { urls, isByItem, limit, pageSize, parallelPages, maxCredits } = wanted;
		const { onError, maxTries, reusePaidResults, reuseAfter } = wanted;
		const options = {
			...{ pageSize, parallelPages, reusePaidResults, reuseAfter, maxRetries: 1 },
		};
		const run = { ...ways, onError, ...(maxTries !== undefined && { maxTries }) };
		const parameters = {
			...(limit === undefined ? { returnAll: true } : { returnAll: false, limit }),
			...(maxCredits !== undefined && { maxCredits }),
		};
		if (operation === 'search') return await buyer.search({ ...parameters, options }, run);
		const lookUp = isByItem ? buyer.lookUpEach : buyer.lookUpAll;
		return await lookUp(urls, run, options, parameters);
	}

	/** @param last the last run of the execution */
	function note(wanted: Execution, last: Outcome, charged: number[]): void {
		const { urls, maxCredits = Infinity, limit = Infinity } = wanted;
		// Within an execution, whatever it ran, no lead is paid for twice, and the budget holds.
		expect(new Set(charged).size).toBe(charged.length);
		expect(charged.length).toBeLessThanOrEqual(Math.min(maxCredits, limit));
		// n8n passes on nothing of it.
		if (isCancelled(last)) {
			tally.cancelled += 1;
			return;
		}
		const told = /for ([\d,]+) credits?/.exec(last.told ?? '')?.[1] ?? '0';
		expect(Number(told.replaceAll(',', ''))).toBe(charged.length);

		expect(new Set(last.urls).size).toBe(last.urls.length);
		expect(last.urls.length).toBeLessThanOrEqual(limit);
		const isStopped = last.error !== undefined || last.errors.length > 0;
		const all = operation === 'search' ? people : people.filter((url) => urls.includes(url));
		if (!isStopped && !isCutIn(last)) expect(last.urls).toHaveLength(Math.min(all.length, limit));

		tally.reused += Math.max(0, last.urls.length - charged.length);
		if (isStopped) tally.stopped += 1;
	}
}

function modeOf({ isSub, mode }: Execution, retryOf: Outcome | undefined): WorkflowExecuteMode {
	if (retryOf) return 'retry';
	return isSub ? 'integrated' : mode;
}

/** n8n's host calls it cancelled; n8n-core by itself not where the node says that it was. */
function isCancelled({ run, error }: Outcome): boolean {
	return run.status === 'canceled' || error?.message === 'The execution was stopped';
}

function howEnded({ maxTries }: Execution, run: Outcome) {
	const { error, errors, json, urls } = run;
	if (isCancelled(run)) return { returned: 0, isThrown: true, isFailed: true, isCut: true };
	const isFailed = errors.some((item) => !JSON.stringify(item.error).includes('is spent, so n'));
	// n8n may have dropped it, since its first item is an error.
	const isDropped = maxTries !== undefined && json[0]?.error !== undefined;
	return {
		returned: urls.length,
		isThrown: error !== undefined,
		isFailed: isFailed || isDropped,
		isCut: isCutIn(run) || errors.length > 0,
	};
}

function isCutIn({ hints }: Outcome): boolean {
	return hints.some(({ message }) => message.includes('Max Credits'));
}

test(`what was paid for is not paid for again, in ${SEQUENCES} random sequences of executions`, async () => {
	waitForLastAnswers(300_000);
	await fc.assert(fc.asyncProperty(scenario, check), { numRuns: SEQUENCES });
	expectMet(tally.stopped, SEQUENCES / 4, SEQUENCES);
	expectMet(tally.reused, (SEQUENCES * 2) / 3, SEQUENCES);
	expectMet(tally.overlapping, SEQUENCES / 2, SEQUENCES);
	expectMet(tally.cancelled, SEQUENCES / 2, SEQUENCES);
});
