import type { ICredentialDataDecryptedObject, ICredentialTestFunctions } from 'n8n-workflow';
import { CredentialTestContext } from 'n8n-core';
import type { IWorkflowExecuteAdditionalData } from 'n8n-workflow';

import { leadSearchApiTest } from '../../nodes/LeadSearch/methods/credentialTest';
import { useNobody } from '../nobody';
import { useService } from './useService';

const shared = useService();
const nobody = useNobody();

/** Tests the credential as n8n does. */
async function tested(data: ICredentialDataDecryptedObject) {
	const context: ICredentialTestFunctions = new CredentialTestContext(
		{} as IWorkflowExecuteAdditionalData,
	);
	return await leadSearchApiTest.call(context, {
		id: '1',
		name: 'Lead Search account',
		type: 'leadSearchApi',
		data: { baseUrl: shared.service.baseUrl, authentication: 'bearer', ...data },
	});
}

test.each([
	['bearer', 'bearer', 'The API key was accepted'],
	['xApiKey', 'xApiKey', 'The API key was accepted'],
	['sessionToken', 'bearer', 'The session token was accepted'],
])('a working %s is accepted, for free', async (authentication, style, message) => {
	const { account } = shared.customer();
	const { apiKey, sessionToken } = account;
	expect(await tested({ authentication, apiKey, sessionToken })).toEqual({
		status: 'OK',
		message,
	});
	expect(shared.service.admin.requests({ account: account.id })).toMatchObject([
		{
			path: '/api/linkedin/lookup',
			headerStyle: style,
			charged: 0,
			body: { linkedinUrls: [] },
		},
	]);
	expect(account.spent).toEqual({ apiCredits: 0, subscriptionCredits: 0 });
});

test('a key without credits is accepted, and the test says that none are left', async () => {
	const { account } = shared.customer({ apiCredits: 0 });
	shared.service.admin.addFault({
		account: account.id,
		kind: 'status',
		status: 402,
		body: { message: 'No credits' },
	});
	expect(await tested({ apiKey: account.apiKey })).toEqual({
		status: 'Error',
		message:
			"The API key was accepted, but no API credits are left. You can save it and get credits in the lead service's dashboard.",
	});
});

test('a key that is refused', async () => {
	const { status, message } = await tested({ apiKey: 'wrong-key-9876' });
	expect(status).toBe('Error');
	expect(message).toMatch(/^The API key was not accepted \(401\)\. /);
	expect(message).not.toContain('wrong-key-9876');
});

test.each([
	['404', { kind: 'status', status: 404 }, 'there is nothing at this address (404)'],
	['HTML', { kind: 'notJson' }, 'something other than a list of results'],
	[
		'a redirect',
		{ kind: 'redirect', location: 'https://login.example.com/' },
		'redirects to https://login.example.com/',
	],
	['other JSON', { kind: 'raw', body: '{"ok":1}' }, 'something other than a list of results'],
] as const)('no lead search service at this address: %s', async (_, fault, because) => {
	const { account } = shared.customer();
	shared.service.admin.addFault({ ...fault, account: account.id });
	const { status, message } = await tested({ apiKey: account.apiKey });
	expect(status).toBe('Error');
	expect(message).toContain("This doesn't look like the lead search service; check Base URL. ");
	expect(message).toContain(because);
});

test('a service that is unreachable', async () => {
	const { status, message } = await tested({ baseUrl: nobody.url, apiKey: 'k' });
	expect(status).toBe('Error');
	expect(message).toContain(`Can't reach Base URL ${nobody.url}. The connection was refused`);
});

test('a service that is down', async () => {
	const { account } = shared.customer();
	shared.service.admin.addFault({ account: account.id, kind: 'status', status: 503 });
	const { message } = await tested({ apiKey: account.apiKey });
	expect(message).toContain('The LinkedIn service behind the lookup is not answering (503)');
});

test.each([
	[{ baseUrl: 'leads.example.com' }, "'Base URL' does not start with https:// or http://"],
	[{ apiKey: '' }, "'API Key' is empty"],
	[{ authentication: 'sessionToken' }, "'Session Token' is empty"],
])('what is missing is told before anything is sent: %j', async (data, message) => {
	expect(await tested({ apiKey: 'k', ...data })).toEqual({ status: 'Error', message });
});
