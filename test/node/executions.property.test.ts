/**
 * Promise 4 over many executions of one node: whatever is run after whatever, and wherever it stops,
 * nothing is paid for twice that may be reused, no execution spends more than it may, and a Look Up
 * that leaves out what it bought loses nothing.
 */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';

import type { FaultAction } from '../../sandbox/service';
import { between as count, expectMet, of, RUNS } from '../seed';
import { deduplicationStore } from './deduplicationStore';
import { icelanders, status, useService, type Outcome } from './useService';

const SEQUENCES = Math.max(75, Math.round(RUNS / 14));
const LEADS = 60;

jest.setTimeout(Math.max(300_000, SEQUENCES * 3_000));

const shared = useService();
const people = icelanders.slice(0, LEADS);
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
	maxCredits: maybe(count(1, 60)),
	/** As in n8n, a try whose first item is an error is dropped and repeated. */
	maxTries: of(undefined, undefined, 2, 3),
	/** How often the node runs in the execution, as in a loop. */
	rounds: of(1, 1, 1, 3),
	/** Whether it is n8n's Retry of the execution before, if that failed. */
	isRetry: fc.boolean(),
	faults: fc.array(fc.record({ nthRequest: count(1, 8), fault }), { maxLength: 2 }),
	topUp: fc.boolean(),
	minutesLater: of(0, 0, 5, 61),
	reusePaidResults: of(60, 60, 60, 0),
});

const scenario = fc.record({
	operation: of('search' as const, 'lookUp' as const, 'leaveOut' as const),
	balance: fc.nat({ max: 90 }),
	lookUpPages: of('rows' as const, 'urls' as const),
	executions: fc.array(execution, { minLength: 2, maxLength: 6 }),
});

type Execution = typeof execution extends fc.Arbitrary<infer T> ? T : never;
type Scenario = typeof scenario extends fc.Arbitrary<infer T> ? T : never;

/** What Already Looked Up promises is for production, and as long as memory lasts. */
const always = {
	...{ mode: 'trigger' as const, isRetry: false, rounds: 1, maxCredits: undefined },
	...{ minutesLater: 0, reusePaidResults: 60 },
};

const tally = { stopped: 0, reused: 0, leftOut: 0 };

async function check({ operation, balance, lookUpPages, executions }: Scenario): Promise<void> {
	const readings = { lookUpPages };
	const buyer = shared.node({ apiCredits: balance, leads: LEADS, readings });
	const { account, nodeId } = buyer;
	const isLeaveOut = operation === 'leaveOut';
	let now = Date.now();
	const clock = jest.spyOn(Date, 'now').mockImplementation(() => now);
	/** What must not be paid for again: by any run, and by runs by hand alone. */
	let stopped = new Map<number, number>();
	let complete = new Map<number, number>();
	let before: { result: Outcome; wanted: Execution } | undefined;
	const delivered: unknown[] = [];
	const known = () => new Set(deduplicationStore.recordedBy(nodeId));
	try {
		for (const drawn of executions) {
			const retryOf = drawn.isRetry && before?.result.error ? before : undefined;
			const { faults, topUp, minutesLater } = drawn;
			const retried = retryOf && { ...retryOf.wanted, faults, topUp, minutesLater, rounds: 1 };
			const wanted = { ...(retried ?? drawn), ...(isLeaveOut && always) };
			now += wanted.minutesLater * 60_000;
			if (wanted.topUp) shared.service.admin.setCredits(account.id, { apiCredits: 200 });
			const executionId = randomUUID();
			const from = account.chargedLeads.length;
			const recorded = known();
			const isRecorded = (url: string) => recorded.has(`${shared.service.baseUrl} ${url}`);
			tally.leftOut += wanted.urls.filter(isRecorded).length;
			const remove = buyer.addFaults(faults);
			let last = await runOnce(wanted, executionId, retryOf?.result);
			for (let round = 1; round < wanted.rounds && !last.error; round++)
				last = await runOnce(wanted, executionId);
			remove();
			await shared.service.admin.idle();
			before = { result: last, wanted };
			note(wanted, last, account.chargedLeads.slice(from), retryOf !== undefined);
			// What threw delivers nothing, and is remembered by nobody.
			if (last.error) expect(known()).toEqual(recorded);
		}
		if (!isLeaveOut) return;
		// Everything that was paid for comes out by now, or in the next run that goes well.
		buyer.topUp();
		const rest = { mode: 'trigger' as const };
		const options = { alreadyLookedUp: 'leaveOut' };
		delivered.push(...(await buyer.lookUpAll([...people, ...unknown], rest, options)).urls);
		expect(new Set(delivered)).toEqual(new Set(people));
		expect([...account.chargedLeads].sort()).toEqual([...new Set(account.chargedLeads)].sort());
		expect(account.chargedLeads).toHaveLength(LEADS);
	} finally {
		clock.mockRestore();
	}

	async function runOnce(wanted: Execution, executionId: string, retryOf?: Outcome) {
		const { urls, isByItem, limit, pageSize, parallelPages, maxCredits, reusePaidResults } = wanted;
		const { mode, onError, maxTries } = wanted;
		const options = {
			...{ pageSize, parallelPages, reusePaidResults, maxRetries: 1 },
			...(maxCredits !== undefined && { maxCredits }),
			...(isLeaveOut && { alreadyLookedUp: 'leaveOut' }),
		};
		const run = {
			...{ executionId, mode: retryOf ? ('retry' as const) : mode, onError },
			...(maxTries !== undefined && { maxTries }),
			...(retryOf && { retryOf }),
		};
		const parameters = limit === undefined ? { returnAll: true } : { returnAll: false, limit };
		if (operation === 'search') return await buyer.search({ ...parameters, options }, run);
		const lookUp = isByItem ? buyer.lookUpEach : buyer.lookUpAll;
		return await lookUp(urls, run, options, parameters);
	}

	function note(wanted: Execution, last: Outcome, charged: number[], isRetry: boolean): void {
		const { urls, maxCredits = Infinity, limit = Infinity, reusePaidResults } = wanted;
		const isManual = wanted.mode === 'manual' && !isRetry;
		// Within an execution, whatever it ran, no lead is paid for twice, and the budget holds.
		expect(new Set(charged).size).toBe(charged.length);
		expect(charged.length).toBeLessThanOrEqual(Math.min(maxCredits, limit));
		const told = /for ([\d,]+) credits?/.exec(last.told ?? '')?.[1] ?? '0';
		expect(Number(told.replaceAll(',', ''))).toBe(charged.length);
		const since = now - reusePaidResults * 60_000;
		const reusable = [...stopped, ...(isManual || isLeaveOut ? complete : [])]
			.filter(([, at]) => reusePaidResults > 0 && at >= since)
			.map(([lead]) => lead);
		expect(charged.filter((lead) => reusable.includes(lead))).toEqual([]);

		expect(new Set(last.urls).size).toBe(last.urls.length);
		expect(last.urls.length).toBeLessThanOrEqual(limit);
		const isStopped = last.error !== undefined || last.errors.length > 0;
		const isCut = last.hints.some(({ message }) => message.includes('Max Credits per Execution'));
		const all = operation === 'search' ? people : people.filter((url) => urls.includes(url));
		if (!isStopped && !isCut && !isLeaveOut)
			expect(last.urls).toHaveLength(Math.min(all.length, limit));

		delivered.push(...last.urls);
		if (!isLeaveOut) tally.reused += Math.max(0, last.urls.length - charged.length);
		if (isStopped) tally.stopped += 1;
		const bought = new Map(charged.map((lead) => [lead, now]));
		if (isStopped) stopped = new Map([...stopped, ...bought]);
		else {
			complete = new Map([...complete, ...stopped, ...bought]);
			stopped = new Map();
		}
	}
}

test(`what was paid for is not paid for again, in ${SEQUENCES} random sequences of executions`, async () => {
	await fc.assert(fc.asyncProperty(scenario, check), { numRuns: SEQUENCES });
	expectMet(tally.stopped, SEQUENCES / 4, SEQUENCES);
	expectMet(tally.reused, (SEQUENCES * 2) / 3, SEQUENCES);
	expectMet(tally.leftOut, SEQUENCES / 3, SEQUENCES);
});
