/** Publishes an MCP server in n8n, and calls its tools over HTTP. */
import { chain, node } from '../../sandbox/n8n/index';
import type { Fields, WorkflowNode } from '../../sandbox/n8n/index';
import { until } from '../../sandbox/until';
import { withTools, type RunningN8n } from './harness';

/** Publishes a workflow that offers tools. Resolves with its URL once it responds. */
export async function publishMcpServer(
	{ client, server }: Pick<RunningN8n, 'client' | 'server'>,
	path: string,
	tools: readonly WorkflowNode[],
): Promise<string> {
	const trigger = node('MCP Server Trigger', '@n8n/n8n-nodes-langchain.mcpTrigger', 2, { path });
	const listening = { ...trigger, webhookId: path };
	const workflow = withTools(chain('MCP', [listening]), trigger.name, { ai_tool: tools });
	await client.activate(await client.createWorkflow(workflow));
	return await addressOf(server, path);
}

/** Resolves with the URL of a published MCP Server Trigger once it responds. */
export async function addressOf({ url }: { url: string }, path: string): Promise<string> {
	const address = `${url}/mcp/${path}`;
	await until('the MCP server answers', async () => (await send(address, {})).status !== 404);
	return address;
}

/**
 * Opens an MCP session.
 *
 * @param headers headers that authorize the client
 * @returns a session whose calls resolve with the items that the tool returned
 */
export async function connect(url: string, headers: Readonly<Record<string, string>> = {}) {
	let id = 0;
	let session: string | null = null;
	const post = (message: object) =>
		send(url, message, { ...headers, ...(session !== null && { 'mcp-session-id': session }) });
	async function call<T>(method: string, params: object): Promise<T> {
		const response = await post({ jsonrpc: '2.0', id: ++id, method, params });
		session ??= response.headers.get('mcp-session-id');
		const text = await response.text();
		const data = /^data: (.+)$/m.exec(text)?.[1] ?? text;
		const { result, error } = JSON.parse(data) as { result?: T; error?: unknown };
		if (result === undefined) throw new Error(`${method} was answered ${JSON.stringify(error)}`);
		return result;
	}
	const clientInfo = { name: 'test', version: '1' };
	await call('initialize', { protocolVersion: '2025-03-26', capabilities: {}, clientInfo });
	await post({ jsonrpc: '2.0', method: 'notifications/initialized' });
	return {
		async tools() {
			const { tools } = await call<{ tools: Tool[] }>('tools/list', {});
			return tools;
		},
		async call(name: string, args: Fields): Promise<Fields[]> {
			const params = { name, arguments: args };
			const { content } = await call<{ content: ReadonlyArray<{ text: string }> }>(
				'tools/call',
				params,
			);
			return content.map(({ text }) => JSON.parse(text) as Fields | Fields[]).flat();
		},
	};
}

interface Tool {
	readonly name: string;
	readonly description: string;
}

async function send(url: string, message: object, headers: Readonly<Record<string, string>> = {}) {
	return await fetch(url, {
		method: 'POST',
		headers: {
			'content-type': 'application/json',
			accept: 'application/json, text/event-stream',
			connection: 'close',
			...headers,
		},
		body: JSON.stringify(message),
		signal: AbortSignal.timeout(180_000),
	});
}
