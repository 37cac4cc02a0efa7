/** What can't be used is refused before anything is sent, with the parameter, the item and what to write. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { iceland, icelanders, urlsOf, useService } from './useService';

const shared = useService();
const { customer } = shared;

type Operation = 'search' | 'lookUp' | 'preview';
type Case = [name: string, Operation, INodeParameters, message: string];

const url = 'https://www.linkedin.com/in/somebody';

const CASES: Case[] = [
	...['', '={{ [] }}', ' , ,, '].map((linkedinUrls): Case => [
		`'${linkedinUrls}' for LinkedIn URLs`,
		'lookUp',
		{ linkedinUrls },
		"'LinkedIn URLs' is empty",
	]),
	[
		'a company page',
		'lookUp',
		{ linkedinUrls: `${url}, https://www.linkedin.com/company/acme` },
		"'LinkedIn URLs' holds 'https://www.linkedin.com/company/acme', which is no LinkedIn profile",
	],
	[
		'several that are no profiles',
		'lookUp',
		{ linkedinUrls: `${url}, acme.com, ${'x'.repeat(300)}, 7` },
		"'LinkedIn URLs' holds 'acme.com' and 2 more, which are no LinkedIn profiles",
	],
	[
		'an object among the URLs',
		'lookUp',
		{ linkedinUrls: '={{ [{ a: 1 }] }}' },
		`'LinkedIn URLs' holds {"a":1}, which is no LinkedIn profile`,
	],
	...[0, -1, 1.5, 100_001, 'many'].map((limit): Case => [
		`a Limit of ${limit}`,
		'search',
		{ limit },
		`'Limit' is ${limit === 'many' ? "'many'" : limit}, not a whole number from 1 to 100,000`,
	]),
	[
		'Max Credits per Execution of 0',
		'search',
		{ options: { maxCredits: 0 } },
		"'Max Credits per Execution' is 0, not a whole number from 1",
	],
	[
		'a Skip below 0',
		'search',
		{ options: { skip: -1 } },
		"'Skip' is -1, not a whole number from 0 to 99,999",
	],
	[
		'a Page Size of 0',
		'lookUp',
		{ linkedinUrls: url, options: { pageSize: 0 } },
		"'Page Size' is 0, not a whole number from 1 to 100,000",
	],
	...['{company_size: 3}', '[1]'].map((otherFilters): Case => [
		`Other Filters of ${otherFilters}`,
		'search',
		{ filters: { otherFilters } },
		`'Other Filters (JSON)' is '${otherFilters}', not a JSON object`,
	]),
	...['_page', '_per_page', 'max_results', '_include_raw'].map((name): Case => [
		`Other Filters that set ${name}`,
		'search',
		{ filters: { otherFilters: JSON.stringify({ [name]: 1 }) } },
		`'Other Filters (JSON)' can't set '${name}'`,
	]),
	[
		'a filter that names a field that is not there',
		'search',
		{ filters: { personLocationCountry: '={{ $json.country }}' } },
		"'Person Country' is an expression that gives nothing: the field it names is not there",
	],
	[
		'Other Filters that name one',
		'search',
		{ filters: { otherFilters: '={{ ({ company: $json.company }) }}' } },
		"'Other Filters (JSON)' sets 'company' to an expression that gives nothing: the field it names is not there",
	],
	...Object.entries<IDataObject>({
		'Person Country': { personLocationCountry: '={{ null }}' },
		'Job Titles': { jobTitles: '={{ [] }}', emailStatus: 'all' },
		'Other Filters (JSON)': { otherFilters: '{}' },
	}).map(([label, filters]): Case => [
		`${label} alone, where it comes to nothing`,
		'search',
		{ returnAll: true, filters: filters as INodeParameters },
		`'${label}' is empty, and no other filter is left`,
	]),
	['no Base URL', 'preview', { baseUrl: '' }, "'Base URL' is empty"],
	[
		'a Base URL without scheme',
		'preview',
		{ baseUrl: 'leads.example.com' },
		"'Base URL' does not start with https:// or http://",
	],
];

test.each(CASES)('%s', async (_, operation, parameters, message) => {
	const before = shared.service.admin.requests().length;
	const { error, items } = await customer()[operation](parameters);
	expect(error?.message).toBe(message);
	expect(error?.name).toBe('NodeOperationError');
	expect(error?.description).toMatch(/^(Set|Write|Take) |Give '|\?\? ''/);
	expect(items).toEqual([]);
	expect(shared.service.admin.requests()).toHaveLength(before);
});

test('of several items, the one that is wrong is named', async () => {
	const input = [{ limit: 1 }, { limit: 0 }];
	const { error } = await customer().search({ limit: '={{ $json.limit }}' }, { input });
	expect(error?.message).toBe("'Limit' of input item 1 is 0, not a whole number from 1 to 100,000");
});

test.each([
	['Base URL', { baseUrl: 'leads.example.com' }, 'does not start with https:// or http://'],
	['Base URL', { baseUrl: ' ' }, 'is empty'],
	[
		'Base URL',
		{ baseUrl: 'https://me:secret@leads.example.com' },
		'holds a user name or password, which belong in a credential',
	],
	['API Key', { apiKey: '' }, 'is empty'],
	['API Key', { apiKey: 'a secret' }, 'holds a space, a line break or a character that no key has'],
])('%s in the credential: %j', async (label, credential, complaint) => {
	const { error } = await customer().search({}, { credential });
	expect(error?.message).toBe(`'${label}' in the credential ${complaint}`);
	expect(error?.description).not.toContain('secret');
});

test.each(['/', '//', '/api', '/api/', '/api/public/search', '/API/linkedin/lookup/'])(
	'a Base URL pasted with %s after it causes no harm',
	async (pasted) => {
		const baseUrl = ` ${shared.service.baseUrl}${pasted} `;
		const { items } = await customer().search({ limit: 1 }, { credential: { baseUrl } });
		expect(items).toHaveLength(1);
	},
);

test('beside another filter, one that comes to nothing counts as none', async () => {
	const filters = { ...iceland, jobTitles: '', jobTitleSeniority: '={{ null }}' };
	const { items } = await customer().search({ limit: 5, filters });
	expect(urlsOf(items)).toEqual(icelanders.slice(0, 5));
});

test('no filter at all means the whole database', async () => {
	const { items } = await customer().search({ limit: 5, filters: {} });
	expect(items).toHaveLength(5);
});
