/** The packed package in the last n8n 1.x; for the newest n8n, see the other tests in `test`. */
import {
	chain,
	manualTrigger,
	pinnedVersion,
	type Workflow,
	type WorkflowNode,
} from '../../sandbox/n8n/index';
import { leadAt, startService, type Account, type LeadService } from '../../sandbox/service';
import { until } from '../../sandbox/until';
import { credentialOf, useN8n } from '../n8n/harness';

const nodeName = 'Lead Search';
const iceland = { personLocationCountry: 'Iceland' };
const costOf5 = expect.stringMatching(
	/^5 leads for 5 credits, 1 request; \d with an email$/,
) as string;
const n8n = useN8n({}, 'n8n-1');

let service: LeadService;

beforeAll(async () => {
	service = await startService();
});

afterAll(async () => {
	await service.close();
});

type Parameters = Readonly<Record<string, unknown>>;

const search = (more: Parameters = {}): Parameters => ({
	resource: 'lead',
	operation: 'buyLeads',
	filters: iceland,
	...more,
});

const preview = (more: Parameters = {}): Parameters => ({
	resource: 'lead',
	operation: 'preview',
	baseUrl: service.baseUrl,
	filters: iceland,
	...more,
});

const lookUp = (more: Parameters = {}): Parameters => ({
	resource: 'linkedInProfile',
	operation: 'buyProfiles',
	linkedinUrls: leadAt(0).linkedin_url,
	options: { onlyWithEmails: false },
	...more,
});

function leadSearch(parameters: Parameters, more: Partial<WorkflowNode> = {}): WorkflowNode {
	return {
		name: nodeName,
		type: 'n8n-nodes-lead-search.leadSearch',
		typeVersion: 1,
		parameters,
		...more,
	};
}

function openAccount(credits = 1_000): Account {
	return service.admin.createAccount({ apiCredits: credits });
}

/** Manual Trigger, then Lead Search with an account's key. */
async function workflowOf(
	account: Account,
	parameters: Parameters,
	onError = 'stopWorkflow',
): Promise<Workflow> {
	const { id, name } = await credentialOf(n8n.client, service, account);
	const credentials = { leadSearchApi: { id, name } };
	return chain('Leads', [manualTrigger, leadSearch(parameters, { credentials, onError })]);
}

describe('In the last n8n 1.x', () => {
	test('the version is the pinned one', async () => {
		expect(await n8n.client.version()).toBe(pinnedVersion('n8n-1'));
	});

	test('a hint tells of two input items with the same search', async () => {
		const account = openAccount();
		const { id, name } = await credentialOf(n8n.client, service, account);
		const execution = await n8n.client.execute(
			chain('Two input items', [
				manualTrigger,
				leadSearch(preview({ limit: 2 }), { name: 'Two Leads' }),
				leadSearch(search({ limit: 5 }), { credentials: { leadSearchApi: { id, name } } }),
			]),
		);
		expect(execution.status).toBe('success');
		expect(execution.items(nodeName)).toHaveLength(10);
		expect(account.spent.apiCredits).toBe(5);
		expect(execution.node(nodeName).hints).toMatchObject([
			{ message: expect.stringContaining('2 input items ask for the same leads') as string },
			{ type: 'info', message: costOf5 },
		]);
	});

	test('a run without anything else to say gives only the cost as a hint', async () => {
		const account = openAccount();
		const workflow = await workflowOf(account, search({ limit: 5 }));
		const execution = await n8n.client.execute(workflow);
		expect(execution.items(nodeName)).toHaveLength(5);
		expect(execution.node(nodeName).hints).toMatchObject([{ type: 'info', message: costOf5 }]);
	});

	test('the nodes and the tool for AI agents are there', async () => {
		const names = (await n8n.client.nodeTypes()).map(({ name }) => name);
		expect(names).toContain('n8n-nodes-lead-search.leadSearch');
		expect(names).toContain('n8n-nodes-lead-search.leadSearchTool');
		expect(names).toContain('n8n-nodes-lead-search.leadSearchTrigger');
	});

	test('the credential can be saved and tested', async () => {
		const saved = await credentialOf(n8n.client, service, openAccount());
		expect(await n8n.client.testCredential(saved)).toMatchObject({ status: 'OK' });
	});

	test('Preview runs without a credential', async () => {
		const execution = await n8n.client.execute(
			chain('Preview', [manualTrigger, leadSearch(preview({ limit: 10 }))]),
		);
		expect(execution.status).toBe('success');
		expect(execution.items(nodeName)).toHaveLength(10);
	});

	test('Search runs', async () => {
		const account = openAccount();
		const workflow = await workflowOf(account, search({ limit: 30 }));
		const execution = await n8n.client.execute(workflow);
		expect(execution.status).toBe('success');
		expect(execution.items(nodeName)).toHaveLength(30);
		expect(account.spent.apiCredits).toBe(30);
	});

	test('Look Up runs', async () => {
		const account = openAccount();
		const execution = await n8n.client.execute(await workflowOf(account, lookUp()));
		expect(execution.status).toBe('success');
		expect(execution.items(nodeName)[0]?.json).toMatchObject({
			linkedin_url: leadAt(0).linkedin_url,
		});
		expect(account.spent.apiCredits).toBe(1);
	});

	describe('402 part-way, with 60 credits', () => {
		const message =
			'Not enough API credits (402): 60 leads fetched; no credits left to tell whether more follow';
		const advice = expect.stringMatching(
			/Your 60 leads are in the output and kept for 60 minutes\. Run again: you pay only for the rest\. Later, set Skip \(under Options\) to 60\./,
		) as string;

		async function runOut(onError: string) {
			const parameters = search({
				returnAll: true,
				options: { pageSize: 25, parallelPages: 1 },
			});
			const workflow = await workflowOf(openAccount(60), parameters, onError);
			return await n8n.client.execute(workflow);
		}

		test('On Error: Stop Workflow', async () => {
			const execution = await runOut('stopWorkflow');
			expect(execution.status).toBe('error');
			expect(execution.error?.message).toBe(message);
			expect(execution.error?.description).toContain(
				'Your 60 leads are kept for 60 minutes. Run again (or Retry under Executions): you pay only for the rest.',
			);
		});

		test('On Error: Continue', async () => {
			const execution = await runOut('continueRegularOutput');
			expect(execution.status).toBe('success');
			const items = execution.items(nodeName);
			expect(items).toHaveLength(61);
			// This n8n would take an item with `details` for a lead.
			expect(items[60]?.json).toEqual({ error: message, message: advice });
		});

		test('On Error: Continue (using error output)', async () => {
			const execution = await runOut('continueErrorOutput');
			expect(execution.status).toBe('success');
			expect(execution.items(nodeName)).toHaveLength(60);
			const failures = execution.items(nodeName, 1).map(({ json }) => json);
			expect(failures).toEqual([{ error: message, message: advice }]);
		});
	});

	test('after a cancel no further request leaves the node', async () => {
		const account = openAccount();
		for (const page of [3, 4])
			service.admin.addFault({ kind: 'hang', account: account.id, page, times: 'always' });
		const parameters = search({ limit: 1_000, options: { pageSize: 10, parallelPages: 2 } });
		const workflow = await n8n.client.createWorkflow(await workflowOf(account, parameters));
		const executionId = await n8n.client.run(workflow);
		await service.admin.whenRequest(({ account: id, page }) => id === account.id && page === 3);
		await n8n.client.cancel(executionId);
		expect((await n8n.client.waitForExecution(executionId)).status).toBe('canceled');
		await until('the node has ended', async () =>
			(await n8n.everythingSaved()).includes('Lead Search: the execution was stopped'),
		);
		await service.admin.idle();
		const pages = service.admin.requests({ account: account.id }).map(({ page }) => page);
		expect(new Set(pages).size).toBe(pages.length);
		expect(pages).not.toContain(5);
	});
});
