/**
 * Tests the log of many runs in a real n8n. The credits in its lines add up to the charges of the mock service, for each
 * execution and in total. No line contains personal data.
 */
import { readFile } from 'node:fs/promises';

import { chain, manualTrigger, node } from '../../sandbox/n8n/index';
import type { Fields, SavedWorkflow, WorkflowNode } from '../../sandbox/n8n/index';
import { leadAt, urlsMatching, type Account, type AccountOptions } from '../../sandbox/service';
import { until } from '../../sandbox/until';
import { credentialOf, leadSearch, useN8n } from './harness';
import { agentWorkflow, startModel } from './scriptedModel';

/** A line of n8n's log in its JSON format. */
interface LogLine {
	level: string;
	message: string;
	metadata?: { workflowId?: string; executionId?: string; nodeId?: string; nodeName?: string };
}

const onceAYear = [{ mode: 'custom', cronExpression: '0 0 1 1 *' }];
const smallPages = { pageSize: 25, parallelPages: 1 };
const inCountry = (country: string) => ({ filters: { personLocationCountry: country } });
const owners = { filters: { personLocationCountry: 'Iceland', jobTitleSeniority: 'owner' } };
const icelandicOwners = urlsMatching({
	person_location_country: ['Iceland'],
	job_title_seniority: ['owner'],
});
const germanUrls = urlsMatching({ person_location_country: ['Germany'] });
const lookUp = (urls: readonly string[]) => ({
	resource: 'linkedInProfile',
	operation: 'buyProfiles',
	linkedinUrls: urls.join('\n'),
	options: { onlyWithEmails: false },
});

const n8n = useN8n({ N8N_LOG_LEVEL: 'info', N8N_LOG_FORMAT: 'json' });
const accounts: Account[] = [];
/** The credits that the mock service charged for each execution, and for each workflow that polls, by ID. */
const charges = new Map<string, number>();
/** The status and the credits of each kind of run. */
const results: Record<string, [status: string, credits: number]> = {};

const spentByAll = () => accounts.reduce((sum, { spent }) => sum + spent.apiCredits, 0);

async function open(options: AccountOptions = {}) {
	const account = n8n.service.admin.createAccount(options);
	accounts.push(account);
	const credential = await credentialOf(n8n, account);
	const search = (parameters: Fields, more?: Partial<WorkflowNode>) =>
		leadSearch(parameters, credential, more);
	return { account, credential, search };
}

/** Runs an action that buys leads, and records its cost under the ID that the log names. */
async function record(
	kind: string,
	act: () => Promise<{ id: string; status: string }>,
): Promise<string> {
	const before = spentByAll();
	const { id, status } = await act();
	await n8n.service.admin.idle();
	const credits = spentByAll() - before;
	charges.set(id, credits);
	results[kind] = [status, credits];
	return id;
}

/** Runs a workflow manually. */
async function run(
	kind: string,
	workflow: SavedWorkflow,
	whileRunning?: (id: string) => Promise<void>,
): Promise<string> {
	return await record(kind, async () => {
		const id = await n8n.client.run(workflow);
		await whileRunning?.(id);
		return await n8n.client.waitForExecution(id);
	});
}
const save = async (...nodes: WorkflowNode[]) =>
	await n8n.client.createWorkflow(chain('Day', [manualTrigger, ...nodes]));

beforeAll(async () => {
	const { admin } = n8n.service;
	const { credential, search } = await open();
	await run('search', await save(search({ ...inCountry('Iceland'), limit: 30 })));
	await run('the same search again', await save(search({ ...inCountry('Iceland'), limit: 30 })));
	await run('a larger one', await save(search({ ...inCountry('Iceland'), limit: 45 })));
	await run('look up', await save(search(lookUp(germanUrls.slice(0, 20)))));
	await run('return all', await save(search({ ...owners, returnAll: true, options: smallPages })));
	const two = ['Spain', 'Canada'].map((country) =>
		search({ ...inCountry(country), limit: 5 }, { name: country, executeOnce: true }),
	);
	await run('two nodes', await save(...two));

	const renaming = await open({ readings: { profiles: { renamedEvery: 7 } } });
	const unmatched = [
		leadAt(7).linkedin_url,
		leadAt(8).linkedin_url,
		'https://www.linkedin.com/in/nobody-at-all',
	];
	await run('look up with unmatched', await save(renaming.search(lookUp(unmatched))));

	const outOfCredits = await open({ apiCredits: 7 });
	const continueOnError = { onError: 'continueRegularOutput' };
	await run(
		'402, continued',
		await save(outOfCredits.search({ ...inCountry('France'), limit: 10 }, continueOnError)),
	);
	admin.setCredits(outOfCredits.account.id, { apiCredits: 30 });
	const largeSearch = { ...inCountry('United States'), limit: 60, options: smallPages };
	const stopped = await run('402, stopped', await save(outOfCredits.search(largeSearch)));
	admin.setCredits(outOfCredits.account.id, { apiCredits: 1_000 });
	await record('its Retry', () => n8n.client.retry(stopped));

	const lossy = await open();
	admin.addFault({ kind: 'loseAfterAnswer', account: lossy.account.id, page: 2 });
	await run(
		'a lost response',
		await save(lossy.search({ ...inCountry('Iceland'), limit: 60, options: smallPages })),
	);

	const slow = await open();
	admin.addFault({ kind: 'hang', charge: true, account: slow.account.id, page: 3 });
	await run(
		'a stopped execution',
		await save(slow.search({ ...inCountry('Iceland'), limit: 90, options: smallPages })),
		async (id) => {
			await admin.waitForRequest(
				(request) => request.account === slow.account.id && request.page === 3,
			);
			await n8n.client.call('POST', `/executions/${id}/stop`);
		},
	);

	const tool = search(
		{
			toolDescription: 'Searches leads',
			...inCountry('France'),
			limit: "={{ $fromAI('limit', 'How many', 'number') }}",
		},
		{ name: 'Search leads', type: 'n8n-nodes-lead-search.leadSearchTool' },
	);
	const calls = [3, 8].map((limit) => [{ tool: 'Search_leads', input: { limit } }]);
	using model = await startModel(n8n.client, calls);
	await run(
		'an agent',
		await n8n.client.createWorkflow(agentWorkflow(3.1, tool, model.credential)),
	);

	const parameters = { pollTimes: { item: onceAYear }, ...inCountry('Spain'), leadsPerPoll: 12 };
	const trigger = node(
		'Leads',
		'n8n-nodes-lead-search.leadSearchTrigger',
		1,
		parameters,
		credential,
	);
	await record('a poll', async () => {
		const workflow = await n8n.client.createWorkflow(
			chain('Poll', [trigger, node('Done', 'n8n-nodes-base.noOp', 1)]),
		);
		// A trigger without a cursor polls once when its workflow is published.
		await n8n.client.activate(workflow);
		const { id } = await until('a poll has started an execution', async () => {
			const [started] = await n8n.client.executions(workflow);
			return started;
		});
		const { status } = await n8n.client.waitForExecution(id);
		return { id: workflow.id, status };
	});
});

const readLog = async () => await readFile(n8n.server.logFile, 'utf8');
const readLines = async () =>
	(await readLog())
		.split('\n')
		.filter((line) => line.startsWith('{'))
		.map((line) => JSON.parse(line) as LogLine)
		.filter(({ message }) => message.startsWith('Lead Search'));

test('each run has the expected status and cost', () => {
	expect(results).toEqual({
		search: ['success', 30],
		'the same search again': ['success', 0],
		'a larger one': ['success', 15],
		'look up': ['success', 20],
		'return all': ['success', icelandicOwners.length],
		'two nodes': ['success', 10],
		'look up with unmatched': ['success', 3],
		'402, continued': ['success', 7],
		'402, stopped': ['error', 30],
		'its Retry': ['success', 30],
		// The lost response was charged, too.
		'a lost response': ['success', 60 + 25],
		'a stopped execution': ['canceled', 75],
		'an agent': ['success', 8],
		// Five of the 12 leads were paid for before.
		'a poll': ['success', 7],
	});
});

test('the credits in the log lines of each execution and poll add up to the charges of the service', async () => {
	const logged = new Map<string, number>();
	for (const { message, metadata } of await readLines()) {
		const { executionId, workflowId = '' } = metadata ?? {};
		const id = executionId ?? workflowId;
		const credits = [...message.matchAll(/(?:for|up to) ([\d,]+) credits?/g)];
		const sum = credits.reduce((all, [, text = '']) => all + Number(text.replaceAll(',', '')), 0);
		logged.set(id, (logged.get(id) ?? 0) + sum);
	}
	expect(Object.fromEntries(logged)).toEqual(Object.fromEntries(charges));
});

test('each log line of the nodes names the workflow and the node, and none is an error', async () => {
	const lines = await readLines();
	expect(lines.length).toBeGreaterThanOrEqual(charges.size);
	for (const { level, metadata } of lines) {
		expect(['info', 'warn']).toContain(level);
		for (const name of ['workflowId', 'workflowName', 'nodeId', 'nodeName'])
			expect(metadata).toHaveProperty(name, expect.stringMatching(/./));
	}
});

test('no line of the log contains a name, an email, a LinkedIn URL or a key', async () => {
	const log = await readLog();
	const leads = accounts.flatMap(({ chargedLeads }) => chargedLeads).map((lead) => leadAt(lead));
	const personal = leads.flatMap(({ full_name, work_email, personal_emails, linkedin_url }) => [
		full_name,
		...(work_email === null ? [] : [work_email]),
		...personal_emails,
		linkedin_url.replace(/.*\//, ''),
	]);
	expect(leads.length).toBe(spentByAll());
	const secrets = accounts.flatMap(({ apiKey, sessionToken }) => [apiKey, sessionToken]);
	const found = ['linkedin.com/in/', ...personal, ...secrets].filter((text) => log.includes(text));
	expect(found).toEqual([]);
});
