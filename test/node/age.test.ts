/**
 * Tests the age of paid rows (promise 4). Each test compares the runs of hours or days with the service's ledger. The
 * tests in `sharedLists.test.ts` are about rows that several runs share.
 */
import type { INodeParameters } from 'n8n-workflow';

import { leadAt } from '../../sandbox/service';
import { createNode, runNode } from './n8nCore';
import { createTrigger } from './pollCore';
import { iceland, icelandUrls, letMinutesPass, createExecutionIds, production } from './useService';
import { useService, type Outcome, type RunOptions, type Setup } from './useService';

const shared = useService();
const returnAll = { returnAll: true, options: { pageSize: 25, parallelPages: 1 } };
const WEEKEND = 3 * 24 * 60;

/** Creates an account that searches in a database to which leads are added. */
function createBuyer(setup: Setup = {}) {
	const buyer = shared.node(setup);
	const { spent } = buyer;
	return {
		...buyer,
		/** @param absent the positions of the leads that aren't in the database yet */
		setAbsent: (absent: readonly number[]) => {
			shared.service.admin.setBehaviour(buyer.account.id, { absent });
		},
		/** @returns the result of a search and its cost */
		buy: async (parameters: INodeParameters, run: RunOptions = production) => {
			const before = spent();
			const result = await buyer.search(parameters, run);
			return { result, urls: result.urls, cost: spent() - before };
		},
	};
}

const positionsBelow = (count: number) => Array.from({ length: count }, (_, position) => position);

/** Changes an outcome as if another node had failed, so that n8n's Retry starts at the node before Lead Search. */
function failAtAnotherNode(outcome: Outcome): Outcome {
	const start = {
		node: createNode('Start', 'start'),
		data: { main: [[{ json: {} }]] },
		source: null,
	};
	outcome.run.data.executionData?.nodeExecutionStack.push(start);
	return outcome;
}

const retryRun = (outcome: Outcome): RunOptions => ({ mode: 'retry', retryOf: outcome });

describe('A list that grows', () => {
	test.each([3, 30])(
		'a search with Return All each hour returns the leads that are new at the front of the list (%i per hour), and each lead once',
		async (added) => {
			const { buy, setAbsent } = createBuyer({ leads: 100 + 3 * added });
			for (let hour = 0; hour <= 3; hour++) {
				const missing = (3 - hour) * added;
				setAbsent(positionsBelow(missing));
				const now = await buy(returnAll);
				expect(now.urls).toEqual(icelandUrls.slice(missing, 100 + 3 * added));
				expect(now.cost).toBe(100 + hour * added);
				letMinutesPass(10);
				setAbsent(positionsBelow(Math.max(0, missing - added)));
				// A list that hasn't expired is reused with its end, so new leads aren't requested.
				expect(await buy(returnAll)).toMatchObject({ urls: now.urls, cost: 0 });
				letMinutesPass(50);
			}
		},
	);

	test('a Retry on Monday continues to the end of a list that has grown at the front since Friday, and a hint says that the list has changed', async () => {
		const { buy, setAbsent, topUp } = createBuyer({ leads: 330, apiCredits: 130 });
		setAbsent(positionsBelow(30));
		const { result: failed } = await buy(returnAll);
		expect(failed.message).toContain('the credits ran out after 130 leads');
		letMinutesPass(WEEKEND);
		setAbsent([]);
		topUp();
		const retried = await buy(returnAll, retryRun(failed));
		expect(retried.result.error).toBeUndefined();
		// The 200 rows after the 130 leads of Friday contain 30 of these leads again.
		expect(retried.cost).toBe(200);
		expect(retried.urls).toHaveLength(300);
		expect(new Set(retried.urls).size).toBe(300);
		expect(retried.result.warnings).toEqual([
			"30 leads were sent and charged twice. The list changed while it was read, or the service's order isn't stable, so as many others may be missing.",
		]);
		// Other executions reuse the leads of Monday, but not those of Friday.
		letMinutesPass(5);
		const colleague = await buy(returnAll);
		expect(colleague).toMatchObject({ urls: icelandUrls.slice(0, 330), cost: 130 });
		expect(colleague.result.warnings).toEqual([
			"The list changed while it was read, or the service's order isn't stable, so some leads may be missing.",
		]);
	});

	test.each([
		[1, 5],
		[100, 130],
	])(
		'a bought lead that is sent again after new leads is returned once, and a hint says so (%i bought leads, %i new leads)',
		async (bought, added) => {
			const { buy, setAbsent } = createBuyer({ leads: 600 });
			setAbsent(positionsBelow(added));
			await buy({ limit: bought });
			setAbsent([]);
			const { urls, cost, result } = await buy(returnAll);
			const repeated = Math.min(bought, added);
			expect(cost).toBe(600 - bought);
			expect([urls.length, new Set(urls).size]).toEqual([600 - repeated, 600 - repeated]);
			expect(result.warnings.join()).toMatch(new RegExp(`^${repeated} leads? w(as|ere) sent`));
			// The next run uses the same rows, so it says the same.
			const again = await buy(returnAll);
			expect(again).toMatchObject({ urls, cost: 0 });
			expect(again.result.warnings.join()).toMatch(
				new RegExp(
					`^${repeated} leads? .* charged twice when .* bought, and (is|are) returned once`,
				),
			);
		},
	);
});

describe('Schedules', () => {
	test('polls every 30 minutes do not keep the list of an hourly search fresh', async () => {
		const { workflow, poll, search, spent } = await createTrigger(shared, { leadsPerPoll: 10 });
		const run = { ...production, credentialId: workflow.credentialId };
		await poll();
		for (let hour = 0; hour < 6; hour++) {
			letMinutesPass(30);
			await poll();
			letMinutesPass(30);
			await poll();
			const before = spent();
			await search({ limit: 100 }, run);
			// The search may reuse up to 20 rows that polls have bought less than an hour ago.
			expect(spent() - before).toBeGreaterThanOrEqual(80);
		}
	});

	test('a search for 2,000 leads after polls of 10 leads sends at most 25 requests', async () => {
		const { workflow, poll, search, requests } = await createTrigger(shared, { leadsPerPoll: 10 });
		const run = { ...production, credentialId: workflow.credentialId };
		for (let minute = 0; minute < 4; minute++) {
			await poll();
			letMinutesPass(1);
		}
		const { length: before } = requests();
		const { urls } = await search({ limit: 2_000 }, run);
		expect(urls).toEqual(icelandUrls.slice(0, 2_000));
		expect(requests().length - before).toBeLessThanOrEqual(25);
	});
});

describe('Lists that several runs reuse', () => {
	test.each([
		[4, 4, 0],
		[8, 3, 10],
	])(
		'a search with Reuse Paid Results 5 reuses leads that another run renewed after %i minutes only while they are less than 10 minutes old',
		async (minutes, minutesLater, cost) => {
			const { buy } = createBuyer();
			await buy({ limit: 10 });
			letMinutesPass(minutes);
			await buy({ limit: 20 });
			letMinutesPass(minutesLater);
			expect((await buy({ limit: 10, options: { reusePaidResults: 5 } })).cost).toBe(cost);
		},
	);

	test.each([
		[2, 3, 0],
		[3, 5, 10],
	])(
		'leads that a run of %i requests of 15 minutes renewed are reusable %i minutes later only if they are less than an hour old',
		async (requests, minutesLater, cost) => {
			const { buy } = createBuyer();
			const beforeRequest = () => {
				letMinutesPass(15);
				return Promise.resolve();
			};
			await buy({ limit: 10 });
			letMinutesPass(25);
			const options = { pageSize: 10, parallelPages: 1 };
			const long = await buy(
				{ limit: 10 + 10 * requests, options },
				{ ...production, beforeRequest },
			);
			expect(long.cost).toBe(10 * requests);
			letMinutesPass(minutesLater);
			expect((await buy({ limit: 10 })).cost).toBe(cost);
		},
	);

	test('each node of an execution judges the age of a list by its own Reuse Paid Results', async () => {
		const { buy } = createBuyer();
		const run = { ...production, ...createExecutionIds() };
		await buy({ limit: 10 });
		letMinutesPass(600);
		const reusing = (reusePaidResults: number) => ({ limit: 10, options: { reusePaidResults } });
		expect((await buy(reusing(1_440), run)).cost).toBe(0);
		expect((await buy(reusing(5), run)).cost).toBe(10);
	});

	test("a run that reuses an old list doesn't make another old list reusable", async () => {
		const { buy } = createBuyer();
		const germany = { filters: { personLocationCountry: 'Germany' }, limit: 10 };
		const run = { ...production, ...createExecutionIds() };
		await buy({ limit: 10 });
		await buy(germany);
		letMinutesPass(60);
		expect((await buy({ limit: 10, options: { reusePaidResults: 1_440 } }, run)).cost).toBe(0);
		expect((await buy(germany, run)).cost).toBe(10);
	});
});

describe('Searches that extend a list', () => {
	test('the leads of a list that grows expire together', async () => {
		const { buy } = createBuyer();
		const costs = [];
		for (const [minutes, limit] of [
			[0, 10],
			[25, 500],
			[25, 500],
			[5, 500],
		] as const) {
			letMinutesPass(minutes);
			costs.push((await buy({ limit })).cost);
		}
		expect(costs).toEqual([10, 490, 0, 500]);
	});
});

describe('Executions and their Retries', () => {
	test('a list that an execution has reused stays reusable in its loop, its Retry and the Retry of that Retry', async () => {
		const { buy } = createBuyer();
		const run = { ...production, ...createExecutionIds() };
		await buy({ limit: 30 });
		letMinutesPass(25);
		expect((await buy({ limit: 30 }, run)).cost).toBe(0);
		letMinutesPass(45);
		const looped = await buy({ limit: 30 }, run);
		expect(looped.cost).toBe(0);
		letMinutesPass(45);
		const retried = await buy({ limit: 30 }, retryRun(failAtAnotherNode(looped.result)));
		expect(retried.cost).toBe(0);
		letMinutesPass(45);
		const repeated = await buy({ limit: 40 }, retryRun(failAtAnotherNode(retried.result)));
		expect(repeated).toMatchObject({ cost: 10, urls: icelandUrls.slice(0, 40) });
		// The leads that the Retry has added don't make the list fresh for other executions.
		expect((await buy({ limit: 30 })).cost).toBe(30);
	});

	test.each([
		['of a later version', '{"version":99,"rows":[]}'],
		['that are no JSON', '{"version":'],
		['that are no text', 7],
	])(
		'a Retry with saved results %s pays for the leads again, says so and does not fail',
		async (_, data) => {
			const { search, spent, topUp, account } = shared.node({ apiCredits: 60 });
			const failed = await search({ limit: 75, options: { pageSize: 25 } }, production);
			const { contextData } = failed.run.data.executionData ?? {};
			const ours = Object.values(contextData ?? {}).find((of) => 'leadSearchPaidResults' in of);
			expect(ours).toBeDefined();
			if (ours) ours.leadSearchPaidResults = data;
			topUp();
			let runElsewhere = runNode;
			jest.isolateModules(() => {
				runElsewhere = jest.requireActual<{ runNode: typeof runNode }>('./n8nCore').runNode;
			});
			const parameters = { operation: 'buyLeads', filters: iceland, limit: 75 };
			const credential = { baseUrl: shared.service.baseUrl, apiKey: account.apiKey };
			const retry = { mode: 'retry', retryOf: failed } as const;
			const run = { parameters, credential, credentialId: account.id, ...retry };
			const retried = await runElsewhere(run);
			expect([retried.error, retried.items.length, spent()]).toEqual([undefined, 75, 135]);
			expect(retried.hints.map(({ message }) => message).join()).toContain(
				'The results that the failed execution saved are in another format',
			);
		},
	);
});

test('cached leads stay fresh if the clock is set back', async () => {
	const { buy } = createBuyer();
	await buy({ limit: 30 });
	letMinutesPass(-600);
	expect((await buy({ limit: 40 })).cost).toBe(10);
	expect((await buy({ limit: 40 })).cost).toBe(0);
});

test('a profile that input items request with and without Only With Emails is paid for once', async () => {
	const { lookUp, spent } = shared.node();
	const urls = Array.from({ length: 40 }, (_, lead) => leadAt(lead).linkedin_url);
	const input = urls.flatMap((url) => [
		{ url, isOn: true },
		{ url, isOn: false },
	]);
	const parameters = {
		linkedinUrls: '={{ $json.url }}',
		options: { onlyWithEmails: '={{ $json.isOn }}' },
	};
	const { pairs } = await lookUp(parameters, { ...production, input });
	expect(spent()).toBe(40);
	// The items without Only With Emails get all profiles. The other items get only profiles with an email.
	const off = pairs.filter((item) => (item as number) % 2 === 1);
	expect(off).toHaveLength(40);
	expect(pairs.length - off.length).toBeLessThan(40);
});
