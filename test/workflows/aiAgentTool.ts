import { randomUUID } from 'node:crypto';

import { changed, readWorkflow, saveLeadSearch, type Fixture } from './fixture';
import { startLocalServer, type LocalServer } from './localServer';

/** What a chat model is sent, as far as the tests look at it. */
interface ChatRequest {
	readonly messages: ReadonlyArray<{ readonly role: string; readonly content: unknown }>;
	readonly tools?: ReadonlyArray<{ readonly function: { readonly name: string } }>;
}

/** A model that calls one tool and then repeats what the tool said. */
function scriptedModel(tool: string, input: object): Promise<LocalServer> {
	return startLocalServer(({ body }) => {
		const { messages } = body as ChatRequest;
		const last = messages.at(-1);
		const call = {
			id: 'call_1',
			type: 'function',
			function: { name: tool, arguments: JSON.stringify(input) },
		};
		const message =
			last?.role === 'tool'
				? { role: 'assistant', content: last.content }
				: { role: 'assistant', content: null, tool_calls: [call] };
		return {
			id: 'chat_1',
			object: 'chat.completion',
			created: 0,
			model: 'scripted',
			choices: [
				{ index: 0, message, finish_reason: last?.role === 'tool' ? 'stop' : 'tool_calls' },
			],
			usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
		};
	});
}

export function aiAgentTool(fixture: Fixture): void {
	/** Runs a chat of one message, with a model that does as told. */
	async function chat(tool: string, input: object) {
		const account = fixture.service.admin.createAccount();
		const model = await scriptedModel(tool, input);
		try {
			const openAi = await fixture.n8n.client.createCredential('openAiApi', randomUUID(), {
				apiKey: 'none',
				url: `${model.url}/v1`,
			});
			const workflow = changed(readWorkflow('ai-agent-tool'), {
				credentials: [openAi, await saveLeadSearch(fixture, account)],
				parameters: { 'Preview leads': { baseUrl: fixture.service.baseUrl } },
			});
			const message = { chatInput: 'Find leads', sessionId: randomUUID() };
			const execution = await fixture.n8n.client.execute({
				...workflow,
				pinData: { 'When chat message received': [{ json: message }] },
			});
			return { account, execution, requests: model.received };
		} finally {
			model.close();
		}
	}

	test('both tools are connected to the agent, and the search has a fixed maximum of credits', () => {
		const { nodes, connections } = readWorkflow('ai-agent-tool');
		for (const name of ['Preview leads', 'Search leads']) {
			expect(nodes.find((node) => node.name === name)?.type).toBe(
				'n8n-nodes-lead-search.leadSearchTool',
			);
			expect(connections[name]).toEqual({
				ai_tool: [[{ node: 'AI Agent', type: 'ai_tool', index: 0 }]],
			});
		}
		const search = nodes.find((node) => node.name === 'Search leads');
		expect(search?.parameters.options).toEqual({ maxCredits: 25 });
	});

	test('the model is offered both tools; a preview is free', async () => {
		const { account, execution, requests } = await chat('Preview_leads', {
			jobTitles: 'Marketing Manager',
			countries: 'Germany',
		});
		expect(execution.status).toBe('success');
		const { tools } = requests[0]?.body as ChatRequest;
		expect(tools?.map((tool) => tool.function.name).sort()).toEqual([
			'Preview_leads',
			'Search_leads',
		]);
		expect(JSON.stringify(execution.items('AI Agent'))).toContain('Marketing Manager');
		expect(account.spent.apiCredits).toBe(0);
	});

	test('a model that asks for 1,000 leads gets 25', async () => {
		const { account, execution } = await chat('Search_leads', {
			jobTitles: '',
			countries: 'Germany',
			limit: 1_000,
		});
		expect(execution.status).toBe('success');
		expect(JSON.stringify(execution.items('AI Agent'))).toContain('work_email');
		expect(account.spent.apiCredits).toBe(25);
	});
}
