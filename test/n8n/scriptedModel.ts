/** A chat model that follows a script: everything else about an agent is n8n's own. */
import { randomUUID } from 'node:crypto';

import type { N8nClient } from '../../sandbox/n8n/index';
import { startLocalServer } from '../workflows/localServer';

type ToolCall = Readonly<{ tool: string; input: object }>;

interface ChatRequest {
	readonly messages: ReadonlyArray<{ readonly role: string; readonly content: unknown }>;
	readonly tools?: ReadonlyArray<{ readonly function: { name: string; description: string } }>;
}

/**
 * Starts a model. Of the result, `credential` is for n8n's OpenAI node; `tools` are those that it was
 * offered, and `answers` what they have answered so far.
 * @param turns what it calls in each turn, all at once; then it says `Done`.
 */
export async function startModel(client: N8nClient, turns: ReadonlyArray<readonly ToolCall[]>) {
	const server = await startLocalServer(({ body }) => {
		const { messages } = body as ChatRequest;
		const turn = messages.filter(({ role }) => role === 'assistant').length;
		const calls = turns[turn]?.map(({ tool, input }, index) => ({
			id: `call_${turn}_${index}`,
			type: 'function',
			function: { name: tool, arguments: JSON.stringify(input) },
		}));
		const message = calls ? { content: null, tool_calls: calls } : { content: 'Done' };
		const finish_reason = calls ? 'tool_calls' : 'stop';
		return {
			id: `chat_${turn}`,
			object: 'chat.completion',
			created: 0,
			model: 'scripted',
			choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason }],
			usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
		};
	});
	const requests = () => server.received.map(({ body }) => body as ChatRequest);
	const access = { apiKey: 'none', url: `${server.url}/v1` };
	return {
		credential: await client.createCredential('openAiApi', randomUUID(), access),
		tools: () => (requests()[0]?.tools ?? []).map((tool) => tool.function),
		answers: () =>
			(requests().at(-1)?.messages ?? [])
				.filter(({ role }) => role === 'tool')
				.map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content))),
		[Symbol.dispose]: server.close,
	};
}
