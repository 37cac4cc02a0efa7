/** A chat model that follows a script: everything else about an agent is n8n's own. */
import { randomUUID } from 'node:crypto';

import type { N8nClient, SavedCredential } from '../../sandbox/n8n/index';
import { startLocalServer } from '../workflows/localServer';

/** A call of a tool. */
export interface ToolCall {
	readonly tool: string;
	readonly input: object;
}

/** What a chat model is sent, as far as the tests look at it. */
interface ChatRequest {
	readonly messages: ReadonlyArray<{ readonly role: string; readonly content: unknown }>;
	readonly tools?: ReadonlyArray<{
		readonly function: { readonly name: string; readonly description: string };
	}>;
}

/** A model that is running. */
export interface ScriptedModel {
	/** For n8n's OpenAI node. */
	readonly credential: SavedCredential;
	/** The tools that it was offered. */
	tools(): ReadonlyArray<{ readonly name: string; readonly description: string }>;
	/** What the tools have answered so far. */
	answers(): readonly string[];
}

/**
 * Runs a model while something uses it.
 *
 * @param turns what it calls in each turn, all at once; then it says `Done`.
 */
export async function withModel<T>(
	client: N8nClient,
	turns: ReadonlyArray<readonly ToolCall[]>,
	use: (model: ScriptedModel) => Promise<T>,
): Promise<T> {
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
	try {
		const data = { apiKey: 'none', url: `${server.url}/v1` };
		return await use({
			credential: await client.createCredential('openAiApi', randomUUID(), data),
			tools: () => (requests()[0]?.tools ?? []).map((tool) => tool.function),
			answers: () =>
				(requests().at(-1)?.messages ?? [])
					.filter(({ role }) => role === 'tool')
					.map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content))),
		});
	} finally {
		server.close();
	}
}
