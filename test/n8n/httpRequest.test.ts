/**
 * Tests n8n's own HTTP Request node with our credential. n8n offers it as Custom API Call in the list of actions. Its
 * paging takes credits that run out for the end of the list, so Lead Search pages by itself.
 */
import { chain, manualTrigger, node } from '../../sandbox/n8n/index';
import { leadAt, LOOKUP_PATH, SEARCH_PATH } from '../../sandbox/service';
import { credentialOf, useN8n } from './harness';
import { startLocalServer } from './localServer';

const n8n = useN8n();
const apiKey = 'key-of-somebody';

beforeAll(() => void n8n.service.admin.createAccount({ apiKey }));

/** Runs HTTP Request with our credential. */
async function post(
	url: string,
	body: object,
	{ authentication = 'bearer', access = { apiKey }, options = {} } = {},
) {
	const credential = await credentialOf(n8n, access, authentication);
	const parameters = {
		method: 'POST',
		url,
		options,
		authentication: 'predefinedCredentialType',
		nodeCredentialType: 'leadSearchApi',
		sendBody: true,
		specifyBody: 'json',
		jsonBody: JSON.stringify(body),
	};
	const request = node('HTTP Request', 'n8n-nodes-base.httpRequest', 4.5, parameters, credential);
	return await n8n.client.execute(chain('Request', [manualTrigger, request]));
}

const iceland = { person_location_country: ['Iceland'] };
const profiles = {
	linkedinUrls: [0, 1, 2, 3, 4].map((lead) => leadAt(lead).linkedin_url),
	onlyWithEmails: false,
};

test.each([
	['bearer', SEARCH_PATH, { authorization: `Bearer ${apiKey}` }],
	['xApiKey', LOOKUP_PATH, { xApiKey: apiKey }],
])(
	'HTTP Request with the authentication %s to %s succeeds',
	async (authentication, path, secrets) => {
		const { baseUrl, admin } = n8n.service;
		const body = path === LOOKUP_PATH ? profiles : { _per_page: 5, ...iceland };
		const execution = await post(baseUrl + path, body, { authentication });
		const sent = admin.requests().at(-1);
		expect(sent).toMatchObject({ path, status: 200 });
		const { authorization, 'x-api-key': xApiKey } = sent?.headers ?? {};
		expect({ authorization, xApiKey }).toEqual(secrets);
		expect(execution.status).toBe('success');
	},
);

describe('Other hosts', () => {
	const options = { sendCredentialsOnCrossOriginRedirect: true };

	test('HTTP Request sends nothing to another host, and n8n says which host the credential is for', async () => {
		using otherHost = await startLocalServer(() => ({}));
		const execution = await post(`${otherHost.url}/contacts`, {}, { options });
		expect([execution.status, otherHost.received]).toEqual(['error', []]);
		const message = `The Lead Search credential is only for ${n8n.service.baseUrl}, but this request goes to ${otherHost.url}`;
		expect(JSON.stringify(execution)).toContain(message);
		expect(JSON.stringify(execution)).not.toContain(apiKey);
	});

	test('HTTP Request with the authentication xApiKey does not send the key to the target of a redirect', async () => {
		using otherHost = await startLocalServer(() => ({}));
		const { admin, baseUrl } = n8n.service;
		const headers = { location: `${otherHost.url}/elsewhere` };
		admin.addFault({ path: LOOKUP_PATH, kind: 'status', status: 307, headers });
		const withKey = { authentication: 'xApiKey', options };
		const execution = await post(baseUrl + LOOKUP_PATH, {}, withKey);
		expect([execution.status, otherHost.received]).toEqual(['error', []]);
		expect(admin.requests().at(-1)).toMatchObject({ path: LOOKUP_PATH, status: 307 });
	});
});

test.each([
	['takes a low balance for the end of the list with 60 credits', 60, 'success', [25, 25, 10]],
	['discards the leads that were paid for with 50 credits', 50, 'error', []],
])('the paging of HTTP Request with 25 rows per page %s', async (_, apiCredits, status, counts) => {
	const account = n8n.service.admin.createAccount({ apiCredits });
	const number = { type: 'body', name: '_page', value: '={{ $pageCount + 1 }}' };
	const pagination = {
		paginationMode: 'updateAParameterInEachRequest',
		parameters: { parameters: [number] },
		paginationCompleteWhen: 'other',
		completeExpression: '={{ !$response.body.has_more }}',
		limitPagesFetched: false,
	};
	const execution = await post(
		n8n.service.baseUrl + SEARCH_PATH,
		{ _per_page: 25, ...iceland },
		{ access: account, options: { pagination: { pagination } } },
	);
	expect([execution.status, account.spent.apiCredits]).toEqual([status, apiCredits]);
	expect(execution.items('HTTP Request').map(({ json }) => json.count)).toEqual(counts);
});
