import fc from 'fast-check';

import type { Json } from '../../nodes/LeadSearch/api/contract';
import { InvalidParameterError } from '../../nodes/LeadSearch/parameters/invalidParameter';
import { itemValues } from '../../nodes/LeadSearch/parameters/values';
import { readFilters } from '../../nodes/LeadSearch/resources/lead/filters';

const read = (filters: unknown) => readFilters(itemValues({ filters }, () => filters));

function refusalOf(filters: unknown): InvalidParameterError {
	try {
		read(filters);
	} catch (thrown) {
		if (thrown instanceof InvalidParameterError) return thrown;
		throw thrown;
	}
	throw new Error('was taken');
}

describe('Filters', () => {
	test("go out under the contract's names", () => {
		expect(
			read({
				jobTitles: 'CEO, CTO',
				jobTitleSeniority: ['owner', 'cxo'],
				personLocationCountry: 'Bonaire, Sint Eustatius and Saba\nGermany',
				emailStatus: 'verified',
				otherFilters: '{"company_size": ["11-50"], "nested": {"_page": 1}}',
			}),
		).toEqual({
			job_titles: ['CEO', 'CTO'],
			job_title_seniority: ['owner', 'cxo'],
			person_location_country: ['Bonaire, Sint Eustatius and Saba', 'Germany'],
			email_status: 'verified',
			company_size: ['11-50'],
			nested: { _page: 1 },
		});
	});

	test('that are empty are left out where another one narrows the search', () => {
		expect(
			read({
				jobTitles: ' , ',
				jobTitleSeniority: [],
				personLocationCountry: 'Germany',
				emailStatus: '',
				otherFilters: '{}',
			}),
		).toEqual({ person_location_country: ['Germany'] });
		expect(read({ jobTitles: 'CEO', otherFilters: null })).toEqual({ job_titles: ['CEO'] });
	});

	test.each([{}, undefined, null, { emailStatus: 'verified' }, { emailStatus: 'all' }])(
		'that nobody added mean the whole database: %j',
		(filters) => {
			expect(Object.keys(read(filters))).toEqual(
				filters?.emailStatus ? ['email_status'] : [],
			);
		},
	);

	test('a filter set in both places is refused, as one of the two would be lost', () => {
		const refusal = refusalOf({
			jobTitles: 'CEO',
			otherFilters: { job_titles: ['CTO'] },
		});
		expect(refusal.message).toContain("'job_titles'");
		expect(
			refusalOf({ emailStatus: 'all', otherFilters: '{"email_status":"likely"}' }),
		).toBeInstanceOf(InvalidParameterError);
	});

	test.each(['constructor', 'toString', 'hasOwnProperty', 'valueOf'])(
		'a filter that happens to be called %s is sent as is',
		(name) => {
			expect(read({ otherFilters: `{"${name}": ["x"]}` })).toEqual({ [name]: ['x'] });
		},
	);

	test.each([{ a: 1 }, [{}], true, 'plain\n["nested", ["array"]]'])(
		'a list that holds %j is refused by its label, or read as text',
		(jobTitles) => {
			if (typeof jobTitles === 'string') {
				expect(read({ jobTitles })).toHaveProperty('job_titles.0', 'plain');
			} else expect(refusalOf({ jobTitles }).label).toBe('Job Titles');
		},
	);
});

describe('Promise 1: a filter that comes to nothing does not buy the whole database', () => {
	test.each<[string, Json, string]>([
		['an empty text', { jobTitles: '' }, 'Job Titles'],
		['null', { personLocationCountry: null }, 'Person Country'],
		['an empty list', { jobTitleSeniority: [] }, 'Job Title Seniority'],
		['no other filter', { otherFilters: '{}' }, 'Other Filters (JSON)'],
		['only null in Other Filters', { otherFilters: { city: null } }, 'Other Filters (JSON)'],
		['only empty lists in it', { otherFilters: '{"city": ["", []]}' }, 'Other Filters (JSON)'],
		[
			'an empty one beside Email Status: All',
			{ jobTitles: ',', emailStatus: 'all' },
			'Job Titles',
		],
	])('%s is refused by its label when nothing else narrows the search', (_, filters, label) => {
		expect(refusalOf(filters)).toMatchObject({
			label,
			problem: 'is empty, and no other filter is left',
		});
	});

	test.each<[string, Json, string]>([
		['a list', { jobTitles: undefined, personLocationCountry: 'Germany' }, 'Job Titles'],
		['Email Status', { emailStatus: undefined, jobTitles: 'CEO' }, 'Email Status'],
		['Other Filters', { otherFilters: undefined, jobTitles: 'CEO' }, 'Other Filters (JSON)'],
		[
			'one in Other Filters',
			{ otherFilters: { a: [1], b: undefined } },
			'Other Filters (JSON)',
		],
	])('%s whose expression names a field that is not there is refused', (_, filters, label) => {
		const refusal = refusalOf(filters);
		expect(refusal.label).toBe(label);
		expect(refusal.description).toContain("?? ''");
	});
});

describe("Promise 1: Other Filters can't override paging or limits", () => {
	const ours = [
		'_page',
		'_per_page',
		'max_results',
		'_include_raw',
		'include_emails',
		'include_phones',
	];

	test.each(
		ours.flatMap((name) => [
			[`${name} in JSON`, `{"${name}": 100000}`, name],
			[`${name} in an object`, { [name]: 100_000 }, name],
			[`${name} set to nothing`, { [name]: null }, name],
			[`${name} among others`, { a: 1, [name]: 1 }, name],
			[`${name} twice`, `{"${name}": 1, "${name}": 2}`, name],
			[`${name} with escapes`, `{"${name.replace('_', '\\u005f')}": 1}`, name],
		]),
	)('%s', (_, otherFilters, name) => {
		const refusal = refusalOf({ otherFilters });
		expect(refusal.label).toBe('Other Filters (JSON)');
		expect(refusal.message).toContain(`'${name}'`);
	});

	test.each<[string, unknown]>([
		['JSON in JSON', '"{\\"_page\\": 5}"'],
		['an array', '[{"_page": 5}]'],
		['an array as such', [{ _page: 5 }]],
		['broken JSON', '{"_page": 5'],
		['single quotes', "{'a': 1}"],
		['a number', 5],
		['true', 'true'],
		['null as text', 'null'],
		['blanks', '  '],
	])('%s is no JSON object', (_, otherFilters) => {
		const refusal = refusalOf({ otherFilters });
		expect(refusal.message).toContain('not a JSON object');
		expect(refusal.description).not.toBe('');
	});

	test('a prototype in JSON does not stand in for a filter', () => {
		const filters = { otherFilters: '{"__proto__": {"company_size": ["11-50"]}}' };
		expect(refusalOf(filters).problem).toBe('is empty, and no other filter is left');
	});

	test('a prototype in JSON brings no field in', () => {
		const filters = read({ otherFilters: '{"__proto__": {"_page": 5}, "a": 1}' });
		expect(filters._page).toBeUndefined();
		expect({ ...filters, _page: 1 }).toMatchObject({ _page: 1, a: 1 });
		expect(Object.getPrototypeOf(filters)).toBe(Object.prototype);
	});

	test('no filters whatsoever set one of them', () => {
		const anyFilters = fc.dictionary(
			fc.oneof(fc.constantFrom(...ours, 'job_titles'), fc.string()),
			fc.jsonValue(),
		);
		fc.assert(
			fc.property(anyFilters, fc.boolean(), (others, asText) => {
				const otherFilters = asText ? JSON.stringify(others) : others;
				let fields: Json;
				try {
					fields = read({ otherFilters });
				} catch (thrown) {
					expect(thrown).toBeInstanceOf(InvalidParameterError);
					return;
				}
				expect(ours.filter((name) => name in fields)).toEqual([]);
			}),
			{ numRuns: 1_000 },
		);
	});
});
