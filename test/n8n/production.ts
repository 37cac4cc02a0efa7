/** Publishes workflows that a web request starts, as in production. Manual runs reuse results in more cases. */
import { randomUUID } from 'node:crypto';

import {
	chain,
	node,
	type Fields,
	type Workflow,
	type WorkflowNode,
} from '../../sandbox/n8n/index';
import { until } from '../../sandbox/until';
import type { RunningN8n } from './harness';

/**
 * Publishes a workflow that runs nodes one after the other. `post` starts it with the body of a request, `start` also
 * returns the ID of the execution, and `run` waits for its end.
 *
 * @param change changes the workflow before it is saved, for example to a loop
 */
export async function publish(
	n8n: Pick<RunningN8n, 'client' | 'server'>,
	nodes: readonly WorkflowNode[],
	change = (workflow: Workflow): Workflow => workflow,
) {
	const path = randomUUID();
	const parameters = { httpMethod: 'POST', path, responseMode: 'onReceived', options: {} };
	const webhook = node('Webhook', 'n8n-nodes-base.webhook', 2, parameters);
	const all = [{ ...webhook, webhookId: path }, ...nodes];
	const workflow = await n8n.client.createWorkflow(change(chain(`Production ${path}`, all)));
	await n8n.client.activate(workflow);
	// The URL changes when n8n is restarted.
	const url = () => `${n8n.server.url}/webhook/${path}`;
	const post = async (body: Fields = {}) => {
		const headers = { 'content-type': 'application/json' };
		const request = { method: 'POST', headers, body: JSON.stringify(body) };
		// Until n8n listens to the path, it responds with 404 and starts nothing.
		const status = await until('n8n listens to the webhook', async () => {
			const response = await fetch(url(), request);
			return response.status !== 404 && response.status;
		});
		if (status !== 200) throw new Error(`The webhook answered ${status}`);
	};
	const start = async (body?: Fields) => {
		// Only executions that the webhook started count, because a workflow can call itself.
		const list = async () =>
			(await n8n.client.executions(workflow))
				.filter(({ mode }) => mode === 'webhook')
				.map(({ id }) => id);
		const before = await list();
		await post(body);
		return await until('the webhook has started an execution', async () =>
			(await list()).find((id) => !before.includes(id)),
		);
	};
	const run = async (body?: Fields) => await n8n.client.waitForExecution(await start(body));
	return { workflow, post, start, run };
}
