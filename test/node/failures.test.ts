/** Tests promise 5: every failure is clear. The tests compare whole messages. */
import { PREVIEW_PATH, startService, type FaultAction } from '../../sandbox/service';
import { runNode } from './n8nCore';
import { lossMessage, matching, raw, status, useService } from './useService';

const shared = useService();
const { customer } = shared;
const noRetries = { maxRetries: 0 };
const linkedinUrls = 'https://www.linkedin.com/in/somebody';

async function runWithFault(
	fault: FaultAction,
	operation: 'search' | 'lookUp' = 'search',
	options = {},
) {
	const buyer = customer({ faults: [{ ...fault, times: 'always' }] });
	const parameters = operation === 'lookUp' ? { linkedinUrls } : {};
	const result = await buyer[operation]({ ...parameters, options: { ...noRetries, ...options } });
	expect(result.saved).not.toContain(buyer.account.apiKey);
	return result;
}

const empty = { body: '' };
const notTheService = "The address in 'Base URL' doesn't look like the lead search service";
const mayBeCharged = '; the request may have been charged';
const noList =
	"Correct 'Base URL': <base> returned something other than a list of results, for example a web page.";
const smallerPages =
	"Run again later. If this happens again, set 'Page Size' under Options to 25 or less.";
const notCounted =
	'1 response was lost or could not be used. The node counts no credits for it, but the service may have charged some.';
const permissions = "Check the permissions of the API key in the lead service's dashboard.";
const searchDown = 'The lead service behind the search is not answering';
const linkedInDown = 'The LinkedIn service behind the lookup is not answering (503)';

const SHOWN: Array<[message: string, description: string, FaultAction, 'lookUp'?]> = [
	[
		'The lead service refused the request (400): person_location_country: unknown',
		"Check the parameters of the node, especially 'Filters' and 'Options'. Nothing was charged.",
		status(400, { body: { message: 'person_location_country: unknown' } }),
	],
	// Another web server has sent this response, so its text is not shown.
	[
		notTheService,
		"Correct 'Base URL': nothing was found at <base> (404). Nothing was charged.",
		status(404, { body: 'nginx' }),
	],
	[
		notTheService + mayBeCharged,
		`${noList} ${lossMessage('1 credit')}`,
		{ kind: 'notJson' },
		'lookUp',
	],
	[
		notTheService + mayBeCharged,
		`${noList} ${lossMessage('50 credits')}`,
		raw('{"hello": "world"}'),
	],
	[
		'Too many requests for the lead service (429)',
		'Run again after 600 seconds. The service asked for this delay. Nothing was charged.',
		status(429, { ...empty, headers: { 'retry-after': '600' } }),
	],
	// The service's message is escaped, because the editor renders HTML.
	[
		'The lead service could not process the request (500)',
		`Run again later. If this happens again, set 'Page Size' under Options to 25 or less, or contact the lead service. The service said: "&lt;img src=x onerror="alert(1)"&gt; &amp; more". ${notCounted}`,
		status(500, { body: { message: '<img src=x onerror="alert(1)"> & more' } }),
	],
	// A 500, a 502 and a 503 count as not charged. A 504 may have been charged.
	[
		`${searchDown} (502)`,
		`${smallerPages} ${notCounted}`,
		status(502, { body: '<html>Bad Gateway</html>' }),
	],
	[linkedInDown, `${smallerPages} ${notCounted}`, status(503, { body: {} }), 'lookUp'],
	[
		`${searchDown} (504)${mayBeCharged}`,
		`${smallerPages} ${lossMessage('50 credits')}`,
		status(504, empty),
	],
	...(['loseAfterAnswer', 'loseMidAnswer'] as const).map((kind): [string, string, FaultAction] => [
		`The connection was lost before the response was complete${mayBeCharged}`,
		`${smallerPages} ${lossMessage('50 credits')}`,
		{ kind },
	]),
	...(['wrongEncoding', 'hugeHeaders'] as const).map((kind): [string, string, FaultAction] => [
		`The response can't be read${mayBeCharged}`,
		`Contact the lead service. The node did not retry, because the response would be the same. ${lossMessage('50 credits')}`,
		{ kind },
	]),
	// No parameter of the node can solve a 403 or a 407.
	[
		'The API key is not allowed to do this (403)',
		`${permissions} The service said: "Your plan has no phones". Nothing was charged.`,
		status(403, { body: { detail: 'Your plan has no phones' } }),
	],
	// A firewall answers with a page of its own.
	[
		'The request was blocked (403), probably by a firewall or proxy',
		`Ask who runs your network whether n8n may connect to this address. If it may: check${permissions.slice(5)} Nothing was charged.`,
		status(403, { body: '<html>Blocked</html>' }),
	],
	[
		'A proxy between n8n and the lead service asks for a login (407)',
		"Add a user name and a password to the proxy's address in n8n's environment (HTTP_PROXY, HTTPS_PROXY), or exclude the service from the proxy (NO_PROXY). Nothing was charged.",
		status(407, { body: '<html>Squid</html>', headers: { 'proxy-authenticate': 'Basic' } }),
	],
	[
		'The lead service did not carry out the request',
		'Check the parameters of the node. The service said that the request was not successful. The service said: "Closed for &lt;b&gt;maintenance&lt;/b&gt;". Nothing was charged.',
		raw('{"success": false, "message": "Closed for <b>maintenance</b>"}'),
	],
];

describe('Messages of failures', () => {
	test.each(SHOWN)(
		'a failed workflow shows the message "%s" and the description "%s"',
		async (...[message, description, fault, operation]) => {
			const result = await runWithFault(fault, operation);
			expect(result.message).toBe(message);
			expect(result.description).toBe(description.replace('<base>', shared.service.baseUrl));
			expect(result.pages.length).toBeLessThanOrEqual(/\((400|422)\)/.test(message) ? 2 : 1);
		},
	);

	test('a 401 and a 402 are reported after one request, without a retry', async () => {
		const credential = { apiKey: 'wrong-key' };
		const refused = await customer().search({ returnAll: true }, { credential });
		const message = 'The API key was not accepted (401)';
		expect(refused).toMatchObject({
			error: { name: 'NodeApiError', httpCode: '401' },
			message,
			pages: [1],
			description: matching(
				/^Copy the API key from the lead service\'s dashboard into the credential again\. The service said: ".+"\. Nothing was charged\.$/,
			),
		});
		expect(await customer({ apiCredits: 0 }).search()).toMatchObject({
			message: 'Not enough API credits (402): no leads were returned',
			description: `Get more API credits in the lead service's dashboard. The service said: "Not enough credits". Nothing was charged.`,
			pages: [1],
		});
	});

	test('a redirect is not followed, and the description names its target', async () => {
		const otherService = await startService();
		const location = `${otherService.baseUrl}/api/public/search`;
		const { message, description } = await runWithFault(status(302, { headers: { location } }));
		shared.service.admin.addFault({
			...status(302, { headers: { location } }),
			path: PREVIEW_PATH,
		});
		expect((await customer().preview()).message).toBe(notTheService);
		expect(otherService.admin.requests()).toEqual([]);
		await otherService.close();
		expect(message).toBe(notTheService);
		expect(description).toBe(
			`If you trust the new address, set 'Base URL' to it: ${shared.service.baseUrl} redirects to ${location}. The node follows no redirects, because your key would be sent to another address. Nothing was charged.`,
		);
	});

	test("the message about a refused connection says that the service can't be reached", async () => {
		const { baseUrl, close } = await startService();
		await close();
		const message = `Can't reach the lead service at ${baseUrl}`;
		const options = noRetries;
		expect(await customer().search({ options }, { credential: { baseUrl } })).toMatchObject({
			message,
			description:
				"Check 'Base URL' (in the node, or else in the credential), and whether n8n may connect to this address. The connection was refused (ECONNREFUSED). Nothing was charged.",
		});
		expect((await customer().preview({ baseUrl, options })).message).toBe(message);
	});

	test("the message about a response that doesn't come within the timeout says that the request may have been charged", async () => {
		const { message, description } = await runWithFault({ kind: 'hang' }, 'search', { timeout: 1 });
		expect(message).toBe(`No complete response came within 1 second${mayBeCharged}`);
		expect(description).toContain(
			"Set a longer 'Timeout', or set 'Page Size' under Options to 25 or less.",
		);
	});

	test.each([
		[
			"There is no operation '__CUSTOM_API_CALL__'",
			'For a custom API call, use an HTTP Request node.',
			'__CUSTOM_API_CALL__',
		],
		[
			'No credential is chosen',
			"Choose a credential under 'Connect to Lead Search' in the node. Count, Preview and Check URLs need none. Nothing was sent or charged.",
			'buyLeads',
		],
	])(
		'a run that is not possible is rejected with the message "%s"',
		async (message, description, operation) => {
			const { error } = await runNode({ parameters: { operation, filters: { jobTitles: 'CEO' } } });
			expect(error?.message).toBe(message);
			expect(error?.description).toContain(description);
		},
	);
});
