/**
 * What Lead Search Trigger charges and delivers in an n8n that polls by itself, stops between polls and
 * dies in the middle of one, with n8n's durable cursors and without. The ledger of the service tells
 * what was charged, n8n's executions tell what was delivered.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';

import execa from 'execa';

import { findInstallation } from '../../sandbox/n8n/launch';
import { projectFolder } from '../../sandbox/paths';
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

describe("n8n's own back-off of polls", () => {
	const seconds = (after: number) => ({ type: 'transient', retryAfterMs: after * 1_000 });
	const down = 'temporarily-unavailable';
	const answers = [
		[401, {}, { type: 'permanent', retryAfterMs: null, cause: 'credential-invalid' }],
		[402, {}, { type: 'transient', retryAfterMs: null, cause: 'quota-exhausted' }],
		[404, {}, { type: 'permanent', retryAfterMs: null, cause: 'configuration-invalid' }],
		[429, {}, { type: 'transient', retryAfterMs: null, cause: 'rate-limited' }],
		[429, { 'retry-after': '120' }, { ...seconds(120), cause: 'rate-limited' }],
		[503, {}, { type: 'transient', retryAfterMs: null, cause: down }],
		[503, { 'retry-after': '90' }, { ...seconds(90), cause: down }],
		// It may have been charged, so that nothing is declared: this is what n8n makes of the status.
		[504, { 'retry-after': '5' }, { type: 'transient', retryAfterMs: null, cause: down }],
	] as const;

	/** What n8n's policy makes of errors of the built package, in the Node that runs n8n. */
	async function judge(cases: readonly unknown[]): Promise<unknown> {
		const { node: program } = findInstallation();
		const policy = 'sandbox/n8n/node_modules/n8n/dist/workflows/triggers/poll-backoff-policy.js';
		const built = ['messages/nodeErrors.js', 'api/failures.js'].map(
			(file) => `dist/nodes/LeadSearch/${file}`,
		);
		const files = [policy, ...built].map((file) => join(projectFolder, file));
		const script = `
			const [policy, errors, failures] = ${JSON.stringify(files)}.map((file) => require(file));
			const node = { name: 'Leads', type: 'leadSearchTrigger', typeVersion: 1, parameters: {} };
			const text = { message: 'It stopped', description: 'Try' };
			const judged = ${JSON.stringify(cases)}.map(([status, headers]) => {
				const failure = failures.failureFromStatus(status, headers, '{}', Date.now());
				const error = errors.asNodeError(node, text, { failure, item: 0 });
				return policy.pollFailureFromError(error, new Date());
			});
			judged.push(policy.pollFailureFromError(errors.asInvalid(node, text), new Date()));
			process.stdout.write(JSON.stringify(judged));`;
		return JSON.parse((await execa(program, ['-e', script])).stdout);
	}

	test('waits as each failure declares, and as long as the service asks for', async () => {
		const wrongParameter = {
			type: 'permanent',
			retryAfterMs: null,
			cause: 'configuration-invalid',
		};
		expect(await judge(answers)).toEqual([...answers.map(([, , told]) => told), wrongParameter]);
	});
});
