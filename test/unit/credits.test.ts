import { CreditAccount, creditsLeft, since } from '../../nodes/LeadSearch/api/credits';

describe('Promise 1: never overspend', () => {
	test('what may have been charged counts as spent, and nothing is left below zero', () => {
		const credits = new CreditAccount();
		credits.charge(30);
		credits.loseResponse(50);
		expect(creditsLeft(100, credits)).toBe(20);
		credits.charge(40);
		expect(creditsLeft(100, credits)).toBe(0);
		expect(credits).toMatchObject({ charged: 70, possiblyCharged: 50, lostResponses: 1 });
	});

	test('without a Credit Budget everything may be spent', () => {
		const credits = new CreditAccount();
		credits.charge(30);
		expect(creditsLeft(Infinity, credits)).toBe(Infinity);
	});

	test('what earlier runs of the execution spent counts, and is told apart', () => {
		const before = { ...new CreditAccount().figures(), charged: 60, requests: 2, returned: 55 };
		const credits = new CreditAccount(before);
		credits.returned += 25;
		credits.send();
		credits.charge(30);
		expect(creditsLeft(100, credits)).toBe(10);
		expect(since(before, credits)).toEqual({ charged: 30, requests: 1, returned: 25 });
	});

	test('what was lost is told by the next run that ends well, once', () => {
		const first = new CreditAccount();
		first.loseResponse(50);
		const second = new CreditAccount(first.figures());
		expect(second.untold()).toEqual({ lostResponses: 1, possiblyCharged: 50 });
		second.tell();
		const third = new CreditAccount(second.figures());
		third.loseResponse(10);
		expect(third.untold()).toEqual({ lostResponses: 1, possiblyCharged: 10 });
	});
});
