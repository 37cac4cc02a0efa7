import fc from 'fast-check';

import type { Json } from '../../nodes/LeadSearch/api/contract';
import { canonical, sortLists } from '../../nodes/LeadSearch/parameters/canonical';
import {
	limit,
	paidOptions,
	requestOptions,
	returnAll,
	settingsOf,
	skip,
} from '../../nodes/LeadSearch/parameters/fetching';
import { InvalidParameterError, show } from '../../nodes/LeadSearch/parameters/invalidParameter';
import { refusalOf } from './refusal';
import {
	choice,
	itemValues,
	optionsOf,
	propertiesOf,
	readAll,
	toggle,
	type Parameters,
	type ValuesOf,
} from '../../nodes/LeadSearch/parameters/parameter';

const values = (item: Json) => itemValues(item, (name) => item[name]);
const limitOf = (item: Json) => readAll({ returnAll, limit }, values(item)).limit;

function optionsOfItem<Declared extends Parameters>(
	parameters: Declared,
	options: unknown,
): ValuesOf<Declared> {
	return readAll({ options: optionsOf(parameters) }, values({ options })).options;
}

const NUMBERS = { ...requestOptions(1_000, ''), ...paidOptions, skip };
const DEFAULTS = {
	...{ pageSize: 1_000, parallelPages: 8, maxRetries: 3, timeoutMs: 300_000 },
	...{ maxCredits: Infinity, reusePaidResults: 60 },
};

function read(given: unknown) {
	const options = optionsOfItem(NUMBERS, given);
	return { ...settingsOf(options), skip: options.skip };
}

describe('Limit', () => {
	test.each<[Json, number]>([
		[{ limit: 1 }, 1],
		[{ limit: 100_000 }, 100_000],
		[{ limit: ' 10 ' }, 10],
		[{ returnAll: true, limit: 'abc' }, Infinity],
		[{ returnAll: 'true', limit: 5 }, 5],
	])('%j means %d rows', (item, rows) => {
		expect(limitOf(item)).toBe(rows);
	});

	test.each<readonly [unknown, string]>([
		...[0, -1, 1.5, 100_001, true, NaN, -Infinity, 10n].map((one) => [one, String(one)] as const),
		['1.5', "'1.5'"],
		['10 leads', "'10 leads'"],
		[{ a: [1] }, '{"a":[1]}'],
	])('%p is refused, with its value and what to write', (limit, value) => {
		const wanted = 'a whole number from 1 to 100,000';
		const { message, description } = refusalOf(() => limitOf({ limit }));
		expect(message).toBe(`'Limit' is ${value}, not ${wanted}`);
		expect(description).toBe(`Set 'Limit' to ${wanted}.`);
	});
});

describe('Options', () => {
	test.each([undefined, {}, null, 'abc', [[]]])('not set (%j), have their defaults', (options) => {
		expect(read(options)).toEqual({ ...DEFAULTS, skip: 0 });
		expect(settingsOf({ pageSize: 1_000, maxRetries: 3, timeout: 300 })).toEqual(DEFAULTS);
	});

	test('set, are taken', () => {
		const taken = { skip: 20, pageSize: 250, maxRetries: 0, parallelPages: 2, maxCredits: 10 };
		expect(read({ ...taken, skip: '20', timeout: 5, reusePaidResults: 0 })).toEqual({
			...taken,
			timeoutMs: 5_000,
			reusePaidResults: 0,
		});
	});

	test.each<[string, string, unknown[]]>([
		['Page Size', 'pageSize', [0, 100_001]],
		['Parallel Pages', 'parallelPages', [0, 11, 'many', null]],
		['Max Retries', 'maxRetries', [-1, 11]],
		['Timeout (Seconds)', 'timeout', [0, 3_601]],
		['Skip', 'skip', [-1, 100_000, 'x']],
		['Reuse Paid Results (Minutes)', 'reusePaidResults', [-1, 1_441]],
		// An expression that comes to nothing is no maximum that was left out.
		['Max Credits per Execution', 'maxCredits', [0, -5, 1.5, 'abc', NaN, null, undefined, '']],
	])('%s is refused by its label', (label, name, wrong) => {
		for (const value of wrong) {
			expect(refusalOf(() => read({ [name]: value })).label).toBe(label);
		}
	});

	test('a switch is a switch, and a choice one of its choices', () => {
		const shown = { a: toggle('A', true, '') };
		const shownFor = [true, false, 'no', undefined].map((a) => optionsOfItem(shown, { a }).a);
		expect(shownFor).toEqual([true, false, true, true]);
		const options = ['one' as const, 'two' as const].map((value) => ({ name: value, value }));
		const chosen = { a: choice({ displayName: 'A', options, default: 'one' }) };
		const chosenFor = ['two', '', undefined].map((a) => optionsOfItem(chosen, { a }).a);
		expect(chosenFor).toEqual(['two', 'one', 'one']);
		expect(refusalOf(() => optionsOfItem(chosen, { a: 'x' })).message).toBe(
			"'A' is 'x', which is none of its options",
		);
	});

	test('show in the order of their labels', () => {
		const [shown] = propertiesOf({ options: optionsOf({ skip, ...requestOptions(100, '') }) });
		const names = shown?.options?.map(({ name }) => name);
		expect(names).toEqual(['maxRetries', 'pageSize', 'skip', 'timeout']);
	});
});

describe('Whatever expressions give', () => {
	test('numbers come out in range, or are refused', () => {
		const any = fc.anything({ withBigInt: true, withDate: true });
		fc.assert(
			fc.property(any, any, (limit, passedOver) => {
				try {
					const rows = limitOf({ limit });
					expect(Number.isInteger(rows) && rows >= 1).toBe(true);
					expect(read({ skip: passedOver }).skip).toBeGreaterThanOrEqual(0);
				} catch (thrown) {
					expect(thrown).toBeInstanceOf(InvalidParameterError);
				}
			}),
			{ numRuns: 1_000 },
		);
	});

	test('a value is shown in a few words', () => {
		const holdsItself: Json = {};
		holdsItself.self = holdsItself;
		expect(show('x'.repeat(500))).toHaveLength(81);
		expect(show({ a: [1, 'b'] })).toBe('{"a":[1,"b"]}');
		const others = [undefined, Symbol('a'), 1n, holdsItself].map(show);
		expect(others).toEqual(['undefined', 'Symbol(a)', '1', '{"self":"[Circular Reference]"}']);
	});
});

test('what means the same has one text: keys in any order, and lists where asked for', () => {
	const one = { a: [2, { x: 1, y: [1, 2] }], b: null };
	const other = { b: null, a: [{ y: [2, 1], x: 1 }, 2] };
	expect(canonical({ b: 1, a: { d: 1, c: 2 } })).toBe(canonical({ a: { c: 2, d: 1 }, b: 1 }));
	expect(canonical(one)).not.toBe(canonical(other));
	expect(canonical(sortLists(one))).toBe(canonical(sortLists(other)));
});
