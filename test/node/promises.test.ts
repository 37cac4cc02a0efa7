/** The promises about money, each by examples with figures that can be followed by hand. */
import { urlsMatching } from '../../sandbox/service';
import { pairsOf, urlsOf, useService, warningsOf } from './useService';

jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	sleep: () => Promise.resolve(),
}));

const shared = useService();
const { customer } = shared;
const filters = { personLocationCountry: 'Iceland' };
const iceland = urlsMatching({ person_location_country: ['Iceland'] });

describe('Promise 1: never overspend', () => {
	test('Limit 1,009 with page size 1,000 costs 1,009, from a service that does not cap rows', async () => {
		const buyer = customer({ ignoresMaxResults: true });
		const { items } = await buyer.search({ limit: 1_009, filters });
		expect(urlsOf(items)).toEqual(iceland.slice(0, 1_009));
		expect(buyer.account.spent.apiCredits).toBe(1_009);
		expect(buyer.requests().map(({ perPage }) => perPage)).toEqual([1_000, 1, 8, 1]);
	});

	test('Credit Budget ends a run over all pages and items, and a hint says so', async () => {
		const buyer = customer();
		const { items, hints } = await buyer.search(
			{
				limit: 40,
				filters: { personLocationCountry: '={{ $json.country }}' },
				options: { maxCredits: 50, pageSize: 15 },
			},
			{ input: [{ country: 'Iceland' }, { country: 'Germany' }, { country: 'France' }] },
		);
		expect(pairsOf(items)).toEqual([
			...Array<number>(40).fill(0),
			...Array<number>(10).fill(1),
		]);
		expect(buyer.account.spent.apiCredits).toBe(50);
		expect(warningsOf(hints)).toEqual([
			"The Credit Budget of 50 credits ended this run: 50 credits spent. There may be more results. To get them without paying twice, run again with only input item 1, and set 'Skip' (under Options) to 10 and 'Limit' to 30. Then run again with only input item 2, as it is now.",
		]);
	});

	test('what may have been charged for a lost answer counts against the Credit Budget', async () => {
		const buyer = customer();
		buyer.addFault({ kind: 'loseAfterAnswer' });
		const { items, hints } = await buyer.search({
			limit: 40,
			filters,
			options: { maxCredits: 50 },
		});
		expect(items).toHaveLength(10);
		expect(buyer.account.spent.apiCredits).toBe(50);
		expect(warningsOf(hints)).toEqual([
			"The Credit Budget of 50 credits ended this run: 10 credits spent and up to 40 credits for answers that were lost. There may be more results. To get them without paying twice, set 'Skip' (under Options) to 10 and 'Limit' to 30.",
			'1 answer was lost or could not be used. Up to 40 credits may have been charged for it.',
		]);
	});
});

describe('Promise 2: never lose what was paid for', () => {
	test('a balance of 60 gives 60 leads and one error item that names 402', async () => {
		const buyer = customer({ apiCredits: 60 });
		const { items } = await buyer.search(
			{ returnAll: true, filters, options: { pageSize: 25 } },
			{ onError: 'continueRegularOutput' },
		);
		expect(urlsOf(items.slice(0, 60))).toEqual(iceland.slice(0, 60));
		expect(items.slice(60).map(({ json }) => json.error)).toEqual([
			'Not enough API credits (402): 60 leads fetched; no credits left to tell whether more follow',
		]);
	});
});

describe('Promise 3: never pass off a cut result as whole', () => {
	test('after a short page exactly the next row is asked for; 402 means that credits ran out', async () => {
		const buyer = customer({ apiCredits: 60 });
		const { error } = await buyer.search({
			returnAll: true,
			filters,
			options: { pageSize: 25, parallelPages: 1 },
		});
		expect(error?.message).toContain('402');
		expect(
			buyer
				.requests()
				.map(({ page, perPage, status, rows }) => [page, perPage, status, rows]),
		).toEqual([
			[1, 25, 200, 25],
			[2, 25, 200, 25],
			[3, 25, 200, 10],
			[61, 1, 402, 0],
		]);
	});

	test('no row means the end, and costs nothing', async () => {
		const buyer = customer({ leads: 60 });
		const { items, error } = await buyer.search({
			returnAll: true,
			filters,
			options: { pageSize: 25 },
		});
		expect(error).toBeUndefined();
		expect(items).toHaveLength(60);
		expect(buyer.requests().at(-1)).toMatchObject({
			page: 61,
			perPage: 1,
			rows: 0,
			charged: 0,
		});
	});

	test('a row means that the list goes on', async () => {
		const buyer = customer({ silentClamp: 30 });
		const { items } = await buyer.search({ limit: 100, filters, options: { pageSize: 50 } });
		expect(urlsOf(items)).toEqual(iceland.slice(0, 100));
		expect(buyer.account.spent.apiCredits).toBe(100);
	});
});

describe('Promise 4: never pay twice for the same thing', () => {
	test('10 items with the same search cost what one costs, and a hint names Execute Once', async () => {
		const buyer = customer();
		const { items, hints } = await buyer.search(
			{ limit: 20, filters },
			{ input: Array.from({ length: 10 }, () => ({})) },
		);
		expect(items).toHaveLength(200);
		expect(pairsOf(items)).toEqual(
			Array.from({ length: 200 }, (_, index) => Math.floor(index / 20)),
		);
		expect(buyer.account.spent.apiCredits).toBe(20);
		expect(buyer.requests()).toHaveLength(1);
		expect(warningsOf(hints)).toEqual([
			"10 input items ask for the same leads. They were fetched and paid once and returned for each item. To get them once, turn on Execute Once in the node's settings.",
		]);
	});

	test('items of the same search do not share an object that a later node could change', async () => {
		const { items } = await customer().search({ limit: 1, filters }, { input: [{}, {}] });
		expect(items[0]?.json).toEqual(items[1]?.json);
		expect(items[0]?.json).not.toBe(items[1]?.json);
	});

	test('a lost answer is asked for again, counted, and told in a hint', async () => {
		const buyer = customer();
		buyer.addFault({
			page: 2,
			kind: 'loseAfterAnswer',
		});
		const { items, hints, error } = await buyer.search({
			limit: 100,
			filters,
			options: { pageSize: 50 },
		});
		expect(error).toBeUndefined();
		expect(urlsOf(items)).toEqual(iceland.slice(0, 100));
		expect(buyer.account.spent.apiCredits).toBe(150);
		expect(warningsOf(hints)).toEqual([
			'1 answer was lost or could not be used. Up to 50 credits may have been charged for it.',
		]);
	});
});

describe('Promise 7: the service’s word counts', () => {
	test('a service that serves smaller pages than asked for is followed', async () => {
		const buyer = customer({ clampPerPage: 100 });
		const { items } = await buyer.search({ limit: 250, filters });
		expect(urlsOf(items)).toEqual(iceland.slice(0, 250));
		expect(buyer.requests().map(({ perPage }) => perPage)).toEqual([250, 100, 50, 50]);
		expect(buyer.account.spent.apiCredits).toBe(250);
	});

	test.each([400, 413, 422] as const)(
		'a page size refused with %s falls back to the documented default',
		async (status) => {
			const buyer = customer({ refusesPerPageAbove: { size: 100, status } });
			const search = await buyer.search({ limit: 60, filters, options: { pageSize: 200 } });
			expect(search.items).toHaveLength(60);
			const all = await buyer.search({ limit: 130, filters, options: { pageSize: 200 } });
			expect(urlsOf(all.items)).toEqual(iceland.slice(0, 130));
			const sizes = buyer.requests().map(({ perPage }) => perPage);
			expect(sizes).toEqual([60, 130, 25, 25, 1, 25, 25, 25, 5]);
			const lookUp = await buyer.lookUp({
				linkedinUrls: iceland.slice(0, 150).join('\n'),
				options: { onlyWithEmails: false },
			});
			expect(urlsOf(lookUp.items)).toEqual(iceland.slice(0, 150));
			expect(
				buyer
					.requests()
					.slice(sizes.length)
					.map(({ perPage }) => perPage),
			).toEqual([150, 100, 50]);
		},
	);

	test.each([
		['stays', 2],
		['goes backwards', 1],
	])('a next page that %s ends in a message, not in a loop', async (_, nextPage) => {
		const buyer = customer();
		buyer.addFault({
			page: 2,
			kind: 'merge',
			merge: { next_page: nextPage },
		});
		const { items } = await buyer.search(
			{ returnAll: true, filters, options: { pageSize: 100 } },
			{ onError: 'continueRegularOutput' },
		);
		expect(items).toHaveLength(201);
		expect(items[200]?.json.error).toBe(
			`The lead service sent an unexpected answer: it named page ${nextPage} as the one after page 2`,
		);
		// One of them asks for a page behind the end.
		expect(buyer.requests()).toHaveLength(3);
	});

	test('a search that reaches 100,000 says that narrower filters get the rest', async () => {
		const buyer = customer();
		const { items, hints } = await buyer.search({ limit: 5, options: { skip: 99_997 } });
		expect(items).toHaveLength(3);
		expect(warningsOf(hints)).toEqual([
			'The search reached 100,000 results, which is as far as the lead service goes. Narrower filters get the rest.',
		]);
	});
});

describe('Retries', () => {
	test('on the second 502 the page is halved', async () => {
		const buyer = customer();
		buyer.addFault({
			kind: 'status',
			status: 502,
			times: 3,
		});
		const { items, error } = await buyer.search({ limit: 80, filters });
		expect(error).toBeUndefined();
		expect(urlsOf(items)).toEqual(iceland.slice(0, 80));
		expect(buyer.requests().map(({ perPage }) => perPage)).toEqual([
			80, 80, 40, 25, 25, 25, 1, 5,
		]);
		expect(buyer.account.spent.apiCredits).toBe(80);
	});

	test('a page is tried again as often as Max Retries says', async () => {
		const buyer = customer();
		buyer.addFault({
			kind: 'status',
			status: 500,
			times: 'always',
		});
		await buyer.search({ limit: 1, options: { maxRetries: 2 } });
		expect(buyer.requests()).toHaveLength(3);
	});

	test.each([400, 401, 402, 403, 404])('%s is not tried again', async (status) => {
		const buyer = customer();
		buyer.addFault({
			kind: 'status',
			status,
			times: 'always',
		});
		await buyer.search({ limit: 1 });
		expect(buyer.requests()).toHaveLength(1);
	});
});
