import { startService, type FaultAction } from '../../sandbox/service';
import { useNobody } from '../nobody';
import { runNode } from './n8nCore';
import { jsonOf, useService } from './useService';

const shared = useService();
const nobody = useNobody();
const { customer } = shared;
const iceland = { personLocationCountry: 'Iceland' };
const url = 'https://www.linkedin.com/in/somebody';
const noRetries = { maxRetries: 0 };

/** Runs one operation while the service does this, and tells what the workflow shows. */
async function shown(operation: 'search' | 'lookUp', fault: FaultAction, options = {}) {
	const buyer = customer();
	buyer.addFault({ ...fault, times: 'always' });
	const { error } =
		operation === 'search'
			? await buyer.search({ filters: iceland, options })
			: await buyer.lookUp({ linkedinUrls: url, options });
	return { message: error?.message, description: error?.description, requests: buyer.requests() };
}

describe('What the workflow shows, word for word', () => {
	test('401: a key that is not accepted', async () => {
		const buyer = customer();
		const { error } = await buyer.search({}, { credential: { apiKey: 'wrong-key-1234' } });
		expect(error).toMatchObject({
			name: 'NodeApiError',
			message: 'The API key was not accepted (401)',
			httpCode: '401',
		});
		expect(error?.description).toMatch(
			/^Open the credential and enter the API key from the lead service's dashboard again\. The service said: ".+"\. Nothing was charged\.$/,
		);
		const sent = shared.service.admin
			.requests()
			.filter(({ headers }) => headers.authorization === 'Bearer wrong-key-1234');
		expect(sent).toHaveLength(1);
	});

	test('401: a session token that is not accepted', async () => {
		const { error } = await customer().lookUp(
			{ linkedinUrls: url },
			{ credential: { authentication: 'sessionToken', sessionToken: 'old-token' } },
		);
		expect(error?.message).toBe('The session token was not accepted (401)');
	});

	test('402: no API credits', async () => {
		const buyer = customer({ apiCredits: 0 });
		const { error } = await buyer.search({ filters: iceland });
		expect(error?.message).toBe('Not enough API credits (402): no leads fetched');
		expect(error?.description).toContain(
			"Get more API credits in the lead service's dashboard, then run again.",
		);
	});

	test('402: API credits that run out part-way', async () => {
		const buyer = customer({ apiCredits: 60 });
		const { error } = await buyer.search({
			returnAll: true,
			filters: iceland,
			options: { pageSize: 25 },
		});
		expect(error?.message).toBe(
			'Not enough API credits (402): 60 leads fetched; no credits left to tell whether more follow',
		);
		expect(error?.description).toMatch(
			/60 leads came before\. Retry this execution within 60 minutes: what was charged is not paid again\. After that, set 'Skip' \(under Options\) to 60\.$/,
		);
		expect(buyer.account.apiCredits).toBe(0);
	});

	test('402: no subscription credits', async () => {
		const buyer = customer({ subscriptionCredits: 0 });
		buyer.addFault({
			kind: 'status',
			status: 402,
			body: { success: false, message: 'Upgrade your plan' },
		});
		const { error } = await buyer.lookUp(
			{ linkedinUrls: url },
			{
				credential: {
					authentication: 'sessionToken',
					sessionToken: buyer.account.sessionToken,
				},
			},
		);
		expect(error?.message).toBe('Not enough subscription credits (402): no profiles fetched');
		expect(error?.description).toContain('The service said: "Upgrade your plan".');
	});

	test.each([400, 413, 422])('%s: refused, with the words of the service', async (status) => {
		const { message, description, requests } = await shown('search', {
			kind: 'status',
			status,
			body: { success: false, message: 'person_location_country: unknown value' },
		});
		expect(message).toBe(
			`The lead service refused the request (${status}): person_location_country: unknown value`,
		);
		expect(description).toBe(
			'Check the parameters of the node, above all Filters and Options. Nothing was charged.',
		);
		// The page size of 50 might have been the reason, so the documented 25 was tried too.
		expect(requests.map(({ perPage }) => perPage)).toEqual([50, 25]);
	});

	const notTheService = "This doesn't look like the lead search service; check Base URL";

	test('404', async () => {
		const { message, description, requests } = await shown('search', {
			kind: 'status',
			status: 404,
			body: '<html>Not Found</html>',
		});
		expect(message).toBe(notTheService);
		expect(description).toBe(
			`${shared.service.baseUrl} answered that there is nothing at this address (404). Nothing was charged.`,
		);
		expect(requests).toHaveLength(1);
	});

	test('HTML', async () => {
		const { message, description } = await shown('lookUp', { kind: 'notJson' });
		expect(message).toBe(`${notTheService}; it may have been charged`);
		expect(description).toBe(
			`${shared.service.baseUrl} answered with something other than a list of results, for example a web page. 1 answer was lost or could not be used, for which up to 1 credit may have been charged.`,
		);
	});

	test('a redirect is not followed, and the message says where it points', async () => {
		const elsewhere = await startService();
		const { message, description } = await shown('search', {
			kind: 'redirect',
			location: `${elsewhere.baseUrl}/api/public/search`,
			status: 307,
		});
		expect(message).toBe(notTheService);
		expect(description).toBe(
			`${shared.service.baseUrl} redirects to ${elsewhere.baseUrl}/api/public/search. The node does not follow, since that would carry the key there. If you trust that address, set Base URL to it. Nothing was charged.`,
		);
		const reached = elsewhere.admin.requests();
		await elsewhere.close();
		expect(reached).toEqual([]);
	});

	test('JSON that is not the service’s', async () => {
		const { message } = await shown('search', { kind: 'raw', body: '{"hello": "world"}' });
		expect(message).toBe(`${notTheService}; it may have been charged`);
	});

	test('429', async () => {
		const { message, description } = await shown(
			'search',
			{ kind: 'status', status: 429, headers: { 'retry-after': '600' }, body: '' },
			{ maxRetries: 3 },
		);
		expect(message).toBe('Too many requests for the lead service (429)');
		expect(description).toBe(
			'The service asks to wait 600 seconds. Run again after that. Nothing was charged.',
		);
	});

	test('500', async () => {
		const { message, description } = await shown(
			'search',
			{ kind: 'status', status: 500, body: '' },
			noRetries,
		);
		expect(message).toBe('The lead service could not process the request (500)');
		expect(description).toBe(
			'Run again later. If it stays like this, contact the lead service. Nothing was charged.',
		);
	});

	test.each([
		[502, ''],
		[503, ''],
		[504, '; it may have been charged'],
	])('%s says which service behind it does not answer', async (status, charge) => {
		const search = await shown('search', { kind: 'status', status }, noRetries);
		expect(search.message).toBe(
			`The lead service behind the search is not answering (${status})${charge}`,
		);
		const lookUp = await shown('lookUp', { kind: 'status', status }, noRetries);
		expect(lookUp.message).toBe(
			`The LinkedIn service behind the lookup is not answering (${status})${charge}`,
		);
	});

	test('a refused connection', async () => {
		const { error } = await customer().search(
			{ options: noRetries },
			{ credential: { baseUrl: nobody.url } },
		);
		expect(error?.message).toBe(`Can't reach Base URL ${nobody.url}`);
		expect(error?.description).toBe(
			'The connection was refused (ECONNREFUSED). Check Base URL, and that n8n may connect to this address. Nothing was charged.',
		);
	});

	test('a preview where nobody listens', async () => {
		const { error } = await customer().preview({ baseUrl: nobody.url, options: noRetries });
		expect(error?.message).toBe(`Can't reach Base URL ${nobody.url}`);
	});

	test.each(['loseBeforeAnswer', 'loseAfterAnswer', 'loseMidAnswer'] as const)(
		'a connection lost after sending (%s)',
		async (kind) => {
			const { message, description } = await shown('search', { kind }, noRetries);
			expect(message).toBe(
				'The connection was lost before the answer was complete; it may have been charged',
			);
			expect(description).toBe(
				'Run again later. If it stays like this, set a smaller Page Size under Options. 1 answer was lost or could not be used, for which up to 50 credits may have been charged.',
			);
		},
	);

	test('no answer within the timeout', async () => {
		const { message, description } = await shown(
			'search',
			{ kind: 'hang' },
			{ maxRetries: 0, timeout: 1 },
		);
		expect(message).toBe('No complete answer within 1 second; it may have been charged');
		expect(description).toContain('Set a longer Timeout or a smaller Page Size under Options.');
	});

	test('success: false in a 200', async () => {
		const { message, description } = await shown('search', {
			kind: 'raw',
			body: '{"success": false, "message": "Search is closed for maintenance"}',
		});
		expect(message).toBe('Search is closed for maintenance');
		expect(description).toContain('The lead service answered that it was not successful.');
	});

	test('text of the service is escaped where the editor renders HTML', async () => {
		const { message, description } = await shown(
			'search',
			{
				kind: 'status',
				status: 500,
				body: { message: '<img src=x onerror="alert(1)"> & more' },
			},
			noRetries,
		);
		expect(message).not.toContain('<');
		expect(description).toContain(
			'The service said: "&lt;img src=x onerror="alert(1)"&gt; &amp; more".',
		);
		const refused = await shown('search', {
			kind: 'status',
			status: 400,
			body: { message: '<script>alert(1)</script>' },
		});
		expect(refused.message).not.toMatch(/[<>]/);
	});
});

describe('On Error', () => {
	const shortOfCredits = async (onError: 'continueRegularOutput' | 'continueErrorOutput') => {
		const buyer = customer({ apiCredits: 60 });
		return await buyer.search(
			{ returnAll: true, filters: iceland, options: { pageSize: 25 } },
			{ onError },
		);
	};

	test('Continue: the leads and one error item come out together', async () => {
		const { items, error } = await shortOfCredits('continueRegularOutput');
		expect(error).toBeUndefined();
		expect(items).toHaveLength(61);
		expect(items[60]?.json).toMatchObject({
			error: 'Not enough API credits (402): 60 leads fetched; no credits left to tell whether more follow',
		});
		expect(items[60]?.json.message).toContain(
			"60 leads came before and are in the output. Run again within 60 minutes: what was charged is kept in n8n's memory and not paid again.",
		);
	});

	test("Continue: the service's words reach the item as they were said", async () => {
		const buyer = customer();
		buyer.addFault({
			kind: 'status',
			status: 500,
			body: { message: 'A & B are "down"' },
		});
		const { items } = await buyer.search(
			{ options: noRetries },
			{ onError: 'continueRegularOutput' },
		);
		expect(items[0]?.json.message).toContain('The service said: "A & B are "down"".');
	});

	test('Continue (using error output): the leads on the one, the error on the other', async () => {
		const { items, errorItems } = await shortOfCredits('continueErrorOutput');
		expect(items).toHaveLength(60);
		expect(jsonOf(errorItems)).toMatchObject([
			{
				error: 'Not enough API credits (402): 60 leads fetched; no credits left to tell whether more follow',
			},
		]);
	});

	test('Continue: the other input items are served after one that was refused', async () => {
		const buyer = customer();
		buyer.addFault({
			kind: 'status',
			status: 403,
			body: { message: 'not this one' },
		});
		const { items } = await buyer.search(
			{ limit: 2, filters: { personLocationCountry: '={{ $json.country }}' } },
			{
				input: [{ country: 'Iceland' }, { country: 'Germany' }],
				onError: 'continueRegularOutput',
			},
		);
		expect(jsonOf(items)).toMatchObject([
			{ error: 'The lead service refused the request (403): not this one' },
			{ country: 'Germany' },
			{ country: 'Germany' },
		]);
	});

	test('Continue: after a 402 nothing more is sent, and every item says so', async () => {
		const buyer = customer({ apiCredits: 1 });
		const { items } = await buyer.search(
			{ limit: 1, filters: { personLocationCountry: '={{ $json.country }}' } },
			{
				input: [{ country: 'Iceland' }, { country: 'Germany' }, { country: 'France' }],
				onError: 'continueRegularOutput',
			},
		);
		expect(jsonOf(items)).toMatchObject([
			{ country: 'Iceland' },
			{ error: 'Not enough API credits (402): no leads fetched' },
			{
				error: 'Not run, because an earlier input item ended the run: Not enough API credits (402): no leads fetched',
			},
		]);
		expect(buyer.requests()).toHaveLength(2);
	});
});

test('a key that the service repeats does not come back to people', async () => {
	const buyer = customer();
	const { apiKey } = buyer.account;
	for (const fault of [
		{ kind: 'status', status: 500, body: { message: `Bad key ${apiKey}` } },
		{ kind: 'redirect', location: `http://127.0.0.1/?key=${apiKey}` },
		{ kind: 'raw', body: JSON.stringify({ success: false, message: apiKey }) },
		{ kind: 'loseBeforeAnswer' },
	] as const) {
		buyer.addFault(fault);
		const { error, saved } = await buyer.search({ options: noRetries });
		expect(error).toBeDefined();
		expect(saved).not.toContain(apiKey);
	}
});

test('an n8n without a credential for the node says so', async () => {
	const { error } = await runNode({ parameters: { resource: 'lead', operation: 'buyLeads' } });
	expect(error?.message).toContain('credentials');
});
