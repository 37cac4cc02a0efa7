/** What can't be used is refused before anything is sent, with the parameter, the item and what to write. */
import type { INodeParameters } from 'n8n-workflow';

import { openTrigger } from './pollCore';
import { byCountry, first, iceland, useService, type RunOptions } from './useService';

const shared = useService();
const { customer } = shared;

const url = 'https://www.linkedin.com/in/somebody';

type Refused = [message: string, ...parameters: INodeParameters[]];

const noProfile = 'which is no LinkedIn profile';
const nothing = 'an expression that gives nothing: the field it names is not there';
const label = 'Other Filters (JSON)';
const LOOK_UP: Refused[] = [
	["'LinkedIn URLs' is empty", { linkedinUrls: ' , ,, ' }],
	[`'LinkedIn URLs' holds 'acme.com', ${noProfile}`, { linkedinUrls: `${url}, acme.com` }],
	[
		`'LinkedIn URLs' holds 4 entries that are no LinkedIn profiles: 'acme.com', '${'x'.repeat(79)}…, '7', '${url}…' (an address that was cut, or masked)`,
		{ linkedinUrls: `${url}, acme.com, ${'x'.repeat(300)}, 7, ${url}…` },
	],
	[
		`'LinkedIn URLs' holds 23 entries that are no LinkedIn profiles: ${"'a.b', ".repeat(20)}and 3 more: 2 that are no LinkedIn profiles; 1 short link`,
		{ linkedinUrls: `${'a.b, '.repeat(22)}https://lnkd.in/x` },
	],
	[`'LinkedIn URLs' holds {"a":1}, ${noProfile}`, { linkedinUrls: '={{ [{ a: 1 }] }}' }],
	[`'LinkedIn URLs' is ${nothing}`, { linkedinUrls: '={{ $json.linkedin_url }}' }],
	...(
		[
			['linkedin.com/sales/lead/ACwAAAB,NAME_SEARCH,x1Y', 'a Sales Navigator address'],
			['https://www.linkedin.com/talent/profile/AEMAAAB', 'a LinkedIn Recruiter address'],
			['https://www.linkedin.com/company/acme', 'a page of a company or school'],
			['https://lnkd.in/eXyZ12', 'a short link'],
			['https://www.linkedin.com/in/undefined', 'a field that is not there'],
			['https://www.linkedin.com/in/jos%E9', 'no name that LinkedIn allows'],
			['https://www.linkedin.com/in/anna-be…', 'an address that was cut, or masked'],
			['https://www.linkedin.com/in/an***', 'an address that was cut, or masked'],
			['https://www.linkedin.com/in/a/in/b', 'an address with several profiles in it'],
		] as const
	).map(([entry, what]): Refused => [
		`'LinkedIn URLs' holds '${entry}', which is ${what}`,
		{ linkedinUrls: `${url}, ${entry}` },
		{ linkedinUrls: `={{ ['${url}', '${entry}'] }}` },
	]),
];
const FILTERS: Refused[] = [
	...['[1]', '"{}"', '{"a": 5', "{'a': 1}", 'true', 'null'].map((otherFilters): Refused => [
		`'${label}' is '${otherFilters}', not a JSON object`,
		{ otherFilters },
	]),
	// Paging and limits, however they are written.
	...['_page', '_per_page', 'max_results', '_include_raw', 'include_emails', 'include_phones'].map(
		(name): Refused => [
			`'${label}' can't set '${name}'`,
			{ otherFilters: `{"${name}": 100000}` },
			{ otherFilters: `{"a": 1, "${name.replace('_', '\\u005f')}": 1}` },
			{ otherFilters: `={{ ({ ${name}: null }) }}` },
		],
	),
	["'Email Status' is 'sure', which is none of its options", { emailStatus: "={{ 'sure' }}" }],
	[
		"'Job Titles' holds a value that is neither text nor a number",
		...['={{ { a: 1 } }}', '={{ [{}] }}', '={{ true }}'].map((jobTitles) => ({ jobTitles })),
	],
	[`'Person Country' is ${nothing}`, { ...byCountry, jobTitles: 'CEO' }],
	[`'Email Status' is ${nothing}`, { emailStatus: '={{ $json.status }}', jobTitles: 'CEO' }],
	[`'${label}' is ${nothing}`, { otherFilters: '={{ $json.filters }}', jobTitles: 'CEO' }],
	[
		`'${label}' sets 'company' to ${nothing}`,
		{ otherFilters: '={{ ({ a: [1], company: $json.company }) }}' },
	],
	[
		"'Person Country' holds 'Korea, Republic of' beside other values, which can be one value or two",
		{ personLocationCountry: 'Korea, Republic of\nGermany' },
		{ personLocationCountry: "={{ 'Germany\\nKorea, Republic of' }}" },
	],
	// Else the whole database would match.
	...(
		[
			['Job Titles', { jobTitles: '' }, { jobTitles: ',', emailStatus: 'all' }],
			['Job Title Seniority', { jobTitleSeniority: [] }],
			['Person Country', { personLocationCountry: '={{ null }}' }],
			[label, { otherFilters: '  ' }, { otherFilters: '={{ null }}' }],
			[label, { otherFilters: '{}' }, { otherFilters: '={{ ({ city: null }) }}' }],
			[label, { otherFilters: '{"city": ["", []]}' }, { otherFilters: '{"__proto__": {"a": 1}}' }],
		] as Refused[]
	).map(([name, ...all]): Refused => [`'${name}' is empty, and no other filter is left`, ...all]),
	// One of the two would be lost.
	[
		`'${label}' sets 'job_titles', which another filter sets already`,
		{ jobTitles: 'CEO', otherFilters: '{"job_titles": ["CTO"]}' },
	],
	[
		`'${label}' sets 'email_status', which another filter sets already`,
		{ emailStatus: 'all', otherFilters: '{"email_status": "likely"}' },
	],
];

type Case = [operation: 'lookUp' | 'search' | 'preview', ...Refused];
test.each<Case>([
	...LOOK_UP.map((one): Case => ['lookUp', ...one]),
	...FILTERS.map(([message, ...all]): Case => {
		return ['search', message, ...all.map((filters) => ({ filters }))];
	}),
	['preview', "'Base URL' is empty", { baseUrl: '' }],
])('%s: %s: %j', async (operation, message, ...all) => {
	const before = shared.service.admin.requests().length;
	for (const parameters of all) {
		const result = await customer()[operation](parameters);
		expect(result).toMatchObject({ message, error: { name: 'NodeOperationError' }, json: [] });
		expect(result.description).toMatch(/^(Set|Write|Take|Choose|Check) |Give '|\?\? ''/);
	}
	expect(shared.service.admin.requests()).toHaveLength(before);
});

type Misnamed = [operation: keyof typeof RUN, written: INodeParameters, advice: string];
const misnamed = (
	operation: keyof typeof RUN,
	collection: 'filters' | 'options',
	all: Record<string, string>,
): Misnamed[] =>
	Object.entries(all).map(([name, advice]) => [
		operation,
		{ [collection]: { [name]: 'Iceland' } },
		advice.replaceAll('_', `'${name}'`),
	]);
const RUN = {
	search: (parameters: INodeParameters) => customer().search({ filters: {}, ...parameters }),
	preview: (parameters: INodeParameters) => customer().preview(parameters),
	count: (parameters: INodeParameters) => customer().count(parameters),
	lookUp: (parameters: INodeParameters) => customer().lookUp({ linkedinUrls: url, ...parameters }),
};
const titles = "Write 'jobTitles' (Job Titles) in place of _.";
const levels = "Write 'jobTitleSeniority' (Job Title Seniority) in place of _.";
const country = "Write 'personLocationCountry' (Person Country) in place of _.";
const others = "Write 'otherFilters' (Other Filters (JSON)) in place of _.";
const pageSize = "Write 'pageSize' (Page Size) in place of _.";
const skipped = "Write 'skip' (Skip) in place of _.";
const beside = (name: string) => `Write '${name}' beside 'options' in place of _.`;

describe('A name that a collection does not know is refused, with the right one', () => {
	test.each<Misnamed>([
		...misnamed('search', 'filters', {
			...{ job_titles: titles, jobTitle: titles, title: titles, role: titles },
			...{ job_title_seniority: levels, seniority: levels, levels },
			...{ person_location_country: country, country, countries: country, location: country },
			...{ personCountry: country, person_country: country },
			email_status: "Write 'emailStatus' (Email Status) in place of _.",
			...{ company: others, industry: others, companySize: others },
			limit: "Write 'limit' beside 'filters' in place of _.",
			maxResults: "Write 'limit' beside 'filters' in place of _.",
			skip: "Write 'skip' in 'options' in place of _.",
			zodiac:
				"Take _ out: 'Filters' has 'emailStatus', 'jobTitleSeniority', 'jobTitles', 'otherFilters', 'personLocationCountry'. A further field of the service goes into 'otherFilters'.",
		}),
		...misnamed('count', 'filters', { country, job_titles: titles }),
		...misnamed('preview', 'filters', { countries: country }),
		...misnamed('search', 'options', {
			...{ max_credits: beside('maxCredits'), maxCredits: beside('maxCredits') },
			...{ limit: beside('limit'), returnAll: beside('returnAll') },
			...{ page_size: pageSize, per_page: pageSize, _per_page: pageSize, pageLimit: pageSize },
			...{ offset: skipped, page: skipped },
			include_phones: "Write 'includePhones' (Include Phones) in place of _.",
			includePhone: "Write 'includePhones' (Include Phones) in place of _.",
			include_emails: "Write 'includeEmails' (Include Emails) in place of _.",
			timeoutSeconds: "Write 'timeout' (Timeout (Seconds)) in place of _.",
			reuse: "Write 'reusePaidResults' (Reuse Paid Results (Minutes)) in place of _.",
			maxCreditsInTotal: "Take _ out: 'Options' has 'includeEmails', ",
			country: "Write 'personLocationCountry' in 'filters' in place of _.",
		}),
		...misnamed('lookUp', 'options', {
			max_credits: beside('maxCredits'),
			includeInputFields: beside('includeInputFields'),
			alreadyLookedUp: "Take _ out: 'Options' has ",
			offset: "Take _ out: 'Options' has ",
		}),
	])('%s: %j: %s', async (operation, written, advice) => {
		const before = shared.service.admin.requests().length;
		const { message, description } = await RUN[operation](written);
		expect(message).toMatch(/^'(Filters|Options)' holds '\w+', a name that it doesn't know$/);
		expect(description?.slice(0, advice.length)).toBe(advice);
		expect(shared.service.admin.requests()).toHaveLength(before);
	});

	test('all of them are named at once', async () => {
		const filters = { job_titles: 'CEO', country: 'Iceland' };
		expect(await customer().search({ filters, returnAll: true })).toMatchObject({
			spent: 0,
			message: "'Filters' holds 'job_titles' and 'country', names that it doesn't know",
			description:
				"Write 'jobTitles' (Job Titles) in place of 'job_titles', and 'personLocationCountry' (Person Country) in place of 'country'.",
		});
	});

	test('once the right one is set, which the editor shows, the other counts no more', async () => {
		const filters = { country: 'Iceland', personLocationCountry: 'Iceland' };
		expect((await customer().search({ filters, limit: 2 })).urls).toEqual(first(2));
		const maximum = { options: { max_credits: 3 }, maxCredits: 3, filters: iceland };
		expect(await customer().search(maximum)).toMatchObject({ spent: 3, message: undefined });
	});

	test('what another operation has stays when people change to one that lacks it', async () => {
		const filters = { ...iceland, emailStatus: 'verified' };
		const { json } = await customer().count({ filters, options: { skip: 5, unmatched: 'x' } });
		expect(json).toMatchObject([{ count: 2_350 }]);
	});

	test.each([
		['filters', 'Iceland'],
		['filters', ['Iceland']],
		['options', 7],
	])('%s is a collection, and %j is none', async (collection, value) => {
		const { message, spent } = await customer().search({ [collection]: value });
		expect(message).toMatch(/^'(Filters|Options)' is .+, not an object$/);
		expect(spent).toBe(0);
	});

	test.each<[INodeParameters, string]>([
		[{ filters: { country: 'Iceland' } }, country],
		[{ options: { max_credits: 5 } }, beside('maxCreditsPerDay')],
		[{ options: { limit: 5 } }, beside('leadsPerPoll')],
		[
			{ options: { max_credits_in_total: 5 } },
			"Write 'maxCreditsInTotal' (Max Credits in Total) in place of _.",
		],
	])('the trigger: %j', async (written, advice) => {
		const { poll, spent } = await openTrigger(shared, written);
		const [name = ''] = Object.values(written).flatMap((collection) =>
			Object.keys(collection ?? {}),
		);
		await expect(poll()).rejects.toMatchObject({
			description: advice.replaceAll('_', `'${name}'`),
		});
		expect(spent()).toBe(0);
	});

	test('a collection may come by an expression', async () => {
		const input = [{ filters: iceland }];
		const { urls } = await customer().search(
			{ filters: '={{ $json.filters }}', limit: 2 },
			{ input },
		);
		expect(urls).toEqual(first(2));
	});
});

test.each<[string, string, string, unknown[]]>([
	['Limit', 'limit', '1 to 100,000', [0, -1, 1.5, 100_001, true, NaN, '1.5', '10 leads', { a: 1 }]],
	// A mark that can be a decimal point or separate thousands, as an expression gives it, too.
	['Limit', 'limit', '1 to 100,000', ['1.000', '1,5', "={{ '5.000' }}", '=5.000', '1e3', '0x10']],
	['Max Credits', 'maxCredits', '1', ['1.000', "={{ '1,000' }}", "1'000", '1 000', '1_000']],
	['Skip', 'options.skip', '0 to 99,999', ['1.000', "={{ '5.000' }}"]],
	['Page Size', 'options.pageSize', '1 to 100,000', [0, 100_001, '1.000']],
	['Parallel Pages', 'options.parallelPages', '1 to 10', [0, 11, 'many', null]],
	['Max Retries', 'options.maxRetries', '0 to 10', [-1, 11]],
	['Timeout (Seconds)', 'options.timeout', '1 to 3,600', [0, 3_601]],
	['Skip', 'options.skip', '0 to 99,999', [-1, 100_000, 'x']],
	['Reuse Paid Results (Minutes)', 'options.reusePaidResults', '0 to 1,440', [-1, 1_441]],
	// An expression that comes to nothing is no maximum that was left out.
	['Max Credits', 'maxCredits', '1', [0, -5, 'x', NaN, '={{ null }}', "={{ '' }}", ' ']],
])('%s (%s) is a whole number from %s, not one of %j', async (name, path, range, wrong) => {
	for (const value of wrong as INodeParameters[]) {
		const [option, inOptions] = path.split('.').reverse() as [string, string?];
		const parameters = { [option]: value };
		const { message, description, spent } = await customer().search(
			inOptions === undefined ? parameters : { options: parameters },
		);
		expect(message).toMatch(new RegExp(`^'${name.replace(/[()]/g, '\\$&')}' is (empty$|.+, not)`));
		expect(description).toBe(`Set '${name}' to a whole number from ${range}, in digits alone.`);
		expect(spent).toBe(0);
	}
});

test.each<[string, NonNullable<RunOptions['credential']>, string]>([
	['Base URL', { baseUrl: ' ' }, 'is empty'],
	[
		'Base URL',
		{ baseUrl: 'https://me:secret@leads.example.com' },
		'holds a user name or password, which belong in a credential',
	],
	['API Key', { apiKey: 'a secret' }, 'holds a space, a line break or a character that no key has'],
	['Credit Ceiling', { creditCeiling: 'many' }, "is 'many', not a whole number from 0"],
	['Credit Ceiling', { creditCeiling: '1.000' }, "is '1.000', not a whole number from 0"],
])('%s in the credential: %j', async (name, credential, complaint) => {
	const { message, description, pages } = await customer().search({}, { credential });
	expect(message).toBe(`'${name}' in the credential ${complaint}`);
	expect(pages).toEqual([]);
	expect(description).not.toContain('secret');
});

test('beside another filter, one that comes to nothing counts as none', async () => {
	const filters = { ...iceland, jobTitles: '', jobTitleSeniority: '={{ null }}' };
	const { urls } = await customer().search({ limit: 5, filters });
	expect(urls).toEqual(first(5));
});
