/** Promise 4, between runs: what was paid for is not paid for again. */
import { randomUUID } from 'node:crypto';
import type { INodeParameters } from 'n8n-workflow';

import { leadsChargedTwice, urlsMatching, type AccountOptions } from '../../sandbox/service';
import type { NodeResult } from './n8nCore';
import { jsonOf, pairsOf, urlsOf, useService, warningsOf, type RunOptions } from './useService';

jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	sleep: () => Promise.resolve(),
}));

const shared = useService();
const filters = { personLocationCountry: 'Iceland' };
const iceland = urlsMatching({ person_location_country: ['Iceland'] });
const production = { mode: 'trigger' } as const;

afterEach(() => {
	jest.restoreAllMocks();
});

/** One node of a workflow, to be run more than once. */
function open(options?: AccountOptions) {
	const buyer = shared.customer(options);
	const nodeId = randomUUID();
	return {
		...buyer,
		search: async (parameters: INodeParameters = {}, run: RunOptions = {}) =>
			await buyer.search({ filters, ...parameters }, { nodeId, ...run }),
		lookUp: async (urls: string[], run: RunOptions = {}, parameters: INodeParameters = {}) =>
			await buyer.lookUp(
				{
					linkedinUrls: urls.join('\n'),
					options: { onlyWithEmails: false },
					...parameters,
				},
				{ nodeId, ...run },
			),
		topUp: () => shared.service.admin.setCredits(buyer.account.id, { apiCredits: 10_000 }),
		spent: () => buyer.account.spent.apiCredits,
	};
}

const infos = ({ hints }: NodeResult) =>
	hints.filter(({ type }) => type === 'info').map(({ message }) => message);

/** So much later. */
function after(minutes: number) {
	const now = Date.now();
	jest.spyOn(Date, 'now').mockImplementation(() => now + minutes * 60_000);
}

describe('Retry On Fail', () => {
	test('5,000 leads at 1,000 a page, the fourth request answered with 502: 5,000 credits', async () => {
		const buyer = open();
		buyer.addFault({ kind: 'status', status: 502, nthRequest: 4 });
		const result = await buyer.search(
			{ filters: {}, limit: 5_000, options: { maxRetries: 0 } },
			{ ...production, maxTries: 2 },
		);
		expect(result.error).toBeUndefined();
		expect(new Set(urlsOf(result.items)).size).toBe(5_000);
		expect(result.items).toHaveLength(5_000);
		expect(buyer.spent()).toBe(5_000);
		expect(infos(result)).toEqual([
			'5,000 leads for 1,000 credits, 1 request; 5,000 credits in this execution so far',
			'4,000 of 5,000 leads were paid for earlier in this execution and cost nothing now.',
		]);
	});

	test('what a try lost that n8n drops is told by the next one', async () => {
		const buyer = open();
		buyer.addFault({ kind: 'loseAfterAnswer', nthRequest: 1 });
		const result = await buyer.search(
			{ filters: {}, limit: 50, options: { maxRetries: 0 } },
			{ ...production, maxTries: 2, onError: 'continueErrorOutput' },
		);
		expect(result.items).toHaveLength(50);
		expect(buyer.spent()).toBe(100);
		expect(result.hints.map(({ message }) => message)).toContain(
			'1 answer was lost or could not be used. Up to 50 credits may have been charged for it.',
		);
	});

	test('Credit Budget holds for all tries, and the second says what was spent in all', async () => {
		const buyer = open();
		buyer.addFault({ kind: 'status', status: 500, nthRequest: 3, times: 'always' });
		const { error, run } = await buyer.search(
			{ returnAll: true, options: { maxRetries: 0, pageSize: 100, maxCredits: 250 } },
			{ ...production, maxTries: 3 },
		);
		expect(buyer.spent()).toBe(200);
		expect(error?.description).toContain('200 leads came before.');
		expect(Object.values(run.data.resultData.metadata ?? {})).toEqual([
			'200 leads for 200 credits, 8 requests',
		]);
	});

	test('an answer that the first try lost is told by the second', async () => {
		const buyer = open();
		buyer.addFault({ kind: 'loseAfterAnswer', nthRequest: 1 });
		const result = await buyer.search(
			{ limit: 10, options: { maxRetries: 0 } },
			{ ...production, maxTries: 2 },
		);
		expect(result.items).toHaveLength(10);
		expect(warningsOf(result.hints)).toEqual([
			'1 answer was lost or could not be used. Up to 10 credits may have been charged for it.',
		]);
		const next = await buyer.search(
			{ limit: 10, options: { maxRetries: 0 } },
			{ ...production, runBefore: result },
		);
		expect(warningsOf(next.hints)).toEqual([]);
	});

	test('profiles that were renamed count towards Limit in the second try', async () => {
		const buyer = open({ renamesEvery: 2 });
		buyer.addFault({ kind: 'status', status: 500, nthRequest: 2 });
		const { items } = await buyer.lookUp(
			iceland.slice(0, 20),
			{ ...production, maxTries: 2 },
			{
				returnAll: false,
				limit: 6,
				options: { onlyWithEmails: false, pageSize: 4, maxRetries: 0 },
			},
		);
		expect(buyer.spent()).toBe(6);
		expect(items).toHaveLength(6);
	});

	test('a renamed profile is paid once where the page after it failed', async () => {
		const buyer = open({ renamesEvery: 2, clampPerPage: 2 });
		buyer.addFault({ kind: 'status', status: 500, nthRequest: 2 });
		const { items, hints } = await buyer.lookUp(
			iceland.slice(0, 4),
			{ ...production, maxTries: 2 },
			{ returnAll: true, options: { onlyWithEmails: false, maxRetries: 0 } },
		);
		expect(leadsChargedTwice(buyer.account)).toEqual([]);
		expect(items).toHaveLength(2);
		expect(warningsOf(hints).join()).toContain('are neither found nor not found');
	});

	test('nor is it asked for again by who follows the advice of the run that stopped', async () => {
		const buyer = open({ renamesEvery: 2, clampPerPage: 2 });
		buyer.addFault({ kind: 'status', status: 500, nthRequest: 2 });
		const { error } = await buyer.lookUp(iceland.slice(0, 4), production, {
			returnAll: true,
			options: { onlyWithEmails: false, maxRetries: 0 },
		});
		expect(error?.description).not.toMatch(/URLs? that (was|were) not looked up/);
	});

	test('under Continue, where the first item is an error, nothing is paid twice', async () => {
		const buyer = open();
		buyer.addFault({ kind: 'status', status: 500, nthRequest: 1 });
		const { items } = await buyer.search(
			{
				returnAll: '={{ $json.all }}',
				limit: 10,
				filters: '={{ $json.all ? { otherFilters: {} } : { jobTitles: "engineer" } }}',
				options: { maxRetries: 0 },
			},
			{
				...production,
				maxTries: 2,
				onError: 'continueRegularOutput',
				input: [{ all: false }, { all: false }],
			},
		);
		expect(items).toHaveLength(20);
		expect(buyer.spent()).toBe(10);
	});
});

describe('After a run that stopped', () => {
	test.each(['stopWorkflow', 'continueErrorOutput', 'continueRegularOutput'] as const)(
		'the next execution pays only for what is missing (%s)',
		async (onError) => {
			const buyer = open({ apiCredits: 60, leads: 100 });
			const first = await buyer.search({ returnAll: true }, { ...production, onError });
			expect(buyer.spent()).toBe(60);
			const text =
				first.error?.description ??
				[...first.items, ...first.errorItems].at(-1)?.json.message;
			expect(text).toContain(
				onError === 'stopWorkflow'
					? 'Retry this execution within 60 minutes: what was charged is not paid again.'
					: "Run again within 60 minutes: what was charged is kept in n8n's memory and not paid again.",
			);
			buyer.topUp();
			const second = await buyer.search({ returnAll: true }, { ...production, onError });
			expect(urlsOf(second.items)).toEqual(iceland.slice(0, 100));
			expect(buyer.spent()).toBe(100);
			expect(infos(second)).toEqual([
				'100 leads for 40 credits, 3 requests',
				'60 of 100 leads were paid for less than a minute ago and cost nothing now. To buy them anew, set Reuse Paid Results to 0.',
			]);
			// The list is whole now, so the next run is a new one.
			await buyer.search({ returnAll: true }, { ...production, onError });
			expect(buyer.spent()).toBe(200);
		},
	);

	test('a run for other URLs in between takes nothing from it', async () => {
		const buyer = open();
		buyer.addFault({ kind: 'status', status: 500, nthRequest: 2 });
		const run: RunOptions = { ...production, onError: 'continueRegularOutput' };
		const parameters = { options: { onlyWithEmails: false, pageSize: 5, maxRetries: 0 } };
		await buyer.lookUp(iceland.slice(0, 10), run, parameters);
		await buyer.lookUp(iceland.slice(20, 21), run, parameters);
		const again = await buyer.lookUp(iceland.slice(0, 10), run, parameters);
		expect(urlsOf(again.items)).toEqual(iceland.slice(0, 10));
		expect(buyer.spent()).toBe(11);
	});

	test('nor does a later run of the same loop', async () => {
		const buyer = open();
		buyer.addFault({ kind: 'status', status: 500, nthRequest: 2 });
		const run: RunOptions = { ...production, onError: 'continueRegularOutput' };
		const parameters = { options: { onlyWithEmails: false, pageSize: 5, maxRetries: 0 } };
		const executionId = randomUUID();
		const runBefore = await buyer.lookUp(
			iceland.slice(0, 10),
			{ ...run, executionId },
			parameters,
		);
		await buyer.lookUp(iceland.slice(20, 21), { ...run, executionId, runBefore }, parameters);
		await buyer.lookUp(iceland.slice(0, 10), run, parameters);
		expect(buyer.spent()).toBe(11);
	});

	test('nor does a run with a smaller Limit', async () => {
		const buyer = open({ leads: 20 });
		buyer.addFault({ kind: 'status', status: 500, nthRequest: 3 });
		const options = { pageSize: 5, maxRetries: 0, parallelPages: 1 };
		await buyer.search({ returnAll: true, options }, production);
		await buyer.search({ limit: 3, options }, production);
		const all = await buyer.search({ returnAll: true, options }, production);
		expect(urlsOf(all.items)).toEqual(iceland.slice(0, 20));
		expect(buyer.spent()).toBe(20);
		await buyer.search({ limit: 3, options }, production);
		expect(buyer.spent()).toBe(23);
	});

	test('Retry finds it in the execution, on another n8n', async () => {
		const buyer = open({ apiCredits: 60, leads: 100 });
		const first = await buyer.search({ returnAll: true }, production);
		expect(first.saved).not.toContain(buyer.account.apiKey);
		buyer.topUp();
		// Another node id is another place in memory, as on another worker; here the memory is emptied.
		jest.resetModules();
		const retry = await buyer.search({ returnAll: true }, { mode: 'retry', retryOf: first });
		expect(urlsOf(retry.items)).toEqual(iceland.slice(0, 100));
		expect(buyer.spent()).toBe(100);
		expect(retry.saved).not.toContain('paidResults');
	});

	test('a look up asks for the missing URLs alone', async () => {
		const buyer = open({ apiCredits: 25 });
		const urls = iceland.slice(0, 40);
		await buyer.lookUp(urls, production);
		expect(buyer.spent()).toBe(25);
		buyer.topUp();
		const second = await buyer.lookUp(urls, production);
		expect(urlsOf(second.items)).toEqual(urls);
		expect(buyer.spent()).toBe(40);
		expect(leadsChargedTwice(buyer.account)).toEqual([]);
	});

	test('a larger Limit and one URL more buy only what is missing', async () => {
		const buyer = open({ apiCredits: 20 });
		await buyer.search({ limit: 30 }, production);
		buyer.topUp();
		const second = await buyer.search({ limit: 50 }, production);
		expect(urlsOf(second.items)).toEqual(iceland.slice(0, 50));
		expect(buyer.spent()).toBe(50);
	});

	test('a gap is bought alone', async () => {
		const buyer = open();
		buyer.addFault({ kind: 'status', status: 500, page: 3 });
		const options = { pageSize: 10, parallelPages: 4, maxRetries: 0 };
		await buyer.search(
			{ limit: 60, options },
			{ ...production, onError: 'continueRegularOutput' },
		);
		const second = await buyer.search({ limit: 60, options }, production);
		expect(urlsOf(second.items)).toEqual(iceland.slice(0, 60));
		expect(buyer.spent()).toBe(60);
	});

	test('after Reuse Paid Results it is bought anew', async () => {
		const buyer = open({ apiCredits: 20 });
		await buyer.search({ limit: 30 }, production);
		buyer.topUp();
		after(61);
		await buyer.search({ limit: 30 }, production);
		expect(buyer.spent()).toBe(50);
	});

	test('at 0 it is bought anew at once, and the message says so', async () => {
		const buyer = open({ apiCredits: 20 });
		const parameters = { limit: 30, options: { reusePaidResults: 0 } };
		const { error } = await buyer.search(parameters, production);
		expect(error?.description).toContain(
			"Reuse Paid Results is 0, so running it again pays for them again. Instead, set 'Skip' (under Options) to 20 and 'Limit' to 10.",
		);
		buyer.topUp();
		await buyer.search(parameters, production);
		expect(buyer.spent()).toBe(50);
	});

	test.each([
		['with leads', {}],
		['without any', { kind: 'notJson', nthRequest: 1 }],
	] as const)(
		'a run that its Credit Budget ends, %s, leaves it to the next',
		async (_, fault) => {
			const buyer = open({ apiCredits: 60, leads: 100 });
			const all = { returnAll: true, options: { pageSize: 25, maxRetries: 0 } };
			expect((await buyer.search(all, production)).error).toBeDefined();
			buyer.topUp();

			const added = 'kind' in fault ? buyer.addFault({ ...fault }) : undefined;
			const options = { ...all.options, maxCredits: 10, reusePaidResults: 0 };
			const run = { ...production, onError: 'continueRegularOutput' } as const;
			const executionId = randomUUID();
			const first = await buyer.search({ ...all, options }, { ...run, executionId });
			if (added) {
				// The lost answer has used the budget up: the next run in the loop fetches nothing.
				const again = { ...run, executionId, runBefore: first };
				await buyer.search({ ...all, options }, again);
				added.remove();
			}
			const before = buyer.spent();
			const { items } = await buyer.search(all, production);
			expect(items).toHaveLength(100);
			expect(buyer.spent() - before).toBe(40);
		},
	);

	test('after a cancel, the next run pays only for what is missing', async () => {
		const buyer = open();
		const third = shared.service.admin.whenRequest(
			({ account, page }) => account === buyer.account.id && page === 3,
		);
		buyer.addFault({ kind: 'hang', page: 3 });
		const options = { pageSize: 10, parallelPages: 1 };
		await buyer.search({ limit: 40, options }, { ...production, cancelWhen: third });
		expect(buyer.spent()).toBe(20);
		const second = await buyer.search({ limit: 40, options }, production);
		expect(urlsOf(second.items)).toEqual(iceland.slice(0, 40));
		expect(buyer.spent()).toBe(40);
	});
});

describe('Run by hand', () => {
	test('the second Execute Step sends no request and says that it cost nothing', async () => {
		const buyer = open();
		const first = await buyer.search({ limit: 50 });
		const { length } = buyer.requests();
		const second = await buyer.search({ limit: 50 });
		expect(jsonOf(second.items)).toEqual(jsonOf(first.items));
		expect(buyer.requests()).toHaveLength(length);
		expect(infos(second)).toEqual([
			'50 leads for 0 credits, 0 requests',
			'50 of 50 leads were paid for less than a minute ago and cost nothing now. To buy them anew, set Reuse Paid Results to 0.',
		]);
	});

	test('Limit 50 then 80 cost 80', async () => {
		const buyer = open();
		await buyer.search({ limit: 50 });
		const second = await buyer.search({ limit: 80 });
		expect(urlsOf(second.items)).toEqual(iceland.slice(0, 80));
		expect(buyer.spent()).toBe(80);
	});

	test('a whole list and URLs that are not found are not asked for again', async () => {
		const buyer = open({ leads: 30 });
		await buyer.search({ returnAll: true });
		const searched = buyer.requests().length;
		await buyer.search({ returnAll: true });
		expect(buyer.requests()).toHaveLength(searched);
		const urls = [iceland[0] ?? '', 'https://www.linkedin.com/in/nobody-at-all'];
		const first = await buyer.lookUp(urls);
		const lookedUp = buyer.requests().length;
		const second = await buyer.lookUp(urls);
		expect(jsonOf(second.items)).toEqual(jsonOf(first.items));
		expect(buyer.requests()).toHaveLength(lookedUp);
	});

	test('what a later node changes does not come back changed', async () => {
		const buyer = open();
		const first = await buyer.search({ limit: 1 });
		for (const json of jsonOf(first.items)) json.full_name = 'Changed';
		const second = await buyer.search({ limit: 1 });
		expect(jsonOf(second.items)[0]?.full_name).not.toBe('Changed');
	});

	test.each<[string, INodeParameters, RunOptions]>([
		['another filter', { filters: { personLocationCountry: 'Germany' } }, {}],
		['other fields', { simplify: false }, {}],
		['another node', {}, { nodeId: randomUUID() }],
		['another workflow', {}, { workflowId: 'other' }],
		['another credential', {}, { credentialId: '2' }],
	])('%s pays', async (_, parameters, run) => {
		const buyer = open();
		await buyer.search({ limit: 5 });
		await buyer.search({ limit: 5, ...parameters }, run);
		expect(buyer.spent()).toBe(10);
	});

	test('a credential whose key was changed pays', async () => {
		const buyer = open();
		const other = shared.customer();
		await buyer.search({ limit: 5 });
		await buyer.search({ limit: 5 }, { credential: { apiKey: other.account.apiKey } });
		expect(other.account.spent.apiCredits).toBe(5);
	});
});

test('two production runs that went well both pay', async () => {
	const buyer = open();
	await buyer.search({ limit: 50 }, production);
	await buyer.search({ limit: 50 }, production);
	expect(buyer.spent()).toBe(100);
});

test('concurrent executions neither share nor overwrite each other’s', async () => {
	const buyer = open();
	const [one, other] = await Promise.all([
		buyer.search({ limit: 30 }, production),
		buyer.search({ limit: 30 }, production),
	]);
	expect(urlsOf(one.items)).toEqual(urlsOf(other.items));
	expect(buyer.spent()).toBe(60);
});

describe('Several runs in one execution, as in a loop', () => {
	const execution = () => ({ ...production, executionId: randomUUID() });

	test('the same search five times costs what one costs', async () => {
		const buyer = open();
		const run = execution();
		let items = 0;
		for (let round = 0; round < 5; round++) {
			items += (await buyer.search({ limit: 10 }, run)).items.length;
		}
		expect(items).toBe(50);
		expect(buyer.spent()).toBe(10);
	});
});

describe('Many input items', () => {
	test('those that failed are paid for alone, those that went well anew', async () => {
		const buyer = open();
		buyer.addFault({ kind: 'status', status: 500, nthRequest: 2 });
		const parameters = {
			limit: 5,
			filters: { personLocationCountry: '={{ $json.country }}' },
			options: { maxRetries: 0 },
		};
		const input = ['Iceland', 'Germany', 'France'].map((country) => ({ country }));
		const continues = { ...production, onError: 'continueRegularOutput' } as const;
		const first = await buyer.search(parameters, { ...continues, input });
		expect(pairsOf(first.items)).toEqual([0, 0, 0, 0, 0, 1, 2, 2, 2, 2, 2]);
		expect(first.items[5]?.json.message).toContain('run again with only input item 1.');
		expect(warningsOf(first.hints)).toEqual([]);
		expect(buyer.spent()).toBe(10);
		await buyer.search(parameters, { ...continues, input: input.slice(1, 2) });
		expect(buyer.spent()).toBe(15);
	});

	test('under Stop Workflow, a Retry pays for nothing that any of them has got', async () => {
		const buyer = open({ apiCredits: 12 });
		const parameters = {
			limit: 5,
			filters: { personLocationCountry: '={{ $json.country }}' },
		};
		const input = ['Iceland', 'Germany', 'France'].map((country) => ({ country }));
		const first = await buyer.search(parameters, { ...production, input });
		expect(first.error?.description).toContain('Retry this execution within 60 minutes');
		buyer.topUp();
		const second = await buyer.search(parameters, { ...production, input });
		expect(second.items).toHaveLength(15);
		expect(buyer.spent()).toBe(15);
	});
});

describe('Where nothing is reused, the number for Skip gets the rest, each lead once', () => {
	test.each([
		['502', { kind: 'status', status: 502, nthRequest: 3, times: 'always' } as const],
		['a web page', { kind: 'notJson', nthRequest: 3, times: 'always' } as const],
		[
			'a lost connection',
			{ kind: 'loseBeforeAnswer', nthRequest: 3, times: 'always' } as const,
		],
	])('after %s', async (_, fault) => {
		const buyer = open({ leads: 130 });
		const broken = buyer.addFault(fault);
		const options = { pageSize: 30, maxRetries: 1, reusePaidResults: 0 };
		const first = await buyer.search(
			{ returnAll: true, options },
			{ ...production, onError: 'continueErrorOutput' },
		);
		const message = first.errorItems[0]?.json.message as string;
		const skip = Number(/set 'Skip' \(under Options\) to (\d+)/.exec(message)?.[1]);
		expect(skip).toBe(60);
		broken.remove();
		const rest = await buyer.search(
			{ returnAll: true, options: { ...options, skip } },
			production,
		);
		expect([...urlsOf(first.items), ...urlsOf(rest.items)]).toEqual(iceland.slice(0, 130));
		expect(buyer.spent()).toBe(130);
		expect(leadsChargedTwice(buyer.account)).toEqual([]);
	});
});

test('a preview costs nothing, so nothing of it is kept or told', async () => {
	const buyer = shared.customer();
	const nodeId = randomUUID();
	await buyer.preview({ limit: 5, filters }, { nodeId });
	const before = buyer.requests().length;
	const second = await buyer.preview({ limit: 5, filters }, { nodeId });
	expect(buyer.requests().length).toBeGreaterThan(before);
	expect(second.hints).toEqual([]);
});

test('reused rows are counted once, however many input items ask for them', async () => {
	const buyer = open();
	const parameters = { limit: '={{ $json.limit }}' };
	const input = [{ limit: 50 }, { limit: 80 }];
	await buyer.search(parameters, { input });
	const second = await buyer.search(parameters, { input });
	expect(infos(second)[1]).toContain('80 of 80 leads were paid for');
	expect(warningsOf(second.hints)).toEqual([]);
});

test('a profile that is not found is asked for again once its time is over', async () => {
	const buyer = open();
	const nobody = ['https://www.linkedin.com/in/nobody-at-all', iceland[0] ?? ''];
	await buyer.lookUp(nobody);
	after(61);
	const { length } = buyer.requests();
	await buyer.lookUp(nobody);
	expect(buyer.requests().length).toBeGreaterThan(length);
});
