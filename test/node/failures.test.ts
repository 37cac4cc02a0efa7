/** Promise 5: every failure is clear. What the workflow shows, word for word; design, section 4. */
import { startService, type FaultAction } from '../../sandbox/service';
import { runNode } from './n8nCore';
import { iceland as filters, useService } from './useService';

const shared = useService();
const { customer } = shared;
const noRetries = { maxRetries: 0 };
const linkedinUrls = 'https://www.linkedin.com/in/somebody';

/** Runs one operation while the service does this, and tells what the workflow shows. */
async function shown(operation: 'search' | 'lookUp', fault: FaultAction, options = {}) {
	const buyer = customer();
	buyer.addFault({ ...fault, times: 'always' });
	const settings = { ...noRetries, ...options };
	const { error, saved } = await (operation === 'search'
		? buyer.search({ filters, options: settings })
		: buyer.lookUp({ linkedinUrls, options: settings }));
	expect(saved).not.toContain(buyer.account.apiKey);
	return { message: error?.message, description: error?.description, requests: buyer.requests() };
}

const status = (code: number, more: object = {}): FaultAction => ({
	kind: 'status',
	status: code,
	body: '',
	...more,
});
const raw = (body: string): FaultAction => ({ kind: 'raw', body });

const notTheService = "This doesn't look like the lead search service; check Base URL";
const charged = '; it may have been charged';
const unused = (credits: string) =>
	`1 answer was lost or could not be used; up to ${credits} may have been charged.`;
const noList =
	'<base> answered with something other than a list of results, for example a web page.';
const smaller = 'Run again later. A smaller Page Size may get through where a large one does not.';

describe('What the workflow shows', () => {
	test.each<[string, 'search' | 'lookUp', FaultAction, string, string]>([
		[
			'400, with the words of the service',
			'search',
			status(400, { body: { message: 'person_location_country: unknown' } }),
			'The lead service refused the request (400): person_location_country: unknown',
			'Check the parameters of the node, above all Filters and Options. Nothing was charged.',
		],
		[
			'404',
			'search',
			status(404, { body: '<html>Not Found</html>' }),
			notTheService,
			'<base> answered that there is nothing at this address (404). Nothing was charged.',
		],
		[
			'HTML',
			'lookUp',
			{ kind: 'notJson' },
			notTheService + charged,
			`${noList} ${unused('1 credit')}`,
		],
		['204', 'lookUp', status(204), notTheService + charged, `${noList} ${unused('1 credit')}`],
		[
			'JSON of something else',
			'search',
			raw('{"hello": "world"}'),
			notTheService + charged,
			`${noList} ${unused('50 credits')}`,
		],
		[
			'429 with a long wait',
			'search',
			status(429, { headers: { 'retry-after': '600' } }),
			'Too many requests for the lead service (429)',
			'The service asks to wait 600 seconds. Run again after that. Nothing was charged.',
		],
		[
			'500, its words escaped where the editor renders HTML',
			'search',
			status(500, { body: { message: '<img src=x onerror="alert(1)"> & more' } }),
			'The lead service could not process the request (500)',
			'Run again later. If it stays like this, contact the lead service. The service said: "&lt;img src=x onerror="alert(1)"&gt; &amp; more". Nothing was charged.',
		],
		[
			'502',
			'search',
			status(502, { body: {} }),
			'The lead service behind the search is not answering (502)',
			`${smaller} Nothing was charged.`,
		],
		[
			'502 by a gateway, which knows nothing of charges',
			'search',
			status(502, { body: '<html>Bad Gateway</html>' }),
			`The lead service behind the search is not answering (502)${charged}`,
			`${smaller} ${unused('50 credits')}`,
		],
		[
			'503',
			'lookUp',
			status(503, { body: {} }),
			'The LinkedIn service behind the lookup is not answering (503)',
			`${smaller} Nothing was charged.`,
		],
		[
			'504',
			'search',
			status(504),
			`The lead service behind the search is not answering (504)${charged}`,
			`${smaller} ${unused('50 credits')}`,
		],
		...(['loseBeforeAnswer', 'loseAfterAnswer', 'loseMidAnswer'] as const).map(
			(kind): [string, 'search', FaultAction, string, string] => [
				`a connection lost (${kind})`,
				'search',
				{ kind },
				`The connection was lost before the answer was complete${charged}`,
				`Run again later. If it stays like this, set a smaller Page Size under Options. ${unused('50 credits')}`,
			],
		),
		...(['wrongEncoding', 'hugeHeaders'] as const).map(
			(kind): [string, 'search', FaultAction, string, string] => [
				`an answer that can't be decoded (${kind})`,
				'search',
				{ kind },
				`The answer is not readable${charged}`,
				`It was not asked for again, since it would be the same. Contact the lead service. ${unused('50 credits')}`,
			],
		),
		[
			'success: false in a 200',
			'search',
			raw('{"success": false, "message": "Closed for <b>maintenance</b>"}'),
			'Closed for ‹b›maintenance‹/b›',
			'The lead service answered that it was not successful. Check the parameters of the node. Nothing was charged.',
		],
	])('%s', async (_, operation, fault, message, description) => {
		const result = await shown(operation, fault);
		expect(result.message).toBe(message);
		expect(result.description).toBe(description.replace('<base>', shared.service.baseUrl));
		expect(result.requests.length).toBeLessThanOrEqual(message.includes('(400)') ? 2 : 1);
	});

	test('401: a key or a session token that is not accepted', async () => {
		const { error } = await customer().search({}, { credential: { apiKey: 'wrong-key' } });
		expect(error).toMatchObject({
			name: 'NodeApiError',
			message: 'The API key was not accepted (401)',
			httpCode: '401',
		});
		expect(error?.description).toMatch(
			/^Open the credential and enter the API key from the lead service's dashboard again\. The service said: ".+"\. Nothing was charged\.$/,
		);
		const credential = { authentication: 'sessionToken', sessionToken: 'old-token' };
		const other = await customer().lookUp({ linkedinUrls }, { credential });
		expect(other.error?.message).toBe('The session token was not accepted (401)');
	});

	test('402: credits that ran out, of either kind', async () => {
		const { error } = await customer({ apiCredits: 0 }).search({ filters });
		expect(error?.message).toBe('Not enough API credits (402): no leads fetched');
		expect(error?.description).toBe(
			'Get more API credits in the lead service\'s dashboard, then run again. The service said: "Not enough credits". Nothing was charged.',
		);
		const buyer = customer();
		buyer.addFault(status(402));
		const { sessionToken } = buyer.account;
		const credential = { authentication: 'sessionToken', sessionToken };
		const other = await buyer.lookUp({ linkedinUrls }, { credential });
		expect(other.error?.message).toBe('Not enough subscription credits (402): no profiles fetched');
	});

	test('a 402 that can not be decoded is a 402', async () => {
		const buyer = customer({ apiCredits: 0 });
		buyer.addFault({ kind: 'wrongEncoding', times: 'always' });
		const { error } = await buyer.search({ filters });
		expect(error?.message).toBe('Not enough API credits (402): no leads fetched');
		expect(buyer.requests()).toHaveLength(1);
	});

	test('a redirect is not followed, and the message says where it points', async () => {
		const elsewhere = await startService();
		const location = `${elsewhere.baseUrl}/api/public/search`;
		const { message, description } = await shown('search', { kind: 'redirect', location });
		const reached = elsewhere.admin.requests();
		await elsewhere.close();
		expect(reached).toEqual([]);
		expect(message).toBe(notTheService);
		expect(description).toBe(
			`${shared.service.baseUrl} redirects to ${location}. The node does not follow, since that would carry the key there. If you trust that address, set Base URL to it. Nothing was charged.`,
		);
	});

	test('a refused connection', async () => {
		const { baseUrl, close } = await startService();
		await close();
		const { error } = await customer().search({ options: noRetries }, { credential: { baseUrl } });
		expect(error?.message).toBe(`Can't reach Base URL ${baseUrl}`);
		expect(error?.description).toBe(
			'The connection was refused (ECONNREFUSED). Check Base URL, and that n8n may connect to this address. Nothing was charged.',
		);
		const preview = await customer().preview({ baseUrl, options: noRetries });
		expect(preview.error?.message).toBe(`Can't reach Base URL ${baseUrl}`);
	});

	test('no answer within the timeout', async () => {
		const { message, description } = await shown('search', { kind: 'hang' }, { timeout: 1 });
		expect(message).toBe(`No complete answer within 1 second${charged}`);
		expect(description).toContain('Set a longer Timeout or a smaller Page Size under Options.');
	});

	test("n8n's Custom API Call", async () => {
		const { error } = await runNode({ parameters: { operation: '__CUSTOM_API_CALL__' } });
		expect(error?.message).toBe('Custom API Call is made with the HTTP Request node');
		expect(error?.description).toContain('Predefined Credential Type, and Lead Search API');
	});

	test('no credential', async () => {
		const { error } = await runNode({ parameters: { operation: 'buyLeads' } });
		expect(error?.message).toBe('No credential is chosen');
		expect(error?.description).toBe(
			'Choose one under Connect to Lead Search above. Count, Preview and Check URLs need none. Nothing was sent or charged.',
		);
	});

	test.each<FaultAction>([
		status(500, { body: { message: 'Bad key <key>' } }),
		{ kind: 'redirect', location: 'http://127.0.0.1/?key=<key>' },
		raw('{"success": false, "message": "<key>"}'),
		raw('{"preview_data": [{"full_name": "<key>"}]}'),
	])('a key that the service repeats does not come back to people: $kind', async (fault) => {
		const buyer = customer();
		const { apiKey } = buyer.account;
		buyer.addFault(JSON.parse(JSON.stringify(fault).replace('<key>', apiKey)) as FaultAction);
		const { saved } = await buyer.search({ options: noRetries });
		expect(saved).not.toContain(apiKey);
	});
});
