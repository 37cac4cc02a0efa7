/** Promise 2: nothing paid for is lost, and Skip goes on from there without paying twice. */
import type { IDataObject } from 'n8n-workflow';

import { leadAt, leadsChargedTwice, matching, type FaultAction } from '../../sandbox/service';
import { jsonOf, useService, type Customer } from './useService';

jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	sleep: () => Promise.resolve(),
}));

const shared = useService();
const LEADS = 230;
const people = [...matching({ person_location_country: ['Iceland'] })]
	.slice(0, LEADS)
	.map((lead) => leadAt(lead).linkedin_url);

const FAILURES: Array<[string, FaultAction]> = [
	['502 after retries', { kind: 'status', status: 502 }],
	['a lost connection', { kind: 'loseBeforeAnswer' }],
	['500', { kind: 'status', status: 500 }],
	['a web page', { kind: 'notJson' }],
];

const runs = {
	Search: async (
		buyer: Customer,
		options: object,
		onError: 'stopWorkflow' | 'continueErrorOutput',
	) =>
		await buyer.search(
			{
				returnAll: true,
				filters: { personLocationCountry: 'Iceland' },
				options: { ...options },
			},
			{ onError },
		),
	'Look Up': async (
		buyer: Customer,
		options: object,
		onError: 'stopWorkflow' | 'continueErrorOutput',
	) =>
		await buyer.lookUp(
			{ linkedinUrls: '={{ $json.url }}', options: { ...options, onlyWithEmails: false } },
			{ input: people.map((url) => ({ url })), onError },
		),
};

const urls = (leads: IDataObject[]) => leads.map(({ linkedin_url }) => linkedin_url);

describe.each(Object.entries(runs))('%s', (_, run) => {
	test.each(FAILURES)('stopped by %s, then resumed', async (_name, fault) => {
		const buyer = shared.customer({ leads: LEADS });
		const broken = shared.service.admin.addFault({
			...fault,
			account: buyer.account.id,
			nthRequest: 3,
			times: 'always',
		});
		const first = await run(buyer, { pageSize: 60, maxRetries: 1 }, 'continueErrorOutput');
		expect(jsonOf(first.errorItems)).toEqual([
			expect.objectContaining({
				message: expect.stringMatching(
					/120 (leads|profiles) fetched before and charged are in the output\..* set 'Skip' \(under Options\) to 120\./,
				) as string,
			}),
		]);

		broken.remove();
		const rest = await run(buyer, { pageSize: 60, skip: 120 }, 'continueErrorOutput');
		expect(rest.errorItems).toEqual([]);
		expect([...urls(jsonOf(first.items)), ...urls(jsonOf(rest.items))]).toEqual(people);
		expect(buyer.account.spent.apiCredits).toBe(LEADS);
		expect(leadsChargedTwice(buyer.account)).toEqual([]);
	});

	test('stopped by an empty balance under Stop Workflow, then resumed as the message says', async () => {
		const buyer = shared.customer({ leads: LEADS, apiCredits: 77 });
		const { error, items } = await run(buyer, { pageSize: 25 }, 'stopWorkflow');
		expect(items).toEqual([]);
		expect(error?.message).toMatch(
			/^Not enough API credits \(402\): 77 (leads|profiles) fetched/,
		);
		const skip = Number(
			/set 'Skip' \(under Options\) to (\d+)/.exec(error?.description ?? '')?.[1],
		);
		expect(skip).toBe(77);

		shared.service.admin.setCredits(buyer.account.id, { apiCredits: 1_000 });
		const rest = await run(buyer, { pageSize: 25, skip }, 'stopWorkflow');
		expect(urls(jsonOf(rest.items))).toEqual(people.slice(77));
		expect(buyer.account.spent.apiCredits).toBe(LEADS);
		expect(leadsChargedTwice(buyer.account)).toEqual([]);
	});
});

test('under Stop Workflow with several items, the message says from which one to go on', async () => {
	const buyer = shared.customer({ apiCredits: 70 });
	const { error } = await buyer.search(
		{ limit: 50, filters: { personLocationCountry: '={{ $json.country }}' } },
		{ input: [{ country: 'Iceland' }, { country: 'Germany' }, { country: 'France' }] },
	);
	expect(error?.message).toBe(
		'Not enough API credits (402): 20 leads fetched before they ran out',
	);
	expect(error?.description).toContain('20 leads fetched for input item 1 before and charged');
	expect(error?.description).toContain('In this execution 70 credits were spent in all.');
	expect(error?.description).toContain(
		"set 'Skip' (under Options) to 20 and 'Limit' to 30, run from input item 1 on.",
	);
});

test('more URLs than one request takes: Skip counts 100,000 for those before', async () => {
	const buyer = shared.customer();
	const nobodies = Array.from({ length: 100_000 }, (_, id) => `linkedin.com/in/nobody-${id}`);
	const linkedinUrls = [...nobodies, ...people.slice(0, 30)].join('\n');
	const options = { pageSize: 10, onlyWithEmails: false, maxRetries: 0 };
	const broken = shared.service.admin.addFault({
		account: buyer.account.id,
		page: 2,
		perPage: 10,
		kind: 'status',
		status: 500,
		times: 'always',
	});
	const { error } = await buyer.lookUp({ linkedinUrls, options });
	expect(error?.description).toContain("set 'Skip' (under Options) to 100010");
	broken.remove();
	const rest = await buyer.lookUp({ linkedinUrls, options: { ...options, skip: 100_010 } });
	expect(urls(jsonOf(rest.items))).toEqual(people.slice(10, 30));
	expect(leadsChargedTwice(buyer.account)).toEqual([]);
});

test('a list that failed at its first page names the input item to go on from', async () => {
	const buyer = shared.customer({ apiCredits: 50 });
	const { error } = await buyer.search(
		{ limit: 50, filters: { personLocationCountry: '={{ $json.country }}' } },
		{ input: [{ country: 'Iceland' }, { country: 'Germany' }] },
	);
	expect(error?.description).toContain(
		'In this execution 50 credits were spent in all. To go on without paying twice, run from input item 1 on.',
	);
});
