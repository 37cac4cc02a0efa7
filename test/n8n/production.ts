/** Workflows that a web request starts, as in production: what is run by hand is reused more freely. */
import { randomUUID } from 'node:crypto';

import {
	chain,
	type Execution,
	type SavedWorkflow,
	type Workflow,
	type WorkflowNode,
} from '../../sandbox/n8n/index';
import { until } from '../../sandbox/until';
import type { RunningN8n } from './harness';

/** A published workflow. */
export interface Production {
	readonly workflow: SavedWorkflow;
	/** Starts it. */
	readonly post: () => Promise<void>;
	/** Starts it. Resolves with the execution's id, while it runs. */
	readonly start: () => Promise<string>;
	/** Starts it and waits for the end. */
	readonly run: () => Promise<Execution>;
}

/**
 * Saves and publishes a workflow that runs nodes one after the other, and waits until it is up.
 *
 * @param change makes another workflow of it, a loop, say.
 */
export async function publish(
	n8n: Pick<RunningN8n, 'client' | 'server'>,
	nodes: readonly WorkflowNode[],
	change = (workflow: Workflow): Workflow => workflow,
): Promise<Production> {
	const path = randomUUID();
	const webhook: WorkflowNode = {
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		webhookId: path,
		parameters: { httpMethod: 'POST', path, responseMode: 'onReceived', options: {} },
	};
	const workflow = await n8n.client.createWorkflow(
		change(chain(`Production ${path}`, [webhook, ...nodes])),
	);
	await n8n.client.activate(workflow);
	// Another one after a restart.
	const url = () => `${n8n.server.url}/webhook/${path}`;
	const post = async () => {
		// n8n knows the path when it says that another method would do.
		await until('n8n listens to the webhook', async () =>
			(await (await fetch(url())).text()).includes('not registered for GET'),
		);
		const { status } = await fetch(url(), { method: 'POST' });
		if (status !== 200) throw new Error(`The webhook answered ${status}`);
	};
	const start = async () => {
		const list = async () => (await n8n.client.executions(workflow)).map(({ id }) => id);
		const before = await list();
		await post();
		return await until('the webhook has started an execution', async () =>
			(await list()).find((id) => !before.includes(id)),
		);
	};
	const run = async () => await n8n.client.waitForExecution(await start());
	return { workflow, post, start, run };
}
