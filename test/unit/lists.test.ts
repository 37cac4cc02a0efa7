import fc from 'fast-check';

import { InvalidParameterError } from '../../nodes/LeadSearch/parameters/invalidParameter';
import { readList } from '../../nodes/LeadSearch/parameters/lists';

type Read = [how: string, value: unknown, list: string[]];
test.each<Read>([
	['comma-separated', 'owner, cxo ,founder', ['owner', 'cxo', 'founder']],
	['one per line', 'owner\ncxo\r\nfounder\rpartner', ['owner', 'cxo', 'founder', 'partner']],
	['one per line with commas at the end', 'owner,\ncxo,\n', ['owner', 'cxo']],
	['on one line between line breaks', '\r\n owner, cxo \n', ['owner', 'cxo']],
	['a value that holds a comma, per line', 'VP, Sales\nCTO', ['VP, Sales', 'CTO']],
	['an array', ['VP, Sales', ' CTO '], ['VP, Sales', 'CTO']],
	['a JSON array as text', '["VP, Sales", "CTO"]', ['VP, Sales', 'CTO']],
	['numbers', [1, 2.5, 3n], ['1', '2.5', '3']],
	['one number', 7, ['7']],
	['gaps', 'a,, ,b,', ['a', 'b']],
	['gaps in an array', ['a', '', null, 'b'], ['a', 'b']],
	['a bracket that is no JSON', '[a', ['[a']],
	...['', ' \n ', null, [], '[]'].map((one): Read => ['nothing', one, []]),
])('a list is read as people type it: %s', (_, value, list) => {
	expect(readList('Job Titles', value)).toEqual(list);
});

const nobodys = [
	'undefined',
	' null',
	'NaN',
	NaN,
	'["a", "[object Object]"]',
	'a, Head of [object Map]',
];
const noLists = [{ a: 1 }, ['a', {}], [['a']], true, '[false]', Symbol('a'), ['a', undefined]];
test.each([...noLists, ...nobodys, undefined])('%p is no list of texts', (value) => {
	expect(() => readList('Job Titles', value)).toThrow(InvalidParameterError);
});

test('values come trimmed, none empty, whatever is given', () => {
	fc.assert(
		fc.property(fc.oneof(fc.anything(), fc.string(), fc.array(fc.string())), (value) => {
			try {
				const texts = readList('Job Titles', value);
				expect(texts).toEqual(texts.map((text) => text.trim()).filter((text) => text !== ''));
			} catch (thrown) {
				expect(thrown).toBeInstanceOf(InvalidParameterError);
			}
		}),
		{ numRuns: 1_000 },
	);
});
