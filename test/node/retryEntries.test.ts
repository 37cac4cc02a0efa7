/** Tests which of n8n's two entries of Retry a message names: the tests follow it, and check it by the ledger. */
import type { INodeParameters } from 'n8n-workflow';

import {
	first,
	iceland,
	production,
	status,
	useService,
	type Outcome,
	type Setup,
} from './useService';

const { node } = useService();

const original = "For Retry, choose 'with original workflow'.";
const saved = "For Retry, choose 'with currently saved workflow'.";
const inPages = { pageSize: 20, parallelPages: 1, maxRetries: 0 };
const everything = { returnAll: true, options: inPages };

function createBuyer(setup: Setup) {
	const buyer = node({ leads: 100, ...setup });
	/** Retries as n8n does: with the parameters of the failed execution, or with those that were saved meanwhile. */
	const retry = async (stopped: Outcome, savedParameters?: INodeParameters) => {
		const run = JSON.parse(JSON.stringify(stopped.run)) as Outcome['run'];
		for (const { node: failed } of run.data.executionData?.nodeExecutionStack ?? [])
			Object.assign(failed.parameters, savedParameters);
		return await buyer.search({}, { mode: 'retry', retryOf: { ...stopped, run } });
	};
	return { ...buyer, retry };
}

test("after a 402 in a Return All, 'with original workflow' buys the rest, even if a smaller Limit has shown the rows", async () => {
	const { search, retry, topUp, spent } = createBuyer({ apiCredits: 60 });
	const stopped = await search(everything, production);
	expect(stopped.description).toContain(original);
	expect(stopped.description).toContain(
		"To see them for 0 credits, turn off 'Return All', set 'Limit' 60, run the node, and then turn 'Return All' on again.",
	);
	const smaller = { limit: 60, options: inPages };
	expect((await search(smaller, production)).urls).toEqual(first(60));
	topUp();
	// The other entry returns the 60 leads that the user has already seen.
	expect((await retry(stopped, { returnAll: false, ...smaller })).urls).toHaveLength(60);
	expect(spent()).toBe(60);
	expect((await retry(stopped)).urls).toHaveLength(100);
	expect(spent()).toBe(100);
});

test('a search without Return All is told only to set Limit', async () => {
	const { search } = createBuyer({ apiCredits: 60 });
	const { description } = await search({ limit: 80, options: inPages }, production);
	expect(description).toContain("run the node with 'Limit' 60, and then set 'Limit' back.");
});

test("after a refused request, only 'with currently saved workflow' has the corrected filter", async () => {
	const refusal = status(400, { body: { message: 'Nowhere is unknown' }, nthRequest: 2 });
	const { searchIn, retry, addFault, spent } = createBuyer({ faults: [refusal] });
	const stopped = await searchIn(['Iceland', 'Nowhere'], { limit: 20 }, production);
	expect(stopped.description).toContain(saved);
	addFault({ ...refusal, nthRequest: 1 });
	expect((await retry(stopped)).message).toContain('refused');
	expect((await retry(stopped, { filters: iceland })).urls).toHaveLength(40);
	expect(spent()).toBe(20);
});

test.each([
	['a lost response', [{ kind: 'loseAfterAnswer', nthRequest: 4 }], saved],
	['a server that is down', [status(500, { nthRequest: 4 })], saved],
	['a 401', [status(401, { nthRequest: 4 })], original],
] as const)('the message after %s names the entry', async (_, faults, entry) => {
	const { search } = createBuyer({ faults: [...faults] as Setup['faults'] });
	const { description } = await search(everything, production);
	expect(description).toContain(entry);
});
