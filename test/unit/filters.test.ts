import type { Json } from '../../nodes/LeadSearch/api/contract';
import { itemValues } from '../../nodes/LeadSearch/parameters/parameter';
import { searchFilters } from '../../nodes/LeadSearch/resources/lead/filters';
import { refusalOf as refusalBy } from './refusal';

const read = (filters: unknown) =>
	searchFilters.read(
		itemValues({ filters }, () => filters),
		'filters',
	);

const refusalOf = (filters: unknown) => refusalBy(() => read(filters));

test.each<[string, unknown, Json]>([
	[
		'with a comma in a value where each has a line',
		{ personLocationCountry: 'Bonaire, Sint Eustatius and Saba\nGermany' },
		{ person_location_country: ['Bonaire, Sint Eustatius and Saba', 'Germany'] },
	],
	['with what is not known here', { otherFilters: '{"in": {"_page": 1}}' }, { in: { _page: 1 } }],
	[
		'without those that are empty',
		{ jobTitles: ' , ', jobTitleSeniority: [], personLocationCountry: 'X', otherFilters: null },
		{ person_location_country: ['X'] },
	],
	['for the whole database where nobody added one', {}, {}],
	['for the whole database where there is no collection', undefined, {}],
	['with Email Status alone', { emailStatus: 'verified' }, { email_status: 'verified' }],
	['with a field of a built-in name', { otherFilters: '{"toString": ["x"]}' }, { toString: ['x'] }],
])('filters go out %s', (_, filters, fields) => {
	expect(read(filters)).toEqual(fields);
});

test.each([
	{ jobTitles: 'CEO', otherFilters: { job_titles: ['CTO'] } },
	{ emailStatus: 'all', otherFilters: '{"email_status":"likely"}' },
])('a filter set in both places is refused, as one of the two would be lost: %j', (filters) => {
	expect(refusalOf(filters).message).toMatch(/sets '(job_titles|email_status)', which another/);
});

test.each([{ a: 1 }, [{}], true])('a list that holds %j is refused by its label', (jobTitles) => {
	expect(refusalOf({ jobTitles }).label).toBe('Job Titles');
});

describe('Promise 1: a filter that comes to nothing does not buy the whole database', () => {
	test.each<[Json, string]>([
		[{ jobTitles: '' }, 'Job Titles'],
		[{ personLocationCountry: null }, 'Person Country'],
		[{ jobTitleSeniority: [] }, 'Job Title Seniority'],
		[{ otherFilters: '{}' }, 'Other Filters (JSON)'],
		[{ otherFilters: { city: null } }, 'Other Filters (JSON)'],
		[{ otherFilters: '{"city": ["", []]}' }, 'Other Filters (JSON)'],
		[{ otherFilters: '{"__proto__": {"size": ["11-50"]}}' }, 'Other Filters (JSON)'],
		[{ jobTitles: ',', emailStatus: 'all' }, 'Job Titles'],
	])('%j is refused when nothing else narrows the search', (filters, label) => {
		const problem = 'is empty, and no other filter is left';
		expect(refusalOf(filters)).toMatchObject({ label, problem });
	});

	test.each<[string, Json]>([
		['Job Titles', { jobTitles: undefined, personLocationCountry: 'Germany' }],
		['Email Status', { emailStatus: undefined, jobTitles: 'CEO' }],
		['Other Filters (JSON)', { otherFilters: undefined, jobTitles: 'CEO' }],
		['Other Filters (JSON)', { otherFilters: { a: [1], b: undefined } }],
	])('%s whose expression names a field that is not there is refused', (label, filters) => {
		const refusal = refusalOf(filters);
		expect(refusal.label).toBe(label);
		expect(refusal.description).toContain("?? ''");
	});
});

describe("Promise 1: Other Filters can't override paging or limits", () => {
	test.each([
		...['_page', '_per_page', 'max_results', '_include_raw'],
		...['include_emails', 'include_phones'],
	])('%s, however it is written', (name) => {
		const spellings = [
			`{"${name}": 100000}`,
			`{"${name}": 1, "${name}": 2}`,
			`{"${name.replace('_', '\\u005f')}": 1}`,
			{ [name]: null },
			{ a: 1, [name]: 1 },
		];
		for (const otherFilters of spellings) {
			expect(refusalOf({ otherFilters })).toMatchObject({
				label: 'Other Filters (JSON)',
				problem: `can't set '${name}'`,
			});
		}
	});

	test.each([
		...['[{"_page": 5}]', '"{\\"_page\\": 5}"', '{"_page": 5', "{'a': 1}", 'true', 'null', '  '],
		...[[{ _page: 5 }], 5],
	])('%j is no JSON object', (otherFilters) => {
		expect(refusalOf({ otherFilters }).message).toContain('not a JSON object');
	});

	test('a prototype in JSON brings no field in', () => {
		const filters = read({ otherFilters: '{"__proto__": {"_page": 5}, "a": 1}' });
		expect(filters._page).toBeUndefined();
		expect(Object.getPrototypeOf(filters)).toBe(Object.prototype);
	});
});
