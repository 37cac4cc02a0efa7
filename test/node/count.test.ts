import { jsonOf, pairsOf, useService } from './useService';

const shared = useService();
const { customer } = shared;
const filters = { personLocationCountry: 'Iceland' };

afterEach(() => {
	shared.service.admin.setPreviewBehaviour({});
	shared.service.admin.clearFaults();
});

test('2,350 leads in Iceland are counted for free, without a credential', async () => {
	const visitor = customer();
	const { items, error } = await visitor.count({ filters });
	expect(error).toBeUndefined();
	expect(items).toEqual([{ json: { count: 2_350, isAtLeast: false }, pairedItem: { item: 0 } }]);
	expect(visitor.requests().length).toBeLessThanOrEqual(20);
	expect(visitor.requests().every(({ account, charged }) => account === null && !charged)).toBe(
		true,
	);
});

test.each([
	['a preview that is cut at 100 leads', { leads: 100 }, { count: 100, isAtLeast: true }],
	['a preview of 25 a page', { silentClamp: 25 }, { count: 2_350, isAtLeast: false }],
	[
		'a preview that ignores the page',
		{ ignoresPage: 'echo' as const },
		{ count: 100, isAtLeast: true },
	],
	['a preview of 100 a page, always', { fixedPerPage: 100 }, { count: 2_350, isAtLeast: false }],
])('%s', async (_, behaviour, expected) => {
	shared.service.admin.setPreviewBehaviour(behaviour);
	const { items, error } = await customer().count({ filters });
	expect(error).toBeUndefined();
	expect(jsonOf(items)).toEqual([expected]);
});

test('input items that ask for the same are counted once, and each gets the count', async () => {
	const visitor = customer();
	const { items } = await visitor.count(
		{ filters: { personLocationCountry: '={{ $json.country }}' } },
		{ input: [{ country: 'Iceland' }, { country: 'Nowhere' }, { country: 'Iceland' }] },
	);
	expect(pairsOf(items)).toEqual([0, 1, 2]);
	expect(jsonOf(items).map(({ count }) => count)).toEqual([2_350, 0, 2_350]);
	const first = visitor
		.requests()
		.map(({ body }) => body as { _page: number; person_location_country?: string[] })
		.filter(({ _page, person_location_country: country }) => _page === 1 && country);
	expect(first.map((body) => body.person_location_country)).toEqual([['Iceland'], ['Nowhere']]);
});

test('a service that is down ends in an error, not in a count', async () => {
	shared.service.admin.addFault({
		path: '/api/preview',
		nthRequest: 3,
		kind: 'status',
		status: 500,
		times: 'always',
	});
	const { items, error } = await customer().count({ filters, options: { maxRetries: 0 } });
	expect(items).toEqual([]);
	expect(error?.message).toBe('The lead service could not process the request (500)');
	const continued = await customer().count(
		{ filters, options: { maxRetries: 0 } },
		{ onError: 'continueRegularOutput' },
	);
	expect(jsonOf(continued.items).map(({ error: message }) => message)).toEqual([
		'The lead service could not process the request (500)',
	]);
});

test('an answer without a list of leads is no count of 1', async () => {
	shared.service.admin.addFault({
		path: '/api/preview',
		kind: 'raw',
		body: '{"audience": {"size": 7}}',
		contentType: 'application/json',
	});
	const { error } = await customer().count({ filters });
	expect(error?.message).toContain('it holds no list of leads to count');
});
