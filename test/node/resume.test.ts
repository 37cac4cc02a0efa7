/** Promise 2: nothing paid for is lost, and Skip goes on from there without paying twice. */
import type { IDataObject } from 'n8n-workflow';

import { leadsChargedTwice, urlsMatching, type FaultAction } from '../../sandbox/service';
import { jsonOf, useService, warningsOf, type Customer } from './useService';

jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	sleep: () => Promise.resolve(),
}));

const shared = useService();
const LEADS = 230;
const people = urlsMatching({ person_location_country: ['Iceland'] }).slice(0, LEADS);

const FAILURES: Array<[string, FaultAction]> = [
	['502 after retries', { kind: 'status', status: 502 }],
	['a lost connection', { kind: 'loseBeforeAnswer' }],
	['500', { kind: 'status', status: 500 }],
	['a web page', { kind: 'notJson' }],
];

const urls = (leads: IDataObject[]) => leads.map(({ linkedin_url }) => linkedin_url);

/** Fetches everybody; by URL, those who have not come yet. */
const runs = {
	Search: async (buyer: Customer, before: IDataObject[], options: object = {}) =>
		await buyer.search(
			{
				returnAll: true,
				filters: { personLocationCountry: 'Iceland' },
				options: { ...options, skip: before.length },
			},
			{ onError: 'continueErrorOutput' },
		),
	'Look Up': async (buyer: Customer, before: IDataObject[], options: object = {}) =>
		await buyer.lookUp(
			{ linkedinUrls: '={{ $json.url }}', options: { ...options, onlyWithEmails: false } },
			{
				input: people.filter((url) => !urls(before).includes(url)).map((url) => ({ url })),
				onError: 'continueErrorOutput',
			},
		),
};

describe.each(Object.entries(runs))('%s', (operation, run) => {
	test.each([...FAILURES, ['an empty balance', undefined] as const])(
		'stopped by %s, then resumed as the message says',
		async (_name, fault) => {
			const buyer = shared.customer({ leads: LEADS, ...(!fault && { apiCredits: 120 }) });
			const broken = fault && buyer.addFault({ ...fault, nthRequest: 3, times: 'always' });
			const first = await run(buyer, [], { pageSize: 60, maxRetries: 1 });
			const errors = jsonOf(first.errorItems);
			expect(errors).toHaveLength(operation === 'Search' ? 1 : LEADS - 120);
			expect(errors[0]?.message).toMatch(
				operation === 'Search'
					? /120 leads fetched before and charged are in the output\..* set 'Skip' \(under Options\) to 120\./
					: /120 profiles fetched before and charged are in the output\. 110 URLs were not looked up\. To go on without paying twice, run again with only these\./,
			);

			broken?.remove();
			shared.service.admin.setCredits(buyer.account.id, { apiCredits: 1_000 });
			const rest = await run(buyer, jsonOf(first.items), { pageSize: 60 });
			expect(rest.errorItems).toEqual([]);
			expect([...urls(jsonOf(first.items)), ...urls(jsonOf(rest.items))]).toEqual(people);
			expect(buyer.account.spent.apiCredits).toBe(LEADS);
			expect(leadsChargedTwice(buyer.account)).toEqual([]);
		},
	);
});

describe('Several input items, each with a search of its own', () => {
	const iceland = { country: 'Iceland' };
	const germany = { country: 'Germany' };
	const france = { country: 'France' };
	const countries = [iceland, germany, france];
	const perItem = { limit: 50, filters: { personLocationCountry: '={{ $json.country }}' } };

	test('under Stop Workflow, the one that stopped goes on alone, and those after it run as they are', async () => {
		const buyer = shared.customer({ apiCredits: 70 });
		const { error } = await buyer.search(perItem, { input: countries });
		expect(error?.message).toBe(
			'Not enough API credits (402): 20 leads fetched; no credits left to tell whether more follow',
		);
		expect(error?.description).toContain(
			'20 leads fetched for input item 1 before and charged',
		);
		expect(error?.description).toContain('In this execution 70 credits were spent in all.');
		expect(error?.description).toContain(
			"To go on without paying twice, run again with only input item 1, and set 'Skip' (under Options) to 20 and 'Limit' to 30. That fetches the leads from number 21 on. Then run again with only input item 2, 'Skip' and 'Limit' as they are now.",
		);

		shared.service.admin.setCredits(buyer.account.id, { apiCredits: 1_000 });
		await buyer.search({ ...perItem, limit: 30, options: { skip: 20 } }, { input: [germany] });
		await buyer.search(perItem, { input: [france] });
		expect(buyer.account.spent.apiCredits).toBe(150);
		expect(leadsChargedTwice(buyer.account)).toEqual([]);
	});

	test('under Continue, only the one that stopped is to be run again, since the others have run', async () => {
		const buyer = shared.customer();
		const broken = buyer.addFault({ kind: 'status', status: 500, nthRequest: 2, times: 1 });
		const { items } = await buyer.search(
			{ ...perItem, options: { maxRetries: 0, pageSize: 50 } },
			{ input: countries, onError: 'continueRegularOutput' },
		);
		broken.remove();
		const told = items.filter(({ json }) => json.error !== undefined);
		expect(told.map(({ json, pairedItem }) => ({ message: json.message, pairedItem }))).toEqual(
			[
				{
					message: expect.stringMatching(
						/In this execution 100 credits were spent in all\. To go on without paying twice, run again with only input item 1\.$/,
					) as string,
					pairedItem: { item: 1 },
				},
			],
		);
		expect(buyer.account.spent.apiCredits).toBe(100);
		await buyer.search(perItem, { input: [germany] });
		expect(leadsChargedTwice(buyer.account)).toEqual([]);
	});

	test('under Continue, what comes after a list that got nothing counts too', async () => {
		const buyer = shared.customer();
		buyer.addFault({ kind: 'status', status: 500 });
		const { items } = await buyer.search(
			{ ...perItem, options: { maxRetries: 0 } },
			{ input: countries, onError: 'continueRegularOutput' },
		);
		expect(buyer.account.spent.apiCredits).toBe(100);
		expect(items[0]?.json.message).toMatch(
			/In this execution 100 credits were spent in all\. To go on without paying twice, run again with only input item 0\.$/,
		);
	});

	test('an item is named although it is the only one that was run', async () => {
		const buyer = shared.customer({ apiCredits: 30 });
		const { items } = await buyer.search(
			{ limit: '={{ $json.limit }}', filters: { personLocationCountry: 'Iceland' } },
			{
				input: [{ limit: 50 }, { limit: null }],
				onError: 'continueRegularOutput',
			},
		);
		expect(items[30]?.json.message).toContain(
			"run again with only input item 0, and set 'Skip' (under Options) to 30 and 'Limit' to 20.",
		);
	});

	test('the Credit Budget ends all of them, and the hint says how to get the rest', async () => {
		const buyer = shared.customer();
		const { hints } = await buyer.search(
			{ ...perItem, options: { maxCredits: 70 } },
			{ input: countries },
		);
		expect(warningsOf(hints)).toEqual([
			"The Credit Budget of 70 credits ended this run: 70 credits spent. There may be more results. To go on without paying twice, run again with only input item 1, and set 'Skip' (under Options) to 20 and 'Limit' to 30. That fetches the leads from number 21 on. Then run again with only input item 2, 'Skip' and 'Limit' as they are now.",
		]);
	});

	test('a list that failed at its first page is to be run with those after it', async () => {
		const buyer = shared.customer({ apiCredits: 50 });
		const { error } = await buyer.search(perItem, { input: countries });
		expect(error?.description).toContain(
			'In this execution 50 credits were spent in all. Their results are not handed on, because On Error is set to Stop Workflow. To keep what is fetched before a run stops, set On Error to one of the Continue modes. To go on without paying twice, run again with only input items 1 to 2.',
		);
	});
});
