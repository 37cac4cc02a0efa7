/** The packed package in a real n8n, against the lead service over HTTP. */
import { randomUUID } from 'node:crypto';

import { chain, manualTrigger, type Execution } from '../../sandbox/n8n/index';
import { leadAt, startService, type Account, type LeadService } from '../../sandbox/service';
import { useN8n } from './harness';

const n8n = useN8n();
const type = 'n8n-nodes-lead-search.leadSearch';

let service: LeadService;

beforeAll(async () => {
	service = await startService();
});

afterAll(async () => {
	await service.close();
});

/** An account whose secrets can be searched for afterwards. */
function openAccount(credits = 1_000): Account {
	return service.admin.createAccount({
		apiKey: `key-${randomUUID()}`,
		sessionToken: `token-${randomUUID()}`,
		apiCredits: credits,
		subscriptionCredits: credits,
	});
}

async function saveCredential(account: Account, authentication = 'bearer') {
	const { apiKey, sessionToken } = account;
	return await n8n.client.createCredential('leadSearchApi', `Credential ${randomUUID()}`, {
		baseUrl: service.baseUrl,
		authentication,
		apiKey,
		sessionToken,
	});
}

/** Runs Manual Trigger, then Lead Search, and waits for the end. */
async function run(
	parameters: Record<string, unknown>,
	options: { account?: Account; authentication?: string; onError?: string } = {},
): Promise<Execution> {
	const { account, authentication, onError } = options;
	const credential = account && (await saveCredential(account, authentication));
	return await n8n.client.execute(
		chain('Leads', [
			manualTrigger,
			{
				name: 'Lead Search',
				type,
				typeVersion: 1,
				parameters,
				...(credential && {
					credentials: { leadSearchApi: { id: credential.id, name: credential.name } },
				}),
				...(onError !== undefined && { onError }),
			},
		]),
	);
}

const search = (more: object = {}) => ({
	resource: 'lead',
	operation: 'buyLeads',
	filters: { personLocationCountry: 'Iceland' },
	...more,
});

const lookUp = (more: object = {}) => ({
	resource: 'linkedInProfile',
	operation: 'buyProfiles',
	linkedinUrls: leadAt(0).linkedin_url,
	options: { onlyWithEmails: false },
	...more,
});

describe('Every operation runs', () => {
	test('Preview, without a credential', async () => {
		const execution = await run({
			resource: 'lead',
			operation: 'preview',
			baseUrl: service.baseUrl,
			filters: { personLocationCountry: 'Iceland' },
			limit: 10,
		});
		expect(execution.status).toBe('success');
		expect(execution.items('Lead Search')).toHaveLength(10);
		const request = service.admin.requests({ path: '/api/preview' }).at(-1);
		expect(request).toMatchObject({ headerStyle: null, account: null });
	});

	test('Check URLs, without a credential and without a request', async () => {
		const before = service.admin.requests().length;
		const linkedinUrls = `${leadAt(0).linkedin_url}, ${leadAt(1).linkedin_url}, example.com`;
		// As the editor saves it: Check URLs is the default.
		const execution = await run({ resource: 'linkedInProfile', linkedinUrls });
		expect(execution.status).toBe('success');
		expect(execution.items('Lead Search').map(({ json }) => json)).toEqual([
			{ urls: 2, duplicates: 0, invalid: 1, credits: 2 },
		]);
		expect(execution.node('Lead Search').hints.map(({ message }) => message)).toEqual([
			"Look Up refuses what is no LinkedIn profile: 'example.com'.",
		]);
		expect(service.admin.requests()).toHaveLength(before);
	});

	test.each(['bearer', 'xApiKey'])('Search with %s', async (authentication) => {
		const account = openAccount();
		const execution = await run(search({ limit: 30 }), { account, authentication });
		expect(execution.status).toBe('success');
		expect(execution.items('Lead Search')).toHaveLength(30);
		expect(account.spent.apiCredits).toBe(30);
		expect(service.admin.requests({ account: account.id })[0]?.headerStyle).toBe('bearer');
	});

	test.each([
		['bearer', 'bearer', 'apiCredits'],
		['xApiKey', 'xApiKey', 'apiCredits'],
		['sessionToken', 'bearer', 'subscriptionCredits'],
	] as const)('Look Up with %s', async (authentication, style, balance) => {
		const account = openAccount();
		const execution = await run(lookUp(), { account, authentication });
		expect(execution.status).toBe('success');
		expect(execution.items('Lead Search')[0]?.json).toMatchObject({
			linkedin_url: leadAt(0).linkedin_url,
		});
		expect(account.spent[balance]).toBe(1);
		expect(service.admin.requests({ account: account.id })[0]?.headerStyle).toBe(style);
	});
});

describe('402 part-way, with 60 credits', () => {
	const parameters = search({
		returnAll: true,
		options: { pageSize: 25, parallelPages: 1 },
	});
	const message =
		'Not enough API credits (402): 60 leads fetched; no credits left to tell whether more follow';
	const advice = expect.stringMatching(
		/Your 60 leads are in the output and kept for 60 minutes\. Run again: you pay only for the rest\. Later, set Skip \(under Options\) to 60\./,
	) as string;
	const details = {
		status: 402,
		creditsSpent: 60,
		fetched: 60,
		skip: 60,
		limit: null,
		missing: [{ skip: 60, limit: null }],
	};

	test('On Error: Stop Workflow', async () => {
		const account = openAccount(60);
		const execution = await run(parameters, { account });
		expect(execution.status).toBe('error');
		expect(execution.error?.message).toBe(message);
		expect(execution.error?.description).toContain(
			'Your 60 leads are kept for 60 minutes. Run again (or Retry under Executions): you pay only for the rest.',
		);
		expect(account.apiCredits).toBe(0);
	});

	test('On Error: Continue', async () => {
		const account = openAccount(60);
		const execution = await run(parameters, { account, onError: 'continueRegularOutput' });
		expect(execution.status).toBe('success');
		const items = execution.items('Lead Search');
		expect(items).toHaveLength(61);
		expect(items[60]?.json).toEqual({ error: message, message: advice, details });
	});

	test('On Error: Continue (using error output)', async () => {
		const account = openAccount(60);
		const execution = await run(parameters, { account, onError: 'continueErrorOutput' });
		expect(execution.status).toBe('success');
		expect(execution.items('Lead Search')).toHaveLength(60);
		expect(execution.items('Lead Search', 1).map(({ json }) => json)).toEqual([
			{ error: message, message: advice, details },
		]);
	});
});

describe('The credential dialog', () => {
	const typed = async (apiKey: string) => {
		const account = openAccount();
		return await n8n.client.testCredential(await saveCredential(account), {
			baseUrl: service.baseUrl,
			authentication: 'bearer',
			apiKey: apiKey || account.apiKey,
		});
	};

	test('says that a working key was accepted', async () => {
		expect(await typed('')).toMatchObject({ status: 'OK' });
	});

	test('says that a wrong key was not', async () => {
		const { status, message } = await typed('wrong-key');
		expect(status).toBe('Error');
		expect(message).toContain('The API key was not accepted (401).');
	});
});

test('no key or token stands in anything that failing runs have saved', async () => {
	const account = openAccount(10);
	const runs = [
		await run(search({ returnAll: true, options: { pageSize: 5 } }), { account }),
		await run(lookUp(), {
			account,
			authentication: 'sessionToken',
			onError: 'continueRegularOutput',
		}),
	];
	for (const fault of [
		{ kind: 'status', status: 401, body: { message: `${account.apiKey} is not known` } },
		{ kind: 'redirect', location: `${service.baseUrl}/elsewhere?key=${account.apiKey}` },
		{ kind: 'loseAfterAnswer' },
	] as const) {
		service.admin.addFault({ ...fault, account: account.id });
		runs.push(await run(lookUp({ options: { maxRetries: 0 } }), { account }));
	}
	expect(runs.map(({ status }) => status)).toEqual([
		'error',
		'success',
		'error',
		'error',
		'error',
	]);

	const saved = await n8n.everythingSaved();
	// What was saved is there to be searched: the message of a failed run is.
	expect(saved.includes('The API key was not accepted')).toBe(true);
	expect(saved.includes(account.apiKey)).toBe(false);
	expect(saved.includes(account.sessionToken)).toBe(false);
});
