/**
 * The credential in n8n's own HTTP Request node, where n8n sends people who choose Custom API Call in
 * a list of Lead Search.
 */
import { chain, manualTrigger, node } from '../../sandbox/n8n/index';
import { leadAt, LOOKUP_PATH, PREVIEW_PATH, SEARCH_PATH } from '../../sandbox/service';
import { credentialOf, useN8n } from './harness';

const n8n = useN8n();
const apiKey = 'key-of-somebody';
const sessionToken = 'token-of-somebody';

beforeAll(() => void n8n.service.admin.createAccount({ apiKey, sessionToken }));

const audience = { _per_page: 5, person_location_country: ['Iceland'] };
const profiles = {
	linkedinUrls: [0, 1, 2, 3, 4].map((lead) => leadAt(lead).linkedin_url),
	onlyWithEmails: false,
};

async function request(authentication: string, path: string) {
	const { baseUrl, admin } = n8n.service;
	const account = { apiKey, sessionToken };
	const credential = await credentialOf(n8n, account, authentication);
	const parameters = {
		...{ method: 'POST', url: baseUrl + path },
		...{ authentication: 'predefinedCredentialType', nodeCredentialType: 'leadSearchApi' },
		...{ sendBody: true, specifyBody: 'json' },
		jsonBody: JSON.stringify(path === LOOKUP_PATH ? profiles : audience),
	};
	const request = node('HTTP Request', 'n8n-nodes-base.httpRequest', 4.5, parameters, credential);
	const execution = await n8n.client.execute(chain('Request', [manualTrigger, request]));
	const sent = admin.requests().at(-1);
	const { authorization, 'x-api-key': xApiKey } = sent?.headers ?? {};
	return { execution, sent, secrets: { authorization, xApiKey } };
}

const keyAsBearer = { authorization: `Bearer ${apiKey}` };
const tokenAsBearer = { authorization: `Bearer ${sessionToken}` };

test.each([
	['bearer', PREVIEW_PATH, keyAsBearer],
	['bearer', SEARCH_PATH, keyAsBearer],
	['bearer', LOOKUP_PATH, keyAsBearer],
	['xApiKey', PREVIEW_PATH, keyAsBearer],
	['xApiKey', SEARCH_PATH, keyAsBearer],
	['xApiKey', LOOKUP_PATH, { xApiKey: apiKey }],
	['sessionToken', PREVIEW_PATH, tokenAsBearer],
	['sessionToken', LOOKUP_PATH, tokenAsBearer],
])('with %s, %s answers with 5 rows', async (authentication, path, expected) => {
	const { execution, sent, secrets } = await request(authentication, path);
	expect(execution.error?.message).toBeUndefined();
	const [answer] = execution.items('HTTP Request');
	expect(answer?.json[path === LOOKUP_PATH ? 'data' : 'preview_data']).toHaveLength(5);
	expect(sent?.path).toBe(path);
	expect(secrets).toEqual(expected);
});

test('with a session token, search is refused by the service, which takes API keys alone', async () => {
	const { execution, sent, secrets } = await request('sessionToken', SEARCH_PATH);
	expect(execution.status).toBe('error');
	expect(sent).toMatchObject({ path: SEARCH_PATH, status: 401 });
	expect(secrets).toEqual(tokenAsBearer);
});
