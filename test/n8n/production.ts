/** Workflows that a web request starts, as in production. Manual runs reuse results in more cases. */
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
 * Saves and publishes a workflow that runs nodes one after the other. Of the result `post` and `start`
 * start it with the body of a request, `start` with the id of the execution, while that runs; `run` waits
 * for its end.
 * @param change makes another workflow of it, a loop, say.
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
	// Another one after a restart.
	const url = () => `${n8n.server.url}/webhook/${path}`;
	const post = async (sent: Fields = {}) => {
		// n8n knows the path when it says that another method would do.
		await until('n8n listens to the webhook', async () =>
			(await (await fetch(url())).text()).includes('not registered for GET'),
		);
		const headers = { 'content-type': 'application/json' };
		const request = { method: 'POST', headers, body: JSON.stringify(sent) };
		const { status } = await fetch(url(), request);
		if (status !== 200) throw new Error(`The webhook answered ${status}`);
	};
	const start = async (sent?: Fields) => {
		// A workflow that calls itself has started others by then.
		const list = async () =>
			(await n8n.client.executions(workflow))
				.filter(({ mode }) => mode === 'webhook')
				.map(({ id }) => id);
		const before = await list();
		await post(sent);
		return await until('the webhook has started an execution', async () =>
			(await list()).find((id) => !before.includes(id)),
		);
	};
	const run = async (sent?: Fields) => await n8n.client.waitForExecution(await start(sent));
	return { workflow, post, start, run };
}
