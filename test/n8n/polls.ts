/** Creates workflows with Lead Search Trigger, and reads their charges and the leads that they deliver. */
import { randomUUID } from 'node:crypto';

import { node, type Execution, type Workflow } from '../../sandbox/n8n/index';
import { leadAt, matching, type AccountOptions } from '../../sandbox/service';
import { until } from '../../sandbox/until';
import { credentialOf, type RunningN8n } from './harness';

/** Poll Times for every three seconds. n8n has no interval in seconds, but each expression can name one second. */
export const everyThreeSeconds = Array.from({ length: 20 }, (_, index) => ({
	mode: 'custom',
	cronExpression: `${index * 3} * * * * *`,
}));

/** n8n's settings for durable cursors. */
export const durableCursors = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
	// These intervals are in seconds. Polls are late with the defaults, 10 and 5.
	N8N_SCHEDULER_MATERIALIZATION_INTERVAL: '1',
	N8N_SCHEDULER_EXECUTOR_INTERVAL: '1',
};

/** Poll Times that no test runs long enough to reach. */
export const onceAYear = [{ mode: 'custom', cronExpression: '0 0 1 1 *' }];

export const perBatch = 20;
const icelandLeads = matching({ person_location_country: ['Iceland'] });
const leadOf = new Map<unknown, number>(
	Array.from(icelandLeads, (lead) => [leadAt(lead).linkedin_url, lead]),
);

/** Returns the numbers of the batches of 20 to which leads belong, counted from 1. */
const batchesOf = (leads: readonly number[]) =>
	Array.from({ length: Math.ceil(leads.length / perBatch) }, (_, index) => {
		const batch = leads.slice(index * perBatch, (index + 1) * perBatch);
		const first = icelandLeads.indexOf(batch[0] ?? -1);
		expect(batch).toEqual([...icelandLeads.slice(first, first + perBatch)]);
		return first / perBatch + 1;
	});

/**
 * The parameters that differ between the triggers of a test. A limit that equals a number of batches ends the polls.
 */
interface TriggerOptions {
	id?: string;
	name?: string;
	batches?: number;
	/** The limit per day, in batches. */
	perDay?: number;
	times?: object[];
}

export type Polling = Awaited<ReturnType<typeof openPolling>>;

/** Creates a workflow whose trigger gets a batch of 20 leads per poll, with its own account. */
export async function openPolling(
	n8n: Pick<RunningN8n, 'client' | 'service'>,
	accountOptions: AccountOptions = {},
) {
	const account = n8n.service.admin.createAccount(accountOptions);
	const credential = await credentialOf(n8n, account);
	const nodeId = randomUUID();
	const workflowWith = (options: TriggerOptions): Workflow => {
		const { id = nodeId, name = 'Leads', batches = 50, perDay = 50 } = options;
		const { times = everyThreeSeconds } = options;
		const parameters = {
			pollTimes: { item: times },
			filters: { personLocationCountry: 'Iceland' },
			leadsPerPoll: perBatch,
			maxCreditsPerDay: perDay * perBatch,
			options: { maxCreditsInTotal: batches * perBatch },
		};
		const type = 'n8n-nodes-lead-search.leadSearchTrigger';
		const trigger = { id, ...node(name, type, 1, parameters, credential) };
		return {
			name: `Poll ${nodeId}`,
			nodes: [trigger, node('Done', 'n8n-nodes-base.noOp', 1)],
			connections: { [name]: { main: [[{ node: 'Done', type: 'main', index: 0 }]] } },
			settings: { executionOrder: 'v1', timezone: 'DEFAULT' },
		};
	};
	const workflow = await n8n.client.createWorkflow(workflowWith({}));
	const ended = async (status: string) =>
		(await n8n.client.executions(workflow)).filter((one) => one.status === status).reverse();
	const read = new Map<string, Promise<Execution>>();
	const delivered = async () => {
		for (const { id } of await ended('success'))
			read.set(id, read.get(id) ?? n8n.client.waitForExecution(id));
		const items = (await Promise.all(read.values())).flatMap((one) => one.items('Done'));
		return batchesOf(items.map(({ json }) => leadOf.get(json.linkedin_url) ?? -1));
	};
	const charged = () => batchesOf(account.chargedLeads);
	return {
		id: workflow.id,
		account,
		credential,
		delivered,
		charged,
		requests: () => n8n.service.admin.requests({ account: account.id }).length,
		failures: async () => {
			const failed = (await ended('error')).map(({ id }) => n8n.client.execution(id));
			return (await Promise.all(failed)).map(({ error }) => error?.message ?? '');
		},
		/** Publishes the workflow with these options of its trigger. */
		publish: async (trigger: TriggerOptions) => {
			await n8n.client.updateWorkflow(workflow.id, workflowWith(trigger));
			await n8n.client.activate(workflow);
		},
		/** Returns the IDs of the executions that have delivered leads. */
		executions: async () => (await ended('success')).map(({ id }) => id),
		unpublish: () => n8n.client.deactivate(workflow),
		untilDelivered: async (batch: number) => {
			const isDelivered = async () => (await delivered()).includes(batch);
			await until(`batch ${batch} is delivered`, isDelivered, { interval: 500 });
		},
	};
}
