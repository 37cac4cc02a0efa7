/**
 * Promise 4 over many executions, of several nodes, workflows and credentials: whatever is run after whatever, and
 * wherever it stops, nothing is paid for twice that may be reused, and no execution spends more than it may.
 */
import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import fc from 'fast-check';
import type { IExecuteFunctions, WorkflowExecuteMode } from 'n8n-workflow';

import { LeadSearch } from '../../nodes/LeadSearch/LeadSearch.node';
import { matching, type FaultAction } from '../../sandbox/service';
import { between as count, expectMet, of, RUNS } from '../seed';
import { PaidLeads, type Reused } from './paidLeads';
import { icelandUrls, status, useService, setLastResponseWait } from './useService';
import type { Outcome, RunOptions } from './useService';

const SEQUENCES = Math.max(50, Math.round(RUNS / 14));
const LEADS = 60;

jest.setTimeout(Math.max(300_000, SEQUENCES * 3_000));

const shared = useService();
const people = icelandUrls.slice(0, LEADS);
const leads = [...matching({ person_location_country: ['Iceland'] }).subarray(0, LEADS)];
const unknown = people.slice(0, 10).map((url) => `${url}-no`);

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
	/** Of a search. */
	skip: of(0, 0, 0, 7, 20),
	isRaw: of(false, false, true),
	maxCredits: maybe(count(1, 60)),
	workflowId: of('one', 'other'),
	credentialId: of('one', 'one', 'one', 'other'),
	/** As in n8n, a try whose first item is an error is dropped and repeated. */
	maxTries: of(undefined, undefined, 2, 3),
	/** How often a node runs in the execution, as in a loop, whether two take turns, and how long a Wait is between them. */
	rounds: of(1, 1, 1, 3),
	nodes: of(1, 1, 2),
	waitMinutes: of(0, 0, 6, 20, 61),
	/** Whether it is n8n's Retry of the execution before, if that failed. */
	isRetry: fc.boolean(),
	/** Whether it is one of a sub-workflow, which n8n retries as if it were none. */
	isSub: of(false, false, true),
	/** The request at which somebody stops it. */
	cancelledAt: maybe(of(1, 1, 2, 3, 5)),
	faults: fc.array(fc.record({ nthRequest: count(1, 8), fault }), { maxLength: 2 }),
	topUp: fc.boolean(),
	minutesLater: of(0, 0, 6, 20, 31, 61, 4_000),
	reusePaidResults: of(30, 30, 30, 5, 60, 0),
	/** Whether the next one begins before it has sent anything. */
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

interface Try {
	asks: ReadonlySet<string>;
	isBooked: Promise<unknown>;
	book: () => void;
	/** What it may reuse, and how many leads were charged when it began to send. */
	reuses: Reused;
	startedAt: number;
	sentFrom: number;
}

async function check({ operation, balance, lookUpPages, executions }: Scenario): Promise<void> {
	const readings = { lookUpPages };
	const buyer = shared.node({ apiCredits: balance, leads: LEADS, readings });
	const { account } = buyer;
	let now = Date.now();
	const clock = jest.spyOn(Date, 'now').mockImplementation(() => now);
	const ledgers = new Map<string, PaidLeads>();
	const ledgerOf = ({ credentialId }: Execution) => {
		const ledger = ledgers.get(credentialId) ?? new PaidLeads(operation === 'search');
		ledgers.set(credentialId, ledger);
		return ledger;
	};
	let before: Past | undefined;

	const executed = jest.spyOn(LeadSearch.prototype, 'execute');
	const execute = executed.getMockImplementation();
	/** Called when a try begins, by execution. */
	const onTry = new Map<string, () => void>();
	/** Ends with the last try of an execution, which takes in what is on its way at a cancel. */
	const tries = new Map<string, Promise<unknown>>();
	executed.mockImplementation(async function (this: IExecuteFunctions) {
		const id = this.getExecutionId();
		onTry.get(id)?.();
		const ended = execute?.call(this) ?? Promise.resolve([]);
		tries.set(id, ended);
		return await ended;
	});
	/** Tries that have sent something, and whose cost is not booked yet. */
	const underWay = new Set<Try>();
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

	/**
	 * The first one has begun when the other one begins. Where they ask for something of the same, the other one is to wait
	 * for it; else it runs to its end before the first one sends anything.
	 */
	async function overlap(drawn: Execution, other: Execution): Promise<void> {
		const events = new EventEmitter();
		const hasBegun = once(events, 'begun');
		const mayGoOn = once(events, 'over');
		let asked: ReadonlySet<string> | undefined;
		// The waits of one would make older what the other has just restored.
		const first = runAll({ ...drawn, rounds: 1 }, async (urls) => {
			asked ??= urls;
			events.emit('begun');
			await mayGoOn;
		});
		// It may have nothing to send.
		await Promise.race([hasBegun, first]);
		const isUnderWay = asked !== undefined;
		const others = asksFor(wantedOf(other).wanted);
		const second = runAll({ ...other, waitMinutes: 0 });
		try {
			if (isCommon(asked ?? new Set(), others)) await new Promise(setImmediate);
			else await second;
		} finally {
			events.emit('over');
		}
		await first;
		await second;
		if (isUnderWay) tally.overlapping += 1;
	}

	/** What an execution asks for: of a search, all. */
	function asksFor({ urls, credentialId }: Execution): ReadonlySet<string> {
		const asked = operation === 'search' ? ['search'] : urls;
		return new Set(asked.map((one) => `${credentialId} ${one}`));
	}

	/** The leads that an execution wants. */
	function leadsOf({ urls, skip, limit = LEADS }: Execution): number[] {
		if (operation === 'search') return leads.slice(skip, skip + limit);
		return urls.flatMap((url) => leads[people.indexOf(url)] ?? []);
	}

	/** What an execution wants: n8n's Retry the same as the one that it retries. */
	function wantedOf(drawn: Execution): { wanted: Execution; retryOf: Past | undefined } {
		const isFailed = before?.result.error && !isCancelled(before.result);
		const retryOf = drawn.isRetry && isFailed ? before : undefined;
		const { faults, topUp, minutesLater, cancelledAt } = drawn;
		const again = { faults, topUp, minutesLater, cancelledAt, rounds: 1, nodes: 1 };
		return { wanted: retryOf ? { ...retryOf.wanted, ...again } : drawn, retryOf };
	}

	/** @param mayGoOn what each of its requests waits for */
	async function runAll(
		drawn: Execution,
		mayGoOn: (asks: ReadonlySet<string>) => Promise<void> = () => Promise.resolve(),
	): Promise<void> {
		const { wanted, retryOf } = wantedOf(drawn);
		const { faults, cancelledAt } = drawn;
		const executionId = randomUUID();
		const paidLeads = ledgerOf(wanted);
		const isRaw = operation === 'search' && wanted.isRaw;
		const request = {
			executionId,
			minutes: wanted.reusePaidResults,
			leads: leadsOf(wanted),
			isRaw,
		};
		const mode = modeOf(wanted, retryOf?.result);
		// No two executions pay in the same millisecond.
		now += wanted.minutesLater * 60_000 + 1;
		const { length: sentBefore } = buyer.requests();
		if (wanted.topUp) shared.service.admin.setCredits(account.id, { apiCredits: 200 });
		paidLeads.begin(executionId, retryOf?.executionId);
		/** The try under way, once it sends something. */
		let sending: Try | undefined;
		/** By node. */
		const charged: number[][] = [[], []];
		let [round, requests] = [0, 0];
		let isTried = false;
		let cancel: (() => void) | undefined;
		const cancelWhen = new Promise<void>((resolve) => {
			cancel = resolve;
		});
		const endTry = (result?: Outcome) => {
			const paid = sending ? account.chargedLeads.slice(sending.sentFrom) : [];
			charged[round % wanted.nodes]?.push(...paid);
			const reuses = sending?.reuses ?? paidLeads.reusable(request, now);
			const young = reuses.rows;
			expect(paid.filter((lead) => young.has(lead))).toEqual([]);
			const isPassedOn = result && !isCancelled(result);
			const returned = isPassedOn
				? result.urls.map((url) => leads[people.indexOf(url as string)])
				: [];
			// Nothing that is reused is too old.
			const known = new Set<number | undefined>([...young, ...paid]);
			expect(returned.filter((lead) => !known.has(lead))).toEqual([]);
			const times = { startedAt: sending?.startedAt ?? now, now };
			const used = paidLeads.pay(paid, times, request, reuses);
			if (result?.error && !isCancelled(result)) paidLeads.save(request, used);
			if (sending) underWay.delete(sending);
			sending?.book();
			sending = undefined;
			isTried = false;
		};
		onTry.set(executionId, () => {
			// n8n dropped what the one before has put out.
			if (isTried) endTry();
			isTried = true;
		});
		const othersAreBooked = async () => {
			const asks = asksFor(wanted);
			for (const other of underWay)
				if (!sending && isCommon(other.asks, asks)) await other.isBooked;
		};
		const beforeRequest = async () => {
			requests += 1;
			if (requests === cancelledAt) cancel?.();
			const asks = asksFor(wanted);
			// It has just taken in what it may reuse; while it is held, the clock goes on.
			const then = now;
			await mayGoOn(asks);
			await othersAreBooked();
			if (sending) return;
			const events = new EventEmitter();
			const isBooked = once(events, 'booked');
			const book = () => events.emit('booked');
			const reuses = paidLeads.reusable(request, then, true);
			const { length: sentFrom } = account.chargedLeads;
			sending = { asks, isBooked, book, reuses, startedAt: then, sentFrom };
			underWay.add(sending);
		};
		const remove = buyer.addFaults(faults);
		const run = async (past?: Outcome) => {
			const { workflowId, credentialId } = wanted;
			const nodeId = `${workflowId} ${round % wanted.nodes}`;
			const where = { workflowId, nodeId, credentialId: `${account.id} ${credentialId}` };
			const ways = { executionId, mode, beforeRequest, cancelWhen, ...where };
			const result = await runOnce(wanted, past ? { ...ways, retryOf: past } : ways);
			await Promise.allSettled([tries.get(executionId)]);
			await shared.service.admin.idle();
			// It may have sent nothing, and reused what another has just paid for.
			await othersAreBooked();
			endTry(result);
			return result;
		};
		let last = await run(retryOf?.result);
		for (round = 1; round < wanted.rounds && !last.error && !isCancelled(last); round++) {
			now += wanted.waitMinutes * 60_000;
			last = await run();
		}
		remove();
		const asked = JSON.stringify(buyer.requests().slice(sentBefore));
		note(wanted, last, { charged, node: (round - 1) % wanted.nodes, asked });
		before = { result: last, wanted, executionId };
	}

	async function runOnce(wanted: Execution, ways: RunOptions) {
		const { urls, isByItem, limit, pageSize, parallelPages, maxCredits } = wanted;
		const { onError, maxTries, reusePaidResults } = wanted;
		const options = { pageSize, parallelPages, reusePaidResults, maxRetries: 1 };
		const run = { ...ways, onError, ...(maxTries !== undefined && { maxTries }) };
		const parameters = {
			...(limit === undefined ? { returnAll: true } : { returnAll: false, limit }),
			...(maxCredits !== undefined && { maxCredits }),
		};
		if (operation === 'search') {
			const { skip, isRaw } = wanted;
			const form = isRaw ? { simplify: false } : {};
			const how = { ...options, skip, ...(isRaw && { includeRaw: true }) };
			return await buyer.search({ ...parameters, ...form, options: how }, run);
		}
		const lookUp = isByItem ? buyer.lookUpEach : buyer.lookUpAll;
		return await lookUp(urls, run, options, parameters);
	}

	/** @param last the last run of the execution, of which node @param charged by node @param asked all its requests */
	function note(
		wanted: Execution,
		last: Outcome,
		{ charged, node, asked }: { charged: number[][]; node: number; asked: string },
	): void {
		const { urls, maxCredits = Infinity, limit = Infinity, skip } = wanted;
		// Within an execution, whatever it ran, no lead is paid for twice, and the budget holds.
		const inAll = charged.flat();
		expect(new Set(inAll).size).toBe(inAll.length);
		expect(inAll.length).toBeLessThanOrEqual(limit);
		for (const { length } of charged) expect(length).toBeLessThanOrEqual(maxCredits);
		// n8n passes on nothing of it.
		if (isCancelled(last)) {
			tally.cancelled += 1;
			return;
		}
		const told = /for ([\d,]+) credits?/.exec(last.customData ?? '')?.[1] ?? '0';
		expect(Number(told.replaceAll(',', ''))).toBe(charged[node]?.length);

		expect(new Set(last.urls).size).toBe(last.urls.length);
		expect(last.urls.length).toBeLessThanOrEqual(limit);
		const isStopped = last.error !== undefined || last.errors.length > 0;
		const found = people.filter((url) => urls.includes(url));
		const all = operation === 'search' ? people.slice(skip) : found;
		if (!isStopped && !isCutIn(last)) {
			expect(last.urls).toHaveLength(Math.min(all.length, limit));
			// Who was not found may be there by now, and asking is free.
			const missing = unknown.filter((url) => urls.includes(url) && !asked.includes(`${url}"`));
			if (operation === 'lookUp' && limit === Infinity) expect(missing).toEqual([]);
		}

		tally.reused += Math.max(0, last.urls.length - inAll.length);
		if (isStopped) tally.stopped += 1;
	}
}

function isCommon(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
	return [...one].some((text) => other.has(text));
}

function modeOf({ isSub, mode }: Execution, retryOf: Outcome | undefined): WorkflowExecuteMode {
	if (retryOf) return 'retry';
	return isSub ? 'integrated' : mode;
}

/** n8n's host calls it cancelled; n8n-core by itself not where the node says that it was. */
function isCancelled({ run, error }: Outcome): boolean {
	return run.status === 'canceled' || error?.message === 'The execution was stopped';
}

function isCutIn({ hints }: Outcome): boolean {
	return hints.some(({ message }) => message.includes('Max Credits'));
}

test(`what was paid for is not paid for again, in ${SEQUENCES} random sequences of executions`, async () => {
	setLastResponseWait(300_000);
	await fc.assert(fc.asyncProperty(scenario, check), { numRuns: SEQUENCES, endOnFailure: true });
	expectMet(tally.stopped, SEQUENCES / 4, SEQUENCES);
	expectMet(tally.reused, (SEQUENCES * 2) / 3, SEQUENCES);
	expectMet(tally.overlapping, SEQUENCES / 2, SEQUENCES);
	expectMet(tally.cancelled, SEQUENCES / 2, SEQUENCES);
});
