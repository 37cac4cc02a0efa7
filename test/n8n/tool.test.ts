/** Lead Search as a tool of an AI agent, called as the agent calls it; no model is needed for that. */
import { manualTrigger } from '../../sandbox/n8n/index';
import { startService, type LeadService } from '../../sandbox/service';
import { credentialOf, useN8n } from './harness';

const n8n = useN8n();
let service: LeadService;

beforeAll(async () => {
	service = await startService();
});

afterAll(async () => {
	await service.close();
});

test('an agent searches leads within Max Credits per Execution', async () => {
	const account = service.admin.createAccount();
	const credential = await credentialOf(n8n.client, service, account);
	const tool = 'Search leads';
	const workflow = await n8n.client.createWorkflow({
		name: 'Agent',
		nodes: [
			manualTrigger,
			{
				name: 'AI Agent',
				type: '@n8n/n8n-nodes-langchain.agent',
				typeVersion: 2,
				parameters: {},
			},
			{
				name: tool,
				type: 'n8n-nodes-lead-search.leadSearchTool',
				typeVersion: 1,
				parameters: {
					descriptionType: 'manual',
					toolDescription: 'Searches business leads',
					resource: 'lead',
					operation: 'buyLeads',
					limit: 20,
					filters: {
						personLocationCountry: "={{ $fromAI('country', 'Country', 'string') }}",
					},
					options: { maxCredits: 5 },
				},
				credentials: { leadSearchApi: { id: credential.id, name: credential.name } },
			},
		],
		connections: {
			[manualTrigger.name]: { main: [[{ node: 'AI Agent', type: 'main', index: 0 }]] },
			[tool]: { ai_tool: [[{ node: 'AI Agent', type: 'ai_tool', index: 0 }]] },
		},
	});
	const id = await n8n.client.run(workflow, { upTo: tool, toolInput: { country: 'Iceland' } });
	const execution = await n8n.client.waitForExecution(id);
	expect(execution.status).toBe('success');
	expect(execution.items(tool)).toMatchObject([
		{
			json: {
				response: [
					...Array.from({ length: 5 }, () => ({ country: 'Iceland' })),
					// An agent sees no hints, so the output itself says that there may be more.
					{
						error: 'This result is cut: there may be more than is returned here',
						message: expect.stringContaining(
							'Max Credits per Execution (5 credits) was reached after 5 leads.',
						) as string,
					},
				],
			},
		},
	]);
	expect(account.spent.apiCredits).toBe(5);
	expect(service.admin.requests({ account: account.id })[0]?.body).toMatchObject({
		person_location_country: ['Iceland'],
	});
});
