import type { Json } from '../../nodes/LeadSearch/api/contract';
import { itemValues } from '../../nodes/LeadSearch/parameters/values';
import {
	LEAD_FIELDS,
	pick,
	PROFILE_FIELDS,
	readRowForm,
	rowShapes,
	type RowForm,
} from '../../nodes/LeadSearch/resources/simplify';

describe('Simplify', () => {
	test('keeps at most 10 fields', () => {
		expect(LEAD_FIELDS.length).toBeLessThanOrEqual(10);
		expect(PROFILE_FIELDS.length).toBeLessThanOrEqual(10);
	});

	test('keeps null and false, and leaves missing fields out', () => {
		const row = { work_email: null, has_email: false, extra: 1, full_name: undefined };
		expect(pick(row, PROFILE_FIELDS)).toEqual({ work_email: null, has_email: false });
		expect(Object.keys(pick(row, PROFILE_FIELDS))).toEqual(['work_email', 'has_email']);
	});

	test('Promise 2: hands a row on whole that has none of the fields, since it was paid for', () => {
		const row = { something: 'else' };
		expect(pick(row, LEAD_FIELDS)).toBe(row);
	});

	const row = { full_name: 'Anna B', raw: { a: 1 } };

	test.each<[RowForm[], object[]]>([
		[
			['simplified', 'simplified'],
			[{ full_name: 'Anna B' }, { full_name: 'Anna B' }],
		],
		[['raw'], [row]],
		[
			['simplified', 'raw'],
			[{ full_name: 'Anna B' }, row],
		],
		[
			['raw', 'simplified'],
			[row, { full_name: 'Anna B' }],
		],
		[[['raw', 'none']], [{ raw: { a: 1 } }]],
	])('gives each of the input items %j the form that it wants', (wanted, output) => {
		const shapes = rowShapes(wanted, LEAD_FIELDS);
		const kept = shapes.keep(row);
		expect(wanted.map((form) => shapes.output(kept, form))).toEqual(output);
	});

	describe('as a tool', () => {
		const read = (parameters: Json) =>
			readRowForm(
				itemValues(parameters, (name) => parameters[name]),
				LEAD_FIELDS,
			);

		test.each<[Json, RowForm]>([
			[{ simplify: true }, 'simplified'],
			[{ simplify: false }, 'raw'],
			[{ output: 'simplified' }, LEAD_FIELDS],
			[{ output: 'raw' }, 'raw'],
			[
				{ output: 'selectedFields', fields: ['city', 'linkedin_url'] },
				['linkedin_url', 'city'],
			],
			[
				{ output: 'selectedFields', fields: 'city, state' },
				['linkedin_url', 'city', 'state'],
			],
		])('%j is read', (parameters, form) => {
			expect(read(parameters)).toEqual(form);
		});

		test('Selected Fields without a field is refused', () => {
			expect(() => read({ output: 'selectedFields', fields: [] })).toThrow(
				"'Fields' is empty",
			);
		});
	});
});
