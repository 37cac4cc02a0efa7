/** Tests the results of tools. An AI agent sees no hints, and n8n truncates long results. */
import type { INodeParameters } from 'n8n-workflow';

import { first, iceland, matching, createExecutionIds, raw, useService } from './useService';

const { customer } = useService();
const asTool = { asTool: true };

test('a preview of a tool without a filter returns its leads and a note', async () => {
	expect((await customer().preview({ limit: 5 }, asTool)).items).toHaveLength(6);
});

test('the last item of a tool says what the call cost, and all calls of the execution so far', async () => {
	const { search } = customer();
	const call = { ...asTool, ...createExecutionIds() };
	const noteOf = async (parameters: INodeParameters) =>
		(await search(parameters, call)).json.at(-1);
	expect(await noteOf({ filters: iceland, limit: 50 })).toEqual({
		note: "50 leads for 50 credits; 46 with an email (43 with a work email). There may be more leads. To get the next leads, set 'Skip' to 50.",
		usage: { credits: 50, creditsSoFar: 50, requests: 1 },
	});
	expect(await noteOf({ filters: iceland, limit: 60 })).toEqual({
		note: matching(
			/^60 leads for 10 credits; 54 with an email \(50 with a work email\); 60 credits by this node in this execution so far\. 50 of 60 leads were reused for 0 credits\. They are free until \d\d:\d\d, in this n8n process\. There may be more leads\. To get the next leads, set 'Skip' to 60\.$/,
		),
		usage: { credits: 10, creditsSoFar: 60, requests: 1 },
	});
});

test('an agent that requests exactly the leads of a list that is known to end reads of no more', async () => {
	const { search } = customer();
	const filters = { ...iceland, jobTitles: 'Founder' };
	const { json: all } = await search({ filters, limit: 400 }, asTool);
	const { length: leads } = all.slice(0, -1);
	const { json } = await search({ filters, limit: leads }, asTool);
	expect(json).toHaveLength(leads + 1);
	expect(json.at(-1)?.note).not.toContain('There may be more');
});

test.each<[string, INodeParameters, number, string]>([
	['400 leads with Limit 2,000', { limit: 2_000 }, 400, 'the 2,000 leads that you requested'],
	[
		'100 leads with all fields',
		{ limit: 2_000, output: 'raw' },
		100,
		'the 2,000 leads that you requested',
	],
	['400 leads with Return All', { returnAll: true }, 400, 'all leads that match'],
])('a tool buys only %s, because an agent can read no more', async (_, parameters, rows, whole) => {
	const buyer = customer();
	const { json } = await buyer.search({ filters: iceland, ...parameters }, asTool);
	expect([json.length, buyer.spent()]).toEqual([rows + 1, rows]);
	expect(json.at(-1)?.note).toContain(
		`These are the first ${rows} of ${whole}: an agent can't read more at once. To get the next leads, set 'Skip' to ${rows}.`,
	);
	const next = await buyer.search({ filters: iceland, limit: 5, skip: rows }, asTool);
	expect(next.urls.slice(0, 5)).toEqual(first(rows + 5).slice(rows));
});

test('the message about a reached limit names the Skip of the first missing lead, even if later leads are cached', async () => {
	const { search, spent } = customer();
	const call = { ...asTool, ...createExecutionIds() };
	await search({ filters: iceland, skip: 10, limit: 5, maxCredits: 9 }, call);
	const { json } = await search({ filters: iceland, limit: 30, maxCredits: 9 }, call);
	expect(json.map(({ message }) => message)).toContainEqual(
		matching(/ Only a user can raise this limit\. To continue later, set 'Skip' to 4\.$/),
	);
	expect(spent()).toBe(9);
});

test('a lookup of more profiles than an agent can read says how many URLs are left', async () => {
	const { lookUp } = customer();
	const linkedinUrls = first(405).join('\n');
	const { json } = await lookUp({ linkedinUrls, options: { onlyWithEmails: false } }, asTool);
	expect(json).toHaveLength(401);
	expect(json.at(-1)?.note).toContain(
		"5 URLs were not looked up, because an agent can't read more at once. Request them in another call.",
	);
});

test('a result that n8n will truncate starts with a note that says how many rows the agent can read', async () => {
	const preview_data = Array.from({ length: 100 }, (_, id) => ({ id, text: 'x'.repeat(3_000) }));
	const long = raw(JSON.stringify({ preview_data, has_more: false }));
	const { search } = customer({ faults: [long] });
	const { json } = await search({ filters: iceland, limit: 100, output: 'raw' }, asTool);
	const [note = {}, ...rows] = json;
	expect(rows).toHaveLength(100);
	const [, readable = '', all = ''] =
		/about the first (\d+) of (\d+) rows can be read/.exec(note.note as string) ?? [];
	expect(Number(all)).toBe(100);
	expect(JSON.stringify(rows.slice(0, Number(readable))).length).toBeLessThanOrEqual(200_001);
	expect(JSON.stringify(rows.slice(0, Number(readable) + 1)).length).toBeGreaterThan(200_000);
});

describe('Results without rows', () => {
	const noMatchFilters = { personLocationCountry: 'Atlantis' };
	const unknown = { linkedinUrls: 'https://www.linkedin.com/in/nobody-at-all' };
	const noMatch =
		"No leads match where 'Person Country' is 'Atlantis'. For a country, write 'United States', not 'USA'.";
	const notFound =
		"1 URL has no profile, or one without an email ('Only With Emails' is on). To return it, set 'Unmatched URLs' under Options.";

	test.each([
		['search', { filters: noMatchFilters }, '0 leads for 0 credits. ', noMatch],
		['preview', { filters: noMatchFilters }, '', noMatch],
		['lookUp', unknown, '0 of 1 profile for 0 credits. ', notFound],
	] as const)(
		'the result of a %s without rows says why, in a note to an agent and in a warning to a workflow',
		async (operation, parameters, cost, note) => {
			const { json: notes } = await customer()[operation](parameters, asTool);
			expect(notes).toMatchObject([{ note: cost + note }]);
			expect('usage' in (notes[0] ?? {})).toBe(operation !== 'preview');
			// A workflow gets a hint instead, because later nodes would process a note as an item.
			const { json, warnings } = await customer()[operation](parameters);
			expect(json).toEqual([]);
			expect(warnings.join(' ')).toBe(note);
		},
	);
});

test.each([
	[
		'search',
		{ filters: { personLocationCountry: 'Atlantis' } },
		"Turn on 'Always Output Data' under Settings, and remove the empty item with an If node before you write: {{ $json.isEmpty() }}.",
	],
	[
		'lookUp',
		{ linkedinUrls: 'https://www.linkedin.com/in/x-y-z' },
		'Look Up needs no loop: pass all items at once.',
	],
] as const)(
	'a %s without items warns in a loop, but not outside a loop or with Always Output Data',
	async (operation, parameters, advice) => {
		const { [operation]: run } = customer();
		const hint = `This round of the loop returns no items, so n8n ends the loop. ${advice}`;
		expect((await run(parameters, { inLoop: true })).warnings.at(-1)).toBe(hint);
		const others = [{}, { inLoop: true, alwaysOutputData: true }];
		for (const other of others) expect((await run(parameters, other)).warnings).not.toContain(hint);
	},
);

test("a lookup in a loop that returns items for profiles that weren't found has no warning", async () => {
	const linkedinUrls = 'https://www.linkedin.com/in/x-y-z';
	const parameters = { linkedinUrls, options: { unmatched: 'returnAsNotFound' } };
	expect((await customer().lookUp(parameters, { inLoop: true })).warnings).toEqual([]);
});
