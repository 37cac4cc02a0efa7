/**
 * Promise 4 between days, over many executions of one Look Up that leaves out what it bought: whatever
 * fails in between, no profile is paid for twice, and none that was paid for is lost.
 */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';

import { urlsMatching, type FaultAction } from '../../sandbox/service';
import { deduplicationStore } from './deduplicationStore';
import { urlsOf, useService } from './useService';

const RUNS = Math.max(10, Math.round(Number(process.env.LEAD_SEARCH_RUNS ?? 2_000) / 50));
const SEED = Number(process.env.LEAD_SEARCH_SEED ?? Date.now() % 2 ** 31);

jest.setTimeout(Math.max(300_000, RUNS * 3_000));

const shared = useService();
const people = urlsMatching({}).slice(0, 40);
const unknown = Array.from({ length: 10 }, (_, index) => `${people[0] ?? ''}-no-${index}`);
const everybody = [...people, ...unknown];

const fault = fc.constantFrom<FaultAction>(
	{ kind: 'status', status: 402 },
	{ kind: 'status', status: 400 },
	{ kind: 'status', status: 500 },
	{ kind: 'notJson' },
);

const execution = fc.record({
	urls: fc.shuffledSubarray(everybody, { minLength: 1 }),
	onError: fc.constantFrom('stopWorkflow' as const, 'continueRegularOutput' as const),
	/** As in n8n, a try whose first item is an error is dropped and repeated. */
	maxTries: fc.constantFrom(undefined, undefined, 2),
	/** Whether each URL has an input item of its own. */
	isByItem: fc.boolean(),
	limit: fc.option(fc.integer({ min: 1, max: 30 }), { nil: undefined }),
	pageSize: fc.integer({ min: 3, max: 30 }),
	faults: fc.array(fc.record({ nthRequest: fc.integer({ min: 1, max: 5 }), fault }), {
		maxLength: 2,
	}),
	topUp: fc.boolean(),
});

const scenario = fc.record({
	balance: fc.nat({ max: 40 }),
	countsUrls: fc.boolean(),
	executions: fc.array(execution, { minLength: 2, maxLength: 6 }),
});

type Scenario = typeof scenario extends fc.Arbitrary<infer T> ? T : never;

const tally = { sequences: 0, executions: 0, stopped: 0, leftOut: 0, credits: 0 };

async function check({ balance, countsUrls, executions }: Scenario): Promise<void> {
	const buyer = shared.customer({
		apiCredits: balance,
		...(countsUrls && { readings: { lookUpPages: 'urls' as const } }),
	});
	const nodeId = randomUUID();
	const delivered: unknown[] = [];
	for (const wanted of executions) {
		const { urls, isByItem, limit, pageSize, maxTries, onError } = wanted;
		if (wanted.topUp) shared.service.admin.setCredits(buyer.account.id, { apiCredits: 100 });
		const faults = wanted.faults.map(({ nthRequest, fault: action }) =>
			shared.service.admin.addFault({ ...action, account: buyer.account.id, nthRequest }),
		);
		const known = new Set(deduplicationStore.recordedBy(nodeId));
		const { items, error } = await buyer.lookUp(
			{
				linkedinUrls: isByItem ? '={{ $json.url }}' : urls.join('\n'),
				returnAll: limit === undefined,
				...(limit !== undefined && { limit }),
				options: {
					alreadyLookedUp: 'leaveOut',
					onlyWithEmails: false,
					pageSize,
					maxRetries: 0,
				},
			},
			{
				nodeId,
				mode: 'trigger',
				onError,
				...(maxTries !== undefined && { maxTries }),
				...(isByItem && { input: urls.map((url) => ({ url })) }),
			},
		);
		for (const added of faults) added.remove();
		await shared.service.admin.idle();
		const rows = items.filter(({ json }) => json.error === undefined);
		delivered.push(...urlsOf(rows));
		tally.executions += 1;
		if (error ?? rows.length < items.length) tally.stopped += 1;
		tally.leftOut += urls.filter((url) => known.has(`${shared.service.baseUrl} ${url}`)).length;
		// What threw delivers nothing, and is remembered by nobody.
		if (error) expect(new Set(deduplicationStore.recordedBy(nodeId))).toEqual(known);
	}
	const { chargedLeads } = buyer.account;
	expect(new Set(chargedLeads).size).toBe(chargedLeads.length);
	tally.sequences += 1;
	tally.credits += chargedLeads.length;
	// Everything that was paid for comes out by now, or in the next run that goes well.
	shared.service.admin.setCredits(buyer.account.id, { apiCredits: 1_000 });
	const { items } = await buyer.lookUp(
		{
			linkedinUrls: everybody.join('\n'),
			options: { alreadyLookedUp: 'leaveOut', onlyWithEmails: false },
		},
		{ nodeId, mode: 'trigger' },
	);
	delivered.push(...urlsOf(items));
	expect(new Set(delivered)).toEqual(new Set(people));
	expect(new Set(chargedLeads).size).toBe(chargedLeads.length);
	expect(chargedLeads).toHaveLength(people.length);
}

test(`no profile is paid for twice or lost, in ${RUNS} random sequences of executions`, async () => {
	await fc.assert(fc.asyncProperty(scenario, check), { numRuns: RUNS, seed: SEED });
	const { sequences, executions, stopped, leftOut, credits } = tally;
	process.stderr.write(
		`${sequences} sequences (seed ${SEED}) of ${executions} executions: ${stopped} stopped part-way, ` +
			`${leftOut} profiles left out, ${credits} credits spent\n`,
	);
	expect(stopped).toBeGreaterThan(RUNS / 4);
	expect(leftOut).toBeGreaterThan(RUNS);
});
