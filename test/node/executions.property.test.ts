/**
 * Tests promises 1 and 4 in random sequences of executions of several nodes, workflows and credentials, which may stop at
 * any request, in lists that change meanwhile. No execution pays for rows that it may reuse, none spends more than its
 * limits, and each returns the rows that a model of the design says.
 */
import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import fc from 'fast-check';
import type { IExecuteFunctions, WorkflowExecuteMode } from 'n8n-workflow';

import { LeadSearch } from '../../nodes/LeadSearch/LeadSearch.node';
import { matching, type FaultAction, type LoggedRequest } from '../../sandbox/service';
import { between as count, expectMet, of, RUNS } from '../seed';
import { PaidLeads, type Charge, type Reusable } from './paidLeads';
import { icelandUrls, status, useService, setLastResponseWait } from './useService';
import type { Outcome, RunOptions } from './useService';

const SEQUENCES = Math.max(50, Math.round(RUNS / 14));
/** The number of positions in the list. Some of them have no lead at first, or lose theirs. */
const LEADS = 60;

jest.setTimeout(Math.max(600_000, SEQUENCES * 10_000));

const shared = useService();
const leadUrls = icelandUrls.slice(0, LEADS);
const leads = [...matching({ person_location_country: ['Iceland'] }).subarray(0, LEADS)];
const unknownUrls = leadUrls.slice(0, 10).map((url) => `${url}-no`);

/** Positions that leads are added to or removed from. */
const ABSENT = [
	[0, 1, 2],
	[3, 4, 5, 6, 7, 8, 9, 10],
	[25, 26],
	[30],
	Array.from({ length: 15 }, (_, position) => 45 + position),
] as const;

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

/** The faults don't include a 400, because after a short page it means that the list has ended. */
const fault = of<FaultAction>(
	...[401, 402, 403, 413, 500].map((code) => status(code)),
	status(502, { headers: { 'retry-after': '0' } }),
	{ kind: 'notJson' },
);

const execution = fc.record({
	mode: of('manual' as const, 'trigger' as const, 'trigger' as const),
	onError: of('stopWorkflow' as const, 'continueRegularOutput' as const),
	/** The URLs of a lookup. */
	urls: fc.shuffledSubarray([...leadUrls, ...unknownUrls], { minLength: 1 }),
	/** Whether each URL has its own input item. */
	isByItem: fc.boolean(),
	limit: maybe(count(1, 70)),
	pageSize: count(3, 30),
	parallelPages: of(1, 1, 4),
	/** Skip of a search. */
	skip: of(0, 0, 0, 7, 20),
	/** Whether a search requests the field `raw`. */
	isRaw: of(false, false, true),
	maxCredits: maybe(count(1, 60)),
	workflowId: of('one', 'other'),
	credentialId: of('one', 'one', 'one', 'other'),
	/** The number of attempts under Retry On Fail. n8n discards an attempt whose first item is an error. */
	maxTries: of(undefined, undefined, 2, 3),
	/** The number of runs in the execution, as in a loop. */
	rounds: of(1, 1, 1, 3),
	/** The number of nodes that take turns in the rounds. */
	nodes: of(1, 1, 2),
	/** The minutes that a Wait node waits between two rounds. */
	waitMinutes: of(0, 0, 6, 20, 61),
	/** Whether this execution is n8n's Retry of the previous one, if that one failed. */
	isRetry: fc.boolean(),
	/** Whether this execution is of a sub-workflow. Its Retry has the mode of any other Retry. */
	isSub: of(false, false, true),
	/** The number of the request at which a user stops the execution. */
	cancelledAt: maybe(of(1, 1, 2, 3, 5)),
	faults: fc.array(fc.record({ nthRequest: count(1, 8), fault }), { maxLength: 2 }),
	topUp: fc.boolean(),
	minutesLater: of(0, 0, 6, 20, 31, 61, 4_000, -10),
	/** The parts of the list that have no leads from now on: at its front, in its middle, at its end. */
	absent: maybe(fc.shuffledSubarray([...ABSENT])),
	reusePaidResults: of(30, 30, 30, 5, 60, 0),
	/** Whether the next execution starts before this one has sent a request. */
	overlaps: of(false, false, true),
});

const scenario = fc.record({
	operation: of('search' as const, 'lookUp' as const),
	balance: fc.nat({ max: 90 }),
	lookUpPages: of('rows' as const, 'urls' as const),
	/** The number of leads that change places in each request. */
	ties: of(undefined, undefined, undefined, 7, 60),
	executions: fc.array(execution, { minLength: 2, maxLength: 6 }),
});

type Execution = typeof execution extends fc.Arbitrary<infer T> ? T : never;
type Scenario = typeof scenario extends fc.Arbitrary<infer T> ? T : never;

const counters = { stopped: 0, reused: 0, overlapping: 0, cancelled: 0, repeats: 0 };

interface PastExecution {
	result: Outcome;
	requested: Execution;
	executionId: string;
}

interface Attempt {
	keys: ReadonlySet<string>;
	settled: Promise<unknown>;
	settle: () => void;
	/** The rows that the attempt may reuse. */
	reusable: Reusable;
	/** The numbers of requests and of charged leads when the attempt sent its first request. */
	sentFrom: { requests: number; charges: number };
}

async function check({
	operation,
	balance,
	lookUpPages,
	ties,
	executions,
}: Scenario): Promise<void> {
	const readings = { lookUpPages };
	const isSearch = operation === 'search';
	const buyer = shared.node({
		apiCredits: balance,
		leads: LEADS,
		readings,
		...(isSearch && ties !== undefined && { ties }),
	});
	const { account } = buyer;
	let now = Date.now();
	const clock = jest.spyOn(Date, 'now').mockImplementation(() => now);
	const ledgers = new Map<string, PaidLeads>();
	const ledgerOf = ({ credentialId }: Execution) => {
		const ledger = ledgers.get(credentialId) ?? new PaidLeads(isSearch);
		ledgers.set(credentialId, ledger);
		return ledger;
	};
	let before: PastExecution | undefined;

	const executed = jest.spyOn(LeadSearch.prototype, 'execute');
	const execute = executed.getMockImplementation();
	/** Functions that are called when an attempt starts, by execution. */
	const attemptStarts = new Map<string, () => void>();
	/** The last attempt of each execution. At a cancel, it ends when its requests in flight have ended. */
	const lastAttempts = new Map<string, Promise<unknown>>();
	executed.mockImplementation(async function (this: IExecuteFunctions) {
		const id = this.getExecutionId();
		attemptStarts.get(id)?.();
		const ended = execute?.call(this) ?? Promise.resolve([]);
		lastAttempts.set(id, ended);
		return await ended;
	});
	/** The attempts that have sent a request and whose cost isn't in the ledger yet. */
	const inFlight = new Set<Attempt>();
	try {
		const remaining = [...executions];
		for (let drawn = remaining.shift(); drawn; drawn = remaining.shift()) {
			const other = drawn.overlaps ? remaining.shift() : undefined;
			if (other) await runOverlapping(drawn, other);
			else await runExecution(drawn);
		}
	} finally {
		clock.mockRestore();
		executed.mockRestore();
	}

	/**
	 * Runs two executions of which the second one starts after the first one. If they have a key in common, the second one
	 * waits for the first one. If not, the second one runs to its end before the first one sends a request.
	 */
	async function runOverlapping(drawn: Execution, other: Execution): Promise<void> {
		const events = new EventEmitter();
		const begun = once(events, 'begun');
		const mayContinue = once(events, 'over');
		let firstKeys: ReadonlySet<string> | undefined;
		// Neither execution waits between rounds, because this would age the results that the other one has just restored.
		const first = runExecution({ ...drawn, rounds: 1 }, async (keys) => {
			firstKeys ??= keys;
			events.emit('begun');
			await mayContinue;
		});
		// The first execution may end without a request.
		await Promise.race([begun, first]);
		const hasRequests = firstKeys !== undefined;
		const others = keysOf(resolveRequest(other).requested);
		const second = runExecution({ ...other, waitMinutes: 0 });
		try {
			if (hasCommonKey(firstKeys ?? new Set(), others)) await new Promise(setImmediate);
			else await second;
		} finally {
			events.emit('over');
		}
		await first;
		await second;
		if (hasRequests) counters.overlapping += 1;
	}

	/** Returns the keys of the lists or profiles that an execution requests. All searches have the same key. */
	function keysOf({ urls, credentialId }: Execution): ReadonlySet<string> {
		const names = operation === 'search' ? ['search'] : urls;
		return new Set(names.map((name) => `${credentialId} ${name}`));
	}

	/** The indexes of the list, or the numbers of the profiles. */
	function requestedKeys({ urls, skip, limit = Infinity }: Execution): number[] {
		if (isSearch)
			return leads.flatMap((_, index) => (index >= skip && index < skip + limit ? index : []));
		return urls.flatMap((url) => leads[leadUrls.indexOf(url)] ?? []);
	}

	/** The rows that were charged since an attempt began, in the order of their requests. */
	function chargesSince({ requests, charges }: Attempt['sentFrom']): Charge[] {
		const paid = account.chargedLeads.slice(charges);
		if (!isSearch) return paid.map((lead) => [lead, lead]);
		const keys = buyer
			.requests()
			.slice(requests)
			.flatMap(({ page, perPage, charged }) =>
				Array.from({ length: charged }, (_, at) => ((page ?? 1) - 1) * (perPage ?? 0) + at),
			);
		return paid.map((lead, at) => [keys[at] ?? -1, lead]);
	}

	/** Returns what an execution requests. A Retry requests the same as the execution that it retries. */
	function resolveRequest(drawn: Execution): {
		requested: Execution;
		retryOf: PastExecution | undefined;
	} {
		const isFailed = before?.result.error && !isCancelled(before.result);
		const retryOf = drawn.isRetry && isFailed ? before : undefined;
		const { faults, topUp, minutesLater, cancelledAt } = drawn;
		const retryChanges = { faults, topUp, minutesLater, cancelledAt, rounds: 1, nodes: 1 };
		return { requested: retryOf ? { ...retryOf.requested, ...retryChanges } : drawn, retryOf };
	}

	/** @param mayContinue a function that each request waits for */
	async function runExecution(
		drawn: Execution,
		mayContinue: (keys: ReadonlySet<string>) => Promise<void> = () => Promise.resolve(),
	): Promise<void> {
		const { requested, retryOf } = resolveRequest(drawn);
		const { faults, cancelledAt } = drawn;
		const executionId = randomUUID();
		const paidLeads = ledgerOf(requested);
		const request = {
			executionId,
			minutes: requested.reusePaidResults,
			keys: requestedKeys(requested),
			isRaw: isSearch && requested.isRaw,
			isToEnd: isSearch && requested.skip + (requested.limit ?? Infinity) > LEADS,
		};
		const mode = modeOf(requested, retryOf?.result);
		// The millisecond is added so that no two executions pay at the same time.
		now += requested.minutesLater * 60_000 + 1;
		const { length: sentBefore } = buyer.requests();
		if (requested.topUp) shared.service.admin.setCredits(account.id, { apiCredits: 200 });
		if (isSearch && drawn.absent)
			shared.service.admin.setBehaviour(account.id, { absent: drawn.absent.flat() });
		paidLeads.begin(executionId, now, retryOf?.executionId);
		/** The current attempt, if it has sent a request. */
		let sending: Attempt | undefined;
		/** The charged rows, by node. */
		const charged: Charge[][] = [[], []];
		let [round, requests] = [0, 0];
		/** What the current attempt could reuse when it started. */
		let atStart: Reusable | undefined;
		let cancel: (() => void) | undefined;
		const cancelWhen = new Promise<void>((resolve) => {
			cancel = resolve;
		});
		const endAttempt = (result?: Outcome) => {
			const paid = sending ? chargesSince(sending.sentFrom) : [];
			charged[round % requested.nodes]?.push(...paid);
			const { reusable = paidLeads.reusable(request, now) } = sending ?? {};
			expect(paid.filter(([key]) => reusable.fresh.has(key))).toEqual([]);
			if (isSearch && reusable.isComplete) expect(sending).toBeUndefined();
			const sent = sending ? buyer.requests().slice(sending.sentFrom.requests) : [];
			paidLeads.pay(reusable, paid, now);
			if (result && isFinished(result)) {
				const end = isSearch ? findEnd(reusable, paid, sent) : Infinity;
				// A run that needs nothing waits for nobody, so another run may buy the same rows meanwhile.
				const expected = [expectedRows(reusable, paid, end, sending !== undefined)];
				if (!sending && atStart?.isComplete)
					expected.push(expectedRows(atStart, [], atStart.end, false));
				if (!sending) expected.push(expectedRows(reusable, [], reusable.possibleEnd, false));
				checkRows(result, expected);
				if (sending && end < Infinity) paidLeads.noteEnd(end, now);
			} else if (sent.some(({ rows }) => rows === 0))
				paidLeads.noteEnd(firstEmptyRow(sent), now, false);
			if (sending) inFlight.delete(sending);
			sending?.settle();
			sending = undefined;
			atStart = undefined;
			// No two attempts pay at the same time.
			now += 1;
		};
		attemptStarts.set(executionId, () => {
			// n8n has discarded the output of the previous attempt.
			if (atStart) endAttempt();
			atStart = paidLeads.reusable(request, now);
		});
		const waitForOthers = async () => {
			const keys = keysOf(requested);
			for (const other of inFlight)
				if (!sending && hasCommonKey(other.keys, keys)) await other.settled;
		};
		const beforeRequest = async () => {
			requests += 1;
			if (requests === cancelledAt) cancel?.();
			const keys = keysOf(requested);
			// The attempt has its locks, so it has reused the rows that it may reuse.
			const restoredAt = now;
			await mayContinue(keys);
			await waitForOthers();
			if (sending) return;
			const events = new EventEmitter();
			const settled = once(events, 'settled');
			const settle = () => events.emit('settled');
			const reusable = paidLeads.reusable(request, restoredAt);
			const sentFrom = {
				requests: buyer.requests().length,
				charges: account.chargedLeads.length,
			};
			sending = { keys, settled, settle, reusable, sentFrom };
			inFlight.add(sending);
		};
		const remove = buyer.addFaults(faults);
		const run = async (past?: Outcome) => {
			const { workflowId, credentialId } = requested;
			const nodeId = `${workflowId} ${round % requested.nodes}`;
			const where = { workflowId, nodeId, credentialId: `${account.id} ${credentialId}` };
			const runOptions = { executionId, mode, beforeRequest, cancelWhen, ...where };
			const result = await runOnce(requested, past ? { ...runOptions, retryOf: past } : runOptions);
			await Promise.allSettled([lastAttempts.get(executionId)]);
			await shared.service.admin.idle();
			// The attempt may have sent no request and reused results that another execution has just paid for.
			await waitForOthers();
			endAttempt(result);
			return result;
		};
		let last = await run(retryOf?.result);
		for (round = 1; round < requested.rounds && !last.error && !isCancelled(last); round++) {
			now += requested.waitMinutes * 60_000;
			last = await run();
		}
		remove();
		const sentRequests = JSON.stringify(buyer.requests().slice(sentBefore));
		checkResult(requested, last, { charged, node: (round - 1) % requested.nodes, sentRequests });
		before = { result: last, requested, executionId };
	}

	async function runOnce(requested: Execution, runOptions: RunOptions) {
		const { urls, isByItem, limit, pageSize, parallelPages, maxCredits } = requested;
		const { onError, maxTries, reusePaidResults } = requested;
		const options = { pageSize, parallelPages, reusePaidResults, maxRetries: 1 };
		const run = { ...runOptions, onError, ...(maxTries !== undefined && { maxTries }) };
		const parameters = {
			...(limit === undefined ? { returnAll: true } : { returnAll: false, limit }),
			...(maxCredits !== undefined && { maxCredits }),
		};
		if (operation === 'search') {
			const { skip, isRaw } = requested;
			const simplification = isRaw ? { simplify: false } : {};
			const searchOptions = { ...options, skip, ...(isRaw && { includeRaw: true }) };
			return await buyer.search({ ...parameters, ...simplification, options: searchOptions }, run);
		}
		const lookUp = isByItem ? buyer.lookUpEach : buyer.lookUpAll;
		return await lookUp(urls, run, options, parameters);
	}

	/** @param last the last run of the execution */
	function checkResult(
		requested: Execution,
		last: Outcome,
		{ charged, node, sentRequests }: { charged: Charge[][]; node: number; sentRequests: string },
	): void {
		const { urls, maxCredits = Infinity, limit = Infinity } = requested;
		// No execution pays twice for a row or exceeds its limits.
		const keys = charged.flat().map(([key]) => key);
		expect(new Set(keys).size).toBe(keys.length);
		expect(keys.length).toBeLessThanOrEqual(limit);
		for (const { length } of charged) expect(length).toBeLessThanOrEqual(maxCredits);
		// n8n passes on no items of a cancelled run.
		if (isCancelled(last)) {
			counters.cancelled += 1;
			return;
		}
		const credits = /for ([\d,]+) credits?/.exec(last.customData ?? '')?.[1] ?? '0';
		expect(Number(credits.replaceAll(',', ''))).toBe(charged[node]?.length);

		expect(new Set(last.urls).size).toBe(last.urls.length);
		expect(last.urls.length).toBeLessThanOrEqual(limit);
		if (!isSearch && isFinished(last)) {
			const found = leadUrls.filter((url) => urls.includes(url));
			expect(last.urls).toHaveLength(Math.min(found.length, limit));
			// URLs that weren't found are requested again in each execution, because such requests are free.
			const missing = unknownUrls.filter(
				(url) => urls.includes(url) && !sentRequests.includes(`${url}"`),
			);
			if (limit === Infinity) expect(missing).toEqual([]);
		}

		counters.reused += Math.max(0, last.urls.length - keys.length);
		if (last.error !== undefined || last.errors.length > 0) counters.stopped += 1;
	}

	/** Expects that a run with all of its rows returns those that it has reused or bought, and each lead once. */
	function checkRows({ urls }: Outcome, expected: readonly number[][]): void {
		const returned = urls.map((url) => leads[leadUrls.indexOf(url as string)]);
		const [rows = []] = expected;
		if (!isSearch) expect(rows).toEqual(expect.arrayContaining(returned));
		else expect(expected.map((one) => [...new Set(one)])).toContainEqual(returned);
		if (new Set(rows).size < rows.length) counters.repeats += 1;
	}
}

function expectedRows(
	reusable: Reusable,
	paid: readonly Charge[],
	end: number,
	isSending: boolean,
): number[] {
	const rows = rowsOf(reusable, paid, isSending);
	const keys = reusable.request.keys.filter((key) => key < end);
	return keys.flatMap((key) => rows.get(key) ?? []);
}

/** The rows that a run has, by their keys. */
function rowsOf({ rows, fresh }: Reusable, paid: readonly Charge[], isSending: boolean) {
	const reused = isSending ? fresh : rows;
	return new Map([...[...reused].map(([key, { lead }]) => [key, lead] as const), ...paid]);
}

/** Returns the index at which a run with all of its rows has found the end of the list; Infinity if it has found none. */
function findEnd(
	reusable: Reusable,
	paid: readonly Charge[],
	sent: readonly LoggedRequest[],
): number {
	const { request, end } = reusable;
	if (sent.length === 0) return end;
	const rows = rowsOf(reusable, paid, true);
	const missing = request.keys.find((key) => !rows.has(key));
	return Math.min(missing ?? (request.isToEnd ? LEADS : Infinity), firstEmptyRow(sent));
}

/** Returns the index of the first row of the first page that came without rows, or Infinity. */
function firstEmptyRow(sent: readonly LoggedRequest[]): number {
	const empty = sent.filter((one) => one.status === 200 && one.rows === 0);
	return Math.min(...empty.map(({ page, perPage }) => ((page ?? 1) - 1) * (perPage ?? 0)));
}

function isFinished(result: Outcome): boolean {
	const isStopped = result.error !== undefined || result.errors.length > 0;
	return !isStopped && !isTruncated(result) && !isCancelled(result);
}

function hasCommonKey(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
	return [...one].some((text) => other.has(text));
}

function modeOf({ isSub, mode }: Execution, retryOf: Outcome | undefined): WorkflowExecuteMode {
	if (retryOf) return 'retry';
	return isSub ? 'integrated' : mode;
}

/** Says whether a run was cancelled. n8n-core reports a run that the node ends with this message as failed. */
function isCancelled({ run, error }: Outcome): boolean {
	return run.status === 'canceled' || error?.message === 'The execution was stopped';
}

function isTruncated({ hints }: Outcome): boolean {
	return hints.some(({ message }) => message.includes('Max Credits'));
}

test(`no cached row is paid for again, and no limit is exceeded, in ${SEQUENCES} random sequences of executions`, async () => {
	setLastResponseWait(300_000);
	await fc.assert(fc.asyncProperty(scenario, check), { numRuns: SEQUENCES, endOnFailure: true });
	expectMet(counters.stopped, SEQUENCES / 4, SEQUENCES);
	expectMet(counters.reused, (SEQUENCES * 2) / 3, SEQUENCES);
	expectMet(counters.overlapping, SEQUENCES / 2, SEQUENCES);
	expectMet(counters.cancelled, SEQUENCES / 2, SEQUENCES);
	expectMet(counters.repeats, SEQUENCES / 20, SEQUENCES);
});
