/** Tests the promises about money by examples. Their figures are small enough to check without a computer. */

import { continueOnError, first, iceland, icelandUrls, matching } from './useService';
import { createExecutionIds, status, useService } from './useService';

const { customer } = useService();

const ignoresMaxResults = { readings: { maxResults: 'totalCount' } } as const;
const tenPerPage = { pageSize: 10, parallelPages: 4 };

describe('Promise 1: never overspend', () => {
	test('a search with Limit 1,009 and Page Size 1,000 costs 1,009 credits, even if the service does not cap rows', async () => {
		const { search } = customer(ignoresMaxResults);
		const expected = { urls: first(1_009), spent: 1_009, sizes: [1_000, 8, 1] };
		const options = { pageSize: 1_000 };
		expect(await search({ limit: 1_009, options })).toMatchObject(expected);
	});

	test('Max Credits limits the credits of all pages and input items of a run, and a hint says that it was reached', async () => {
		const options = { pageSize: 15 };
		const { searchIn } = customer();
		const result = await searchIn(['Iceland', 'Germany', 'France'], {
			limit: 40,
			maxCredits: 50,
			options,
		});
		expect(result.items).toHaveLength(50);
		expect(result).toMatchObject({
			spent: 50,
			warnings: [
				"This list is incomplete: 'Max Credits' (50 credits) was reached after 50 leads. Raise this limit to get the rest.",
			],
		});
	});

	test('Credit Ceiling 70 limits five searches for 30 leads in a loop to 30, 30 and 10 leads, and the other two return an error item', async () => {
		const buyer = customer();
		const run = {
			...createExecutionIds(),
			...continueOnError,
			credential: { creditCeiling: 70 },
		};
		const items = [];
		for (const country of ['Iceland', 'Germany', 'France', 'Spain', 'Italy'])
			items.push((await buyer.searchIn([country], { limit: 30 }, run)).json);
		expect(buyer.spent()).toBe(70);
		expect(items.map(({ length }) => length)).toEqual([30, 30, 10, 1, 1]);
		expect(items[4]?.[0]).toMatchObject({
			error: "'Credit Ceiling' of the credential (70 credits) is spent, so nothing is returned",
		});
	});

	test('two concurrent nodes of an execution that request 50 leads each spend no more than their Credit Ceiling of 70', async () => {
		const buyer = customer();
		const { executionId } = createExecutionIds();
		const execution = { executionId, credential: { creditCeiling: 70 } };
		const options = { parallelPages: 1, pageSize: 10 };
		const run = async (filters: typeof iceland) =>
			await buyer.search({ limit: 50, filters, options }, execution);
		const results = await Promise.all([run(iceland), run({ personLocationCountry: 'Germany' })]);
		expect(buyer.spent()).toBe(70);
		expect(results.flatMap(({ items }) => items)).toHaveLength(70);
		expect(results.flatMap(({ warnings }) => warnings)).toContainEqual(
			matching(/^This list is incomplete: 'Credit Ceiling' of the credential \(70 credits\)/),
		);
	});

	test('the lower of Credit Ceiling and Max Credits applies, and each execution has its own limits', async () => {
		const buyer = customer();
		const credential = { creditCeiling: '60' };
		expect((await buyer.search({ limit: 80, maxCredits: 20 }, { credential })).spent).toBe(20);
		const other = await buyer.search({ limit: 80 }, { credential });
		expect(other).toMatchObject({ urls: first(80), spent: 80 });
	});

	test('Max Credits also limits concurrent runs of a node, such as the calls of an agent', async () => {
		const buyer = customer();
		const run = { ...createExecutionIds(), ...continueOnError };
		const parameters = { limit: 20, maxCredits: 25 };
		const runs = ['Iceland', 'Germany', 'France'].map(
			async (country) => await buyer.searchIn([country], parameters, run),
		);
		const items = (await Promise.all(runs)).map(({ json }) => json);
		expect(buyer.spent()).toBe(25);
		// The third run can fetch no leads. It returns an error item, because a run without items would end a loop.
		expect(items.map(({ length }) => length)).toEqual([20, 5, 1]);
		expect(items[2]?.[0]).toEqual({
			error: "'Max Credits' (25 credits) is spent, so nothing is returned",
			message:
				'Raise this limit to get the rest. This node has spent 25 credits in this execution.',
			details: { status: null, creditsSpent: 25, fetched: 0 },
		});
	});
});

describe('Promise 2: never lose paid results', () => {
	test.each([
		['with a Limit', { limit: 100 }],
		['with Return All', { returnAll: true }],
	])('the pages after a failed page are returned %s', async (_, limit) => {
		const { urls, errors, spent } = await customer({ faults: [status(402, { page: 3 })] }).search(
			{ ...limit, options: { ...tenPerPage, maxRetries: 0 } },
			continueOnError,
		);
		const { length } = urls;
		expect(urls).toEqual([...first(20), ...icelandUrls.slice(30, length + 10)]);
		expect(length).toBeGreaterThan(20);
		expect(spent).toBe(length);
		expect(errors.map(({ details }) => details)).toEqual([
			{ status: 402, creditsSpent: length, fetched: length },
		]);
	});
});

test('the message of a workflow that stops says how many leads of all input items came and are saved', async () => {
	const account = customer({ apiCredits: 10 });
	const { message, description } = await account.searchIn(['Iceland', 'Germany'], { limit: 10 });
	expect(message).toBe(
		'Not enough API credits (402): the credits ran out after 10 leads, and there may be more',
	);
	expect(description).toMatch(
		/^Get more .* you pay only for the rest\. .* Your 10 leads are saved\.$/,
	);
});

describe('Promise 4: never pay twice', () => {
	test('10 input items with the same search cost as much as one input item, and a hint names Execute Once', async () => {
		const input = Array.from({ length: 10 }, () => ({}));
		const { json, ...result } = await customer().search({ limit: 20 }, { input });
		expect(result).toMatchObject({
			pairs: Array.from({ length: 200 }, (_, index) => Math.floor(index / 20)),
			pages: [1],
			warnings: [
				"10 input items request the same leads. They were fetched and paid for once, and are returned for each item. To get them once, turn on 'Execute Once' under Settings.",
			],
		});
		expect(json[0]).toEqual(json[20]);
		// The items aren't shared, because a later node may change one of them.
		expect(json[0]).not.toBe(json[20]);
	});

	test('input items with another Limit or another order of Other Filters reuse the same search', async () => {
		const input = [
			{ limit: 50, others: '{"a":1,"b":{"c":2,"d":3}}' },
			{ limit: 80, others: '{"b":{"d":3,"c":2},"a":1}' },
		];
		const filters = { otherFilters: '={{ $json.others }}' };
		const result = await customer().search({ limit: '={{ $json.limit }}', filters }, { input });
		expect([result.items.length, result.spent]).toEqual([130, 80]);
	});
});
