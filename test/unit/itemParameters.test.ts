import fc from 'fast-check';

import {
	BadParameter,
	ItemParameters,
	show,
	type Fetching,
} from '../../nodes/LeadSearch/operations/itemParameters';
import type { Json } from '../../nodes/LeadSearch/service/contract';

const reading = (values: Json) => new ItemParameters((name) => values[name]);
const fetching = (values: Json): Fetching => reading(values).fetching(1_000);

function complaintAbout(read: () => unknown): BadParameter {
	try {
		read();
	} catch (thrown) {
		if (thrown instanceof BadParameter) return thrown;
		throw thrown;
	}
	throw new Error('was taken without a complaint');
}

describe('Limit', () => {
	test.each<[unknown, number]>([
		[1, 1],
		[50, 50],
		[100_000, 100_000],
		['10', 10],
		[' 10 ', 10],
	])('%j means %i rows', (limit, rows) => {
		expect(fetching({ limit }).rows).toBe(rows);
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
		const complaint = complaintAbout(() => fetching({ limit }));
		expect(complaint.label).toBe('Limit');
		expect(complaint.message).toBe(`'Limit' is ${value}, not a whole number from 1 to 100,000`);
		expect(complaint.description).toBe("Set 'Limit' to a whole number from 1 to 100,000.");
	});

	test('does not matter with Return All', () => {
		expect(fetching({ returnAll: true, limit: 'abc' }).rows).toBe(Infinity);
	});

	test('counts unless Return All is truly on', () => {
		expect(fetching({ returnAll: 'true', limit: 5 }).rows).toBe(5);
	});
});

describe('Options', () => {
	test('not set, each has its documented default', () => {
		for (const options of [undefined, {}, null, 'abc', []]) {
			expect(fetching({ limit: 50, options })).toEqual({
				skip: 0,
				rows: 50,
				pageSize: 1_000,
				parallelPages: 1,
				maxRetries: 3,
				timeoutMs: 300_000,
			});
			expect(reading({ options }).creditBudget()).toBe(Infinity);
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
		expect(fetching({ limit: 50, options })).toEqual({
			skip: 20,
			rows: 50,
			pageSize: 250,
			parallelPages: 8,
			maxRetries: 0,
			timeoutMs: 5_000,
		});
		expect(reading({ options }).creditBudget()).toBe(10);
	});

	test.each([
		['Skip', { skip: -1 }],
		['Skip', { skip: 100_000 }],
		['Skip', { skip: 'x' }],
		['Page Size', { pageSize: 0 }],
		['Page Size', { pageSize: 100_001 }],
		['Parallel Pages', { parallelPages: 0 }],
		['Parallel Pages', { parallelPages: 11 }],
		['Max Retries', { maxRetries: -1 }],
		['Max Retries', { maxRetries: 11 }],
		['Timeout', { timeout: 0 }],
		['Timeout', { timeout: 3_601 }],
	])('%s is refused by its label for %j', (label, options) => {
		expect(complaintAbout(() => fetching({ limit: 50, options })).label).toBe(label);
	});

	test('a switch is a switch, and a choice one of its choices', () => {
		const parameters = reading({ options: { includePhones: 'yes', unmatched: 'nonsense' } });
		expect(parameters.option('includePhones', false)).toBe(false);
		expect(parameters.option('includeEmails', true)).toBe(true);
		expect(parameters.choice('unmatched', ['leaveOut', 'other'], 'leaveOut')).toBe('leaveOut');
	});
});

describe('Promise 1: never overspend', () => {
	test.each([0, -5, 1.5, 'abc', NaN])('a Credit Budget of %p is refused', (maxCredits) => {
		expect(
			complaintAbout(() => reading({ options: { maxCredits } }).creditBudget()).label,
		).toBe('Credit Budget');
	});

	test.each<[unknown]>([[null], [undefined], ['']])(
		'a Credit Budget whose expression gives %p is refused, not taken for no budget',
		(maxCredits) => {
			const complaint = complaintAbout(() =>
				reading({ options: { maxCredits } }).creditBudget(),
			);
			expect(complaint.label).toBe('Credit Budget');
		},
	);
});

describe('Whatever expressions give', () => {
	test('numbers come out in range, or there is a complaint', () => {
		fc.assert(
			fc.property(
				fc.anything({ withBigInt: true, withDate: true }),
				fc.anything({ withBigInt: true }),
				(limit, skip) => {
					let read: Fetching;
					try {
						read = fetching({ limit, options: { skip } });
					} catch (thrown) {
						expect(thrown).toBeInstanceOf(BadParameter);
						return;
					}
					expect(Number.isInteger(read.rows)).toBe(true);
					expect(read.rows).toBeGreaterThanOrEqual(1);
					expect(read.skip).toBeGreaterThanOrEqual(0);
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
