/** Tests that nothing is bought by accident: each paid operation rejects what no user can have meant, and sends nothing. */
import type { INodeParameters } from 'n8n-workflow';

import { createTrigger } from './pollCore';
import { containing, first, iceland, useService } from './useService';

const shared = useService();
const { customer } = shared;

const noFilter = 'No filter is set, so the whole database matches';
const noField = "is an expression that returns nothing: the field that it names doesn't exist";

/** The ways in which the filters of a paid search get lost. */
const LOST_FILTERS: Array<[string, INodeParameters]> = [
	['no filters', { filters: {} }],
	['no filters and Return All', { filters: {}, returnAll: true, maxCredits: 5 }],
	['filters that are null', { filters: null }],
	['filters from an expression that gives an empty object', { filters: '={{ ({}) }}' }],
	['filters from an expression that gives an empty text', { filters: "={{ '' }}" }],
	['Email Status alone', { filters: { emailStatus: 'verified' } }],
	['empty fields of a form', { filters: { jobTitles: '', personLocationCountry: ' , ' } }],
	['an empty list', { filters: { jobTitleSeniority: [], emailStatus: 'likely' } }],
	['an expression that gives null', { filters: { personLocationCountry: '={{ null }}' } }],
	['Other Filters without fields', { filters: { otherFilters: '{"__proto__": {"a": 1}}' } }],
	['Other Filters with an empty list', { filters: { otherFilters: '{"job_titles": []}' } }],
	['Other Filters with empty values', { filters: { otherFilters: '{"city": ["", [], {}]}' } }],
	['Email Status in Other Filters', { filters: { otherFilters: '{"email_status": "likely"}' } }],
];

const UNUSABLE: Array<[string, INodeParameters, string]> = [
	...LOST_FILTERS.map(([name, parameters]): [string, INodeParameters, string] => [
		name,
		parameters,
		noFilter,
	]),
	[
		'an unknown filter',
		{ filters: { job_titles: 'CEO' } },
		"'Filters' contains an unknown name, 'job_titles'",
	],
	[
		"a parameter's name in Other Filters",
		{ filters: { otherFilters: '{"jobTitles": ["CEO"]}' } },
		"'Other Filters (JSON)' sets 'jobTitles', a name that the service does not know",
	],
	[
		'an unknown option',
		{ options: { max_credits: 5 } },
		"'Options' contains an unknown name, 'max_credits'",
	],
	[
		'an expression that gives nothing',
		{ filters: { personLocationCountry: '={{ ({}).country }}' } },
		`'Person Country' ${noField}`,
	],
	[
		'filters from an expression that gives nothing',
		{ filters: '={{ ({}).x }}' },
		`'Filters' ${noField}`,
	],
];

const NO_URLS: Array<[string, INodeParameters, string]> = [
	['no URL', {}, "'LinkedIn URLs' is empty"],
	[
		'a URL of no profile',
		{ linkedinUrls: 'acme.com' },
		"'LinkedIn URLs' contains 'acme.com', which is no LinkedIn profile",
	],
	[
		'an unknown option',
		{ linkedinUrls: first(1), options: { limit: 5 } },
		"'Options' contains an unknown name, 'limit'",
	],
	[
		'an expression that gives nothing',
		{ linkedinUrls: '={{ $json.url }}' },
		`'LinkedIn URLs' ${noField}`,
	],
];

type Operation = 'search' | 'lookUp';
const CASES = [
	...UNUSABLE.map(([...one]) => ['search', ...one] as const),
	...NO_URLS.map(([...one]) => ['lookUp', ...one] as const),
] satisfies Array<readonly [Operation, ...unknown[]]>;

test.each(CASES)('a %s with %s sends nothing, and one sentence says why', async (...row) => {
	const [operation, , parameters, message] = row;
	const before = shared.service.admin.requests().length;
	const result = await customer()[operation](parameters);
	expect(result).toMatchObject({ message, json: [], spent: 0 });
	expect(result.description).toMatch(/^(Set|Write|Remove|Check) /);
	expect(shared.service.admin.requests()).toHaveLength(before);
});

test.each(CASES)(
	'a tool for a %s with %s sends nothing, and the agent reads why',
	async (...row) => {
		const [operation, , parameters, error] = row;
		const before = shared.service.admin.requests().length;
		const { json } = await customer()[operation](parameters, { asTool: true });
		const message = expect.stringMatching(/^(Set|Write|Remove|Check) /) as string;
		expect(json).toEqual([{ error, message }, { usage: { credits: 0, requests: 0 } }]);
		expect(shared.service.admin.requests()).toHaveLength(before);
	},
);

test.each(UNUSABLE)(
	'a trigger with %s sends nothing, and a scheduled poll and a test say why',
	async (_, parameters, message) => {
		const before = shared.service.admin.requests().length;
		const { poll, workflow } = await createTrigger(shared, parameters);
		await expect(poll('manual')).rejects.toMatchObject({ message });
		await expect(poll()).rejects.toMatchObject({ message });
		expect(workflow.copies()).toEqual({});
		expect(shared.service.admin.requests()).toHaveLength(before);
	},
);

test('an activation without a filter only logs it, and a scheduled poll says it', async () => {
	const { workflow, publish } = await createTrigger(shared, { filters: {} });
	expect(await workflow.pollOnce()).toEqual([]);
	expect(workflow.reportedErrors).toEqual([]);
	expect(workflow.infos).toEqual([containing(noFilter)]);
	await expect(workflow.pollOnce()).rejects.toMatchObject({ message: noFilter });
	publish({ filters: iceland });
	expect(await workflow.poll()).toHaveLength(20);
});

test('an item whose filters got lost is named, and the others are searched if the workflow continues', async () => {
	const input = [{ country: 'Iceland' }, { country: '' }];
	const filters = { personLocationCountry: '={{ $json.country }}' };
	const { search, spent } = customer();
	const stopped = await search({ filters, limit: 3 }, { input });
	expect(stopped.message).toBe('No filter is set in input item 1, so the whole database matches');
	expect(spent()).toBe(0);
	const { errors } = await search(
		{ filters, limit: 3 },
		{ input, onError: 'continueRegularOutput' },
	);
	expect([errors.length, spent()]).toEqual([1, 3]);
});

test.each(['preview', 'count'] as const)('a %s works without a filter', async (operation) => {
	for (const [, parameters] of LOST_FILTERS.filter(([, { returnAll }]) => returnAll !== true))
		expect(await customer()[operation]({ limit: 2, ...parameters })).toMatchObject({
			message: undefined,
		});
});

describe('Commas', () => {
	const filters = { jobTitles: 'Vice President, Sales', personLocationCountry: '"Iceland"' };
	const readAs = "Job Titles was read as 2 values: 'Vice President', 'Sales'.";

	test.each([
		['search', { limit: 1 }, containing('1 lead for 1 credit')],
		['preview', { limit: 1 }, undefined],
		['count', {}, containing('Free. ')],
	] as const)('the box of a %s says how a line with a comma was read', async (...row) => {
		const [operation, parameters, firstLine] = row;
		const { infos } = await customer()[operation]({ ...parameters, filters });
		expect(infos[0]).toEqual(firstLine ?? readAs);
		expect(infos).toContain(readAs);
	});

	test('a tool tells an agent how a line with a comma was read', async () => {
		const { json } = await customer().preview({ limit: 1, filters }, { asTool: true });
		expect(json.at(-1)?.note).toContain(readAs);
	});

	test.each([
		['a value in quotes', '"Vice President, Sales"'],
		['values in several lines', 'Vice President\nSales'],
		['an array', '={{ ["Vice President", "Sales"] }}'],
		['a comma at the end', 'Vice President,'],
	])('the box says nothing about %s', async (_, jobTitles) => {
		const { infos } = await customer().search({ limit: 1, filters: { ...iceland, jobTitles } });
		expect(infos.join()).not.toContain('was read as');
	});

	test('the box names three of the lists that the input items have, and counts the others', async () => {
		const input = ['<b>, CEO', 'CTO, Owner', 'VP, CEO', 'Head, CEO', 'Chief, CEO', 'VP, CEO'].map(
			(title) => ({ title }),
		);
		const titles = { jobTitles: '={{ $json.title }}' };
		const { infos } = await customer().preview({ limit: 1, filters: titles }, { input });
		expect(infos).toEqual([
			"Job Titles was read as 2 values: '&lt;b&gt;', 'CEO'. Job Titles was read as 2 values: 'CTO', 'Owner'. Job Titles was read as 2 values: 'VP', 'CEO'. Commas separate the values of 2 lists more.",
		]);
	});
});

test("the box of Count starts with 'Free.', because its result names credits", async () => {
	const { infos, json } = await customer().count({ filters: iceland });
	expect(json).toMatchObject([{ credits: 2_350 }]);
	expect(infos).toEqual([
		'Free. "credits" and "usd…" are what a search for all of these leads would cost.',
	]);
	const agent = await customer().count({ filters: iceland }, { asTool: true });
	expect(agent.json).toEqual(json);
});

describe('The input items in a message', () => {
	const linkedinUrls = '={{ $json.url }}';
	const rows = [
		{ row_number: 2, name: 'Anna Berg', company: 'Acme', url: first(1)[0] },
		{ row_number: 3, name: 'Zoë O’Neil-Bell', company: 'Acme', url: '' },
	];
	const isEmpty = (place: string) => `'LinkedIn URLs' in ${place} is empty`;

	test('an item is named by its number and by what stands in it', async () => {
		const { message } = await customer().lookUp({ linkedinUrls }, { input: rows });
		expect(message).toBe(isEmpty("input item 1 (row_number 3, name 'Zoë O’Neil-Bell')"));
	});

	test('several items are named, and an agent or a loop reads the same', async () => {
		const input = [...rows, { name: 'Bo', url: '' }, { url: '' }, { url: '' }];
		const { message } = await customer().lookUp({ linkedinUrls }, { input });
		expect(message).toBe(
			isEmpty("4 input items (1: row_number 3, name 'Zoë O’Neil-Bell'; 2: name 'Bo'; 3 …)"),
		);
		const continued = { input, onError: 'continueRegularOutput' } as const;
		const { errors } = await customer().lookUp({ linkedinUrls }, continued);
		expect(errors.map(({ error }) => error)).toEqual([
			isEmpty("input item 1 (row_number 3, name 'Zoë O’Neil-Bell')"),
			isEmpty("input item 2 (name 'Bo')"),
			...['input item 3', 'input item 4'].map(isEmpty),
		]);
	});

	test('nothing that can be a key is quoted, because the credential may read its key from the item', async () => {
		const key = 'sk_live_1234567890';
		const secrets = [key, `Bearer ${key}`, ` ${key}\n`, 'abcdefghijklmnopqrstuvwxyz'];
		for (const secret of secrets) {
			const item = { key: secret, [key]: 'Anna', nested: { key: secret }, url: '' };
			const { message } = await customer().lookUp({ linkedinUrls }, { input: [item, ...rows] });
			expect(message).toContain('2 input items (0; 2: ');
		}
	});
});
