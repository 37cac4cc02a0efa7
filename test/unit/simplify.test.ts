import {
	LEAD_FIELDS,
	pick,
	PROFILE_FIELDS,
	rowShapes,
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

	test.each([
		[
			[true, true],
			[{ full_name: 'Anna B' }, { full_name: 'Anna B' }],
		],
		[[false], [row]],
		[
			[true, false],
			[{ full_name: 'Anna B' }, row],
		],
		[
			[false, true],
			[row, { full_name: 'Anna B' }],
		],
	])('gives each of the input items %j the form that it wants', (wanted, output) => {
		const shapes = rowShapes(wanted, LEAD_FIELDS);
		const kept = shapes.keep(row);
		expect(wanted.map((isSimplified) => shapes.output(kept, isSimplified))).toEqual(output);
	});
});
