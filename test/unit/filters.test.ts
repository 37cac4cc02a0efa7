import fc from 'fast-check';

import { readFilters } from '../../nodes/LeadSearch/operations/filters';
import { BadParameter } from '../../nodes/LeadSearch/operations/itemParameters';
import type { Json } from '../../nodes/LeadSearch/service/contract';

function complaintAbout(filters: Json): BadParameter {
	try {
		readFilters(filters);
	} catch (thrown) {
		if (thrown instanceof BadParameter) return thrown;
		throw thrown;
	}
	throw new Error('was taken without a complaint');
}

describe('Filters', () => {
	test("go out under the contract's names", () => {
		expect(
			readFilters({
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

	test('that are empty are left out', () => {
		expect(
			readFilters({
				jobTitles: ' , ',
				jobTitleSeniority: [],
				personLocationCountry: null,
				emailStatus: '',
				otherFilters: '{}',
			}),
		).toEqual({});
		expect(readFilters({})).toEqual({});
		expect(readFilters({ otherFilters: '' })).toEqual({});
	});

	test('a filter set in both places is refused, as one of the two would be lost', () => {
		const complaint = complaintAbout({
			jobTitles: 'CEO',
			otherFilters: { job_titles: ['CTO'] },
		});
		expect(complaint.message).toContain("'job_titles'");
		expect(
			complaintAbout({ emailStatus: 'all', otherFilters: '{"email_status":"likely"}' }),
		).toBeInstanceOf(BadParameter);
	});

	test.each(['constructor', 'toString', 'hasOwnProperty', 'valueOf'])(
		'a filter that happens to be called %s is sent as is',
		(name) => {
			expect(readFilters({ otherFilters: `{"${name}": ["x"]}` })).toEqual({ [name]: ['x'] });
		},
	);

	test.each([{ a: 1 }, [{}], true, 'plain\n["nested", ["array"]]'])(
		'a list that holds %j is refused by its label, or read as text',
		(jobTitles) => {
			if (typeof jobTitles === 'string') {
				expect(readFilters({ jobTitles })).toHaveProperty('job_titles.0', 'plain');
			} else expect(complaintAbout({ jobTitles }).label).toBe('Job Titles');
		},
	);
});

describe("Promise 1: Other Filters can't override paging or limits", () => {
	const ours = ['_page', '_per_page', 'max_results', '_include_raw'];

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
		const complaint = complaintAbout({ otherFilters });
		expect(complaint.label).toBe('Other Filters (JSON)');
		expect(complaint.message).toContain(`'${name}'`);
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
		const complaint = complaintAbout({ otherFilters });
		expect(complaint.message).toContain('not a JSON object');
		expect(complaint.description).not.toBe('');
	});

	test('a prototype in JSON brings no field in', () => {
		const filters = readFilters({ otherFilters: '{"__proto__": {"_page": 5}, "a": 1}' });
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
					fields = readFilters({ otherFilters });
				} catch (thrown) {
					expect(thrown).toBeInstanceOf(BadParameter);
					return;
				}
				expect(ours.filter((name) => name in fields)).toEqual([]);
			}),
			{ numRuns: 1_000 },
		);
	});
});
