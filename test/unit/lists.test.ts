/** Tests how lists of values are read from text, arrays and results of expressions. */
import fc from 'fast-check';

import { InvalidParameterError } from '../../nodes/LeadSearch/parameters/invalidParameter';
import { readList } from '../../nodes/LeadSearch/parameters/lists';

/** `list` contains the values, separated by bars. */
type Read = [how: string, value: unknown, list: string];
test.each<Read>([
	['comma-separated', 'owner, cxo ,founder', 'owner|cxo|founder'],
	['one per line', 'owner\ncxo\r\nfounder\rpartner', 'owner|cxo|founder|partner'],
	['one per line with commas at the end', 'owner,\ncxo,\n', 'owner|cxo'],
	['on one line between line breaks', '\r\n owner, cxo \n', 'owner|cxo'],
	['a quoted value with a comma on its own line', '"VP, Sales"\nCTO', 'VP, Sales|CTO'],
	['curly quotes', '“VP, Sales”; „Leiter“,«PDG»', 'VP, Sales|Leiter|PDG'],
	['one value with and one without quotes', '"VP, Sales", CTO', 'VP, Sales|CTO'],
	['quoted values on several lines', '"A", "B"\n"C, D"', 'A|B|C, D'],
	[
		'apostrophes in values',
		"Director's aide, 's-Hertogenbosch, Women's",
		"Director's aide|'s-Hertogenbosch|Women's",
	],
	['a bracket within a value', 'Engineer [Contract], CTO', 'Engineer [Contract]|CTO'],
	['semicolons on several lines', 'A; B\nC;', 'A|B|C'],
	['cells of a sheet', 'A\tB\nC', 'A|B|C'],
	[
		'invisible characters',
		'\u200bIce\u200bland\u2060, \ufeffNew\u00a0Zealand\u202f',
		'Iceland|New Zealand',
	],
	[
		'invisible characters in an array',
		['\u200bIceland', 'New\u00a0Zealand', '\u200b'],
		'Iceland|New Zealand',
	],
	['line breaks of all kinds', 'A\u2028B\u0085C\u2029D\vE', 'A|B|C|D|E'],
	['an array', ['VP, Sales', ' CTO '], 'VP, Sales|CTO'],
	['a JSON array as text', '["VP, Sales", "CTO"]', 'VP, Sales|CTO'],
	['numbers', [1, 2.5, 3n], '1|2.5|3'],
	['empty entries in an array', ['a', '', null, 'b'], 'a|b'],
	...['', ' \n ', null, [], '[]'].map((one): Read => ['an empty value', one, '']),
])('a list of values can be written in this way: %s', (_, value, list) => {
	expect(readList('Job Titles', value).join('|')).toBe(list);
});

const missingValues = [
	' null',
	NaN,
	'["a", "[object Object]"]',
	'a, Head of [object Map]',
	'[a, undefined]',
];
const nonLists = [
	'[A, B]',
	"['A', 'B']",
	"'A, B', C",
	'[\nA\n]',
	{ a: 1 },
	['a', {}],
	[['a']],
	true,
	'[false]',
	Symbol('a'),
	['a', undefined],
];
test.each([...nonLists, ...missingValues, undefined])(
	'the value %p is rejected, because it is not a list of texts',
	(value) => {
		expect(() => readList('Job Titles', value)).toThrow(InvalidParameterError);
	},
);

test.each([
	'Germany, France\nIceland',
	'VP, Sales\nCTO',
	'CTO\r\n\r\nVP, Sales',
	'Korea, Republic of; Germany',
	'"A", "B"\nVP, Sales',
])(
	'the list %j is rejected because a line may be one value or two, and the message shows both ways to write it',
	(value) => {
		let rejection: unknown;
		try {
			readList('Job Titles', value);
		} catch (thrown) {
			rejection = thrown;
		}
		const { message, description } = rejection as InvalidParameterError;
		expect(message).toMatch(
			/^'Job Titles' contains '.+, .+' next to other values: it can be one value or two$/,
		);
		expect(description).toMatch(
			/^Write each value on its own line\. Put a value with a comma in quotes, ("(.+, .+)"), or in an array, \{\{ \[\1\] \}\}\.$/,
		);
	},
);

test('the values of any list are trimmed and not empty', () => {
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
