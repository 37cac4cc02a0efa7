/** Parallel Pages: several pages under way at once, with every promise about money kept. */
import { urlsMatching, type FaultMatch } from '../../sandbox/service';
import { urlsOf, useService, warningsOf, type Customer } from './useService';

jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	sleep: () => Promise.resolve(),
}));

const shared = useService();
const { customer } = shared;
const filters = { personLocationCountry: 'Iceland' };
const iceland = urlsMatching({ person_location_country: ['Iceland'] });
const mostAtOnce = (requests: ReturnType<Customer['requests']>) =>
	Math.max(...requests.map(({ inFlight }) => inFlight));

const twoPages = [3, 4].map((page) => ({ page, inFlight: 2 }));
const threePages = [...twoPages, ...[5, 6, 7].map((page) => ({ page, inFlight: 3 }))];
const threeLookups = threePages.map(({ page, inFlight }) => ({ nthRequest: page, inFlight }));

/** Makes requests overlap: these are held back until so many are under way. */
function overlapping(
	buyer: Customer,
	held: Array<Omit<FaultMatch, 'account'> & { inFlight: number }>,
) {
	for (const one of held) buyer.addFault({ kind: 'hold', ...one });
	return slow(buyer);
}

/** Leaves time for more requests to be sent than should be. */
function slow(buyer: Customer): Customer {
	buyer.addFault({ kind: 'latency', ms: 5, times: 'always' });
	return buyer;
}

beforeEach(() => {
	// The clock stands still, so that on a busy machine more requests at once seem no slower.
	jest.spyOn(Date, 'now').mockReturnValue(Date.UTC(2026, 0, 1));
});

afterEach(() => {
	jest.restoreAllMocks();
});

test('two pages go alone, then one more for each that comes, never more than set', async () => {
	const buyer = overlapping(customer(), threePages);
	const { items } = await buyer.search({
		limit: 450,
		filters,
		options: { pageSize: 25, parallelPages: 6 },
	});
	expect(urlsOf(items)).toEqual(iceland.slice(0, 450));
	const [first, ...others] = buyer.requests();
	expect([first?.inFlight, others[0]?.inFlight]).toEqual([1, 1]);
	expect(mostAtOnce(others)).toBeGreaterThan(2);
	expect(mostAtOnce(others)).toBeLessThanOrEqual(6);
	expect(buyer.account.spent.apiCredits).toBe(450);
});

test('unless set up to eight are under way; with 1 one at a time', async () => {
	const buyer = overlapping(customer(), threePages);
	await buyer.search({ limit: 450, filters, options: { pageSize: 10 } });
	expect(mostAtOnce(buyer.requests())).toBeGreaterThan(2);
	expect(mostAtOnce(buyer.requests())).toBeLessThanOrEqual(8);
	const patient = slow(customer());
	await patient.search({ limit: 100, filters, options: { pageSize: 10, parallelPages: 1 } });
	expect(mostAtOnce(patient.requests())).toBe(1);
});

test.each(['stopWorkflow', 'continueRegularOutput'] as const)(
	'what is refused for credits that others in flight have set aside is asked for again (%s)',
	async (onError) => {
		// Each request sets aside all that is left, for ten rows, and finds one.
		const known = iceland.slice(0, 8);
		const urls = known.flatMap((url, index) => [
			url,
			...Array.from({ length: 9 }, (_, other) => `linkedin.com/in/nobody-${index}-${other}`),
		]);
		const behaviour = { apiCredits: known.length, setsCreditsAside: true };
		const buyer = overlapping(customer(behaviour), [{ nthRequest: 3, inFlight: 2 }]);
		const { items, error } = await buyer.lookUp(
			{
				linkedinUrls: urls.join('\n'),
				options: { pageSize: 10, parallelPages: 8, onlyWithEmails: false },
			},
			{ onError },
		);
		expect(error).toBeUndefined();
		expect(new Set(urlsOf(items))).toEqual(new Set(known));
		expect(items).toHaveLength(known.length);
		expect(buyer.account.spent.apiCredits).toBe(known.length);
		expect(buyer.requests().map(({ status }) => status)).toContain(402);
	},
);

test('Limit 50 is one request', async () => {
	const buyer = customer();
	await buyer.search({ limit: 50, filters });
	expect(buyer.requests()).toHaveLength(1);
});

test('leads come in the order of the search, whichever page is answered first', async () => {
	const buyer = customer();
	buyer.addFault({ kind: 'latency', ms: 150, page: 3 });
	const { items } = await buyer.search({
		limit: 100,
		filters,
		options: { pageSize: 10, parallelPages: 4 },
	});
	expect(urlsOf(items)).toEqual(iceland.slice(0, 100));
});

test('a key that is not accepted costs one request, not eight', async () => {
	const buyer = slow(customer());
	const { error } = await buyer.search(
		{ returnAll: true, filters, options: { parallelPages: 8 } },
		{ credential: { apiKey: 'key_of_nobody' } },
	);
	expect(error?.message).toBe('The API key was not accepted (401)');
	expect(shared.service.admin.requests().filter(({ status }) => status === 401)).toHaveLength(1);
});

test('a 429 holds for the rest of the execution, later lists included', async () => {
	const buyer = slow(customer());
	buyer.addFault({
		kind: 'status',
		status: 429,
		headers: { 'retry-after': '0' },
		nthRequest: 1,
	});
	const { items, error } = await buyer.search(
		{
			limit: 200,
			filters: { ...filters, otherFilters: '={{ JSON.stringify({ list: $json.list }) }}' },
			options: { pageSize: 10, parallelPages: 8 },
		},
		{ input: [{ list: 1 }, { list: 2 }] },
	);
	expect(error).toBeUndefined();
	expect(items).toHaveLength(400);
	const requests = buyer.requests();
	const refused = requests.findIndex(({ status }) => status === 429);
	expect(requests.length - refused).toBeGreaterThan(30);
	// One at once was refused, so nobody tries two for the next hundred pages.
	expect(mostAtOnce(requests.slice(refused))).toBe(1);
	expect(buyer.account.spent.apiCredits).toBe(400);
});

test('at most one less than set are asked for past the end, and they are free', async () => {
	const lone = customer({ leads: 240 });
	await lone.search({ returnAll: true, filters, options: { pageSize: 50 } });
	const buyer = slow(customer({ leads: 240 }));
	const { items } = await buyer.search({
		returnAll: true,
		filters,
		options: { pageSize: 50, parallelPages: 5 },
	});
	expect(urlsOf(items)).toEqual(iceland.slice(0, 240));
	expect(buyer.account.spent.apiCredits).toBe(240);
	expect(buyer.requests().length - lone.requests().length).toBeLessThanOrEqual(4);
});

test('Limit and Credit Budget stay exact', async () => {
	const buyer = overlapping(customer({ ignoresMaxResults: true }), twoPages);
	const { items } = await buyer.search({
		limit: 143,
		filters,
		options: { pageSize: 20, parallelPages: 10, maxCredits: 117 },
	});
	expect(urlsOf(items)).toEqual(iceland.slice(0, 117));
	expect(buyer.account.spent.apiCredits).toBe(117);
});

test('LinkedIn lookups and previews know it too', async () => {
	const buyer = overlapping(customer(), threeLookups);
	const { items } = await buyer.lookUp({
		linkedinUrls: iceland.slice(0, 200).join('\n'),
		options: { pageSize: 25, parallelPages: 4, onlyWithEmails: false },
	});
	expect(urlsOf(items)).toEqual(iceland.slice(0, 200));
	expect(mostAtOnce(buyer.requests())).toBeGreaterThan(2);
	expect(mostAtOnce(buyer.requests())).toBeLessThanOrEqual(4);
	const { items: leads } = await customer().preview({
		limit: 100,
		filters,
		options: { pageSize: 10, parallelPages: 4 },
	});
	expect(leads).toHaveLength(100);
});

describe('When a page in the middle does not come', () => {
	async function shortOf(page: number, onError: 'continueRegularOutput' | 'stopWorkflow') {
		const buyer = overlapping(customer(), twoPages);
		buyer.addFault({ kind: 'status', status: 402, page });
		const result = await buyer.search(
			{ limit: 100, filters, options: { pageSize: 10, parallelPages: 4 } },
			{ onError },
		);
		return { buyer, ...result };
	}

	test('those behind it are kept, and the message names the parts that are missing', async () => {
		const { buyer, items } = await shortOf(3, 'continueRegularOutput');
		const kept = urlsOf(items.slice(0, -1));
		expect(kept).toEqual([...iceland.slice(0, 20), ...iceland.slice(30, kept.length + 10)]);
		expect(kept.length).toBeGreaterThan(20);
		expect(buyer.account.spent.apiCredits).toBe(kept.length);
		expect(items.at(-1)?.json.message).toContain(
			`After that, run once for each part that is missing: 'Skip' 20 with 'Limit' 10, 'Skip' ${kept.length + 10} with 'Limit' ${90 - kept.length}.`,
		);
	});

	test('with Return All, only the last part is got with it', async () => {
		const buyer = overlapping(customer(), twoPages);
		buyer.addFault({ kind: 'status', status: 402, page: 3 });
		const { items } = await buyer.search(
			{ returnAll: true, filters, options: { pageSize: 10, parallelPages: 4 } },
			{ onError: 'continueRegularOutput' },
		);
		expect(items.at(-1)?.json.message).toMatch(
			/'Skip' 20 with 'Limit' 10, 'Skip' \d+ with 'Return All'\.$/,
		);
	});

	test('with Stop Workflow a Retry gets exactly the missing ones', async () => {
		const { error } = await shortOf(3, 'stopWorkflow');
		expect(error?.description).toContain('Retry this execution within 60 minutes');
	});

	test('a page that fails once is asked for again, alone, and nothing is missing', async () => {
		const buyer = overlapping(customer(), twoPages);
		buyer.addFault({ kind: 'status', status: 503, page: 3 });
		const { items, error } = await buyer.search({
			limit: 100,
			filters,
			options: { pageSize: 10, parallelPages: 4 },
		});
		expect(error).toBeUndefined();
		expect(urlsOf(items)).toEqual(iceland.slice(0, 100));
		expect(buyer.account.spent.apiCredits).toBe(100);
	});

	test('a Credit Budget that lost answers used up says what is missing', async () => {
		const buyer = overlapping(customer(), twoPages);
		buyer.addFault({ kind: 'loseAfterAnswer', page: 3 });
		const { items, hints } = await buyer.search({
			limit: 40,
			filters,
			options: { pageSize: 10, parallelPages: 4, maxCredits: 40 },
		});
		expect(urlsOf(items)).toEqual([...iceland.slice(0, 20), ...iceland.slice(30, 40)]);
		expect(warningsOf(hints)).toEqual([
			"The Credit Budget of 40 credits ended this run: 30 credits spent and up to 10 credits for answers that were lost. There may be more results. To get them without paying twice, set 'Skip' (under Options) to 20 and 'Limit' to 10.",
			'1 answer was lost or could not be used. Up to 10 credits may have been charged for it.',
		]);
	});
});
