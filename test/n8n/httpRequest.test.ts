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

const keyAsBearer = { authorization: `Bearer ${apiKey}` };
const tokenAsBearer = { authorization: `Bearer ${sessionToken}` };

test.each([
	['bearer', SEARCH_PATH, 200, keyAsBearer],
	['xApiKey', PREVIEW_PATH, 200, keyAsBearer],
	['xApiKey', LOOKUP_PATH, 200, { xApiKey: apiKey }],
	['sessionToken', LOOKUP_PATH, 200, tokenAsBearer],
	// The service takes API keys alone there.
	['sessionToken', SEARCH_PATH, 401, tokenAsBearer],
])('with %s, %s answers with status %i', async (authentication, path, status, secrets) => {
	const { baseUrl, admin } = n8n.service;
	const credential = await credentialOf(n8n, { apiKey, sessionToken }, authentication);
	const parameters = {
		...{ method: 'POST', url: baseUrl + path },
		...{ authentication: 'predefinedCredentialType', nodeCredentialType: 'leadSearchApi' },
		...{ sendBody: true, specifyBody: 'json' },
		jsonBody: JSON.stringify(path === LOOKUP_PATH ? profiles : audience),
	};
	const request = node('HTTP Request', 'n8n-nodes-base.httpRequest', 4.5, parameters, credential);
	const execution = await n8n.client.execute(chain('Request', [manualTrigger, request]));
	const sent = admin.requests().at(-1);
	expect(sent).toMatchObject({ path, status });
	const { authorization, 'x-api-key': xApiKey } = sent?.headers ?? {};
	expect({ authorization, xApiKey }).toEqual(secrets);
	expect(execution.status).toBe(status === 200 ? 'success' : 'error');
	if (status !== 200) return;
	const [answer] = execution.items('HTTP Request');
	expect(answer?.json[path === LOOKUP_PATH ? 'data' : 'preview_data']).toHaveLength(5);
});
