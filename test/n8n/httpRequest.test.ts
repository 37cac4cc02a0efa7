/**
 * Tests n8n's own HTTP Request node with our credential. n8n offers it as Custom API Call in the list of actions. Its
 * paging takes credits that run out for the end of the list, so Lead Search pages by itself.
 */
import { chain, manualTrigger, node } from '../../sandbox/n8n/index';
import { leadAt, LOOKUP_PATH, PREVIEW_PATH, SEARCH_PATH } from '../../sandbox/service';
import { credentialOf, useN8n } from './harness';
import { startLocalServer } from './localServer';

const n8n = useN8n();
const apiKey = 'key-of-somebody';
const sessionToken = 'token-of-somebody';

beforeAll(() => void n8n.service.admin.createAccount({ apiKey, sessionToken }));

/** Runs HTTP Request with our credential. */
async function post(
	url: string,
	body: object,
	{ authentication = 'bearer', access = { apiKey, sessionToken }, options = {} } = {},
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

const keyAsBearer = { authorization: `Bearer ${apiKey}` };
const tokenAsBearer = { authorization: `Bearer ${sessionToken}` };

test.each([
	['bearer', SEARCH_PATH, 200, keyAsBearer],
	['xApiKey', PREVIEW_PATH, 200, keyAsBearer],
	['xApiKey', LOOKUP_PATH, 200, { xApiKey: apiKey }],
	['sessionToken', LOOKUP_PATH, 200, tokenAsBearer],
	// The service takes API keys alone there.
	['sessionToken', SEARCH_PATH, 401, tokenAsBearer],
])(
	'HTTP Request with %s gets from %s the status %i',
	async (authentication, path, status, secrets) => {
		const { baseUrl, admin } = n8n.service;
		const body = path === LOOKUP_PATH ? profiles : { _per_page: 5, ...iceland };
		const execution = await post(baseUrl + path, body, { authentication });
		const sent = admin.requests().at(-1);
		expect(sent).toMatchObject({ path, status });
		const { authorization, 'x-api-key': xApiKey } = sent?.headers ?? {};
		expect({ authorization, xApiKey }).toEqual(secrets);
		expect(execution.status).toBe(status === 200 ? 'success' : 'error');
	},
);

describe('To other hosts', () => {
	const options = { sendCredentialsOnCrossOriginRedirect: true };

	test('HTTP Request sends nothing to another host, and n8n says which host the credential is for', async () => {
		using other = await startLocalServer(() => ({}));
		const execution = await post(`${other.url}/contacts`, {}, { options });
		expect([execution.status, other.received]).toEqual(['error', []]);
		const told = `The Lead Search credential is only for ${n8n.service.baseUrl}, but this request goes to ${other.url}`;
		expect(JSON.stringify(execution)).toContain(told);
		expect(JSON.stringify(execution)).not.toContain(apiKey);
	});

	test.each(['bearer', 'xApiKey'])(
		'HTTP Request sends the key to no redirect target, by %s',
		async (authentication) => {
			using other = await startLocalServer(() => ({}));
			const { admin, baseUrl } = n8n.service;
			const headers = { location: `${other.url}/elsewhere` };
			admin.addFault({ path: LOOKUP_PATH, kind: 'status', status: 307, headers });
			const execution = await post(baseUrl + LOOKUP_PATH, {}, { authentication, options });
			expect([execution.status, other.received]).toEqual(['error', []]);
			expect(admin.requests().at(-1)).toMatchObject({ path: LOOKUP_PATH, status: 307 });
		},
	);
});

test.each([
	['at 60 credits a low balance comes out as the end of the list', 60, 'success', [25, 25, 10]],
	['at 50 credits what was paid for is thrown away', 50, 'error', []],
])('HTTP Request pages in steps of 25: %s', async (_, apiCredits, status, counts) => {
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
