import fc from 'fast-check';

import { readList } from '../../nodes/LeadSearch/parameters/lists';

describe('Lists, as people type them', () => {
	test.each<[string, unknown, string[]]>([
		['comma-separated', 'owner, cxo ,founder', ['owner', 'cxo', 'founder']],
		['one per line', 'owner\ncxo\r\nfounder\rpartner', ['owner', 'cxo', 'founder', 'partner']],
		['one per line with commas behind', 'owner,\ncxo,\n', ['owner', 'cxo']],
		['a value that holds a comma, per line', 'VP, Sales\nCTO', ['VP, Sales', 'CTO']],
		['an array', ['VP, Sales', ' CTO '], ['VP, Sales', 'CTO']],
		['a JSON array as text', '["VP, Sales", "CTO"]', ['VP, Sales', 'CTO']],
		['numbers', [1, 2.5, 3n], ['1', '2.5', '3']],
		['one number', 7, ['7']],
		['gaps', 'a,, ,b,', ['a', 'b']],
		['gaps in an array', ['a', '', null, undefined, 'b'], ['a', 'b']],
		['nothing', '', []],
		['blanks', ' \n ', []],
		['undefined', undefined, []],
		['null', null, []],
		['an empty array', [], []],
		['an empty JSON array', '[]', []],
		['a bracket that is no JSON', '[a', ['[a']],
	])('%s', (_, value, list) => {
		expect(readList(value)).toEqual(list);
	});

	test.each(['owner, cxo\n', '\nowner, cxo', 'owner, cxo\r\n', ' owner, cxo \n \n'])(
		'a line break before or after a single line changes nothing: %j',
		(text) => {
			expect(readList(text)).toEqual(['owner', 'cxo']);
		},
	);

	test.each<[string, unknown]>([
		['an object', { a: 1 }],
		['an object in an array', ['a', {}]],
		['an array in an array', [['a']]],
		['true', true],
		['false in JSON', '[false]'],
		['a symbol', Symbol('a')],
	])('%s is no list of texts', (_, value) => {
		expect(readList(value)).toBeUndefined();
	});

	test('values come trimmed, none empty, whatever is given', () => {
		fc.assert(
			fc.property(fc.oneof(fc.anything(), fc.string(), fc.array(fc.string())), (value) => {
				for (const text of readList(value) ?? []) {
					expect(text).toBe(text.trim());
					expect(text).not.toBe('');
				}
			}),
			{ numRuns: 2_000 },
		);
	});
});
