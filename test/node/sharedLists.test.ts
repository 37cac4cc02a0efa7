/**
 * Tests runs that share the rows of a list (promise 4): polls, searches and lookups of several executions, while the
 * service's list changes. The costs are those of the service's ledger.
 */
import type { INodeParameters } from 'n8n-workflow';

import { createTrigger } from './pollCore';
import {
	continueOnError,
	createExecutionIds,
	first,
	icelandUrls,
	letMinutesPass,
	merge,
} from './useService';
import { production, useService, type RunOptions, type Setup } from './useService';

const shared = useService();
const returnAll = { returnAll: true, options: { pageSize: 25, parallelPages: 1 } };
const TWICE = /^(\d+) leads? w(?:as|ere) sent and charged twice/;

type Buyer = Pick<ReturnType<typeof shared.node>, 'search' | 'spent' | 'account'>;

/** Adds to an account its searches with their costs, and changes of the service's list. */
function withCosts<Account extends Buyer>(buyer: Account, ownOptions: RunOptions = {}) {
	return {
		...buyer,
		/** @param absent the positions of the leads that aren't in the list */
		setAbsent: (absent: readonly number[]) =>
			shared.service.admin.setBehaviour(buyer.account.id, { absent }),
		buy: async (parameters: INodeParameters, run: RunOptions = {}) => {
			const before = buyer.spent();
			const result = await buyer.search(parameters, { ...production, ...ownOptions, ...run });
			const { urls, warnings, error } = result;
			const twice = Number(TWICE.exec(warnings[0] ?? '')?.[1] ?? 0);
			return { result, urls, error, warnings, twice, cost: buyer.spent() - before };
		},
	};
}

const createBuyer = (setup?: Setup) => withCosts(shared.node(setup));
const below = (count: number) => Array.from({ length: count }, (_, position) => position);

/** Runs searches at their minutes, and returns their costs. */
async function costsOf(
	{ buy }: ReturnType<typeof createBuyer>,
	runs: ReadonlyArray<[minute: number, limit: number, reusePaidResults?: number]>,
) {
	const costs: number[] = [];
	let now = 0;
	for (const [minute, limit, reusePaidResults = 30] of runs) {
		letMinutesPass(minute - now);
		now = minute;
		costs.push((await buy({ limit, options: { reusePaidResults } })).cost);
	}
	return costs;
}

describe('Polls and searches on the same filters', () => {
	const open = async (added: number) => {
		const trigger = await createTrigger(shared, { leadsPerPoll: 20 }, { leads: 300 + added });
		const { credentialId } = trigger.workflow;
		const buyer = withCosts(trigger, { credentialId });
		buyer.setAbsent(below(added));
		await trigger.poll();
		buyer.setAbsent([]);
		return buyer;
	};

	test('a search with Return All after two polls returns each lead once if 2 leads were added at the front, and each run that uses these leads says so', async () => {
		const { buy, poll } = await open(2);
		await poll();
		const { urls, twice, cost } = await buy(returnAll);
		expect(new Set(urls).size).toBe(urls.length);
		expect(twice).toBeGreaterThan(0);
		expect([urls.length + twice, cost]).toEqual([302, 262]);
		const colleague = await buy(returnAll, createExecutionIds());
		expect(colleague).toMatchObject({ urls, twice, cost: 0 });
	});

	test('a loop goes on after a page of leads that it has had before, and another workflow pays nothing for the same leads', async () => {
		const { buy, setAbsent } = await open(20);
		setAbsent(below(20));
		const loop = createExecutionIds();
		const urls = new Set<unknown>();
		for (const skip of [0, 20, 40, 60]) {
			const round = await buy({ limit: 20, options: { pageSize: 20, skip } }, loop);
			expect(round.error).toBeUndefined();
			for (const url of round.urls) urls.add(url);
			setAbsent([]);
		}
		const colleague = await buy({ limit: 80, options: { pageSize: 20 } });
		expect(colleague).toMatchObject({ error: undefined, cost: 0, twice: 20 });
		expect(new Set(colleague.urls)).toEqual(urls);
	});
});

test('a lookup that took 45 minutes is reused as a whole a minute after its end, with Reuse Paid Results 5', async () => {
	const { lookUpAll, spent } = shared.node();
	const options = { pageSize: 100, parallelPages: 1, reusePaidResults: 5 };
	const beforeRequest = () => {
		letMinutesPass(15);
		return Promise.resolve();
	};
	await lookUpAll(first(300), { ...production, beforeRequest }, options);
	expect(spent()).toBe(300);
	letMinutesPass(1);
	const { urls } = await lookUpAll(first(300), production, options);
	expect([urls.length, spent()]).toEqual([300, 300]);
});

test('a search with Return All that took 70 minutes is reused as a whole five minutes later', async () => {
	const { search, spent } = shared.node({ leads: 200 });
	const beforeRequest = () => {
		letMinutesPass(9);
		return Promise.resolve();
	};
	await search(returnAll, { ...production, beforeRequest });
	letMinutesPass(5);
	expect((await search(returnAll, production)).urls).toEqual(first(200));
	expect(spent()).toBe(200);
});

describe('Searches with several limits', () => {
	test.each<[string, ReadonlyArray<[number, number, number?]>, number[]]>([
		[
			'a purchase of another run does not make 30 leads of 21 minutes ago expire',
			[
				[0, 50],
				[29, 80],
				[40, 100, 1_440],
				[50, 80],
			],
			[50, 30, 20, 0],
		],
		[
			'leads that were renewed serve no run that needs others',
			[
				[0, 50],
				[25, 80],
				[35, 100],
			],
			[50, 30, 70],
		],
		[
			'leads are renewed only once',
			[
				[0, 10],
				[25, 20],
				[50, 30],
				[54, 10],
				[60, 10],
			],
			[10, 10, 20, 0, 0],
		],
		[
			'a smaller Reuse Paid Results accepts only leads that were renewed within its minutes',
			[
				[0, 10],
				[8, 20],
				[9, 10, 5],
			],
			[10, 10, 10],
		],
	])('%s', async (_, runs, costs) => {
		expect(await costsOf(createBuyer(), runs)).toEqual(costs);
	});

	test('a page without leads does not make later leads expire', async () => {
		const { buy } = createBuyer({ leads: 60 });
		await buy({ limit: 10, options: { skip: 100 } });
		letMinutesPass(28);
		expect((await buy({ limit: 20 })).cost).toBe(20);
		letMinutesPass(3);
		expect((await buy({ limit: 30 })).cost).toBe(10);
	});
});

test('no other execution reuses leads more than 2 N minutes after their purchase, although a loop goes on buying', async () => {
	const { buy, setAbsent } = createBuyer({ leads: 2_000 });
	setAbsent(below(20));
	const loop = createExecutionIds();
	for (let round = 0; round < 24; round++) {
		letMinutesPass(60);
		expect((await buy({ limit: 50, options: { skip: 50 * round } }, loop)).cost).toBe(50);
	}
	setAbsent([]);
	const { urls, cost } = await buy({ limit: 50 });
	expect([urls, cost]).toEqual([first(50), 50]);
});

test('an execution does not buy again what it has bought after the clock was set back', async () => {
	const { buy } = createBuyer();
	const execution = createExecutionIds();
	const options = { reusePaidResults: 5 };
	await buy({ limit: 10, options }, execution);
	letMinutesPass(-60);
	expect((await buy({ limit: 30, options }, execution)).cost).toBe(20);
	expect((await buy({ limit: 30, options }, execution)).cost).toBe(0);
});

describe('Lists that change', () => {
	test('an end check that brings a lead again ends the list', async () => {
		const { buy, setAbsent } = createBuyer({ leads: 101 });
		setAbsent([0]);
		await buy({ limit: 100, options: { pageSize: 25 } });
		setAbsent([]);
		const { urls, twice, cost } = await buy(returnAll);
		expect([urls, twice, cost]).toEqual([icelandUrls.slice(1, 101), 1, 1]);
		expect(await buy(returnAll)).toMatchObject({ urls, twice: 1, cost: 0 });
	});

	test('leads that an execution has bought stay free for it after the search of another one got an unexpected response', async () => {
		const { buy, addFault } = createBuyer({ leads: 200 });
		const waiting = createExecutionIds();
		const rounds = [0, 100].map((skip) => ({ limit: 50, options: { skip, pageSize: 25 } }));
		for (const round of rounds) expect((await buy(round, waiting)).cost).toBe(50);
		addFault({ ...merge({ page: 9 }), page: 3 });
		expect((await buy(returnAll)).result.message).toContain('unexpected');
		letMinutesPass(600);
		for (const round of rounds) {
			const { urls, cost } = await buy(round, waiting);
			expect([urls.length, cost]).toEqual([50, 0]);
		}
	});

	test('leads behind the end of a list that has become shorter are not returned, and each run says that the list has changed', async () => {
		const { buy, setAbsent } = createBuyer({ leads: 200 });
		const skipped = { limit: 50, options: { skip: 100 } };
		const execution = createExecutionIds();
		await buy(skipped, execution);
		setAbsent(below(200).slice(60));
		for (const cost of [60, 0]) {
			const all = await buy(returnAll);
			expect(all).toMatchObject({ error: undefined, urls: first(60), cost });
			expect(all.warnings).toEqual([expect.stringContaining('some leads may be missing')]);
		}
		// The execution that has bought them still has them.
		const { urls, cost } = await buy(skipped, execution);
		expect([urls, cost]).toEqual([icelandUrls.slice(100, 150), 0]);
	});
});

describe('Leads of an unexpected response', () => {
	const unexpected = { faults: [{ ...merge({ page: 9 }), page: 2 }] };
	const inPages = { options: { pageSize: 25, parallelPages: 1, maxRetries: 0 } };

	test('a poll delivers them, and the next poll delivers them for 0 credits if n8n has discarded them', async () => {
		const parameters = { leadsPerPoll: 50, options: { maxRetries: 0, pageSize: 25 } };
		const { workflow, spent } = await createTrigger(shared, parameters, unexpected);
		const discarded = await workflow.pollAndDiscard();
		expect([discarded.length, spent()]).toEqual([50, 50]);
		letMinutesPass(1);
		const urls = (await workflow.poll()).map(({ json }) => json.linkedin_url);
		expect(urls).toEqual(discarded.map(({ json }) => json.linkedin_url));
		expect(spent()).toBe(50);
	});

	test('another node of the execution and the Retry return them, and other executions do not', async () => {
		const { buy } = createBuyer({ ...unexpected, apiCredits: 50, leads: 100 });
		const execution = { ...production, ...createExecutionIds() };
		const search = { limit: 75, ...inPages };
		const stopped = await buy(search, execution);
		expect(stopped.result.description).toContain('Your 50 leads are saved.');
		const continued = { ...continueOnError, nodeId: 'another' };
		const inExecution = await buy(search, { ...execution, ...continued });
		expect([inExecution.urls, inExecution.cost]).toEqual([first(50), 0]);
		const retried = await buy(search, { mode: 'retry', retryOf: stopped.result });
		expect(retried.result.message).toContain('the credits ran out after 50 leads');
		letMinutesPass(1);
		expect((await buy(search, continued)).urls).toEqual(first(25));
	});
});

test('a run does not wait for another one if it has everything that it requests', async () => {
	const { search, waitForPage, addFault, spent } = shared.node();
	await search({ limit: 20 }, production);
	addFault({ kind: 'latency', ms: 1_000 });
	const [requestSent, ends] = [waitForPage(2), [] as string[]];
	const slow = search({ limit: 40, options: { pageSize: 20 } }, production).then(() =>
		ends.push('slow'),
	);
	await requestSent;
	const { urls } = await search({ limit: 20 }, production);
	ends.push('reusing');
	await slow;
	expect([ends, urls, spent()]).toEqual([['reusing', 'slow'], first(20), 40]);
});

describe('A run that buys leads before a cached end of the list', () => {
	test.each([
		[400, 36],
		[422, 36],
		['noRows', 36],
		// The service sends its last page again, in response to the end check.
		['lastPage', 37],
	] as const)(
		'sends one end check, and pays for the missing leads only (after the last page: %s)',
		async (afterLast, cost) => {
			const { buy } = withCosts(shared.node({ leads: 60, readings: { afterLast } }));
			const options = { pageSize: 100, parallelPages: 1 };
			expect((await buy({ returnAll: true, options: { ...options, skip: 36 } })).urls).toHaveLength(
				24,
			);
			const all = await buy({ returnAll: true, options });
			expect([all.error, all.urls.length, all.cost]).toEqual([undefined, 60, cost]);
		},
	);

	test('finds the leads that were added after it', async () => {
		const { buy, setAbsent } = withCosts(shared.node({ leads: 65 }));
		setAbsent([60, 61, 62, 63, 64]);
		await buy({ returnAll: true, options: { skip: 36 } });
		setAbsent([]);
		expect(await buy(returnAll)).toMatchObject({ urls: first(65), cost: 41 });
	});
});
