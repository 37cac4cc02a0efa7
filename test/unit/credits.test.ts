import { CreditAccount } from '../../nodes/LeadSearch/api/credits';

describe('Promise 1: never overspend', () => {
	test('what may have been charged counts as spent, and nothing is left below zero', () => {
		const credits = new CreditAccount(100);
		credits.charge(30);
		credits.loseResponse(50);
		expect(credits.left).toBe(20);
		credits.charge(40);
		expect(credits.left).toBe(0);
		expect(credits).toMatchObject({ charged: 70, possiblyCharged: 50, lostResponses: 1 });
	});

	test('without a Credit Budget everything may be spent', () => {
		expect(new CreditAccount().left).toBe(Infinity);
	});
});
