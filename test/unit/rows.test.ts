/** What becomes of rows: simplified, paired, and asked for once. */
import { groupSame, maxResults } from '../../nodes/LeadSearch/operations/operation';
import { Output } from '../../nodes/LeadSearch/operations/output';
import { LEAD_FIELDS, pick, PROFILE_FIELDS } from '../../nodes/LeadSearch/operations/simplify';
import { CreditAccount } from '../../nodes/LeadSearch/service/credits';

describe('Simplify', () => {
	test('keeps at most 10 fields', () => {
		expect(LEAD_FIELDS.length).toBeLessThanOrEqual(10);
		expect(PROFILE_FIELDS.length).toBeLessThanOrEqual(10);
	});

	test('keeps null and false, and leaves missing fields out', () => {
		const row = { work_email: null, has_email: false, extra: 1, full_name: undefined };
		expect(pick(row, PROFILE_FIELDS)).toEqual({ work_email: null, has_email: false });
		expect(Object.keys(pick(row, PROFILE_FIELDS))).toEqual(['work_email', 'has_email']);
	});
});

describe('Output', () => {
	test('comes in the order of the input items, each paired with its own', () => {
		const output = new Output(3);
		output.add(2, { n: 1 });
		output.add(0, { n: 2 });
		output.add(undefined, { n: 3 });
		output.add(2, { n: 4 });
		expect(output.items()).toEqual([
			{ json: { n: 2 }, pairedItem: { item: 0 } },
			{ json: { n: 1 }, pairedItem: { item: 2 } },
			{ json: { n: 4 }, pairedItem: { item: 2 } },
			{ json: { n: 3 } },
		]);
	});

	test('of a single input item is paired with it in any case', () => {
		const output = new Output(1);
		output.add(undefined, { n: 1 });
		expect(output.items()).toEqual([{ json: { n: 1 }, pairedItem: { item: 0 } }]);
	});

	test('of nothing is nothing', () => {
		expect(new Output(2).items()).toEqual([]);
	});

	test('Promise 2: an item for a failure stands behind the leads that came before it', () => {
		const output = new Output(2);
		output.add(0, { n: 1 });
		output.addFailure([0, 1], { message: 'm', description: 'd' });
		expect(output.items()).toEqual([
			{ json: { n: 1 }, pairedItem: { item: 0 } },
			{
				json: { error: 'm', message: 'd' },
				pairedItem: [{ item: 0 }, { item: 1 }],
			},
		]);
	});
});

describe('Promise 4: never pay twice for the same thing', () => {
	test('input items that ask for the same are one group, in order', () => {
		const requests = ['a', 'b', 'a', 'c', 'b'].map((request, item) => ({ item, request }));
		expect(groupSame(requests, (request) => request)).toEqual([
			{ items: [0, 2], request: 'a', members: ['a', 'a'] },
			{ items: [1, 4], request: 'b', members: ['b', 'b'] },
			{ items: [3], request: 'c', members: ['c'] },
		]);
	});

	test('max_results is Skip and Limit together, at most what there is', () => {
		const fetching = { skip: 100, rows: 20 };
		expect(maxResults(fetching, 100_000)).toBe(120);
		expect(maxResults({ ...fetching, rows: Infinity }, 100_000)).toBe(100_000);
	});
});

describe('Promise 1: never overspend', () => {
	test('what may have been charged counts as spent, and nothing is left below zero', () => {
		const credits = new CreditAccount(100);
		credits.charge(30);
		credits.loseAnswer(50);
		expect(credits.left).toBe(20);
		credits.charge(40);
		expect(credits.left).toBe(0);
		expect(credits).toMatchObject({ charged: 70, possiblyCharged: 50, lostAnswers: 1 });
	});

	test('without a Credit Budget everything may be spent', () => {
		expect(new CreditAccount().left).toBe(Infinity);
	});
});
