/** The promises about money, each by examples with figures that can be followed by hand. */

import { continueOnError, first, iceland, icelandUrls, matching } from './useService';
import { createExecutionIds, status, useService } from './useService';

const { customer } = useService();

const ignoresMaxResults = { readings: { maxResults: 'totalCount' } } as const;
const inTens = { pageSize: 10, parallelPages: 4 };

describe('Promise 1: never overspend', () => {
	test('Limit 1,009 with page size 1,000 costs 1,009, from a service that does not cap rows', async () => {
		const { search } = customer(ignoresMaxResults);
		const expected = { urls: first(1_009), spent: 1_009, sizes: [1_000, 8, 1] };
		expect(await search({ limit: 1_009 })).toMatchObject(expected);
	});

	test('Max Credits ends a run over all pages and items, and a hint says so', async () => {
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
				"This list is incomplete: 'Max Credits' (50 credits) was reached after 50 leads. Raise it to get the rest.",
			],
		});
	});

	test('Credit Ceiling 70 limits five searches of 30 in a loop to 30, 30 and 10, and the other two say why', async () => {
		const buyer = customer();
		const where = {
			...createExecutionIds(),
			...continueOnError,
			credential: { creditCeiling: 70 },
		};
		const items = [];
		for (const country of ['Iceland', 'Germany', 'France', 'Spain', 'Italy'])
			items.push((await buyer.searchIn([country], { limit: 30 }, where)).json);
		expect(buyer.spent()).toBe(70);
		expect(items.map(({ length }) => length)).toEqual([30, 30, 10, 1, 1]);
		expect(items[4]?.[0]).toMatchObject({
			error: "'Credit Ceiling' of the credential (70 credits) is spent, so nothing is returned",
		});
	});

	test('two concurrent nodes of an execution with 50 each spend 70 together', async () => {
		const buyer = customer();
		const { executionId } = createExecutionIds();
		const where = { executionId, credential: { creditCeiling: 70 } };
		const options = { parallelPages: 1, pageSize: 10 };
		const run = async (filters: typeof iceland) =>
			await buyer.search({ limit: 50, filters, options }, where);
		const results = await Promise.all([run(iceland), run({ personLocationCountry: 'Germany' })]);
		expect(buyer.spent()).toBe(70);
		expect(results.flatMap(({ items }) => items)).toHaveLength(70);
		expect(results.flatMap(({ warnings }) => warnings)).toContainEqual(
			matching(/^This list is incomplete: 'Credit Ceiling' of the credential \(70 credits\)/),
		);
	});

	test('the lower one of Credit Ceiling and Max Credits counts, and another execution has its own limits', async () => {
		const buyer = customer();
		const credential = { creditCeiling: '60' };
		expect((await buyer.search({ limit: 80, maxCredits: 20 }, { credential })).spent).toBe(20);
		const other = await buyer.search({ limit: 80 }, { credential });
		expect(other).toMatchObject({ urls: first(80), spent: 80 });
	});

	test('Max Credits also limits runs that overlap, such as the calls of an agent', async () => {
		const buyer = customer();
		const where = { ...createExecutionIds(), ...continueOnError };
		const parameters = { limit: 20, maxCredits: 25 };
		const runs = ['Iceland', 'Germany', 'France'].map(
			async (country) => await buyer.searchIn([country], parameters, where),
		);
		const items = (await Promise.all(runs)).map(({ json }) => json);
		expect(buyer.spent()).toBe(25);
		// The third can fetch nothing. Without a word, that would end a loop.
		expect(items.map(({ length }) => length)).toEqual([20, 5, 1]);
		expect(items[2]?.[0]).toEqual({
			error: "'Max Credits' (25 credits) is spent, so nothing is returned",
			message: 'Raise it to get the rest. This node has spent 25 credits in this execution.',
			details: { status: null, creditsSpent: 25, fetched: 0 },
		});
	});
});

describe('Promise 2: never lose paid results', () => {
	test.each([
		['with a Limit', { limit: 100 }],
		['with Return All', { returnAll: true }],
	])('pages after one that failed are returned, too, %s', async (_, limit) => {
		const { urls, errors, spent } = await customer({ faults: [status(402, { page: 3 })] }).search(
			{ ...limit, options: { ...inTens, maxRetries: 0 } },
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

test('a workflow that stops says how many leads of all input items were received and saved', async () => {
	const poor = customer({ apiCredits: 10 });
	const { message, description } = await poor.searchIn(['Iceland', 'Germany'], { limit: 10 });
	expect(message).toBe(
		"Not enough API credits (402): 10 leads came, then the credits ran out. Whether more follow isn't known",
	);
	expect(description).toMatch(
		/^Get more .* you pay only for the rest\. .* Your 10 leads are saved\.$/,
	);
});

describe('Promise 4: never pay twice for the same thing', () => {
	test('10 input items with the same search cost as much as one, and a hint names Execute Once', async () => {
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
		// A later node may change the one without the other.
		expect(json[0]).not.toBe(json[20]);
	});

	test("another Limit or another order of Other Filters doesn't make another search", async () => {
		const input = [
			{ limit: 50, others: '{"a":1,"b":{"c":2,"d":3}}' },
			{ limit: 80, others: '{"b":{"d":3,"c":2},"a":1}' },
		];
		const filters = { otherFilters: '={{ $json.others }}' };
		const result = await customer().search({ limit: '={{ $json.limit }}', filters }, { input });
		expect([result.items.length, result.spent]).toEqual([130, 80]);
	});
});
