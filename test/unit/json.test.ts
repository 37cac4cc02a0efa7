/** Tests that unknown fields are passed through unchanged, even numbers that JavaScript can't represent. */
import fc from 'fast-check';

import { parseResponse } from '../../nodes/LeadSearch/api/json';

const untouched = (text: string) => text;
const parse = (text: string): unknown => parseResponse(text, untouched);

test.each<[string, unknown]>([
	['7615917337495251231', '7615917337495251231'],
	['-9007199254740992', '-9007199254740992'],
	// Integers that JavaScript represents exactly, decimals and exponents stay numbers.
	['9007199254740991', 9007199254740991],
	['64.14660000000000000001', 64.1466],
	['1500000000000000000.5', 1.5e18],
	['1500000000000000000e3', 1.5e21],
])('a field with the digits %s is read as %j', (digits, value) => {
	for (const text of [`{"id":${digits}}`, `{ "id" : ${digits}\n}`, `{"id":${digits},"b":1}`])
		expect(parse(text)).toMatchObject({ id: value });
	expect(parse(`[${digits},${digits} , ${digits}]`)).toEqual([value, value, value]);
});

describe('Redaction', () => {
	const redact = (text: string) => text.replaceAll('key-123', '***');
	test('a secret with U+0000 in it is removed from a response', () => {
		expect(parseResponse('["key-\\u0000123"]', redact)).toEqual(['***']);
	});

	test('a backslash followed by u0000 is not removed from a response', () => {
		const json = { b: '\\u0000', c: null, d: [true, 1.5], 'e\\u0000': {} };
		expect(parseResponse(JSON.stringify(json), redact)).toEqual(json);
	});
});

test('any JSON is parsed without changes, except that long numbers become strings', () => {
	const pieces = ['"', '\\', ':', ',', '[', ' ', 'a', `${2n ** 63n}`, ', 12345678901234567,'];
	const words = fc.array(fc.constantFrom(...pieces), { maxLength: 6 }).map((some) => some.join(''));
	const numbers = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });
	const { json } = fc.letrec<{ json: unknown }>((tie) => ({
		json: fc.oneof(
			{ maxDepth: 3 },
			words,
			numbers,
			fc.array(tie('json'), { maxLength: 4 }),
			fc.dictionary(words, tie('json'), { maxKeys: 4 }),
		),
	}));
	/** Writes JSON with long numbers. No word contains the character # that marks them. */
	const textOf = (value: unknown) =>
		JSON.stringify(
			value,
			(_, one: unknown) => (typeof one === 'bigint' ? `#${one}` : one),
			1,
		).replace(/"#(-?\d+)"/g, '$1');
	const read = (value: unknown): unknown =>
		JSON.parse(
			JSON.stringify(value, (_, one: unknown) => {
				if (typeof one !== 'bigint') return one;
				return Number.isSafeInteger(Number(one)) ? Number(one) : String(one);
			}),
		);
	fc.assert(
		fc.property(json, (value) => {
			expect(parse(textOf([value]))).toEqual([read(value)]);
		}),
		{ numRuns: 1_000 },
	);
});
