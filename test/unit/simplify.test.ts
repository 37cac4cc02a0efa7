import type { Json } from '../../nodes/LeadSearch/api/contract';
import { itemValues } from '../../nodes/LeadSearch/parameters/parameter';
import { LEAD_FIELDS, leadForm, shapeRow } from '../../nodes/LeadSearch/resources/simplify';
import type { RowForm } from '../../nodes/LeadSearch/resources/simplify';

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

const read = (parameters: Json) =>
	leadForm.simplify.read(
		itemValues(parameters, (name) => parameters[name]),
		'simplify',
	);

test.each<[Json, RowForm]>([
	[{ simplify: true }, LEAD_FIELDS],
	[{ simplify: false }, 'raw'],
	[{ output: 'simplified' }, LEAD_FIELDS],
	[{ output: 'raw' }, 'raw'],
	[{ output: 'selectedFields', fields: ['city', 'linkedin_url'] }, ['linkedin_url', 'city']],
	[{ output: 'selectedFields', fields: 'city, state' }, ['linkedin_url', 'city', 'state']],
])('the parameters %j are read', (parameters, form) => {
	expect(read(parameters)).toEqual(form);
});

test('Selected Fields without a field are refused', () => {
	expect(() => read({ output: 'selectedFields', fields: [] })).toThrow("'Fields' is empty");
});
