/** Tests how the values of parameters are read, rejected and compared. */
import fc from 'fast-check';

import type { Json } from '../../nodes/LeadSearch/api/contract';
import { toCanonicalJson, sortLists } from '../../nodes/LeadSearch/parameters/canonical';
import { requestOptions, rowLimits, skip } from '../../nodes/LeadSearch/parameters/fetching';
import {
	InvalidParameterError,
	formatValue,
} from '../../nodes/LeadSearch/parameters/invalidParameter';
import { optionsOf } from '../../nodes/LeadSearch/parameters/collections';
import {
	choice,
	itemValues,
	readParameters,
	toggle,
	wholeNumber,
} from '../../nodes/LeadSearch/parameters/parameter';

const values = (item: Json) => itemValues(item, (name) => item[name]);
const limitOf = (item: Json, isAllByDefault = false) =>
	readParameters(rowLimits(isAllByDefault), values(item)).limit;
const all = { options: optionsOf({ skip: skip.option, ...requestOptions('results') }) };
const optionsIn = (options: unknown) => readParameters(all, values({ options })).options;

test('any result of an expression is read as a number in range, or rejected', () => {
	const any = fc.anything({ withBigInt: true, withDate: true });
	fc.assert(
		fc.property(any, any, (rows, skipped) => {
			try {
				expect(limitOf({ limit: rows })).toBeGreaterThanOrEqual(1);
				const { skip: read } = optionsIn({ skip: skipped });
				expect(Number.isInteger(read) && read >= 0).toBe(true);
			} catch (thrown) {
				expect(thrown).toBeInstanceOf(InvalidParameterError);
			}
		}),
		{ numRuns: 1_000 },
	);
});

test('values of any type are formatted for a message, and truncated to 81 characters', () => {
	const circular: Json = {};
	circular.self = circular;
	expect(formatValue('x'.repeat(500))).toHaveLength(81);
	const shown = [{ a: [1, 'b'] }, undefined, Symbol('a'), 1n, circular].map(formatValue);
	const circularText = '{"self":"[Circular Reference]"}';
	expect(shown).toEqual(['{"a":[1,"b"]}', 'undefined', 'Symbol(a)', '1', circularText]);
});

const throwing = () => {
	throw new Error('no JSON');
};

test.each<[string, unknown, string]>([
	['an object without a toString', { toString: false }, '{"toString":false}'],
	['an object without a prototype', Object.create(null), '{}'],
	['an object without JSON', { toJSON: () => undefined }, 'an object'],
	['an object that throws', { toJSON: throwing }, 'an object'],
	['a list that throws', Object.assign([], { toJSON: throwing }), 'an array'],
])('a parameter that is %s is rejected with a message that shows the value', (_, value, text) => {
	expect(formatValue(value)).toBe(text);
	const isOn = toggle('On', false, '');
	const size = wholeNumber('Size', { default: 1, min: 1 }, '');
	const mode = choice({ displayName: 'Mode', default: 'a', options: [{ name: 'A', value: 'a' }] });
	for (const { property, read } of [isOn, size, mode])
		expect(() => read(value, values({}))).toThrow(`'${property.displayName}' is ${text}, `);
});

test('canonical JSON ignores the order of keys, and the order of lists if they are sorted', () => {
	const one = { a: [2, { x: 1, y: [1, 2] }], b: null };
	const other = { b: null, a: [{ y: [2, 1], x: 1 }, 2] };
	expect(toCanonicalJson({ b: 1, a: { d: 1, c: 2 } })).toBe(
		toCanonicalJson({ a: { c: 2, d: 1 }, b: 1 }),
	);
	expect(toCanonicalJson(one)).not.toBe(toCanonicalJson(other));
	expect(toCanonicalJson(sortLists(one))).toBe(toCanonicalJson(sortLists(other)));
});
