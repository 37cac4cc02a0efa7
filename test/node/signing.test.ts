/** What n8n's helpers send with the credential, by whichever of them a node asks: to Base URL's origin alone. */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { WorkflowExecute } from 'n8n-core';
import {
	createRunExecutionData,
	Workflow,
	type IExecuteFunctions,
	type INodeType,
} from 'n8n-workflow';

import { additionalData, CREDENTIAL, CredentialStore, nodeOf, nodeTypes } from './n8nCore';

/** Everything that two servers have received; the first one sends on to the second one. */
const heard: IncomingMessage[] = [];
const servers: Server[] = [];
let [service, elsewhere] = ['', ''];

async function listen(): Promise<string> {
	const server = createServer((request, response) => {
		heard.push(request);
		const isService = request.headers.host === new URL(service).host;
		response.writeHead(isService ? 307 : 200, { location: `${elsewhere}/leads` }).end('{}');
	});
	servers.push(server);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
	[service, elsewhere] = [await listen(), await listen()];
});
beforeEach(() => void heard.splice(0));
afterAll(() => {
	for (const server of servers) {
		server.closeAllConnections();
		server.close();
	}
});

/** Which n8n's HTTP Request node asks by; its type says that nobody else should. */
type Older = Record<
	'requestWithAuthentication',
	(type: string, options: object) => Promise<unknown>
>;

type Ask = (helpers: IExecuteFunctions['helpers'], context: IExecuteFunctions) => Promise<unknown>;

/** @returns what n8n would show of a node that asks so */
async function ask(authentication: string, how: Ask): Promise<string> {
	const node: INodeType = {
		description: {
			...{ displayName: 'Asks', name: 'asks', description: 'Asks', version: 1, group: [] },
			...{ defaults: { name: 'Asks' }, properties: [], inputs: ['main'], outputs: ['main'] },
			credentials: [{ name: 'leadSearchApi', required: true }],
		},
		async execute() {
			await how(this.helpers, this);
			return [[{ json: { went: 'well' } }]];
		},
	};
	const asking = { ...nodeOf('Asks', 'asks'), credentials: { leadSearchApi: CREDENTIAL } };
	const nodes = { id: 'test', nodes: [asking], connections: {}, active: false };
	const workflow = new Workflow({ ...nodes, nodeTypes: nodeTypes({ asks: node }) });
	const store = new CredentialStore();
	await store.keep({ baseUrl: service, authentication, apiKey: 'key-of-somebody' });
	const nodeExecutionStack = [{ node: asking, data: { main: [[{ json: {} }]] }, source: null }];
	const data = createRunExecutionData({ executionData: { nodeExecutionStack } });
	const executor = new WorkflowExecute(additionalData(store), 'manual', data);
	const run = await executor.processRunExecutionData(workflow);
	return run.data.resultData.error?.message ?? 'it went well';
}

const post = { method: 'POST', body: { a: 1 } } as const;
const newer =
	(path: string, baseOf: () => string): Ask =>
	async (helpers, context) =>
		(await helpers.httpRequestWithAuthentication.call(context, 'leadSearchApi', {
			...{ ...post, url: baseOf() + path },
		})) as unknown;
const older =
	(path: string, baseOf: () => string): Ask =>
	async (helpers, context) =>
		await (helpers as unknown as Older).requestWithAuthentication.call(context, 'leadSearchApi', {
			...{ ...post, json: true, uri: baseOf() + path },
			...{ followRedirect: true, followAllRedirects: true },
		});

describe.each([
	['newer', newer],
	['older', older],
])("n8n's %s helper", (_, by) => {
	test('sends nothing to another host', async () => {
		const message = await ask(
			'bearer',
			by('/api/linkedin/lookup', () => elsewhere),
		);
		expect(message).toContain(`is for ${service} alone, and this request goes to ${elsewhere}`);
		expect(heard).toEqual([]);
	});

	test.each(['bearer', 'xApiKey'])('takes the key along on no redirect, by %s', async (how) => {
		expect(
			await ask(
				how,
				by('/api/linkedin/lookup', () => service),
			),
		).not.toBe('it went well');
		expect(heard).toHaveLength(1);
		const { authorization, 'x-api-key': key } = heard[0]?.headers ?? {};
		expect(authorization ?? key).toContain('key-of-somebody');
	});
});
