import type { Json } from '../../nodes/LeadSearch/api/contract';
import { itemValues, readAll } from '../../nodes/LeadSearch/parameters/parameter';
import {
	LEAD_FIELDS,
	leadForm,
	PROFILE_FIELDS,
	shapeRow,
	type RowForm,
} from '../../nodes/LeadSearch/resources/simplify';

test('Simplify keeps at most 10 fields', () => {
	for (const fields of [LEAD_FIELDS, PROFILE_FIELDS]) expect(fields.length).toBeLessThanOrEqual(10);
});

const row = { full_name: 'Anna B', city: null, raw: { a: 1 } };

test.each<[string, RowForm, Json, Json]>([
	['simplified', LEAD_FIELDS, row, { full_name: 'Anna B', city: null }],
	['simplified, without fields that are missing', LEAD_FIELDS, { city: 'X' }, { city: 'X' }],
	['whole where it has none of the fields, since it was paid for', LEAD_FIELDS, { a: 1 }, { a: 1 }],
	['raw', 'raw', row, row],
	['in the fields chosen', ['raw', 'none'], row, { raw: { a: 1 } }],
])('a row comes out %s', (_, form, json, shaped) => {
	const found = shapeRow(json, form);
	expect(found).toEqual(shaped);
	expect(Object.keys(found)).toEqual(Object.keys(shaped));
	// It may come out for another input item too, and nobody is to change what is kept.
	expect(found).not.toBe(json);
});

test('without Include Raw, a row that came with raw for another input item leaves it out', () => {
	expect(shapeRow(row, 'raw', false)).toEqual({ full_name: 'Anna B', city: null });
	expect(row).toHaveProperty('raw');
});

describe('The parameters of', () => {
	const read = (parameters: Json) =>
		readAll(
			leadForm,
			itemValues(parameters, (name) => parameters[name]),
		).simplify;

	test.each<[Json, RowForm]>([
		[{ simplify: true }, LEAD_FIELDS],
		[{ simplify: false }, 'raw'],
		[{ output: 'simplified' }, LEAD_FIELDS],
		[{ output: 'raw' }, 'raw'],
		[{ output: 'selectedFields', fields: ['city', 'linkedin_url'] }, ['linkedin_url', 'city']],
		[{ output: 'selectedFields', fields: 'city, state' }, ['linkedin_url', 'city', 'state']],
	])('%j are read', (parameters, form) => {
		expect(read(parameters)).toEqual(form);
	});

	test('Selected Fields without a field are refused', () => {
		const none = { output: 'selectedFields', fields: [] };
		expect(() => read(none)).toThrow("'Fields' is empty");
	});
});
