/**
 * Promise 4 between days, over many executions of one Look Up that leaves out what it bought: whatever
 * fails in between, no profile is paid for twice, and none that was paid for is lost.
 */
import fc from 'fast-check';

import { urlsMatching, type FaultAction } from '../../sandbox/service';
import { expectMet, RUNS } from '../seed';
import { deduplicationStore } from './deduplicationStore';
import { urlsOf, useService } from './useService';

const SEQUENCES = Math.max(25, Math.round(RUNS / 50));

jest.setTimeout(Math.max(300_000, SEQUENCES * 3_000));

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

const tally = { stopped: 0, leftOut: 0 };

async function check({ balance, countsUrls, executions }: Scenario): Promise<void> {
	const node = shared.node({
		apiCredits: balance,
		...(countsUrls && { readings: { lookUpPages: 'urls' as const } }),
	});
	const { account, nodeId } = node;
	const { admin, baseUrl } = shared.service;
	const delivered: unknown[] = [];
	for (const wanted of executions) {
		const { urls, isByItem, limit, pageSize, maxTries, onError } = wanted;
		if (wanted.topUp) admin.setCredits(account.id, { apiCredits: 100 });
		const faults = wanted.faults.map(({ nthRequest, fault: action }) =>
			admin.addFault({ ...action, account: account.id, nthRequest }),
		);
		const known = new Set(deduplicationStore.recordedBy(nodeId));
		const { items, error } = await node.lookUpAll(
			urls,
			{
				mode: 'trigger',
				onError,
				...(maxTries !== undefined && { maxTries }),
				...(isByItem && { input: urls.map((url) => ({ url })) }),
			},
			{ alreadyLookedUp: 'leaveOut', pageSize, maxRetries: 0 },
			{
				...(isByItem && { linkedinUrls: '={{ $json.url }}' }),
				...(limit !== undefined && { returnAll: false, limit }),
			},
		);
		for (const added of faults) added.remove();
		await admin.idle();
		const rows = items.filter(({ json }) => json.error === undefined);
		delivered.push(...urlsOf(rows));
		if (error ?? rows.length < items.length) tally.stopped += 1;
		tally.leftOut += urls.filter((url) => known.has(`${baseUrl} ${url}`)).length;
		// What threw delivers nothing, and is remembered by nobody.
		if (error) expect(new Set(deduplicationStore.recordedBy(nodeId))).toEqual(known);
	}
	// Everything that was paid for comes out by now, or in the next run that goes well.
	admin.setCredits(account.id, { apiCredits: 1_000 });
	const leaveOut = { alreadyLookedUp: 'leaveOut' };
	const { items } = await node.lookUpAll(everybody, { mode: 'trigger' }, leaveOut);
	delivered.push(...urlsOf(items));
	expect(new Set(delivered)).toEqual(new Set(people));
	expect(new Set(account.chargedLeads).size).toBe(account.chargedLeads.length);
	expect(account.chargedLeads).toHaveLength(people.length);
}

test(`no profile is paid for twice or lost, in ${SEQUENCES} random sequences of executions`, async () => {
	await fc.assert(fc.asyncProperty(scenario, check), { numRuns: SEQUENCES });
	expectMet(tally.stopped, SEQUENCES / 4, SEQUENCES);
	expectMet(tally.leftOut, SEQUENCES, SEQUENCES);
});
