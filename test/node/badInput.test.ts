/** What can't be used is refused before anything is sent, with the parameter, the item and what to write. */
import type { INodeParameters } from 'n8n-workflow';

import { byCountry, first, iceland, useService, type RunOptions } from './useService';

const shared = useService();
const { customer } = shared;

const url = 'https://www.linkedin.com/in/somebody';

type Cases = Record<string, INodeParameters>;

const LOOK_UP: Cases = {
	"'LinkedIn URLs' is empty": { linkedinUrls: ' , ,, ' },
	"'LinkedIn URLs' holds 'acme.com', which is no LinkedIn profile": {
		linkedinUrls: `${url}, acme.com`,
	},
	"'LinkedIn URLs' holds 'acme.com' and 2 more, which are no LinkedIn profiles": {
		linkedinUrls: `${url}, acme.com, ${'x'.repeat(300)}, 7`,
	},
	[`'LinkedIn URLs' holds {"a":1}, which is no LinkedIn profile`]: {
		linkedinUrls: '={{ [{ a: 1 }] }}',
	},
	"'Page Size' is 0, not a whole number from 1 to 100,000": {
		...{ linkedinUrls: url, options: { pageSize: 0 } },
	},
};
const SEARCH: Cases = {
	"'Limit' is 0, not a whole number from 1 to 100,000": { limit: 0 },
	"'Max Credits per Execution' is 0, not a whole number from 1": { options: { maxCredits: 0 } },
	"'Skip' is -1, not a whole number from 0 to 99,999": { options: { skip: -1 } },
};
const FILTERS: Cases = {
	"'Other Filters (JSON)' is '[1]', not a JSON object": { otherFilters: '[1]' },
	"'Other Filters (JSON)' can't set 'max_results'": { otherFilters: '{"max_results": 1}' },
	"'Email Status' is 'sure', which is none of its options": { emailStatus: "={{ 'sure' }}" },
	"'Person Country' is an expression that gives nothing: the field it names is not there": {
		...byCountry,
	},
	"'Other Filters (JSON)' sets 'company' to an expression that gives nothing: the field it names is not there":
		{ otherFilters: '={{ ({ company: $json.company }) }}' },
	"'Job Titles' is empty, and no other filter is left": {
		jobTitles: '={{ [] }}',
		emailStatus: 'all',
	},
};

test.each([
	...Object.entries(LOOK_UP).map((one) => ['lookUp', ...one] as const),
	...Object.entries(SEARCH).map((one) => ['search', ...one] as const),
	...Object.entries(FILTERS).map(([message, filters]) => ['search', message, { filters }] as const),
	['preview', "'Base URL' is empty", { baseUrl: '' }] as const,
])('%s: %s: %j', async (operation, message, parameters) => {
	const before = shared.service.admin.requests().length;
	const { error, json, description } = await customer()[operation](parameters);
	expect(error).toMatchObject({ message, name: 'NodeOperationError' });
	expect(description).toMatch(/^(Set|Write|Take|Choose) |Give '|\?\? ''/);
	expect(json).toEqual([]);
	expect(shared.service.admin.requests()).toHaveLength(before);
});

test.each<[string, NonNullable<RunOptions['credential']>, string]>([
	['Base URL', { baseUrl: 'leads.example.com' }, 'does not start with https:// or http://'],
	['Base URL', { baseUrl: ' ' }, 'is empty'],
	[
		'Base URL',
		{ baseUrl: 'https://me:secret@leads.example.com' },
		'holds a user name or password, which belong in a credential',
	],
	['API Key', { apiKey: '' }, 'is empty'],
	['API Key', { apiKey: 'a secret' }, 'holds a space, a line break or a character that no key has'],
	['Credit Ceiling', { creditCeiling: '' }, 'is empty'],
	['Credit Ceiling', { creditCeiling: 'many' }, "is 'many', not a whole number from 0"],
])('%s in the credential: %j', async (label, credential, complaint) => {
	const { message, description, pages } = await customer().search({}, { credential });
	expect(message).toBe(`'${label}' in the credential ${complaint}`);
	expect(pages).toEqual([]);
	expect(description).not.toContain('secret');
});

test('a Base URL pasted with a path after it causes no harm', async () => {
	const baseUrl = ` ${shared.service.baseUrl}/API/linkedin/lookup/ `;
	const { urls } = await customer().search({ limit: 1 }, { credential: { baseUrl } });
	expect(urls).toHaveLength(1);
});

test('beside another filter, one that comes to nothing counts as none', async () => {
	const filters = { ...iceland, jobTitles: '', jobTitleSeniority: '={{ null }}' };
	const { urls } = await customer().search({ limit: 5, filters });
	expect(urls).toEqual(first(5));
});
