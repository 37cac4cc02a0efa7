/** What an AI agent gets that runs the node as a tool: it sees neither hints nor what n8n cuts off. */
import type { INodeParameters } from 'n8n-workflow';

import { iceland, oneExecution, useService } from './useService';

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
	['a preview needs no filter, and costs nothing to be told', 'preview', 5, asTool],
	['to a workflow, no result is too long, and none has a note', 'search', 2_000, {}],
] as const)('%s', async (_, operation, limit, run) => {
	expect((await customer()[operation]({ limit }, run)).items).toHaveLength(limit);
});

test('the last item tells an agent what a call cost, and all calls so far', async () => {
	const { search } = customer();
	const call = { ...asTool, ...oneExecution() };
	const noteOf = async (parameters: INodeParameters) =>
		(await search(parameters, call)).json.at(-1);
	expect(await noteOf({ filters: iceland, limit: 500 })).toEqual({
		note: '500 leads for 500 credits; 451 with an email.',
	});
	expect(await noteOf({ filters: iceland, limit: 510 })).toEqual({
		note: '510 leads for 10 credits; 461 with an email; 510 credits in this execution so far. 500 of 510 leads were paid for earlier in this execution and cost nothing now.',
	});
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
	const { json } = await customer().search({ limit: 1_000, maxCredits: 900 }, asTool);
	expect(json[0]?.note).toMatch(
		/ of 900 rows can be read\. .* This result is cut: .* 'Max Credits' \(900 credits\)/,
	);
});

describe('A result without rows says why', () => {
	const nobody = { personLocationCountry: 'Atlantis' };
	const unknown = { linkedinUrls: 'https://www.linkedin.com/in/nobody-at-all' };
	const noMatch =
		"No leads match where 'Person Country' is 'Atlantis'. Check the spelling of the filters, for example United States, not USA.";
	const notFound = "0 of 1 URL found. To get the others too, set 'Unmatched URLs' under Options.";

	test.each([
		['search', { filters: nobody }, '0 leads for 0 credits. ', noMatch],
		['preview', { filters: nobody }, '', noMatch],
		['lookUp', unknown, '0 profiles for 0 credits. ', notFound],
	] as const)('of a %s', async (operation, parameters, cost, note) => {
		expect((await customer()[operation](parameters, asTool)).json).toEqual([{ note: cost + note }]);
		// To a workflow it is a hint; an item would be one for each node that follows.
		const { json, warnings } = await customer()[operation](parameters);
		expect(json).toEqual([]);
		expect(warnings[0]).toBe(note);
	});
});

test.each([
	['search', { filters: { personLocationCountry: 'Atlantis' } }, ''],
	[
		'lookUp',
		{ linkedinUrls: 'https://www.linkedin.com/in/x-y-z' },
		', or give Look Up all items at once',
	],
] as const)(
	'a %s without items says what that means in a loop',
	async (operation, parameters, how) => {
		const hint = `This run returns no items, and n8n ends a loop at such a run. In a loop, turn on 'Always Output Data' under Settings${how}.`;
		expect((await customer()[operation](parameters)).warnings.at(-1)).toBe(hint);
		const { warnings } = await customer()[operation](parameters, { alwaysOutputData: true });
		expect(warnings).toHaveLength(1);
	},
);

test('where there are items, though none was found, a loop goes on', async () => {
	const parameters = { linkedinUrls: 'https://www.linkedin.com/in/x-y-z' };
	const options = { unmatched: 'secondOutput' };
	expect((await customer().lookUp({ ...parameters, options })).warnings).toEqual([]);
});
