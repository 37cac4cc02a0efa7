/**
 * Promise 4 over many executions of one node: whatever is run after whatever, and wherever it stops,
 * nothing is paid for twice that may be reused, and no execution spends more than it may.
 */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';

import type { FaultAction } from '../../sandbox/service';
import { expectMet, RUNS } from '../seed';
import type { NodeResult } from './n8nCore';
import { icelanders, urlsOf, useService } from './useService';

const SEQUENCES = Math.max(50, Math.round(RUNS / 20));
const LEADS = 60;

jest.setTimeout(Math.max(300_000, SEQUENCES * 3_000));

const shared = useService();

const fault = fc.constantFrom<FaultAction>(
	{ kind: 'status', status: 402 },
	{ kind: 'status', status: 401 },
	{ kind: 'status', status: 403 },
	{ kind: 'status', status: 500 },
	{ kind: 'status', status: 502, headers: { 'retry-after': '0' } },
	{ kind: 'notJson' },
);

const execution = fc.record({
	mode: fc.constantFrom('manual' as const, 'trigger' as const, 'trigger' as const),
	onError: fc.constantFrom('stopWorkflow' as const, 'continueRegularOutput' as const),
	limit: fc.option(fc.integer({ min: 1, max: 70 }), { nil: undefined }),
	pageSize: fc.integer({ min: 3, max: 30 }),
	parallelPages: fc.constantFrom(1, 1, 4),
	maxCredits: fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined }),
	maxTries: fc.constantFrom(undefined, undefined, 2, 3),
	/** How often the node runs in the execution, as in a loop. */
	rounds: fc.constantFrom(1, 1, 1, 3),
	/** Whether it is n8n's Retry of the execution before, if that failed. */
	isRetry: fc.boolean(),
	faults: fc.array(fc.record({ nthRequest: fc.integer({ min: 1, max: 8 }), fault }), {
		maxLength: 2,
	}),
	topUp: fc.boolean(),
	minutesLater: fc.constantFrom(0, 0, 5, 61),
	reusePaidResults: fc.constantFrom(60, 60, 60, 0),
});

const scenario = fc.record({
	operation: fc.constantFrom('search' as const, 'lookUp' as const),
	balance: fc.nat({ max: 90 }),
	executions: fc.array(execution, { minLength: 2, maxLength: 6 }),
});

type Execution = typeof execution extends fc.Arbitrary<infer T> ? T : never;
type Scenario = typeof scenario extends fc.Arbitrary<infer T> ? T : never;

const tally = { stopped: 0, reused: 0 };

/** A number in the custom data of an execution. */
function figure(result: NodeResult, pattern: RegExp): number {
	const [cost = ''] = Object.values(result.run.data.resultData.metadata ?? {});
	return Number(pattern.exec(cost)?.[1]?.replaceAll(',', '') ?? 0);
}

async function check({ operation, balance, executions }: Scenario): Promise<void> {
	const buyer = shared.node({ apiCredits: balance, leads: LEADS });
	const { account } = buyer;
	let now = Date.now();
	const clock = jest.spyOn(Date, 'now').mockImplementation(() => now);
	/** What must not be paid for again: by any run, and by runs by hand alone. */
	let stopped = new Map<number, number>();
	let complete = new Map<number, number>();
	let before: { result: NodeResult; wanted: Execution } | undefined;
	try {
		for (const drawn of executions) {
			const retryOf = drawn.isRetry && before?.result.error ? before : undefined;
			// A Retry runs the node as it was.
			const { faults: ownFaults, topUp, minutesLater } = drawn;
			const wanted = retryOf
				? { ...retryOf.wanted, faults: ownFaults, topUp, minutesLater, rounds: 1 as const }
				: drawn;
			now += wanted.minutesLater * 60_000;
			if (wanted.topUp) shared.service.admin.setCredits(account.id, { apiCredits: 200 });
			const executionId = randomUUID();
			const from = account.chargedLeads.length;
			const faults = wanted.faults.map(({ nthRequest, fault: action }) =>
				shared.service.admin.addFault({ ...action, account: account.id, nthRequest }),
			);
			let last: NodeResult | undefined;
			for (let round = 0; round < wanted.rounds; round++) {
				last = await runOnce(wanted, executionId, retryOf?.result);
				if (last.error) break;
			}
			for (const added of faults) added.remove();
			await shared.service.admin.idle();
			if (!last) return;
			before = { result: last, wanted };
			note(wanted, last, account.chargedLeads.slice(from), retryOf !== undefined);
		}
	} finally {
		clock.mockRestore();
	}

	async function runOnce(
		wanted: Execution,
		executionId: string,
		retryOf: NodeResult | undefined,
	): Promise<NodeResult> {
		const { limit, pageSize, parallelPages, maxCredits, reusePaidResults } = wanted;
		const { mode, onError, maxTries } = wanted;
		const parameters = limit === undefined ? { returnAll: true } : { returnAll: false, limit };
		const options = {
			pageSize,
			parallelPages,
			reusePaidResults,
			maxRetries: 1,
			...(maxCredits !== undefined && { maxCredits }),
		};
		const run = {
			executionId,
			mode: retryOf ? ('retry' as const) : mode,
			onError,
			...(maxTries !== undefined && { maxTries }),
			...(retryOf && { retryOf }),
		};
		return operation === 'search'
			? await buyer.search({ ...parameters, options }, run)
			: await buyer.lookUpAll(icelanders.slice(0, LEADS), run, options, parameters);
	}

	function note(wanted: Execution, last: NodeResult, charged: number[], isRetry: boolean): void {
		const { maxCredits = Infinity, limit = Infinity, reusePaidResults } = wanted;
		const isManual = wanted.mode === 'manual' && !isRetry;
		// Within an execution, whatever it ran, no lead is paid for twice, and the budget holds.
		expect(new Set(charged).size).toBe(charged.length);
		expect(charged.length).toBeLessThanOrEqual(maxCredits);
		expect(charged.length).toBeLessThanOrEqual(limit);
		expect(figure(last, /for ([\d,]+) credits?/)).toBe(charged.length);
		// What may be reused is not paid for again.
		const minutes = reusePaidResults * 60_000;
		const reusable = [...stopped, ...(isManual ? complete : [])]
			.filter(([, at]) => reusePaidResults > 0 && at >= now - minutes)
			.map(([lead]) => lead);
		expect(charged.filter((lead) => reusable.includes(lead))).toEqual([]);

		const errors = last.items.filter(({ json }) => json.error !== undefined);
		const rows = last.items.filter(({ json }) => json.error === undefined);
		expect(new Set(urlsOf(rows)).size).toBe(rows.length);
		expect(rows.length).toBeLessThanOrEqual(limit);
		const isStopped = last.error !== undefined || errors.length > 0;
		const isCut = last.hints.some(({ message }) => message.includes('Max Credits per Execution'));
		if (!isStopped && !isCut) expect(rows).toHaveLength(Math.min(LEADS, limit));

		tally.reused += Math.max(0, rows.length - charged.length);
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
	expectMet(tally.reused, SEQUENCES, SEQUENCES);
});
