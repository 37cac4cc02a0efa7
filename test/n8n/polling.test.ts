/**
 * What Lead Search Trigger charges and delivers in an n8n that polls by itself, stops between polls and
 * dies in the middle of one, with n8n's durable cursors and without. The ledger of the service tells
 * what was charged, n8n's executions tell what was delivered.
 */
import { randomUUID } from 'node:crypto';

import { chain, node, type Fields, type Workflow } from '../../sandbox/n8n/index';
import { leadAt, matching, type AccountOptions } from '../../sandbox/service';
import { until } from '../../sandbox/until';
import { credentialOf, useN8n, type TestN8n } from './harness';

/** What n8n needs to keep cursors durably. */
const durable = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
	// In seconds; with 10 and 5, the defaults, polls are late.
	N8N_SCHEDULER_MATERIALIZATION_INTERVAL: '1',
	N8N_SCHEDULER_EXECUTOR_INTERVAL: '1',
};

/** Five seconds are the least that n8n takes; it has no interval in seconds. */
const everyFiveSeconds = Array.from({ length: 12 }, (_, index) => ({
	mode: 'custom',
	cronExpression: `${index * 5} * * * * *`,
}));

const perBatch = 20;
const polled = {
	pollTimes: { item: everyFiveSeconds },
	filters: { personLocationCountry: 'Iceland' },
	leadsPerPoll: perBatch,
};
const people = matching({ person_location_country: ['Iceland'] });

/** The batches of 20 that leads make, counted from 1. */
const batchesOf = (leads: readonly number[]) =>
	Array.from({ length: Math.ceil(leads.length / perBatch) }, (_, index) => {
		const batch = leads.slice(index * perBatch, (index + 1) * perBatch);
		const first = people.indexOf(batch[0] ?? -1);
		expect(batch).toEqual([...people.slice(first, first + perBatch)]);
		return first / perBatch + 1;
	});

/** A workflow with a trigger for 20 leads a poll, a batch, and an account of its own. */
async function open(n8n: TestN8n, accountOptions: AccountOptions = {}) {
	const { client, service } = n8n;
	const account = service.admin.createAccount(accountOptions);
	const credential = await credentialOf(n8n, account);
	const trigger = (name: string, parameters: Fields) =>
		node(name, 'n8n-nodes-lead-search.leadSearchTrigger', 1, parameters, credential);
	const nodeId = randomUUID();
	const workflowWith = (triggerName: string, maxCreditsInTotal: number): Workflow =>
		chain(`Poll ${nodeId}`, [
			{ id: nodeId, ...trigger(triggerName, { ...polled, options: { maxCreditsInTotal } }) },
			node('Done', 'n8n-nodes-base.noOp', 1),
		]);
	const workflow = await client.createWorkflow(workflowWith('Leads', 1_000));
	const leadOf = new Map<unknown, number>(
		Array.from(people, (lead) => [leadAt(lead).linkedin_url, lead]),
	);
	async function delivered(): Promise<number[]> {
		const leads: number[] = [];
		for (const summary of [...(await n8n.client.executions(workflow))].reverse()) {
			if (summary.status !== 'success') continue;
			const items = (await n8n.client.waitForExecution(summary.id)).items('Done');
			leads.push(...items.map(({ json }) => leadOf.get(json.linkedin_url) ?? -1));
		}
		return batchesOf(leads);
	}
	return {
		account,
		workflow,
		delivered,
		charged: () => batchesOf(account.chargedLeads),
		/** Publishes the workflow with another name of its trigger, or another ceiling. */
		publish: async (triggerName: string, batches: number) => {
			const changed = workflowWith(triggerName, batches * perBatch);
			await n8n.client.updateWorkflow(workflow.id, changed);
			await n8n.client.activate(workflow);
		},
		untilDelivered: async (batch: number) => {
			await until(`batch ${batch} is delivered`, async () => (await delivered()).includes(batch), {
				timeout: 60_000,
				interval: 500,
			});
		},
	};
}

describe.each([
	['off', {}],
	['on', durable],
])('With durable cursors %s', (_, env) => {
	const n8n = useN8n(env);

	test('each lead is charged and delivered once, over a restart and a new name', async () => {
		const { charged, delivered, publish, untilDelivered } = await open(n8n);
		// With ceilings, no poll is under way when n8n stops.
		await publish('Leads', 2);
		await untilDelivered(2);
		await n8n.restart();
		await publish('Leads', 3);
		await untilDelivered(3);
		await publish('Leads of the day', 4);
		await untilDelivered(4);
		expect(charged()).toEqual([1, 2, 3, 4]);
		expect(await delivered()).toEqual([1, 2, 3, 4]);
	}, 240_000);

	test('a poll that was cut off before the answer is charged again, and delivered once', async () => {
		const opened = await open(n8n, { leads: 3 * perBatch });
		const { account, workflow, charged, delivered, untilDelivered } = opened;
		// Whatever is polled while n8n still lives costs nothing more.
		const hang = { kind: 'hang', charge: true, times: 'always' } as const;
		n8n.service.admin.addFault({ ...hang, account: account.id, page: 2 });
		await n8n.client.activate(workflow);
		await untilDelivered(1);
		await until('the second batch is charged', () => Promise.resolve(charged().length === 2));
		await n8n.server.kill();
		n8n.service.admin.clearFaults();
		await n8n.restart();
		await untilDelivered(3);
		expect(charged()).toEqual([1, 2, 2, 3]);
		expect(await delivered()).toEqual([1, 2, 3]);
	}, 240_000);
});
