import type { INodeParameters } from 'n8n-workflow';

import { jsonOf, useService } from './useService';

const shared = useService();
const { customer } = shared;

type Operation = 'search' | 'lookUp' | 'preview';

const url = 'https://www.linkedin.com/in/somebody';

/** What is put in, by operation, and the message that it gets. */
const CASES: Array<[string, Operation, INodeParameters, string]> = [
	['no URL', 'lookUp', { linkedinUrls: '' }, "'LinkedIn URLs' of input item 0 is empty"],
	[
		'an empty list of URLs',
		'lookUp',
		{ linkedinUrls: '={{ [] }}' },
		"'LinkedIn URLs' of input item 0 is empty",
	],
	[
		'only commas',
		'lookUp',
		{ linkedinUrls: ' , ,, ' },
		"'LinkedIn URLs' of input item 0 is empty",
	],
	[
		'a company page',
		'lookUp',
		{ linkedinUrls: `${url}, https://www.linkedin.com/company/acme` },
		"'LinkedIn URLs' of input item 0 holds 'https://www.linkedin.com/company/acme', which is no LinkedIn profile",
	],
	[
		'an object among the URLs',
		'lookUp',
		{ linkedinUrls: '={{ [{ a: 1 }] }}' },
		"'LinkedIn URLs' of input item 0 holds a value that is no text",
	],
	...[0, -1, 1.5, 100_001].map((limit): [string, Operation, INodeParameters, string] => [
		`a Limit of ${limit}`,
		'search',
		{ limit },
		`'Limit' of input item 0 is ${limit}, not a whole number from 1 to 100,000`,
	]),
	[
		'a Limit that is no number',
		'search',
		{ limit: 'many' },
		"'Limit' of input item 0 is 'many', not a whole number from 1 to 100,000",
	],
	[
		'a Credit Budget of 0',
		'search',
		{ options: { maxCredits: 0 } },
		"'Credit Budget' of input item 0 is 0, not a whole number from 1",
	],
	[
		'a Skip below 0',
		'search',
		{ options: { skip: -1 } },
		"'Skip' of input item 0 is -1, not a whole number from 0 to 99,999",
	],
	[
		'a Page Size of 0',
		'lookUp',
		{ linkedinUrls: url, options: { pageSize: 0 } },
		"'Page Size' of input item 0 is 0, not a whole number from 1 to 100,000",
	],
	[
		'Other Filters that are no JSON',
		'search',
		{ filters: { otherFilters: '{company_size: 3}' } },
		"'Other Filters (JSON)' of input item 0 is '{company_size: 3}', not a JSON object",
	],
	[
		'Other Filters that are a list',
		'search',
		{ filters: { otherFilters: '[1]' } },
		"'Other Filters (JSON)' of input item 0 is '[1]', not a JSON object",
	],
	...['_page', '_per_page', 'max_results', '_include_raw'].map(
		(name): [string, Operation, INodeParameters, string] => [
			`Other Filters that set ${name}`,
			'search',
			{ filters: { otherFilters: JSON.stringify({ [name]: 1 }) } },
			`'Other Filters (JSON)' of input item 0 can't set '${name}'`,
		],
	),
	['no Base URL', 'preview', { baseUrl: '' }, "'Base URL' of input item 0 is empty"],
	[
		'a Base URL without scheme',
		'preview',
		{ baseUrl: 'leads.example.com' },
		"'Base URL' of input item 0 does not start with https:// or http://",
	],
];

describe('Bad input is refused before anything is sent', () => {
	test.each(CASES)('%s', async (_, operation, parameters, message) => {
		const buyer = customer();
		const before = shared.service.admin.requests().length;
		const { error, items } = await buyer[operation](parameters);
		expect(error?.message).toBe(message);
		expect(error?.name).toBe('NodeOperationError');
		expect(error?.description).toMatch(/^(Set|Write|Take) /);
		expect(items).toEqual([]);
		expect(shared.service.admin.requests()).toHaveLength(before);
		expect(buyer.account.spent.apiCredits).toBe(0);
	});

	test.each([
		['without scheme', 'leads.example.com', 'does not start with https:// or http://'],
		['that is empty', ' ', 'is empty'],
		[
			'that holds a password',
			'https://me:secret@leads.example.com',
			'holds a user name or password, which belong in a credential',
		],
	])('a Base URL %s in the credential', async (_, baseUrl, complaint) => {
		const { error } = await customer().search({}, { credential: { baseUrl } });
		expect(error?.message).toBe(`'Base URL' in the credential ${complaint}`);
		expect(error?.description).not.toContain('secret');
	});

	test.each([
		['that is empty', '', 'is empty'],
		['with a space in it', 'a b', 'holds a space, a line break or a character that no key has'],
	])('an API Key %s', async (_, apiKey, complaint) => {
		const { error } = await customer().search({}, { credential: { apiKey } });
		expect(error?.message).toBe(`'API Key' in the credential ${complaint}`);
	});
});

describe('A Base URL that was pasted in full causes no harm', () => {
	test.each(['/', '//', '/api', '/api/', '/api/public/search', '/API/linkedin/lookup/'])(
		'%s',
		async (pasted) => {
			const { error, items } = await customer().search(
				{ limit: 1 },
				{ credential: { baseUrl: ` ${shared.service.baseUrl}${pasted} ` } },
			);
			expect(error).toBeUndefined();
			expect(items).toHaveLength(1);
		},
	);
});

describe('With several input items', () => {
	const input = [{ limit: 1 }, { limit: 0 }, { limit: 2 }];
	const parameters = { limit: '={{ $json.limit }}' };

	test('one bad item stops the run before any of them is paid for', async () => {
		const buyer = customer();
		const { error } = await buyer.search(parameters, { input });
		expect(error?.message).toContain("'Limit' of input item 1 is 0");
		expect(buyer.requests()).toEqual([]);
	});

	test('with On Error set to continue, the others run and the bad one says why it did not', async () => {
		const buyer = customer();
		const { items } = await buyer.search(parameters, {
			input,
			onError: 'continueRegularOutput',
		});
		expect(jsonOf(items)).toHaveLength(4);
		expect(jsonOf(items)[1]).toMatchObject({
			error: "'Limit' of input item 1 is 0, not a whole number from 1 to 100,000",
			message: "Set 'Limit' to a whole number from 1 to 100,000.",
		});
		// The first lead of both is the same one.
		expect(buyer.account.spent.apiCredits).toBe(2);
	});

	test('a bad item goes to the error output, with the fields of its input item', async () => {
		const { items, errorItems } = await customer().search(parameters, {
			input,
			onError: 'continueErrorOutput',
		});
		expect(items).toHaveLength(3);
		expect(jsonOf(errorItems)).toMatchObject([
			{
				limit: 0,
				error: "'Limit' of input item 1 is 0, not a whole number from 1 to 100,000",
			},
		]);
	});
});
