/** Tests by the cost of further runs which paid results are cached in memory and saved for Retry (promise 4). */
import { runNode } from './n8nCore';
import {
	first,
	iceland,
	letMinutesPass,
	merge,
	createExecutionIds,
	production,
} from './useService';
import { everywhere, useService, type Setup } from './useService';

const shared = useService();
const oneByOne = { pageSize: 1, parallelPages: 1, maxRetries: 0 };

/** Creates an account whose searches get leads of 4.5 MB each. */
function createLargeLeadBuyer(rows: number, setup?: Setup) {
	const buyer = shared.node(setup);
	for (let page = 1; page <= rows; page++) {
		const linkedin_url = `https://www.linkedin.com/in/large-${page}`;
		const lead = { linkedin_url, about: 'x'.repeat(4_500_000) };
		buyer.addFault({ ...merge({ preview_data: [lead] }), page, times: 'always' });
	}
	return buyer;
}

test('up to 20 MB of leads are saved for Retry, the message says that not all had room, and a Retry on another worker pays again for the others', async () => {
	const { search, spent, topUp, account } = createLargeLeadBuyer(6, { apiCredits: 5 });
	const parameters = { filters: iceland, limit: 6, options: oneByOne };
	const stopped = await search(parameters, production);
	expect(stopped.description).toContain('There was no room to save all leads.');
	expect(stopped.description).toMatch(
		/Press Retry .*, or run it again within 29 minutes: you don't pay again for the leads that are saved\. /,
	);
	topUp();
	let runElsewhere = runNode;
	jest.isolateModules(() => {
		runElsewhere = jest.requireActual<{ runNode: typeof runNode }>('./n8nCore').runNode;
	});
	const credential = { baseUrl: shared.service.baseUrl, apiKey: account.apiKey };
	const retry = { credential, credentialId: account.id, mode: 'retry', retryOf: stopped } as const;
	const { items } = await runElsewhere({ parameters, ...retry });
	expect([items.length, spent()]).toEqual([6, 7]);
	// The cache of this worker has all leads of the stopped run.
	await search(parameters, production);
	expect(spent()).toBe(8);
});

test('if the 64 MB of the cache are full, only the least recently used leads are evicted, and paid for again', async () => {
	const { search, spent } = createLargeLeadBuyer(5);
	const costs = [];
	for (const country of [
		'Iceland',
		'Germany',
		'Iceland',
		'France',
		'Iceland',
		'France',
		'Germany',
	]) {
		const before = spent();
		const filters = { personLocationCountry: country };
		await search({ filters, limit: 5, options: oneByOne }, production);
		costs.push(spent() - before);
	}
	expect(costs).toEqual([5, 5, 0, 5, 0, 0, 1]);
});

test('results that an execution has bought are reused after 23 hours without use, and evicted after 25 hours', async () => {
	const { search, spent } = shared.node();
	const execution = { ...production, ...createExecutionIds() };
	const costs = [];
	for (const hours of [0, 23, 25]) {
		letMinutesPass(hours * 60);
		// Expired results are evicted when a run saves new ones.
		const before = spent() + 1;
		await search({ filters: { personLocationCountry: 'Germany' }, limit: 1 }, production);
		await search({ limit: 5 }, execution);
		costs.push(spent() - before);
	}
	expect(costs).toEqual([5, 0, 5]);
});

test('a search for 100,000 leads pays again only for the leads that have no room in the cache', async () => {
	const { search, lookUpAll, spent } = shared.node();
	// The profiles of a lookup take a part of the cache.
	await lookUpAll(first(100), production);
	const before = spent();
	for (const maxSpent of [100_000, 115_000]) {
		const { urls } = await search({ filters: everywhere, returnAll: true }, production);
		expect(urls).toHaveLength(100_000);
		expect(spent() - before).toBeLessThanOrEqual(maxSpent);
	}
	expect(spent() - before).toBeGreaterThan(100_000);
});

test('the newest rows of a profile that was bought twice are reused', async () => {
	const { lookUpAll, addFault, spent } = shared.node();
	const [url = ''] = first(1);
	const lookUp = async (reusePaidResults: number) =>
		(await lookUpAll([url], production, { reusePaidResults })).json[0]?.full_name;
	await lookUp(60);
	letMinutesPass(6);
	addFault(merge({ data: [{ linkedin_url: url, full_name: 'Anna Bell' }] }));
	await lookUp(5);
	expect([await lookUp(60), spent()]).toEqual(['Anna Bell', 2]);
});
