/**
 * What Lead Search Trigger charges and delivers in an n8n that polls by itself and dies in the middle of a
 * poll, with n8n's durable cursors and without. The ledger of the service tells what was charged, n8n's
 * executions tell what was delivered.
 */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import { node, type Execution, type Workflow } from '../../sandbox/n8n/index';
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

/** n8n has no interval in seconds: every three of them, in as many expressions. */
const often = Array.from({ length: 20 }, (_, index) => ({
	mode: 'custom',
	cronExpression: `${index * 3} * * * * *`,
}));

/** No test runs long enough to meet it. */
const onceAYear = [{ mode: 'custom', cronExpression: '0 0 1 1 *' }];

const perBatch = 20;
const people = matching({ person_location_country: ['Iceland'] });
const leadOf = new Map<unknown, number>(
	Array.from(people, (lead) => [leadAt(lead).linkedin_url, lead]),
);

/** The batches of 20 that leads make, counted from 1. */
const batchesOf = (leads: readonly number[]) =>
	Array.from({ length: Math.ceil(leads.length / perBatch) }, (_, index) => {
		const batch = leads.slice(index * perBatch, (index + 1) * perBatch);
		const first = people.indexOf(batch[0] ?? -1);
		expect(batch).toEqual([...people.slice(first, first + perBatch)]);
		return first / perBatch + 1;
	});

/** What differs between triggers of a test: a ceiling in batches ends their polls. */
interface TriggerOptions {
	id?: string;
	name?: string;
	batches?: number;
	times?: object[];
}

/** A workflow with a trigger for 20 leads a poll, a batch, and an account of its own. */
async function open(n8n: TestN8n, accountOptions: AccountOptions = {}) {
	const account = n8n.service.admin.createAccount(accountOptions);
	const credential = await credentialOf(n8n, account);
	const nodeId = randomUUID();
	const workflowWith = (options: TriggerOptions): Workflow => {
		const { id = nodeId, name = 'Leads', batches = 50, times = often } = options;
		const parameters = {
			pollTimes: { item: times },
			filters: { personLocationCountry: 'Iceland' },
			leadsPerPoll: perBatch,
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
		account,
		delivered,
		charged,
		requests: () => n8n.service.admin.requests({ account: account.id }).length,
		failures: async () => {
			const failed = (await ended('error')).map(({ id }) => n8n.client.execution(id));
			return (await Promise.all(failed)).map(({ error }) => error?.message ?? '');
		},
		/** Publishes the workflow with such a trigger. */
		publish: async (trigger: TriggerOptions) => {
			await n8n.client.updateWorkflow(workflow.id, workflowWith(trigger));
			await n8n.client.activate(workflow);
		},
		untilDelivered: async (batch: number) => {
			const isDelivered = async () => (await delivered()).includes(batch);
			await until(`batch ${batch} is delivered`, isDelivered, { interval: 500 });
		},
	};
}

/** Workflows with a place, as they go on after n8n was killed while one of them polled. */
async function restart(n8n: TestN8n) {
	const { service, server } = n8n;
	const moved = await open(n8n);
	const cutOff = await open(n8n, { leads: 3 * perBatch });
	const broke = await open(n8n, { apiCredits: perBatch });
	// Whatever is polled while n8n still lives costs nothing more.
	const hang = { kind: 'hang', charge: true, times: 'always' } as const;
	service.admin.addFault({ ...hang, account: cutOff.account.id, page: 2 });
	await moved.publish({ times: onceAYear });
	await cutOff.publish({ batches: 3 });
	for (const one of [moved, cutOff]) await one.untilDelivered(1);
	await until('the second batch is charged', () => Promise.resolve(cutOff.charged().length === 2));
	// Last, since n8n waits twice as long after each poll that fails.
	await broke.publish({ batches: 2 });
	await broke.untilDelivered(1);
	await server.kill();
	service.admin.clearFaults();
	const before = broke.requests();
	await n8n.restart();
	return { moved, cutOff, broke, before };
}

describe.each([
	['off', {}, 6],
	['on', durable, 1],
])('With durable cursors %s', (_, env, polls) => {
	const n8n = useN8n({
		N8N_LOG_FORMAT: 'json',
		...env,
		// With two connections, the default, workflows that poll at once wait for one another; and where its database
		// takes longer than 5 seconds to answer, n8n answers nothing for some time.
		DB_POSTGRESDB_POOL_SIZE: '10',
		DB_PING_TIMEOUT_MS: '60000',
	});

	describe('killed while it polls, and started again', () => {
		let workflows: Awaited<ReturnType<typeof restart>>;
		beforeAll(async () => {
			workflows = await restart(n8n);
		});

		test('a workflow that ran out of credits continues after a kill once there are credits', async () => {
			const { requests, account, untilDelivered } = workflows.broke;
			// What fails at its own start n8n tries five times, then never again.
			const hasPolled = () => Promise.resolve(requests() >= workflows.before + polls);
			await until(`${polls} polls meet a 402`, hasPolled);
			n8n.service.admin.setCredits(account.id, { apiCredits: 10_000 });
			await untilDelivered(2);
		});

		test('starts and publishing cost nothing, and each lead is delivered once, also under a new name and with new node IDs', async () => {
			const { charged, delivered, publish, untilDelivered } = workflows.moved;
			const name = 'Leads of the year';
			await publish({ name, times: onceAYear });
			await until('n8n has activated it', async () =>
				(await readFile(n8n.server.logFile, 'utf8'))
					.split('\n')
					.some((line) => line.includes(name) && line.includes('the workflow is active')),
			);
			expect(charged()).toEqual([1]);
			await publish({ name, batches: 2 });
			await untilDelivered(2);
			// As where an assistant or the public API saves the workflow.
			await publish({ id: randomUUID(), name, batches: 3 });
			await untilDelivered(3);
			await publish({ id: randomUUID(), batches: 4 });
			await untilDelivered(4);
			for (const batches of [charged(), await delivered()]) expect(batches).toEqual([1, 2, 3, 4]);
		});

		test('a poll that was killed before its response is charged again, and its leads are delivered once', async () => {
			const { charged, delivered, untilDelivered } = workflows.cutOff;
			await untilDelivered(3);
			expect(charged()).toEqual([1, 2, 2, 3]);
			expect(await delivered()).toEqual([1, 2, 3]);
		});
	});

	test('a key that is refused at publishing is reported, and polls continue', async () => {
		const { account, publish, failures, charged, untilDelivered } = await open(n8n);
		n8n.service.admin.addFault({ account: account.id, page: 1, kind: 'status', status: 401 });
		await publish({ batches: 1 });
		await untilDelivered(1);
		expect((await failures())[0]).toContain('was not accepted (401)');
		expect(charged()).toEqual([1]);
	});

	test('the leads of a poll during publishing are delivered, and paid for once', async () => {
		const { account, publish, requests, untilDelivered, charged, delivered } = await open(n8n);
		const slow = { kind: 'latency', ms: 6_000, account: account.id, page: 2 } as const;
		n8n.service.admin.addFault(slow);
		await publish({ batches: 3 });
		await until('the second poll waits for its answer', () => Promise.resolve(requests() === 2));
		await publish({ batches: 4 });
		await untilDelivered(4);
		for (const batches of [charged(), await delivered()]) expect(batches).toEqual([1, 2, 3, 4]);
	});
});
