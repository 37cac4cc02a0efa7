/**
 * The credential in n8n's own HTTP Request node, where n8n sends people who choose Custom API Call in
 * a list of Lead Search.
 */
import { randomUUID } from 'node:crypto';

import { chain, manualTrigger, type Execution } from '../../sandbox/n8n/index';
import {
	leadAt,
	LOOKUP_PATH,
	PREVIEW_PATH,
	SEARCH_PATH,
	startService,
	type LeadService,
	type LoggedRequest,
} from '../../sandbox/service';
import { useN8n } from './harness';

const n8n = useN8n();
const apiKey = `key-${randomUUID()}`;
const sessionToken = `token-${randomUUID()}`;

let service: LeadService;

beforeAll(async () => {
	service = await startService();
	const credits = { apiCredits: 1_000, subscriptionCredits: 1_000 };
	service.admin.createAccount({ apiKey, sessionToken, ...credits });
});

afterAll(async () => {
	await service.close();
});

const audience = { _per_page: 5, person_location_country: ['Iceland'] };
const profiles = {
	linkedinUrls: [0, 1, 2, 3, 4].map((lead) => leadAt(lead).linkedin_url),
	onlyWithEmails: false,
};

/** Runs HTTP Request with the credential, once. */
async function request(
	authentication: string,
	path: string,
): Promise<{ execution: Execution; sent: LoggedRequest | undefined }> {
	const { id, name } = await n8n.client.createCredential(
		'leadSearchApi',
		`Credential ${randomUUID()}`,
		{ baseUrl: service.baseUrl, authentication, apiKey, sessionToken },
	);
	const execution = await n8n.client.execute(
		chain('Request', [
			manualTrigger,
			{
				name: 'HTTP Request',
				type: 'n8n-nodes-base.httpRequest',
				typeVersion: 4.5,
				parameters: {
					method: 'POST',
					url: service.baseUrl + path,
					authentication: 'predefinedCredentialType',
					nodeCredentialType: 'leadSearchApi',
					sendBody: true,
					specifyBody: 'json',
					jsonBody: JSON.stringify(path === LOOKUP_PATH ? profiles : audience),
				},
				credentials: { leadSearchApi: { id, name } },
			},
		]),
	);
	return { execution, sent: service.admin.requests().at(-1) };
}

/** The headers that may carry a secret. */
const secretsOf = (sent: LoggedRequest | undefined) => ({
	path: sent?.path,
	authorization: sent?.headers.authorization,
	xApiKey: sent?.headers['x-api-key'],
});

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
])('with %s, %s answers with 5 rows', async (authentication, path, secrets) => {
	const { execution, sent } = await request(authentication, path);
	expect(execution.error?.message).toBeUndefined();
	const [answer] = execution.items('HTTP Request');
	expect(answer?.json[path === LOOKUP_PATH ? 'data' : 'preview_data']).toHaveLength(5);
	expect(secretsOf(sent)).toEqual({ path, ...secrets });
});

test('with a session token, search is refused by the service, which takes API keys alone', async () => {
	const { execution, sent } = await request('sessionToken', SEARCH_PATH);
	expect(execution.status).toBe('error');
	expect(secretsOf(sent)).toEqual({ path: SEARCH_PATH, ...tokenAsBearer });
	expect(sent?.status).toBe(401);
});
