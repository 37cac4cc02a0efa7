/** What an AI agent gets that runs the node as a tool: it sees neither hints nor what n8n cuts off. */
import { useService } from './useService';

const { customer } = useService();
const asTool = { asTool: true };

test.each([
	['none', {}],
	['Email Status alone', { emailStatus: 'verified' }],
])('a paid search with no filter (%s) is refused before anything is sent', async (_, filters) => {
	const { json, pages } = await customer().search({ filters, limit: 5 }, asTool);
	const error = "'Filters' holds no filter, so a search would buy from the whole database";
	const message =
		"Set 'Job Titles', 'Job Title Seniority' or 'Person Country'. Count and Preview are free without any.";
	expect(json).toEqual([{ error, message }]);
	expect(pages).toEqual([]);
});

test.each([
	['a preview needs no filter', 'preview', 5, asTool],
	['what can be read whole comes without a note', 'search', 500, asTool],
	['to a workflow, no result is too long', 'search', 2_000, {}],
] as const)('%s', async (_, operation, limit, run) => {
	expect((await customer()[operation]({ limit }, run)).items).toHaveLength(limit);
});

test('a result longer than n8n shows begins with a note of how many rows can be read', async () => {
	const { json } = await customer().search({ limit: 2_000 }, asTool);
	const [first = {}, ...rows] = json;
	expect(rows).toHaveLength(2_000);
	const [, read = '', all = ''] =
		/about the first (\d+) of (\d+) rows can be read/.exec(first.note as string) ?? [];
	expect(Number(all)).toBe(2_000);
	expect(JSON.stringify(rows.slice(0, Number(read))).length).toBeLessThanOrEqual(200_001);
	expect(JSON.stringify(rows.slice(0, Number(read) + 1)).length).toBeGreaterThan(200_000);
});

test('what cut a result that is too long is said where it is read', async () => {
	const { json } = await customer().search({ limit: 1_000, options: { maxCredits: 900 } }, asTool);
	expect(json[0]?.note).toMatch(
		/ of 900 rows can be read\. .* This result is cut: .* Max Credits per Execution \(900 credits\)/,
	);
});
