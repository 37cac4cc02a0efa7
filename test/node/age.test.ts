/**
 * Promise 4, "Age": a cached list can grow for N minutes after its first purchase and is reused for N minutes after its
 * last one (N: Reuse Paid Results). Each test is what somebody does over hours or days, next to the service's ledger.
 */
import type { INodeParameters } from 'n8n-workflow';

import { leadAt } from '../../sandbox/service';
import { createNode, runNode } from './n8nCore';
import { createTrigger } from './pollCore';
import { iceland, icelandUrls, letMinutesPass, createExecutionIds, production } from './useService';
import { useService, type Outcome, type RunOptions, type Setup } from './useService';

const shared = useService();
const everything = { returnAll: true, options: { pageSize: 25, parallelPages: 1 } };
const WEEKEND = 3 * 24 * 60;

/** Somebody who searches in a database to which leads are added. */
function createBuyer(setup: Setup = {}) {
	const buyer = shared.node(setup);
	const { spent } = buyer;
	return {
		...buyer,
		/** @param absent positions of leads that aren't in the database yet */
		setAbsent: (absent: readonly number[]) => {
			shared.service.admin.setBehaviour(buyer.account.id, { absent });
		},
		/** @returns what a search costs, with its result */
		buy: async (parameters: INodeParameters, run: RunOptions = production) => {
			const before = spent();
			const result = await buyer.search(parameters, run);
			return { result, urls: result.urls, cost: spent() - before };
		},
	};
}

const upTo = (count: number) => Array.from({ length: count }, (_, position) => position);

/** The failed execution has run the node, and n8n's Retry starts again at the node before it. */
function anotherNodeFails(outcome: Outcome): Outcome {
	const start = {
		node: createNode('Start', 'start'),
		data: { main: [[{ json: {} }]] },
		source: null,
	};
	outcome.run.data.executionData?.nodeExecutionStack.push(start);
	return outcome;
}

const retryOf = (outcome: Outcome): RunOptions => ({ mode: 'retry', retryOf: outcome });

describe('A list that grows', () => {
	test.each([1, 3, 5, 30])(
		'Return All each hour gets all %i new leads that come first, and none twice',
		async (added) => {
			const { buy, setAbsent } = createBuyer({ leads: 100 + 3 * added });
			for (let hour = 0; hour <= 3; hour++) {
				const missing = (3 - hour) * added;
				setAbsent(upTo(missing));
				const now = await buy(everything);
				expect(now.urls).toEqual(icelandUrls.slice(missing, 100 + 3 * added));
				expect(now.cost).toBe(100 + hour * added);
				letMinutesPass(10);
				setAbsent(upTo(Math.max(0, missing - added)));
				// Within the minutes, the list is reused with its end.
				expect(await buy(everything)).toMatchObject({ urls: now.urls, cost: 0 });
				letMinutesPass(50);
			}
		},
	);

	test.each<[string, number[]]>([
		['at the front', upTo(30)],
		['in the middle', upTo(30).map((position) => position + 50)],
	])(
		'a Retry on Monday continues to the end of a list that has grown %s since Friday, and a hint says so',
		async (_, absent) => {
			const { buy, setAbsent, topUp } = createBuyer({ leads: 330, apiCredits: 130 });
			setAbsent(absent);
			const { result: friday } = await buy(everything);
			expect(friday.message).toContain('130 leads came, then the credits ran out');
			letMinutesPass(WEEKEND);
			setAbsent([]);
			topUp();
			const monday = await buy(everything, retryOf(friday));
			expect(monday.result.error).toBeUndefined();
			// 130 on Friday; of the 200 rows after them, 30 came again.
			expect(monday.cost).toBe(200);
			expect(monday.urls).toHaveLength(300);
			expect(new Set(monday.urls).size).toBe(300);
			expect(monday.result.warnings).toEqual([
				'The list has changed: 30 leads came and were charged again. Each lead is returned once, and as many new leads may be missing. To buy the whole list, start a new execution (not Retry) after these results have expired.',
			]);
			// A colleague gets none of Friday's rows.
			letMinutesPass(5);
			expect(await buy(everything)).toMatchObject({ urls: icelandUrls.slice(0, 330), cost: 330 });
		},
	);

	test.each([
		[1, 5],
		[4, 5],
		[100, 130],
	])(
		'each of %i leads that come again after %i new ones is returned once',
		async (bought, added) => {
			const { buy, setAbsent } = createBuyer({ leads: 600 });
			setAbsent(upTo(added));
			await buy({ limit: bought });
			setAbsent([]);
			const { urls, cost, result } = await buy(everything);
			const again = Math.min(bought, added);
			expect(cost).toBe(600 - bought);
			expect([urls.length, new Set(urls).size]).toEqual([600 - again, 600 - again]);
			expect(result.warnings.join()).toMatch(new RegExp(`${again} leads? came and w`));
		},
	);

	test('a changed list does not count as complete for the next execution either', async () => {
		const { buy, setAbsent, requests } = createBuyer({ leads: 60 });
		setAbsent(upTo(10));
		await buy({ limit: 30, options: { pageSize: 10, parallelPages: 1 } });
		setAbsent([]);
		const changed = 'The list has changed: 10 leads came and were charged again';
		const { urls, result } = await buy(everything);
		expect([urls.length, new Set(urls).size]).toEqual([50, 50]);
		expect(result.warnings.join(' ')).toContain(changed);
		const { length: sent } = requests();
		const again = await buy(everything);
		expect([again.cost, again.urls]).toEqual([0, urls]);
		expect(again.result.warnings.join(' ')).toContain(changed);
		expect(requests()).toHaveLength(sent + 1);
	});
});

describe('Schedules', () => {
	test('Search with Limit 20 each hour never reuses its own last run', async () => {
		const { buy } = createBuyer();
		for (const minutes of [59.9, 59.97, 60, 60.1]) {
			expect((await buy({ limit: 20 })).cost).toBe(20);
			letMinutesPass(minutes);
		}
	});

	test('polls every 30 minutes do not keep the list of an hourly Search fresh', async () => {
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
			// Rows that polls have bought less than an hour ago may be among them.
			expect(spent() - before).toBeGreaterThanOrEqual(80);
		}
	});

	test('a Search after polls of 10 takes no more than 10 requests', async () => {
		const { workflow, poll, search, requests } = await createTrigger(shared, { leadsPerPoll: 10 });
		const run = { ...production, credentialId: workflow.credentialId };
		for (let minute = 0; minute < 4; minute++) {
			await poll();
			letMinutesPass(1);
		}
		const { length: before } = requests();
		const { urls } = await search({ limit: 2_000 }, run);
		expect(urls).toEqual(icelandUrls.slice(0, 2_000));
		expect(requests().length - before).toBeLessThanOrEqual(10);
	});
});

describe('Others who use the same list', () => {
	test('with Reuse Paid Results 5, leads are at most 10 minutes old, whoever extends the list', async () => {
		const { buy } = createBuyer();
		const fresh = { limit: 10, options: { reusePaidResults: 5 } };
		await buy({ limit: 10 });
		letMinutesPass(4);
		await buy({ limit: 20 });
		letMinutesPass(4);
		expect((await buy(fresh)).cost).toBe(0);
		letMinutesPass(4);
		await buy({ limit: 30 });
		expect((await buy(fresh)).cost).toBe(10);
	});

	test('each node of an execution judges a list by its own minutes', async () => {
		const { buy } = createBuyer();
		const its = { ...production, ...createExecutionIds() };
		await buy({ limit: 10 });
		letMinutesPass(600);
		const reusing = (reusePaidResults: number) => ({ limit: 10, options: { reusePaidResults } });
		expect((await buy(reusing(1_440), its)).cost).toBe(0);
		expect((await buy(reusing(5), its)).cost).toBe(10);
	});

	test('reusing one old list makes no other list usable', async () => {
		const { buy } = createBuyer();
		const germany = { filters: { personLocationCountry: 'Germany' }, limit: 10 };
		const its = { ...production, ...createExecutionIds() };
		await buy({ limit: 10 });
		await buy(germany);
		letMinutesPass(60);
		expect((await buy({ limit: 10, options: { reusePaidResults: 1_440 } }, its)).cost).toBe(0);
		expect((await buy(germany, its)).cost).toBe(10);
	});
});

describe('One list, one pull after another', () => {
	test('10 leads, then 500 shortly before the list stops growing, are reused for the minutes after that', async () => {
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

	test('a pull that fails after its list has stopped growing offers only Retry', async () => {
		const { buy, topUp } = createBuyer({ apiCredits: 60 });
		await buy({ limit: 10 });
		letMinutesPass(25);
		const options = { pageSize: 10, parallelPages: 1, maxRetries: 0 };
		let sent = 0;
		const beforeRequest = async () => {
			sent += 1;
			if (sent === 3) letMinutesPass(6);
			await Promise.resolve();
		};
		const { result } = await buy({ limit: 100, options }, { ...production, beforeRequest });
		expect(result.description).toMatch(
			/Press Retry \(the arrow in Executions\): you pay only for the rest\. This/,
		);
		topUp();
		// Run again, it starts a new list.
		expect((await buy({ limit: 100, options })).cost).toBe(100);
		expect((await buy({ limit: 100, options }, retryOf(result))).cost).toBe(0);
	});

	test('a pull of 70 minutes is reused 5 minutes after its end', async () => {
		const { buy } = createBuyer({ leads: 100 });
		const slow = async () => {
			letMinutesPass(14);
			await Promise.resolve();
		};
		expect((await buy(everything, { ...production, beforeRequest: slow })).cost).toBe(100);
		letMinutesPass(5);
		expect((await buy(everything)).cost).toBe(0);
		letMinutesPass(25);
		expect((await buy(everything)).cost).toBe(100);
	});
});

describe('One execution and its Retries', () => {
	test('the Retry of an execution that another node failed pays nothing again after 70 minutes', async () => {
		const { buy } = createBuyer();
		const { result } = await buy({ limit: 30 });
		letMinutesPass(70);
		expect((await buy({ limit: 30 }, retryOf(anotherNodeFails(result)))).cost).toBe(0);
	});

	test('a list that an execution has reused stays usable in its loop, its Retry and the Retry of that Retry', async () => {
		const { buy } = createBuyer();
		const its = { ...production, ...createExecutionIds() };
		await buy({ limit: 30 });
		letMinutesPass(25);
		expect((await buy({ limit: 30 }, its)).cost).toBe(0);
		letMinutesPass(45);
		const looped = await buy({ limit: 30 }, its);
		expect(looped.cost).toBe(0);
		letMinutesPass(45);
		const retried = await buy({ limit: 30 }, retryOf(anotherNodeFails(looped.result)));
		expect(retried.cost).toBe(0);
		letMinutesPass(45);
		const again = await buy({ limit: 40 }, retryOf(anotherNodeFails(retried.result)));
		expect(again).toMatchObject({ cost: 10, urls: icelandUrls.slice(0, 40) });
		// What it has added makes the list fresh for nobody else.
		expect((await buy({ limit: 30 })).cost).toBe(30);
	});

	test.each([
		['in an unknown format', '{"format":99,"snapshots":{}}'],
		['that is no JSON', '{"format":'],
	])('saved results %s count as absent, and nothing fails', async (_, data) => {
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
	});
});

test('a clock that was set back makes no result older than its purchase', async () => {
	const { buy } = createBuyer();
	await buy({ limit: 30 });
	letMinutesPass(-600);
	expect((await buy({ limit: 40 })).cost).toBe(10);
	expect((await buy({ limit: 40 })).cost).toBe(0);
});

test('turning Only With Emails off pays only for the profiles that were left out', async () => {
	const { lookUpAll, spent } = shared.node();
	const people = Array.from({ length: 40 }, (_, lead) => leadAt(lead).linkedin_url);
	const { urls } = await lookUpAll(people, production, { onlyWithEmails: true });
	expect(urls.length).toBeLessThan(40);
	await lookUpAll(people, production, { onlyWithEmails: false });
	expect(spent()).toBe(40);
});

test('a profile that input items request with and without Only With Emails is paid for once', async () => {
	const { lookUp, spent } = shared.node();
	const people = Array.from({ length: 40 }, (_, lead) => leadAt(lead).linkedin_url);
	const input = people.flatMap((url) => [
		{ url, isOn: true },
		{ url, isOn: false },
	]);
	const parameters = {
		linkedinUrls: '={{ $json.url }}',
		options: { onlyWithEmails: '={{ $json.isOn }}' },
	};
	const { pairs } = await lookUp(parameters, { ...production, input });
	expect(spent()).toBe(40);
	// Each item that wants all profiles gets its profile; of the others, those whose profile has an email.
	const off = pairs.filter((item) => (item as number) % 2 === 1);
	expect(off).toHaveLength(40);
	expect(pairs.length - off.length).toBeLessThan(40);
});
