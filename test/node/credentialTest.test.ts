/** The test of the credential: free, and telling apart what may be wrong. */
import type { ICredentialDataDecryptedObject, IWorkflowExecuteAdditionalData } from 'n8n-workflow';
import { CredentialTestContext } from 'n8n-core';

import type { FaultAction } from '../../sandbox/service';
import { leadSearchApiTest } from '../../nodes/LeadSearch/methods/credentialTest';
import { CREDENTIAL } from './n8nCore';
import { raw, status, useService } from './useService';

const shared = useService();

async function tested(data: ICredentialDataDecryptedObject) {
	const context = new CredentialTestContext({} as IWorkflowExecuteAdditionalData);
	const values = { baseUrl: shared.service.baseUrl, authentication: 'bearer', ...data };
	const credential = { ...CREDENTIAL, type: 'leadSearchApi', data: values };
	return await leadSearchApiTest.call(context, credential);
}

test.each([
	['bearer', 'bearer', 'The API key was accepted'],
	['xApiKey', 'xApiKey', 'The API key was accepted'],
	['sessionToken', 'bearer', 'The session token was accepted'],
])('a working %s is accepted, for free', async (authentication, style, message) => {
	const customer = shared.customer();
	const { apiKey, sessionToken } = customer.account;
	const result = await tested({ authentication, apiKey, sessionToken });
	expect(result).toEqual({ status: 'OK', message });
	expect(customer.requests()).toMatchObject([{ headerStyle: style, charged: 0 }]);
	expect(customer.requests()[0]?.body).toMatchObject({ linkedinUrls: [] });
});

const noList = /something other than a list of results/;
const outOfCredits =
	/^The API key was accepted, but no API credits are left\. You can save the credential, and get credits in the lead service's dashboard\.$/;
const elsewhere = status(302, { headers: { location: 'https://login.example.com/' } });
test.each<[string, FaultAction, RegExp]>([
	['is out of credits', status(402), outOfCredits],
	['is down', status(503), /^The LinkedIn service behind the lookup is not answering \(503\)/],
	[
		'allows the key nothing',
		status(403),
		/^The API key is not allowed to do this \(403\)\. Check the permissions/,
	],
	['is behind a proxy', status(407), /^A proxy .* asks for a login \(407\)\. Add a user name/],
	[
		'is none (404)',
		status(404),
		/^The address in 'Base URL' doesn't look like .* nothing was found at/,
	],
	['is none (HTML)', { kind: 'notJson' }, noList],
	['is none (other JSON)', raw('{"ok":1}'), noList],
	['redirects', elsewhere, /redirects to https:\/\/login\.example\.com\//],
])('the credential test distinguishes a service that %s', async (_, fault, message) => {
	const { account } = shared.customer({ faults: [fault] });
	const result = await tested({ apiKey: account.apiKey });
	expect(result.status).toBe('Error');
	expect(result.message).toMatch(message);
});

test('the credential test says that a key was refused', async () => {
	const { status: told, message } = await tested({ apiKey: 'wrong-key-9876' });
	expect(told).toBe('Error');
	expect(message).toMatch(/^The API key was not accepted \(401\)\. /);
	expect(message).not.toContain('wrong-key-9876');
});

test("the credential test says that the service can't be reached", async () => {
	// No program of ours, or of n8n's, may listen there.
	const baseUrl = 'http://127.0.0.1:1';
	const { message } = await tested({ baseUrl, apiKey: 'k' });
	expect(message).toContain(
		`Can't reach the lead service at ${baseUrl}. Check 'Base URL' (in the node, or else in the credential), and whether n8n may connect to this address. The connection was refused`,
	);
});

test.each([
	[{ baseUrl: 'leads.example.com' }, "'Base URL' does not start with https:// or http://"],
	[{ apiKey: '' }, "'API Key' is empty"],
	[{ authentication: 'sessionToken' }, "'Session Token' is empty"],
])('a missing field is named before anything is sent: %j', async (data, message) => {
	expect(await tested({ apiKey: 'k', ...data })).toEqual({ status: 'Error', message });
});
