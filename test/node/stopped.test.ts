/** Promise 4, after a run that stopped part-way: the next one pays only for what is missing. */
import { randomUUID } from 'node:crypto';

import { leadsChargedTwice, type FaultAction } from '../../sandbox/service';
import { runNode } from './n8nCore';
import {
	continues,
	iceland as filters,
	icelanders,
	infosOf,
	letMinutesPass,
	pairsOf,
	urlsOf,
	useService,
	type RunOptions,
} from './useService';

const shared = useService();
const open = shared.node;
const production = { mode: 'trigger' } as const;
const once = { options: { maxRetries: 0 } };
const byCountry = { limit: 5, filters: { personLocationCountry: '={{ $json.country }}' } };
const threeCountries = { input: ['Iceland', 'Germany', 'France'].map((country) => ({ country })) };

test.each(['stopWorkflow', 'continueErrorOutput', 'continueRegularOutput'] as const)(
	'the next execution pays only for what is missing (%s)',
	async (onError) => {
		const buyer = open({ apiCredits: 60, leads: 100 });
		const run = { ...production, onError };
		await buyer.search({ returnAll: true }, run);
		expect(buyer.spent()).toBe(60);
		buyer.topUp();
		const second = await buyer.search({ returnAll: true }, run);
		expect(urlsOf(second.items)).toEqual(icelanders.slice(0, 100));
		expect(buyer.spent()).toBe(100);
		expect(infosOf(second)[1]).toBe(
			'60 of 100 leads were paid for less than a minute ago and cost nothing now. To buy them anew, set Reuse Paid Results to 0.',
		);
		// The list is whole now, so the next run is a new one.
		await buyer.search({ returnAll: true }, run);
		expect(buyer.spent()).toBe(200);
	},
);

const inPages = { pageSize: 5, maxRetries: 0, parallelPages: 1 };
type Buyer = ReturnType<typeof open>;
const search = async (buyer: Buyer, limit: number, run: RunOptions = {}) =>
	await buyer.search({ limit, options: inPages }, { ...production, ...continues, ...run });
const lookUp = async (buyer: Buyer, from: number, to: number, run: RunOptions = {}) =>
	await buyer.lookUpAll(
		icelanders.slice(from, to),
		{ ...production, ...continues, ...run },
		inPages,
	);

test.each<[string, (buyer: Buyer, run: RunOptions) => Promise<unknown>, number]>([
	['for other URLs', async (buyer) => await lookUp(buyer, 20, 21), 1],
	['of the same loop', async (buyer, run) => await lookUp(buyer, 20, 21, run), 1],
])('a run %s takes nothing from it', async (_, runBetween, cost) => {
	const buyer = open();
	buyer.addFault({ kind: 'status', status: 500, nthRequest: 2 });
	const run = { executionId: randomUUID() };
	await lookUp(buyer, 0, 10, run);
	await runBetween(buyer, run);
	const again = await lookUp(buyer, 0, 10);
	expect(urlsOf(again.items)).toEqual(icelanders.slice(0, 10));
	expect(buyer.spent()).toBe(10 + cost);
});

test('nor does one with a smaller Limit; a larger one buys only what is missing', async () => {
	const buyer = open();
	buyer.addFault({ kind: 'status', status: 500, nthRequest: 3 });
	await search(buyer, 20);
	await search(buyer, 3);
	expect(buyer.spent()).toBe(10);
	expect(urlsOf((await search(buyer, 30)).items)).toEqual(icelanders.slice(0, 30));
	expect(buyer.spent()).toBe(30);
	await search(buyer, 3);
	expect(buyer.spent()).toBe(33);
});

test('Retry finds it in the execution, on another n8n', async () => {
	const buyer = open({ apiCredits: 60, leads: 100 });
	const first = await buyer.search({ returnAll: true }, production);
	expect(first.saved).not.toContain(buyer.account.apiKey);
	buyer.topUp();
	let runElsewhere = runNode;
	jest.isolateModules(() => {
		// What n8n's memory holds is another one's there.
		runElsewhere = jest.requireActual<{ runNode: typeof runNode }>('./n8nCore').runNode;
	});
	const { apiKey } = buyer.account;
	const retry = await runElsewhere({
		parameters: { filters },
		credential: { baseUrl: shared.service.baseUrl, apiKey },
		mode: 'retry',
		retryOf: first,
	});
	expect(urlsOf(retry.items)).toEqual(icelanders.slice(0, 100));
	expect(buyer.spent()).toBe(100);
	expect(retry.saved).not.toContain('paidResults');
});

test('a look up asks for the missing URLs alone', async () => {
	const buyer = open({ apiCredits: 25 });
	const urls = icelanders.slice(0, 40);
	await buyer.lookUpAll(urls, production);
	buyer.topUp();
	const second = await buyer.lookUpAll(urls, production);
	expect(urlsOf(second.items)).toEqual(urls);
	expect(buyer.spent()).toBe(40);
	expect(leadsChargedTwice(buyer.account)).toEqual([]);
});

test('a gap is bought alone', async () => {
	const buyer = open();
	buyer.addFault({ kind: 'status', status: 500, page: 3 });
	const parameters = { limit: 60, options: { pageSize: 10, maxRetries: 0 } };
	await buyer.search(parameters, { ...production, ...continues });
	const second = await buyer.search(parameters, production);
	expect(urlsOf(second.items)).toEqual(icelanders.slice(0, 60));
	expect(buyer.spent()).toBe(60);
});

test('after a cancel, the next run pays only for what is missing', async () => {
	const buyer = open();
	const cancelWhen = shared.service.admin.whenRequest(
		({ account, page }) => account === buyer.account.id && page === 3,
	);
	buyer.addFault({ kind: 'hang', page: 3 });
	const parameters = { limit: 40, options: { pageSize: 10, parallelPages: 1 } };
	await buyer.search(parameters, { ...production, cancelWhen });
	expect(buyer.spent()).toBe(20);
	const second = await buyer.search(parameters, production);
	expect(urlsOf(second.items)).toEqual(icelanders.slice(0, 40));
	expect(buyer.spent()).toBe(40);
});

test('after Reuse Paid Results it is bought anew', async () => {
	const buyer = open({ apiCredits: 20 });
	await buyer.search({ limit: 30 }, production);
	buyer.topUp();
	letMinutesPass(61);
	await buyer.search({ limit: 30 }, production);
	expect(buyer.spent()).toBe(50);
});

test('at 0 it is bought anew at once, and the message says so', async () => {
	const buyer = open({ apiCredits: 20 });
	const parameters = { limit: 30, options: { reusePaidResults: 0 } };
	const { error } = await buyer.search(parameters, production);
	expect(error?.description).toContain(
		'Reuse Paid Results is 0, so running again pays for 20 leads again.',
	);
	buyer.topUp();
	await buyer.search(parameters, production);
	expect(buyer.spent()).toBe(50);
});

test.each<[string, FaultAction | undefined]>([
	['with leads', undefined],
	['without any', { kind: 'notJson' }],
])('a run that its Max Credits end, %s, leaves it to the next', async (_, fault) => {
	const buyer = open({ apiCredits: 60, leads: 100 });
	const options = { pageSize: 25, maxRetries: 0 };
	await buyer.search({ returnAll: true, options }, production);
	buyer.topUp();
	const added = fault && buyer.addFault({ ...fault, nthRequest: 1 });
	const limited = { ...options, maxCredits: 10, reusePaidResults: 0 };
	const run = { ...production, ...continues, executionId: randomUUID() };
	// A lost answer uses the maximum up, so that the next run in the loop fetches nothing.
	for (let round = 0; round < (fault ? 2 : 1); round++)
		await buyer.search({ returnAll: true, options: limited }, run);
	added?.remove();
	const before = buyer.spent();
	const { items } = await buyer.search({ returnAll: true, options }, production);
	expect(items).toHaveLength(100);
	expect(buyer.spent() - before).toBe(40);
});

test.each<FaultAction>([
	{ kind: 'status', status: 502 },
	{ kind: 'notJson' },
	{ kind: 'loseBeforeAnswer' },
])('where nothing is reused, Skip gets the rest, each lead once: after $kind', async (fault) => {
	const buyer = open({ leads: 130 });
	const broken = buyer.addFault({ ...fault, nthRequest: 3, times: 'always' });
	const options = { pageSize: 30, maxRetries: 1, reusePaidResults: 0, parallelPages: 1 };
	const all = { returnAll: true, options };
	const first = await buyer.search(all, {
		...production,
		onError: 'continueErrorOutput',
	});
	const message = first.errorItems[0]?.json.message as string;
	const skip = Number(/set Skip \(under Options\) to (\d+)/.exec(message)?.[1]);
	expect(skip).toBe(60);
	broken.remove();
	const rest = await buyer.search({ ...all, options: { ...options, skip } }, production);
	expect([...urlsOf(first.items), ...urlsOf(rest.items)]).toEqual(icelanders.slice(0, 130));
	expect(buyer.spent()).toBe(130);
});

test('input items that failed are paid for alone, those that went well anew', async () => {
	const buyer = open();
	buyer.addFault({ kind: 'status', status: 500, nthRequest: 2 });
	const run = { ...production, ...continues };
	const first = await buyer.search({ ...byCountry, ...once }, { ...run, ...threeCountries });
	expect(pairsOf(first.items)).toEqual([0, 0, 0, 0, 0, 1, 2, 2, 2, 2, 2]);
	await buyer.search({ ...byCountry, ...once }, { ...run, ...threeCountries });
	expect(buyer.spent()).toBe(10 + 15);
});

test('under Stop Workflow nothing is paid again that any input item has got', async () => {
	const buyer = open({ apiCredits: 12 });
	await buyer.search(byCountry, { ...production, ...threeCountries });
	buyer.topUp();
	const { items } = await buyer.search(byCountry, { ...production, ...threeCountries });
	expect(items).toHaveLength(15);
	expect(buyer.spent()).toBe(15);
});
