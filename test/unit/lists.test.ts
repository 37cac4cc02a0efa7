import fc from 'fast-check';

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
	['gaps in an array', ['a', '', null, undefined, 'b'], ['a', 'b']],
	['a bracket that is no JSON', '[a', ['[a']],
	...['', ' \n ', undefined, null, [], '[]'].map((one): Read => ['nothing', one, []]),
])('a list is read as people type it: %s', (_, value, list) => {
	expect(readList(value)).toEqual(list);
});

const noLists = [{ a: 1 }, ['a', {}], [['a']], true, '[false]', Symbol('a')];
test.each(noLists)('%p is no list of texts', (value) => {
	expect(readList(value)).toBeUndefined();
});

test('values come trimmed, none empty, whatever is given', () => {
	fc.assert(
		fc.property(fc.oneof(fc.anything(), fc.string(), fc.array(fc.string())), (value) => {
			const texts = readList(value) ?? [];
			expect(texts).toEqual(texts.map((text) => text.trim()).filter((text) => text !== ''));
		}),
		{ numRuns: 1_000 },
	);
});
