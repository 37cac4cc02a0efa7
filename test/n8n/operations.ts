/** Tests the packed package in the major versions of n8n that it supports, with the mock service over HTTP. */
import { randomUUID } from 'node:crypto';

import type { INodeCredentialTestResult } from 'n8n-workflow';

import { chain, manualTrigger, pinnedVersion } from '../../sandbox/n8n/index';
import type { Fields, InstallationName, WorkflowNode } from '../../sandbox/n8n/index';
import { leadAt } from '../../sandbox/service';
import { until } from '../../sandbox/until';
import { credentialOf, leadSearch, useN8n } from './harness';

const nodeName = 'Lead Search';
const filters = { personLocationCountry: 'Iceland' };
const lookUp = {
	resource: 'linkedInProfile',
	operation: 'buyProfiles',
	linkedinUrls: leadAt(0).linkedin_url,
	options: { onlyWithEmails: false },
};

export function testOperations(installation: InstallationName): void {
	const n8n = useN8n({}, { installation });

	/** Creates an account and runs workflows with it. Tests search saved data for its secrets. */
	function open(apiCredits = 1_000, authentication?: string) {
		const secrets = { apiKey: `key-${randomUUID()}`, sessionToken: `token-${randomUUID()}` };
		const account = n8n.service.admin.createAccount({ ...secrets, apiCredits });
		const workflow = async (parameters: Fields, more?: Partial<WorkflowNode>) => {
			const credential = await credentialOf(n8n, account, authentication);
			return chain('Leads', [manualTrigger, leadSearch(parameters, credential, more)]);
		};
		return {
			account,
			requests: () => n8n.service.admin.requests({ account: account.id }),
			run: async (parameters: Fields, more?: Partial<WorkflowNode>) =>
				await n8n.client.execute(await workflow(parameters, more)),
			start: async (parameters: Fields, settings?: Fields) => {
				const saved = await n8n.client.createWorkflow({
					...(await workflow(parameters)),
					settings: { executionOrder: 'v1', ...settings },
				});
				return await n8n.client.run(saved);
			},
		};
	}

	test('n8n has the nodes and the tool for AI agents in the pinned version', async () => {
		const { versionCli } = await n8n.client.call<{ versionCli: string }>('GET', '/settings');
		expect(versionCli).toBe(pinnedVersion(installation));
		const names = (await n8n.client.nodeTypes()).map(({ name }) => name);
		for (const name of ['leadSearch', 'leadSearchTool', 'leadSearchTrigger'])
			expect(names).toContain(`n8n-nodes-lead-search.${name}`);
	});

	test('the credential test says whether a key was accepted', async () => {
		const { id, type, name } = await credentialOf(n8n, open().account);
		const path = `/credentials/${id}?includeData=true`;
		// The credential as the dialog sends it: each saved secret is a placeholder.
		const shown = await n8n.client.call<{ data: Fields }>('GET', path);
		const test = async (typed?: Fields) => {
			const credentials = { id, type, name, data: { ...shown.data, ...typed } };
			const result = n8n.client.call('POST', '/credentials/test', { credentials });
			return (await result) as INodeCredentialTestResult;
		};
		expect(await test()).toMatchObject({ status: 'OK' });
		const wrong = await test({ apiKey: 'wrong-key' });
		expect(wrong.status).toBe('Error');
		expect(wrong.message).toContain('The API key was not accepted (401).');
	});

	test('Preview and Check URLs run without a credential', async () => {
		const { baseUrl, admin } = n8n.service;
		const { length } = admin.requests();
		const preview = leadSearch({ operation: 'preview', baseUrl, filters, limit: 10 });
		// The parameters as the editor saves them: it leaves out Check URLs, because that is the default.
		const parameters = { ...lookUp, operation: undefined };
		const check = leadSearch(parameters, undefined, { name: 'Check URLs', executeOnce: true });
		const free = chain('Free', [manualTrigger, preview, check]);
		const execution = await n8n.client.execute(free);
		expect(execution.items(nodeName)).toHaveLength(10);
		expect(execution.items('Check URLs').map(({ json }) => json)).toEqual([
			{ urls: 1, duplicates: 0, invalid: 0, credits: 1 },
		]);
		expect(admin.requests().slice(length)).toMatchObject([
			{ path: '/api/preview', headerStyle: null, account: null },
		]);
	});

	test('Search returns leads, and a hint with its cost', async () => {
		const { run, account } = open();
		const execution = await run({ filters, limit: 30 });
		expect(execution.items(nodeName)).toHaveLength(30);
		const { hints } = execution.node(nodeName);
		expect(hints.map(({ message }) => message)).toEqual([
			expect.stringMatching(
				/^30 leads for 30 credits with 'Credential [\da-f-]+'; \d+ with an email/,
			),
		]);
		expect(account.spent.apiCredits).toBe(30);
	});

	test.each([
		['xApiKey', 'xApiKey'],
		['sessionToken', 'bearer'],
	] as const)('Look Up returns a profile with the authentication %s', async (kind, headerStyle) => {
		const { run, requests } = open(1_000, kind);
		const json = { linkedin_url: lookUp.linkedinUrls };
		expect((await run(lookUp)).items(nodeName)).toMatchObject([{ json }]);
		expect(requests()).toMatchObject([{ headerStyle, charged: 1 }]);
	});

	describe('A 402 after 60 leads', () => {
		const options = { pageSize: 25, parallelPages: 1 };
		const parameters = { filters, returnAll: true, options };
		const error =
			'Not enough API credits (402): the credits ran out after 60 leads, and there may be more';
		const item = {
			error,
			message: expect.stringMatching(
				/^Get more .* Run it again within 29 minutes: you pay only for the rest\. .* Your 60 leads are in the output and saved\.$/,
			) as string,
			// The older n8n would take an item with `details` for a lead.
			...(installation === 'n8n' && {
				details: { status: 402, creditsSpent: 60, fetched: 60 },
			}),
		};

		test('a 402 after 60 leads fails the workflow if On Error is Stop Workflow', async () => {
			expect((await open(60).run(parameters)).error).toMatchObject({
				message: error,
				description: expect.stringContaining(
					'or run it again within 29 minutes: you pay only for the rest.',
				) as string,
			});
		});

		test.each([
			['continueRegularOutput', [61, 0]],
			['continueErrorOutput', [60, 1]],
		])(
			'a 402 after 60 leads returns these leads and an error item if On Error is %s',
			async (onError, items) => {
				const execution = await open(60).run(parameters, { onError });
				expect(execution.status).toBe('success');
				const outputs = [0, 1].map((output) => execution.items(nodeName, output));
				expect(outputs.map(({ length }) => length)).toEqual(items);
				expect(outputs.flat().at(-1)?.json).toEqual(item);
			},
		);
	});

	test.each([
		['a cancel', {}],
		['the timeout of the workflow', { executionTimeout: 5 }],
	])('no further request is sent after %s', async (_, settings) => {
		const { start, account, requests } = open();
		const { admin } = n8n.service;
		for (const page of [3, 4])
			admin.addFault({ kind: 'hang', account: account.id, page, times: 'always' });
		// n8n discards the output of a node that it cancels, so only the log says what was charged.
		const stopped = async () =>
			(await n8n.everythingSaved()).toString().split('Lead Search: the execution was stopped. ')
				.length;
		const before = await stopped();
		const options = { pageSize: 10, parallelPages: 2 };
		const id = await start({ filters, limit: 1_000, options }, settings);
		await admin.waitForRequest((request) => request.account === account.id && request.page === 3);
		if (!('executionTimeout' in settings)) await n8n.client.call('POST', `/executions/${id}/stop`);
		expect((await n8n.client.waitForExecution(id)).status).toBe('canceled');
		await until('the node has ended', async () => (await stopped()) > before);
		await admin.idle();
		expect(account.spent.apiCredits).toBe(20);
		const pages = requests().map(({ page }) => page);
		expect(new Set(pages).size).toBe(pages.length);
		expect(pages).not.toContain(5);
	});

	test('no key or token is in the saved data of failed runs', async () => {
		const { run, account } = open(10);
		const { apiKey, sessionToken } = account;
		const { baseUrl, admin } = n8n.service;
		await run({ filters, returnAll: true, options: { pageSize: 5 } });
		for (const fault of [
			{ kind: 'status', status: 401, body: { message: `${apiKey} is not known` } },
			{ kind: 'status', status: 302, headers: { location: `${baseUrl}/elsewhere?key=${apiKey}` } },
			{ kind: 'loseAfterAnswer' },
		] as const) {
			admin.addFault({ ...fault, account: account.id });
			const options = { maxRetries: 0 };
			expect((await run({ ...lookUp, options })).status).toBe('error');
		}
		const saved = await n8n.everythingSaved();
		// The saved data contains the message of a failed run, so the search looks at the right data.
		expect(saved.includes('The API key was not accepted')).toBe(true);
		expect(saved.includes(apiKey)).toBe(false);
		expect(saved.includes(sessionToken)).toBe(false);
	});
}
