/** Workflows that a web request starts, as in production: what is run by hand is reused more freely. */
import { randomUUID } from 'node:crypto';

import {
	chain,
	type Execution,
	type SavedWorkflow,
	type WorkflowNode,
} from '../../sandbox/n8n/index';
import { until } from '../../sandbox/until';
import type { TestN8n } from './harness';

/** A published workflow. */
export interface Production {
	readonly workflow: SavedWorkflow;
	/** Starts it. Resolves with the execution's id, while it runs. */
	readonly start: () => Promise<string>;
	/** Starts it and waits for the end. */
	readonly run: () => Promise<Execution>;
}

/** Saves and publishes a workflow that runs nodes one after the other, and waits until it is up. */
export async function publish(n8n: TestN8n, nodes: readonly WorkflowNode[]): Promise<Production> {
	const path = randomUUID();
	const webhook: WorkflowNode = {
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		webhookId: path,
		parameters: { httpMethod: 'POST', path, responseMode: 'onReceived', options: {} },
	};
	const workflow = await n8n.client.createWorkflow(
		chain(`Production ${path}`, [webhook, ...nodes]),
	);
	await n8n.client.activate(workflow);
	// Another one after a restart.
	const url = () => `${n8n.server.url}/webhook/${path}`;
	const start = async (): Promise<string> => {
		// n8n knows the path when it says that another method would do.
		await until('n8n listens to the webhook', async () =>
			(await (await fetch(url())).text()).includes('not registered for GET'),
		);
		const before = await n8n.client.executions(workflow);
		const { status } = await fetch(url(), { method: 'POST' });
		if (status !== 200) throw new Error(`The webhook answered ${status}`);
		return await until('the webhook has started an execution', async () =>
			(await n8n.client.executions(workflow)).find((id) => !before.includes(id)),
		);
	};
	return { workflow, start, run: async () => await n8n.client.waitForExecution(await start()) };
}
