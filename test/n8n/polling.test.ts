/**
 * What Lead Search Trigger charges and delivers in an n8n that polls by itself, stops between polls and
 * dies in the middle of one, with n8n's durable cursors and without. The ledger of the service tells
 * what was charged, n8n's executions tell what was delivered.
 */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import type { IDataObject } from 'n8n-workflow';

import { node, type Fields, type Workflow } from '../../sandbox/n8n/index';
import { leadAt, matching, type AccountOptions } from '../../sandbox/service';
import { query } from '../../sandbox/postgres';
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

/** No test runs long enough to meet it. */
const onceAYear = [{ mode: 'custom', cronExpression: '0 0 1 1 *' }];

/** Whatever the hour, another day than in UTC. */
const zone = new Date().getUTCHours() < 12 ? 'Etc/GMT+12' : 'Pacific/Kiritimati';

const perBatch = 20;
const country = { personLocationCountry: 'Iceland' };
const people = matching({ person_location_country: ['Iceland'] });

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
	filters?: Fields;
	times?: object[];
	/** Beside Max Credits in Total. */
	more?: Fields;
	perDay?: number;
}

/** A workflow with a trigger for 20 leads a poll, a batch, and an account of its own. */
async function open(
	n8n: TestN8n,
	accountOptions: AccountOptions = {},
	firstTrigger: TriggerOptions = {},
) {
	const { client, service } = n8n;
	const account = service.admin.createAccount(accountOptions);
	const credential = await credentialOf(n8n, account);
	const nodeId = randomUUID();
	const trigger = (options: TriggerOptions) => {
		const { id = nodeId, name = 'Leads', batches = 1, times = everyFiveSeconds } = options;
		const parameters = {
			...{ pollTimes: { item: times }, filters: options.filters ?? country },
			...{ leadsPerPoll: perBatch, maxCreditsPerDay: options.perDay ?? 1_000 },
			options: { maxCreditsInTotal: batches * perBatch, ...options.more },
		};
		const type = 'n8n-nodes-lead-search.leadSearchTrigger';
		return { id, ...node(name, type, 1, parameters, credential) };
	};
	const workflowWith = (...triggers: TriggerOptions[]): Workflow => {
		const nodes = triggers.map(trigger);
		const main = [[{ node: 'Done', type: 'main', index: 0 }]];
		return {
			name: `Poll ${nodeId}`,
			nodes: [...nodes, node('Done', 'n8n-nodes-base.noOp', 1)],
			connections: Object.fromEntries(nodes.map(({ name }) => [name, { main }])),
			settings: { executionOrder: 'v1', timezone: 'DEFAULT' },
		};
	};
	const workflow = await client.createWorkflow(workflowWith({ batches: 50, ...firstTrigger }));
	const leadOf = new Map<unknown, number>(
		Array.from(people, (lead) => [leadAt(lead).linkedin_url, lead]),
	);
	async function deliveredItems() {
		const items: Array<{ json: IDataObject }> = [];
		for (const summary of [...(await n8n.client.executions(workflow))].reverse()) {
			if (summary.status !== 'success') continue;
			items.push(...(await n8n.client.waitForExecution(summary.id)).items('Done'));
		}
		return items;
	}
	const deliveredLeads = async () =>
		(await deliveredItems()).map(({ json }) => leadOf.get(json.linkedin_url) ?? -1);
	const delivered = async () => batchesOf(await deliveredLeads());
	const charged = () => batchesOf(account.chargedLeads);
	return {
		account,
		workflow,
		nodeId,
		deliveredItems,
		deliveredLeads,
		delivered,
		charged,
		requests: () => service.admin.requests({ account: account.id }).length,
		workflowWith,
		topUp: () => service.admin.setCredits(account.id, { apiCredits: 10_000 }),
		failures: async () => {
			const all = await n8n.client.executions(workflow);
			const failed = all.filter(({ status }) => status === 'error');
			return await Promise.all(
				failed.map(async ({ id }) => (await n8n.client.execution(id)).error?.message ?? ''),
			);
		},
		/** Publishes the workflow with these triggers, one as it was unless others are given. */
		publish: async (...triggers: TriggerOptions[]) => {
			await n8n.client.updateWorkflow(workflow.id, workflowWith(...triggers));
			await n8n.client.activate(workflow);
		},
		untilDelivered: async (batch: number) => {
			await until(`batch ${batch} is delivered`, async () => (await delivered()).includes(batch), {
				interval: 500,
			});
		},
		untilCharged: async (...batches: number[]) => {
			const wanted = JSON.stringify(batches);
			const isCharged = () => Promise.resolve(JSON.stringify(charged()) === wanted);
			await until(`${wanted} are charged`, isCharged, { interval: 200 });
			// Whatever polls do now costs nothing more.
			expect(charged()).toEqual(batches);
		},
	};
}

/** Lines of n8n's log about a trigger. */
async function linesOf({ server }: TestN8n, nodeId: string): Promise<string[]> {
	const text = await readFile(server.logFile, 'utf8');
	return text.split('\n').filter((line) => line.includes(nodeId));
}

describe.each([
	['off', {}, 6],
	// n8n waits longer and longer before it polls again.
	['on', durable, 1],
])('With durable cursors %s', (_, env, polls) => {
	const n8n = useN8n({ N8N_LOG_FORMAT: 'json', GENERIC_TIMEZONE: zone, ...env });

	test('each lead is charged and delivered once, over a restart, a new name and new node ids', async () => {
		const { charged, delivered, publish, untilDelivered } = await open(n8n);
		// With ceilings, no poll is under way when n8n stops.
		await publish({ batches: 2 });
		await untilDelivered(2);
		await n8n.restart();
		await publish({ batches: 3 });
		await untilDelivered(3);
		const name = 'Leads of the day';
		await publish({ name, batches: 4 });
		await untilDelivered(4);
		// As where an assistant or the public API saves the workflow.
		await publish({ id: randomUUID(), name, batches: 5 });
		await untilDelivered(5);
		await publish({ id: randomUUID(), batches: 6 });
		await untilDelivered(6);
		expect(charged()).toEqual([1, 2, 3, 4, 5, 6]);
		expect(await delivered()).toEqual([1, 2, 3, 4, 5, 6]);
	});

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
	});

	test('starts of n8n cost nothing, and a workflow goes on after one with no credits left', async () => {
		const yearly = await open(n8n);
		const broke = await open(n8n, { apiCredits: perBatch });
		await yearly.publish({ batches: 9, times: onceAYear });
		await broke.publish({ batches: 9 });
		await yearly.untilDelivered(1);
		await broke.untilDelivered(1);
		// What fails at its own start n8n tries five times, then never again.
		for (const wanted of [1, polls]) {
			await n8n.restart();
			const before = broke.requests();
			const hasPolled = () => Promise.resolve(broke.requests() >= before + wanted);
			await until(`${wanted} polls meet a 402`, hasPolled);
		}
		broke.topUp();
		await broke.untilDelivered(2);
		// Neither does publishing again, under another name and with another maximum.
		await yearly.publish({ batches: 10, times: onceAYear, name: 'Leads of the year' });
		await until('n8n has activated it', async () =>
			(await linesOf(n8n, yearly.nodeId)).some((line) => line.includes('Leads of the year')),
		);
		expect(yearly.charged()).toEqual([1]);
	});

	test('a key that is refused at publishing is told, and polls go on once it works', async () => {
		const soon = (new Date().getSeconds() + 25) % 60;
		const times = [{ mode: 'custom', cronExpression: `${soon} * * * * *` }];
		const { account, publish, failures, charged, untilDelivered } = await open(n8n);
		const refusal = { kind: 'status', status: 401, times: 'always' } as const;
		n8n.service.admin.addFault({ ...refusal, account: account.id });
		await publish({ times });
		await until('n8n is told', async () => (await failures()).length > 0);
		// Before the schedule, or n8n's durable scheduler would wait for half an hour.
		n8n.service.admin.clearFaults();
		await untilDelivered(1);
		expect(await failures()).toEqual([expect.stringContaining('was not accepted (401)')]);
		expect(charged()).toEqual([1]);
	});

	test('what a poll brings while somebody publishes is delivered, and paid for once', async () => {
		const opened = await open(n8n);
		const { account, publish, requests, untilDelivered } = opened;
		const slow = { kind: 'latency', ms: 6_000, account: account.id, page: 2 } as const;
		n8n.service.admin.addFault(slow);
		await publish({ batches: 3 });
		await untilDelivered(1);
		await until('the second poll waits for its answer', () => Promise.resolve(requests() === 2));
		await publish({ batches: 4 });
		await untilDelivered(4);
		expect(opened.charged()).toEqual([1, 2, 3, 4]);
		expect(await opened.delivered()).toEqual([1, 2, 3, 4]);
	});

	test("a day's maximum that is reached is a failed execution, once, of a day in n8n's zone; a test says so", async () => {
		const { account, workflow, failures, requests } = await open(n8n, {}, { perDay: 20 });
		await n8n.client.activate(workflow);
		await until('n8n is told', async () => (await failures()).length > 0);
		const day = new Date().toLocaleDateString('en-CA', { timeZone: zone });
		const told = `'Max Credits per Day' (20) is spent for ${day}`;
		const test = await n8n.client.waitForExecution(await n8n.client.run(workflow));
		expect(test.error?.message).toBe(told);
		const others = (await failures()).filter((message) => message !== told);
		expect([others, (await failures()).length]).toEqual([[], 2]);
		expect([requests(), account.spent.apiCredits]).toEqual([1, 20]);
	});

	test('the lead of a test comes with the first poll for nothing, and a 402 after the fifth is told at once', async () => {
		const opened = await open(n8n, { apiCredits: 5 }, { times: onceAYear });
		const { account, workflow, failures, deliveredLeads } = opened;
		const test = await n8n.client.waitForExecution(await n8n.client.run(workflow));
		expect(test.items('Leads')).toHaveLength(1);
		expect(account.spent.apiCredits).toBe(1);
		await n8n.client.activate(workflow);
		await until('n8n is told', async () => (await failures()).length > 0);
		expect(await failures()).toEqual([expect.stringMatching(/\(402\): 5 leads came/)]);
		expect(await deliveredLeads()).toEqual([people[0], ...people.slice(0, 5)]);
		expect(account.spent.apiCredits).toBe(5);
	});

	test('an old place that is put back is not gone back to while n8n runs; a copy begins at the first lead', async () => {
		const opened = await open(n8n);
		const { client } = n8n;
		await opened.publish({});
		await opened.untilDelivered(1);
		const path = `/workflows/${opened.workflow.id}`;
		const { staticData } = await client.call<{ staticData: IDataObject }>('GET', path);
		await opened.publish({ batches: 2 });
		await opened.untilDelivered(2);
		await client.call('PATCH', path, { staticData });
		await opened.publish({ batches: 3 });
		await opened.untilDelivered(3);
		expect(opened.charged()).toEqual([1, 2, 3]);
		// Its data come along with an import, too; what the account has paid for within the hour costs nothing.
		const copy = await client.createWorkflow(opened.workflowWith({}));
		await client.call('PATCH', `/workflows/${copy.id}`, { staticData });
		await client.activate(copy);
		await opened.untilCharged(1, 2, 3, 4);
		const log = await readFile(n8n.server.logFile, 'utf8');
		expect(
			log
				.split('\n')
				.filter((line) => line.includes(copy.id))
				.join(),
		).toContain('a new search, from lead 1');
	});

	test('the place of another n8n begins anew, one of a later version buys nothing', async () => {
		const [imported, later] = [await open(n8n), await open(n8n)];
		for (const one of [imported, later]) await one.publish({});
		for (const one of [imported, later]) await one.untilDelivered(1);
		const { database } = n8n.server;
		await n8n.server.kill();
		const change = async (id: string, place: (text: string) => string) => {
			const changed = (column: string) => place(`${column}::text`);
			await query(
				database,
				`UPDATE workflow_entity SET "staticData" = (${changed('"staticData"')})::json WHERE id = '${id}';
				UPDATE poller_state SET cursor = (${changed('cursor')})::json WHERE "workflowId" = '${id}'`,
			);
		};
		const key = `'leadSearchTrigger_[0-9a-f]{16}', 'leadSearchTrigger_0123456789abcdef'`;
		await change(imported.workflow.id, (text) => `regexp_replace(${text}, ${key}, 'g')`);
		const version = `'"seal": ?"', '"seal":"another '`;
		await change(later.workflow.id, (text) => `regexp_replace(${text}, ${version}, 'g')`);
		await n8n.restart();
		await imported.untilCharged(1, 1);
		await until("n8n says that a place can't be read", async () =>
			(await later.failures()).some((message) => message.includes("place can't be read")),
		);
		expect(later.charged()).toEqual([1]);
	});

	test('after a page of HTML polls wait, no U+0000 comes out, and each lead says what it cost', async () => {
		const opened = await open(n8n);
		const { account, publish, charged, deliveredItems, untilDelivered, failures, nodeId } = opened;
		const match = { account: account.id, page: 1 };
		const rows = [...people.slice(0, perBatch)].map((lead) => ({
			...leadAt(lead),
			job_title: 'C\0EO',
		}));
		n8n.service.admin.addFault({ ...match, kind: 'merge', merge: { preview_data: rows } });
		const html = {
			kind: 'status',
			status: 200,
			contentType: 'text/html',
			body: '<p>Back soon</p>',
		} as const;
		n8n.service.admin.addFault({ ...match, page: 2, ...html });
		await publish({ batches: 3, more: { includeUsage: true } });
		await untilDelivered(1);
		const waits = async () =>
			(await linesOf(n8n, nodeId)).filter((line) => line.includes('Polls send nothing')).length > 1;
		await until('polls wait', waits);
		expect(charged()).toEqual([1]);
		expect(await failures()).toEqual([expect.stringContaining('lead search service')]);
		const items = await deliveredItems();
		expect(items[0]?.json.job_title).toBe('CEO');
		expect(items.at(-1)?.json.usage).toMatchObject({ credits: 20, creditsInTotal: 20, place: 20 });
	});

	test('filters that change by themselves begin three searches; one that somebody publishes begins', async () => {
		const { workflow, publish, failures, untilCharged } = await open(n8n);
		const filters = { personLocationCountry: '=Iceland, {{ $now.toMillis() }}' };
		await publish({ filters });
		await until('n8n says that the next is refused', async () =>
			(await failures()).some((message) => message.includes('three new searches')),
		);
		// The first one was begun by who published it.
		await untilCharged(1, 1, 1, 1);
		await n8n.client.deactivate(workflow);
		await publish({ filters, times: onceAYear });
		await untilCharged(1, 1, 1, 1, 1);
	});
});
