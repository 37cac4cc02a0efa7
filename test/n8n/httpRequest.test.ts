/**
 * n8n's own HTTP Request node: our credential in it, where n8n sends people who choose Custom API Call in a list of
 * Lead Search, and what its paging makes of credits that run out, which is why Lead Search pages by itself.
 */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

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

describe('To other hosts', () => {
	const heard: IncomingMessage[] = [];
	const other = createServer((request, response) => {
		heard.push(request);
		response.end('{}');
	});
	const addressOf = () => `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
	beforeAll(async () => {
		await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
	});
	beforeEach(() => void heard.splice(0));
	afterAll(() => {
		other.closeAllConnections();
		other.close();
	});

	const post = async (url: string, authentication: string) => {
		const credential = await credentialOf(n8n, { apiKey, sessionToken }, authentication);
		const parameters = {
			...{ method: 'POST', url, sendBody: true, specifyBody: 'json' },
			...{ authentication: 'predefinedCredentialType', nodeCredentialType: 'leadSearchApi' },
			...{ jsonBody: '{}', options: { sendCredentialsOnCrossOriginRedirect: true } },
		};
		const request = node('HTTP Request', 'n8n-nodes-base.httpRequest', 4.5, parameters, credential);
		return await n8n.client.execute(chain('Request', [manualTrigger, request]));
	};

	test('nothing is sent, and n8n says where the credential is for', async () => {
		const execution = await post(`${addressOf()}/contacts`, 'bearer');
		expect({ status: execution.status, heard }).toEqual({ status: 'error', heard: [] });
		const told = `The Lead Search credential is for ${n8n.service.baseUrl} alone, and this request goes to ${addressOf()}`;
		expect(JSON.stringify(execution)).toContain(told);
		expect(JSON.stringify(execution)).not.toContain(apiKey);
	});

	test.each(['bearer', 'xApiKey'])('no redirect carries the key, by %s', async (authentication) => {
		const { admin, baseUrl } = n8n.service;
		const headers = { location: `${addressOf()}/elsewhere` };
		admin.addFault({ path: LOOKUP_PATH, kind: 'status', status: 307, headers });
		const execution = await post(baseUrl + LOOKUP_PATH, authentication);
		expect({ status: execution.status, heard }).toEqual({ status: 'error', heard: [] });
		expect(admin.requests().at(-1)).toMatchObject({ path: LOOKUP_PATH, status: 307 });
	});
});

describe('Paging by HTTP Request, in pages of 25', () => {
	/** @param completeExpression when the last page has come @returns what came out, and the credits that it cost */
	async function page(apiCredits: number, completeExpression: string) {
		const { baseUrl, admin } = n8n.service;
		const account = admin.createAccount({ apiCredits });
		const credential = await credentialOf(n8n, account);
		const number = { type: 'body', name: '_page', value: '={{ $pageCount + 1 }}' };
		const pagination = {
			...{ paginationMode: 'updateAParameterInEachRequest', paginationCompleteWhen: 'other' },
			...{ parameters: { parameters: [number] }, completeExpression, limitPagesFetched: false },
		};
		const parameters = {
			...{ method: 'POST', url: baseUrl + SEARCH_PATH },
			...{ authentication: 'predefinedCredentialType', nodeCredentialType: 'leadSearchApi' },
			...{ sendBody: true, specifyBody: 'json' },
			jsonBody: JSON.stringify({ _per_page: 25, person_location_country: ['Iceland'] }),
			options: { pagination: { pagination } },
		};
		const request = node('HTTP Request', 'n8n-nodes-base.httpRequest', 4.5, parameters, credential);
		const execution = await n8n.client.execute(chain('Request', [manualTrigger, request]));
		const { apiCredits: spent } = account.spent;
		return { execution, spent, pages: execution.items('HTTP Request').map(({ json }) => json) };
	}

	const untilNoMore = '={{ !$response.body.has_more }}';

	test('a low balance comes out as the end of the list', async () => {
		const { execution, pages, spent } = await page(60, untilNoMore);
		expect({ status: execution.status, spent }).toEqual({ status: 'success', spent: 60 });
		expect(pages.map(({ count }) => count)).toEqual([25, 25, 10]);
	});

	test.each([
		['between two pages', 50, untilNoMore],
		['and it asks until a page is empty', 60, '={{ $response.body.count === 0 }}'],
	])('where credits run out %s, what was paid for is thrown away', async (_, credits, until) => {
		const { execution, pages, spent } = await page(credits, until);
		expect({ status: execution.status, spent, pages }).toEqual({
			...{ status: 'error', spent: credits, pages: [] },
		});
		expect(JSON.stringify(execution)).toContain('402');
	});
});
