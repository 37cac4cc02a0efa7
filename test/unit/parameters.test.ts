import fc from 'fast-check';

import type { Json } from '../../nodes/LeadSearch/api/contract';
import {
	creditBudget,
	pageSize,
	readFetchSettings,
	readLimit,
	skip,
} from '../../nodes/LeadSearch/parameters/fetching';
import { InvalidParameterError, show } from '../../nodes/LeadSearch/parameters/invalidParameter';
import { choice, toggle } from '../../nodes/LeadSearch/parameters/parameter';
import { collectionValues, itemValues } from '../../nodes/LeadSearch/parameters/values';

const values = (item: Json) => itemValues(item, (name) => item[name]);
const limitOf = (item: Json) => readLimit(values(item));
const optionsOf = (options: unknown) => collectionValues(values({ options }), 'options');
const size = pageSize(1_000, '');
const settingsOf = (options: unknown) => readFetchSettings(optionsOf(options), size);
const budgetOf = (options: unknown) => creditBudget.read(optionsOf(options));
const skipOf = (options: unknown) => skip.read(optionsOf(options));

function refusalOf(read: () => unknown): InvalidParameterError {
	try {
		read();
	} catch (thrown) {
		if (thrown instanceof InvalidParameterError) return thrown;
		throw thrown;
	}
	throw new Error('was taken');
}

describe('Limit', () => {
	test.each<[unknown, number]>([
		[1, 1],
		[50, 50],
		[100_000, 100_000],
		['10', 10],
		[' 10 ', 10],
	])('%j means %i rows', (limit, rows) => {
		expect(limitOf({ limit })).toBe(rows);
	});

	test.each<[unknown, string]>([
		[0, '0'],
		[-1, '-1'],
		[1.5, '1.5'],
		[100_001, '100001'],
		['abc', "'abc'"],
		['1.5', "'1.5'"],
		['10 leads', "'10 leads'"],
		[true, 'true'],
		[[5], '[5]'],
		[{ a: 1 }, '{"a":1}'],
		[NaN, 'NaN'],
		[Infinity, 'Infinity'],
		[-Infinity, '-Infinity'],
		[10n, '10'],
	])('%p is refused, with its value and what to write', (limit, value) => {
		const refusal = refusalOf(() => limitOf({ limit }));
		expect(refusal.label).toBe('Limit');
		expect(refusal.message).toBe(`'Limit' is ${value}, not a whole number from 1 to 100,000`);
		expect(refusal.description).toBe("Set 'Limit' to a whole number from 1 to 100,000.");
	});

	test('does not matter with Return All', () => {
		expect(limitOf({ returnAll: true, limit: 'abc' })).toBe(Infinity);
	});

	test('counts unless Return All is truly on', () => {
		expect(limitOf({ returnAll: 'true', limit: 5 })).toBe(5);
	});
});

describe('Options', () => {
	test('not set, each has its documented default', () => {
		for (const options of [undefined, {}, null, 'abc', []]) {
			expect(settingsOf(options)).toEqual({
				pageSize: 1_000,
				parallelPages: 8,
				maxRetries: 3,
				timeoutMs: 300_000,
			});
			expect(skipOf(options)).toBe(0);
			expect(budgetOf(options)).toBe(Infinity);
		}
	});

	test('set, each is taken', () => {
		const options = {
			skip: '20',
			pageSize: 250,
			maxRetries: 0,
			timeout: 5,
			maxCredits: 10,
			parallelPages: 8,
		};
		expect(settingsOf(options)).toEqual({
			pageSize: 250,
			parallelPages: 8,
			maxRetries: 0,
			timeoutMs: 5_000,
		});
		expect(skipOf(options)).toBe(20);
		expect(budgetOf(options)).toBe(10);
	});

	test.each([
		['Page Size', { pageSize: 0 }],
		['Page Size', { pageSize: 100_001 }],
		['Parallel Pages', { parallelPages: 0 }],
		['Parallel Pages', { parallelPages: 11 }],
		['Max Retries', { maxRetries: -1 }],
		['Max Retries', { maxRetries: 11 }],
		['Timeout', { timeout: 0 }],
		['Timeout', { timeout: 3_601 }],
	])('%s is refused by its label for %j', (label, options) => {
		expect(refusalOf(() => settingsOf(options)).label).toBe(label);
	});

	test.each([-1, 100_000, 'x'])('Skip is refused for %j', (rows) => {
		expect(refusalOf(() => skipOf({ skip: rows })).label).toBe('Skip');
	});

	test('a switch is a switch, and a choice one of its choices', () => {
		const options = optionsOf({ includePhones: 'yes', unmatched: 'nonsense' });
		const named = (name: string) => ({ displayName: name, name });
		const choices = [
			{ name: 'Leave Out', value: 'leaveOut' as const },
			{ name: 'Other', value: 'other' as const },
		];
		expect(toggle({ ...named('includePhones'), default: false }).read(options)).toBe(false);
		expect(toggle({ ...named('includeEmails'), default: true }).read(options)).toBe(true);
		const unmatched = choice({ ...named('unmatched'), options: choices, default: 'leaveOut' });
		expect(unmatched.read(optionsOf({ unmatched: 'other' }))).toBe('other');
		expect(unmatched.read(optionsOf({}))).toBe('leaveOut');
		expect(unmatched.read(optionsOf({ unmatched: '' }))).toBe('leaveOut');
		expect(refusalOf(() => unmatched.read(options)).message).toBe(
			"'unmatched' is 'nonsense', which is none of its options",
		);
	});
});

describe('Promise 1: never overspend', () => {
	test.each([0, -5, 1.5, 'abc', NaN])('a Credit Budget of %p is refused', (maxCredits) => {
		expect(refusalOf(() => budgetOf({ maxCredits })).label).toBe('Credit Budget');
	});

	test.each<[unknown]>([[null], [undefined], ['']])(
		'a Credit Budget whose expression gives %p is refused, not taken for no budget',
		(maxCredits) => {
			expect(refusalOf(() => budgetOf({ maxCredits })).message).toBe(
				"'Credit Budget' is empty",
			);
		},
	);
});

describe('Whatever expressions give', () => {
	test('numbers come out in range, or are refused', () => {
		fc.assert(
			fc.property(
				fc.anything({ withBigInt: true, withDate: true }),
				fc.anything({ withBigInt: true }),
				(limit, passedOver) => {
					try {
						const rows = limitOf({ limit });
						expect(Number.isInteger(rows)).toBe(true);
						expect(rows).toBeGreaterThanOrEqual(1);
						expect(skipOf({ skip: passedOver })).toBeGreaterThanOrEqual(0);
					} catch (thrown) {
						expect(thrown).toBeInstanceOf(InvalidParameterError);
					}
				},
			),
			{ numRuns: 2_000 },
		);
	});

	test('a value is shown in a few words', () => {
		expect(show('x'.repeat(500)).length).toBeLessThanOrEqual(81);
		expect(show({ a: [1, 'b'] })).toBe('{"a":[1,"b"]}');
	});

	test.each<[string, unknown]>([
		['undefined', undefined],
		['a function', () => 1],
		['a symbol', Symbol('a')],
		['a big number', 1n],
		['an object that holds itself', holdsItself()],
	])('%s is shown, too', (_, value) => {
		expect(typeof show(value)).toBe('string');
	});
});

function holdsItself(): Json {
	const value: Json = {};
	value.self = value;
	return value;
}
