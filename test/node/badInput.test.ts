/** Tests that bad values are rejected before a request is sent, with a message that names the parameter and its values. */
import type { INodeParameters } from 'n8n-workflow';

import { createTrigger } from './pollCore';
import { wordsOf } from '../sampleMessages';
import { iceland, matching, useService, type RunOptions } from './useService';

const shared = useService();
const { customer } = shared;

const url = 'https://www.linkedin.com/in/somebody';

type Rejected = [message: string, ...parameters: INodeParameters[]];

const noProfile = 'which is no LinkedIn profile';
const missingField = "an expression that returns nothing: the field that it names doesn't exist";
const missingValue =
	"which an expression returns for a field that doesn't exist or that is an object";
const label = 'Other Filters (JSON)';
const LOOK_UP: Rejected[] = [
	["'LinkedIn URLs' is empty", { linkedinUrls: ' , ,, ' }],
	[`'LinkedIn URLs' contains 'acme.com', ${noProfile}`, { linkedinUrls: `${url}, acme.com` }],
	[
		`'LinkedIn URLs' contains 4 entries that are no LinkedIn profiles: 'acme.com', '…${'x'.repeat(39)}…, '7', '${url}…' (truncated, or not alone on its line)`,
		{ linkedinUrls: `${url}, acme.com, ${'x'.repeat(300)}, 7, ${url}…` },
	],
	[
		`'LinkedIn URLs' contains 23 entries that are no LinkedIn profiles: ${"'a.b', ".repeat(20)}and 3 more: no LinkedIn profile (2); a short link (1)`,
		{ linkedinUrls: `${'a.b, '.repeat(22)}https://lnkd.in/x` },
	],
	[`'LinkedIn URLs' contains {"a":1}, ${noProfile}`, { linkedinUrls: '={{ [{ a: 1 }] }}' }],
	[`'LinkedIn URLs' is ${missingField}`, { linkedinUrls: '={{ $json.linkedin_url }}' }],
	[
		`'LinkedIn URLs' contains 'https://lnkd.in/eXyZ12', which is a short link`,
		{ linkedinUrls: `${url}, https://lnkd.in/eXyZ12` },
		{ linkedinUrls: `={{ ['${url}', 'https://lnkd.in/eXyZ12'] }}` },
	],
];
const FILTERS: Rejected[] = [
	...['[1]', '{"a": 5', 'null'].map((otherFilters): Rejected => [
		`'${label}' is '${otherFilters}', not a JSON object`,
		{ otherFilters },
	]),
	// Other Filters can't set paging and limits, even with an escaped name or an expression.
	...[
		'_page',
		'_per_page',
		'max_results',
		'_include_raw',
		'include_emails',
		'include_phones',
		'maxResults',
	].map((name): Rejected => [
		`'${label}' can't set '${name}'`,
		{ otherFilters: `{"${name}": 100000}` },
		{ otherFilters: `{"a": 1, "${name.replace('_', '\\u005f')}": 1}` },
		{ otherFilters: `={{ ({ ${name}: null }) }}` },
	]),
	["'Email Status' is 'sure', which isn't one of its options", { emailStatus: "={{ 'sure' }}" }],
	[
		"'Job Titles' contains a value that is neither text nor a number",
		{ jobTitles: '={{ { a: 1 } }}' },
	],
	[`'Email Status' is ${missingField}`, { emailStatus: '={{ $json.status }}', jobTitles: 'CEO' }],
	...(
		[
			[
				`is ${missingField}`,
				'={{ $json.x }}\n',
				'=\n{{ $json.x }}\t\r\n',
				'=Iceland, {{ $json.x }}',
			],
			[`is ${missingField}`, '={{ [$json.x] }}, Iceland', '={{ $json.x * 2 }}, Iceland'],
			[`contains ${missingField}`, '={{ [$json.x, "Iceland"] }}\n'],
			[`contains 'undefined', ${missingValue}`, '={{ `${$json.x}` }}'],
			[`contains 'NaN', ${missingValue}`, '={{ $json.x * 2 }}'],
			[`contains '[object Object]', ${missingValue}`, '={{ $json }}, Iceland'],
		] as const
	).map(([problem, ...all]): Rejected => [
		`'Person Country' ${problem}`,
		...all.map((personLocationCountry) => ({ personLocationCountry, jobTitles: 'CEO' })),
	]),
	...(
		[
			[`is ${missingField}`, '={"company_size": ["{{ $json.size }}"]}', '={{ $json.filters }}\n'],
			[
				`sets 'company_size' to ${missingField}`,
				'={{ ({ company_size: [{ from: $json.size }] }) }}',
			],
			[
				`sets 'company_size' to 'undefined', ${missingValue}`,
				'={{ ({ company_size: [`${$json.size}`] }) }}',
			],
			...['jobTitles', 'job_title', 'JOB-TITLES', 'personLocationCountries', 'emailStatus'].map(
				(name) =>
					[`sets '${name}', a name that the service does not know`, `{"${name}": 1}`] as const,
			),
		] as const
	).map(([problem, ...all]): Rejected => [
		`'${label}' ${problem}`,
		...all.map((otherFilters) => ({ otherFilters, jobTitleSeniority: 'cxo' })),
	]),
	[
		"'Person Country' contains 'Korea, Republic of' next to other values: it can be one value or two",
		{ personLocationCountry: 'Korea, Republic of\nGermany' },
	],
	// The service would get only one of the two values.
	[
		`'${label}' sets 'job_titles', which another filter already sets`,
		{ jobTitles: 'CEO', otherFilters: '{"job_titles": ["CTO"]}' },
	],
	[
		`'${label}' sets 'email_status', which another filter already sets`,
		{ emailStatus: 'all', otherFilters: '{"email_status": "likely"}' },
	],
];

type Case = [operation: 'lookUp' | 'search' | 'preview', ...Rejected];
test.each<Case>([
	...LOOK_UP.map((one): Case => ['lookUp', ...one]),
	...FILTERS.map(([message, ...all]): Case => {
		return ['search', message, ...all.map((filters) => ({ filters }))];
	}),
	['preview', "'Base URL' is empty", { baseUrl: '' }],
])(
	'a %s is rejected before a request is sent, with the message "%s", if its parameters are %j',
	async (operation, message, ...all) => {
		const before = shared.service.admin.requests().length;
		for (const parameters of all) {
			const result = await customer()[operation](parameters);
			expect(result).toMatchObject({ message, error: { name: 'NodeOperationError' }, json: [] });
			expect(result.description).toMatch(/^(Set|Write|Remove|Choose|Check) |\?\? ''/);
			// Messages that list several entries may be longer.
			if (!/\d entries/.test(message))
				expect(wordsOf(`${message}. ${result.description ?? ''}`).length).toBeLessThanOrEqual(40);
		}
		expect(shared.service.admin.requests()).toHaveLength(before);
	},
);

type UnknownName = [operation: Case[0] | 'count', collection: 'filters' | 'options', name: string];
const acceptedNames = {
	filters:
		/'Filters' accepts ('emailStatus', )?'jobTitleSeniority', 'jobTitles', 'otherFilters', 'personLocationCountry'\. Write any other field of the service into 'otherFilters'\.$/,
	options:
		/'Options' accepts '\w+', .*'timeout'.*\. The limits on rows and credits are parameters of the node itself\.$/,
};

describe('Unknown names in a collection', () => {
	test.each<UnknownName>([
		['search', 'filters', 'job_titles'],
		['count', 'filters', 'country'],
		['preview', 'filters', 'limit'],
		['search', 'options', 'max_credits'],
		['lookUp', 'options', 'includeInputFields'],
	])(
		"a %s whose %s contain the unknown name '%s' is rejected, and the accepted names are listed",
		async (operation, collection, name) => {
			const before = shared.service.admin.requests().length;
			const parameters = { linkedinUrls: url, [collection]: { [name]: 'Iceland' } };
			const { message, description } = await customer()[operation](parameters);
			expect(message).toMatch(/^'(Filters|Options)' contains an unknown name, '\w+'$/);
			expect(message).toContain(`'${name}'`);
			expect(description).toMatch(
				/^Remove it from the workflow's JSON, or replace the node with a new one\. /,
			);
			expect(description).toMatch(acceptedNames[collection]);
			expect(shared.service.admin.requests()).toHaveLength(before);
		},
	);

	test('one message lists all unknown names of a collection, also if it contains known names', async () => {
		const filters = { job_titles: 'CEO', country: 'Iceland', jobTitleSeniority: 'cxo' };
		expect(await customer().search({ filters, returnAll: true })).toMatchObject({
			spent: 0,
			message: "'Filters' contains unknown names, 'job_titles' and 'country'",
		});
	});

	test('an option of another operation is ignored after the user changes the operation', async () => {
		const filters = { ...iceland, emailStatus: 'verified' };
		const { json } = await customer().count({ filters, options: { skip: 5, unmatched: 'x' } });
		expect(json).toMatchObject([{ count: 2_350 }]);
	});

	test.each([
		['filters', ['Iceland']],
		['options', 7],
	])('a search is rejected if its %s are %j instead of a collection', async (collection, value) => {
		const { message, spent } = await customer().search({ [collection]: value });
		expect(message).toMatch(/^'(Filters|Options)' is .+, not an object$/);
		expect(spent).toBe(0);
	});

	test('the trigger rejects unknown names in its collections', async () => {
		const { poll, spent } = await createTrigger(shared, { options: { max_credits: 5 } });
		await expect(poll()).rejects.toMatchObject({
			description: matching(/'maxCreditsInTotal'.* credits are parameters of the node itself\.$/),
		});
		expect(spent()).toBe(0);
	});
});

test.each<[string, string, string, unknown[]]>([
	// Points and commas are rejected, because they can be decimal points or thousands separators.
	[
		...(['Limit', 'limit', '1 to 100,000'] as const),
		[0, -1, 1.5, 100_001, true, NaN, '10 leads', { a: 1 }, '1.000', '1,5', '=5.000', '1e3', '0x10'],
	],
	// An expression that returns nothing is rejected, because it doesn't mean that the user wants no limit.
	[
		...(['Max Credits', 'maxCredits', '1'] as const),
		[0, 'x', '={{ null }}', "={{ '' }}", ' ', "={{ '1,000' }}", "1'000", '1 000', '1_000'],
	],
	['Skip', 'options.skip', '0 to 99,999', [-1, 100_000, 'x', "={{ '5.000' }}"]],
	['Page Size', 'options.pageSize', '1 to 100,000', [0, 1.5, 100_001]],
	['Parallel Pages', 'options.parallelPages', '1 to 10', [0, 11, 'many', null]],
	['Max Retries', 'options.maxRetries', '0 to 10', [-1, 11]],
	['Timeout (Seconds)', 'options.timeout', '1 to 3,600', [0, 3_601]],
	['Reuse Paid Results (Minutes)', 'options.reusePaidResults', '0 to 1,440', [-1, 1_441]],
])(
	'%s (%s) must be a whole number from %s, so %j are rejected',
	async (name, path, range, rejected) => {
		for (const value of rejected as INodeParameters[]) {
			const [option, inOptions] = path.split('.').reverse() as [string, string?];
			const parameters = { [option]: value };
			const { message, description, spent } = await customer().search(
				inOptions === undefined ? parameters : { options: parameters },
			);
			expect(message).toMatch(
				new RegExp(`^'${name.replace(/[()]/g, '\\$&')}' is (empty$|.+, not)`),
			);
			expect(description).toBe(
				`Set '${name}' to a whole number ${range === '1' ? 'of at least' : 'from'} ${range}, written in digits only.`,
			);
			expect(spent).toBe(0);
		}
	},
);

test.each<[string, NonNullable<RunOptions['credential']>, string]>([
	[
		'Base URL',
		{ baseUrl: 'https://me:secret@leads.example.com' },
		'contains a user name or password, which belong in a credential',
	],
	[
		'API Key',
		{ apiKey: 'a secret' },
		'contains a space, a line break or a character that keys never contain',
	],
	['Authentication', { authentication: 'other' }, "is 'other', which isn't one of its options"],
	['Credit Ceiling', { creditCeiling: '={{ null }}' }, 'is empty'],
	[
		'Credit Ceiling',
		{ creditCeiling: "={{ '1.000' }}" },
		"is '1.000', not a whole number of at least 0",
	],
])('a bad value of %s in the credential is rejected: %j', async (name, credential, problem) => {
	const { message, description, pages } = await customer().search({}, { credential });
	expect(message).toBe(`'${name}' in the credential ${problem}`);
	expect(pages).toEqual([]);
	expect(description).not.toContain('secret');
});
