/** A chat model that follows a script: everything else about an agent is n8n's own. */
import { randomUUID } from 'node:crypto';

import { chain, manualTrigger, node } from '../../sandbox/n8n/index';
import type { N8nClient, SavedCredential, Workflow, WorkflowNode } from '../../sandbox/n8n/index';
import { withTools } from './harness';
import { startLocalServer } from './localServer';

type ToolCall = Readonly<{ tool: string; input: object }>;

interface ChatRequest {
	readonly stream?: boolean;
	readonly messages: ReadonlyArray<{ readonly role: string; readonly content: unknown }>;
	readonly tools?: ReadonlyArray<{ readonly function: { name: string; description: string } }>;
}

const isChat = (body: unknown): body is ChatRequest =>
	typeof body === 'object' && body !== null && 'messages' in body;

/** The address of the service. The node or agent that asks the model accepts any address. */
type Credential = 'openAiApi' | 'openRouterApi';

/**
 * Starts a model. Of the result, `credential` is for n8n's OpenAI node, or for n8n's own Agents; `tools` are those that
 * it was offered, and `answers` what they have answered so far.
 * @param turns what it calls in each turn, all at once; then it says `Done`.
 */
export async function startModel(
	client: N8nClient,
	turns: ReadonlyArray<readonly ToolCall[]>,
	type: Credential = 'openAiApi',
) {
	const server = await startLocalServer(({ body }) => {
		// n8n looks up what the model is able to do.
		if (!isChat(body)) return { data: [] };
		const { messages, stream } = body;
		const turn = messages.filter(({ role }) => role === 'assistant').length;
		const calls = turns[turn]?.map(({ tool, input }, index) => ({
			index,
			id: `call_${turn}_${index}`,
			type: 'function',
			function: { name: tool, arguments: JSON.stringify(input) },
		}));
		const said = calls ? { content: null, tool_calls: calls } : { content: 'Done' };
		const message = { role: 'assistant', ...said };
		const finish_reason = calls ? 'tool_calls' : 'stop';
		const answer = {
			id: `chat_${turn}`,
			created: 0,
			model: 'scripted',
			usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
		};
		const choice = { index: 0, finish_reason };
		if (!stream) return { ...answer, object: 'chat.completion', choices: [{ ...choice, message }] };
		const chunk = { ...answer, object: 'chat.completion.chunk' };
		const choices = [{ ...choice, delta: message }];
		return `data: ${JSON.stringify({ ...chunk, choices })}\n\ndata: [DONE]\n\n`;
	});
	const requests = () => server.received.map(({ body }) => body).filter(isChat);
	const access = { apiKey: 'none', url: `${server.url}/v1` };
	return {
		credential: await client.createCredential(type, randomUUID(), access),
		tools: () => (requests()[0]?.tools ?? []).map((tool) => tool.function),
		answers: () =>
			(requests().at(-1)?.messages ?? [])
				.filter(({ role }) => role === 'tool')
				.map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content))),
		[Symbol.dispose]: server.close,
	};
}

/** A workflow in which n8n's AI Agent asks a model, which calls the tool. */
export function agentWorkflow(
	version: number,
	tool: WorkflowNode,
	model: SavedCredential,
): Workflow {
	const langchain = '@n8n/n8n-nodes-langchain';
	const prompt = { promptType: 'define', text: 'Find leads', options: {} };
	const scripted = { model: { __rl: true, mode: 'id', value: 'scripted' }, options: {} };
	const agent = node('AI Agent', `${langchain}.agent`, version, prompt);
	return withTools(chain('Agent', [manualTrigger, agent]), agent.name, {
		ai_languageModel: [node('Model', `${langchain}.lmChatOpenAi`, 1.2, scripted, model)],
		ai_tool: [tool],
	});
}
