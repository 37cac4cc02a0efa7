/** Tests the credential test, which is free and distinguishes the possible causes. */
import type { ICredentialDataDecryptedObject, IWorkflowExecuteAdditionalData } from 'n8n-workflow';
import { CredentialTestContext } from 'n8n-core';

import type { FaultAction } from '../../sandbox/service';
import { leadSearchApiTest } from '../../nodes/LeadSearch/methods/credentialTest';
import { CREDENTIAL } from './n8nCore';
import { raw, status, useService } from './useService';

const shared = useService();

async function testCredential(data: ICredentialDataDecryptedObject) {
	const context = new CredentialTestContext({} as IWorkflowExecuteAdditionalData);
	const values = { baseUrl: shared.service.baseUrl, authentication: 'bearer', ...data };
	const credential = { ...CREDENTIAL, type: 'leadSearchApi', data: values };
	return await leadSearchApiTest.call(context, credential);
}

test.each([
	['bearer', 'bearer', 'The API key was accepted'],
	['xApiKey', 'xApiKey', 'The API key was accepted'],
	['sessionToken', 'bearer', 'The session token was accepted'],
])(
	'the credential test accepts a working credential with authentication %s for 0 credits',
	async (authentication, style, message) => {
		const customer = shared.customer();
		const { apiKey, sessionToken } = customer.account;
		const result = await testCredential({ authentication, apiKey, sessionToken });
		expect(result).toEqual({ status: 'OK', message });
		expect(customer.requests()).toMatchObject([{ headerStyle: style, charged: 0 }]);
		expect(customer.requests()[0]?.body).toMatchObject({ linkedinUrls: [] });
	},
);

const noList = /something other than a list of results/;
const outOfCredits =
	/^The API key was accepted, but no API credits are left\. You can save the credential, and get credits in the lead service's dashboard\.$/;
const redirect = status(302, { headers: { location: 'https://login.example.com/' } });
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
		'answers with a 404',
		status(404),
		/^The address in 'Base URL' doesn't look like .* nothing was found at/,
	],
	['answers with HTML', { kind: 'notJson' }, noList],
	['answers with other JSON', raw('{"ok":1}'), noList],
	['redirects', redirect, /redirects to https:\/\/login\.example\.com\//],
])('the credential test distinguishes a service that %s', async (_, fault, message) => {
	const { account } = shared.customer({ faults: [fault] });
	const result = await testCredential({ apiKey: account.apiKey });
	expect(result.status).toBe('Error');
	expect(result.message).toMatch(message);
});

test('the credential test says that a key was not accepted, and does not name the key', async () => {
	const { status: outcome, message } = await testCredential({ apiKey: 'wrong-key-9876' });
	expect(outcome).toBe('Error');
	expect(message).toMatch(/^The API key was not accepted \(401\)\. /);
	expect(message).not.toContain('wrong-key-9876');
});

test("the credential test says that the service can't be reached", async () => {
	// Only a privileged program can listen on this port.
	const baseUrl = 'http://127.0.0.1:1';
	const { message } = await testCredential({ baseUrl, apiKey: 'k' });
	expect(message).toContain(
		`Can't reach the lead service at ${baseUrl}. Check 'Base URL' (in the node, or else in the credential), and whether n8n may connect to this address. The connection was refused`,
	);
});

test.each([
	[{ baseUrl: 'leads.example.com' }, "'Base URL' does not start with https:// or http://"],
	[{ apiKey: '' }, "'API Key' is empty"],
	[{ authentication: 'sessionToken' }, "'Session Token' is empty"],
])('the credential test of %j says which field is missing or wrong', async (data, message) => {
	expect(await testCredential({ apiKey: 'k', ...data })).toEqual({ status: 'Error', message });
});
