/** Promises 2 and 5: what comes out, and what it says, under each setting of On Error. */
import {
	continues,
	iceland as filters,
	jsonOf,
	pairsOf,
	useService,
	warningsOf,
} from './useService';

const { customer } = useService();

const byCountry = { personLocationCountry: '={{ $json.country }}' };
const countries = (...names: string[]) => ({ input: names.map((country) => ({ country })) });
const error =
	'Not enough API credits (402): 60 leads fetched; no credits left to tell whether more follow';
const all = { returnAll: true, filters, options: { pageSize: 25, parallelPages: 1 } };
const shortOfCredits = { apiCredits: 60 };

test('Stop Workflow: the leads are kept', async () => {
	const result = await customer(shortOfCredits).search(all);
	expect(result.error?.message).toBe(error);
	expect(result.error?.description).toMatch(
		/Your 60 leads are kept for 60 minutes\. Run again \(or Retry under Executions\): you pay only for the rest\.$/,
	);
});

test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
	'%s: the leads come out, and one error item says how to get the rest',
	async (onError) => {
		const result = await customer(shortOfCredits).search(all, { onError });
		const items = [...result.items, ...result.errorItems];
		expect(result.items).toHaveLength(onError === 'continueErrorOutput' ? 60 : 61);
		expect(items).toHaveLength(61);
		expect(items.at(-1)?.json).toEqual({
			error,
			message: expect.stringMatching(
				/Your 60 leads are in the output and kept for 60 minutes\. Run again: you pay only for the rest\. After that, set Skip \(under Options\) to 60 to get only the rest\.$/,
			) as string,
			details: {
				status: 402,
				creditsSpent: 60,
				fetched: 60,
				skip: 60,
				limit: null,
				missing: [{ skip: 60, limit: null }],
			},
		});
	},
);

test("Continue: the service's words reach the item as they were said", async () => {
	const buyer = customer();
	buyer.addFault({ kind: 'status', status: 500, body: { message: 'A & B are "down"' } });
	const { items } = await buyer.search({ options: { maxRetries: 0 } }, continues);
	expect(items[0]?.json.message).toContain('The service said: "A & B are "down"".');
});

test('Continue: the other input items are served after one that was refused', async () => {
	const buyer = customer();
	buyer.addFault({ kind: 'status', status: 403, body: '' });
	const { items } = await buyer.search(
		{ limit: 2, filters: byCountry },
		{ ...countries('Iceland', 'Germany'), ...continues },
	);
	expect(jsonOf(items)).toMatchObject([
		{ error: 'The lead service refused the request (403)' },
		{ country: 'Germany' },
		{ country: 'Germany' },
	]);
});

test('Continue: after a 402 every item that is not served says so', async () => {
	const buyer = customer({ apiCredits: 1 });
	const { items } = await buyer.search(
		{ limit: 1, filters: byCountry, options: { parallelPages: 1 } },
		{ ...countries('Iceland', 'Germany', 'France'), ...continues },
	);
	const none = 'Not enough API credits (402): no leads fetched';
	expect(jsonOf(items)).toMatchObject([
		{ country: 'Iceland' },
		{ error: none, details: { status: 402, fetched: 0, skip: 0, limit: 1 } },
		{ error: `Not run, because an earlier input item ended the run: ${none}` },
	]);
	expect(pairsOf(items)).toEqual([0, 1, 2]);
	expect(buyer.requests()).toHaveLength(2);
});

test('an expression that fails comes with a description', async () => {
	const { items } = await customer().search(
		{ filters: { otherFilters: '={{ $json.a.b.c }}' } },
		continues,
	);
	for (const { json } of items) expect(json.message).toEqual(expect.stringMatching(/./));
	expect(items).toHaveLength(1);
});

describe('With a Limit of 0 among several input items', () => {
	const input = [{ limit: 1 }, { limit: 0 }, { limit: 2 }];
	const parameters = { limit: '={{ $json.limit }}' };
	const error = "'Limit' of input item 1 is 0, not a whole number from 1 to 100,000";

	test('Stop Workflow: none of them is paid for', async () => {
		const buyer = customer();
		const result = await buyer.search(parameters, { input });
		expect(result.error?.message).toBe(error);
		expect(buyer.requests()).toEqual([]);
	});

	test('Continue: the others run, and that one says why it did not', async () => {
		const buyer = customer();
		const { items } = await buyer.search(parameters, { input, ...continues });
		expect(pairsOf(items)).toEqual([0, 1, 2, 2]);
		expect(items[1]?.json).toEqual({
			error,
			message: "Set 'Limit' to a whole number from 1 to 100,000.",
		});
		// The first lead of both is the same one.
		expect(buyer.spent()).toBe(2);
	});

	test('Continue (using error output): it comes with the fields of its input item', async () => {
		const { items, errorItems } = await customer().search(parameters, {
			input,
			onError: 'continueErrorOutput',
		});
		expect(items).toHaveLength(3);
		expect(jsonOf(errorItems)).toMatchObject([{ limit: 0, error }]);
	});
});

test('Continue: an item for which nothing is left after a lost answer says so', async () => {
	const buyer = customer();
	buyer.addFault({ kind: 'loseAfterAnswer' });
	const result = await buyer.search(
		{ limit: 2, filters: byCountry, options: { maxCredits: 2, maxRetries: 0 } },
		{ ...countries('Iceland', 'Germany'), ...continues },
	);
	expect(jsonOf(result.items)).toMatchObject([
		{ error: expect.stringContaining('The connection was lost') as string },
		{ error: 'Max Credits per Execution (2 credits) is spent, so nothing was fetched' },
	]);
	expect(warningsOf(result)).toContain('2 of 2 input items failed. Their items say why.');
});

test('Continue: a refused item counts among those that failed', async () => {
	const result = await customer().search(
		{ limit: 2, filters: byCountry },
		{ input: [{ country: 'Iceland' }, {}, { country: 'Germany' }], ...continues },
	);
	expect(warningsOf(result)).toEqual(['1 of 3 input items failed. Their items say why.']);
});

test('Retry On Fail: rows of tries that n8n throws away are not told as returned', async () => {
	const result = await customer().search(
		{ limit: 10, filters: byCountry },
		{ input: [{}, { country: 'Iceland' }], ...continues, maxTries: 3 },
	);
	const [told] = Object.values(result.run.data.resultData.metadata ?? {});
	expect(told).toBe('10 leads for 10 credits, 1 request');
});
