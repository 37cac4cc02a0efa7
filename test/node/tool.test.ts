/** What an AI agent gets that runs the node as a tool: it sees neither hints nor what n8n cuts off. */
import { jsonOf, urlsOf, iceland, icelanders, useService } from './useService';

const shared = useService();
const { customer } = shared;
const asTool = { asTool: true };

test.each([
	['none', {}],
	['Email Status alone', { emailStatus: 'verified' }],
])('a paid search with no filter (%s) is refused before anything is sent', async (_, filters) => {
	const buyer = customer();
	const { items } = await buyer.search({ filters, limit: 5 }, asTool);
	expect(jsonOf(items)).toEqual([
		{
			error: "'Filters' holds no filter, so a search would buy from the whole database",
			message:
				'Set at least one filter beside Email Status. Count and Preview are free without any.',
		},
	]);
	expect(buyer.account.spent.apiCredits).toBe(0);
	expect(shared.service.admin.requests({ account: buyer.account.id })).toEqual([]);
});

test('a preview needs none', async () => {
	const { items } = await customer().preview({ limit: 5 }, asTool);
	expect(items).toHaveLength(5);
});

test('what can be read whole comes without a note', async () => {
	const { items } = await customer().search({ filters: iceland, limit: 500 }, asTool);
	expect(urlsOf(items)).toEqual(icelanders.slice(0, 500));
});

test('a result longer than n8n shows begins with a note of how many rows can be read', async () => {
	const { items } = await customer().search({ filters: iceland, limit: 2_000 }, asTool);
	const [first = {}, ...rows] = jsonOf(items);
	expect(rows).toHaveLength(2_000);
	const [, read = '', all = ''] =
		/about the first (\d+) of (\d+) rows can be read/.exec(first.note as string) ?? [];
	expect(Number(all)).toBe(2_000);
	expect(JSON.stringify(rows.slice(0, Number(read))).length).toBeLessThanOrEqual(200_001);
	expect(JSON.stringify(rows.slice(0, Number(read) + 1)).length).toBeGreaterThan(200_000);
});

test('to a workflow, no result is too long', async () => {
	const { items } = await customer().search({ filters: iceland, limit: 2_000 });
	expect(urlsOf(items)).toEqual(icelanders.slice(0, 2_000));
});

test('what cut a result that is too long is said where it is read', async () => {
	const parameters = { filters: iceland, limit: 1_000, options: { maxCredits: 900 } };
	const { items } = await customer().search(parameters, asTool);
	expect(jsonOf(items)[0]?.note).toMatch(
		/ of 900 rows can be read\. .* This result is cut: .* Max Credits per Execution \(900 credits\)/,
	);
});
