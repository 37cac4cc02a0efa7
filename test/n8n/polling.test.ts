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
}

/** A workflow with a trigger for 20 leads a poll, a batch, and an account of its own. */
async function open(n8n: TestN8n, accountOptions: AccountOptions = {}) {
	const { client, service } = n8n;
	const account = service.admin.createAccount(accountOptions);
	const credential = await credentialOf(n8n, account);
	const nodeId = randomUUID();
	const trigger = (options: TriggerOptions) => {
		const { id = nodeId, name = 'Leads', batches = 1, times = everyFiveSeconds } = options;
		const parameters = {
			...{ pollTimes: { item: times }, filters: options.filters ?? country },
			...{ leadsPerPoll: perBatch },
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
			settings: { executionOrder: 'v1' },
		};
	};
	const workflow = await client.createWorkflow(workflowWith({ batches: 50 }));
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

async function untilWaiting(n8n: TestN8n, nodeId: string): Promise<void> {
	const isWaiting = async () =>
		(await linesOf(n8n, nodeId)).filter((line) => line.includes('Polls send nothing')).length > 1;
	await until('polls wait', isWaiting, { timeout: 60_000 });
}

describe.each([
	['off', {}, 6],
	// n8n waits longer and longer before it polls again.
	['on', durable, 1],
])('With durable cursors %s', (_, env, polls) => {
	const n8n = useN8n({ N8N_LOG_FORMAT: 'json', ...env });

	test('each lead is charged and delivered once, over a restart and a new name', async () => {
		const { charged, delivered, publish, untilDelivered } = await open(n8n);
		// With ceilings, no poll is under way when n8n stops.
		await publish({ batches: 2 });
		await untilDelivered(2);
		await n8n.restart();
		await publish({ batches: 3 });
		await untilDelivered(3);
		await publish({ name: 'Leads of the day', batches: 4 });
		await untilDelivered(4);
		expect(charged()).toEqual([1, 2, 3, 4]);
		expect(await delivered()).toEqual([1, 2, 3, 4]);
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

	test('a former search goes on, with a country written twice and a filter at its default, too', async () => {
		const { account, publish, untilCharged } = await open(n8n);
		await publish({});
		await untilCharged(1);
		await publish({ filters: { personLocationCountry: 'Germany' } });
		await until('the other search is charged', () =>
			Promise.resolve(account.chargedLeads.length === 2 * perBatch),
		);
		const same = { personLocationCountry: 'Iceland, Iceland', emailStatus: 'all' };
		account.chargedLeads.splice(perBatch, perBatch);
		await publish({ filters: same, batches: 2 });
		await untilCharged(1, 2);
	});

	test('a trigger leaves its place to no other of its name, and keeps it under that of another', async () => {
		const { publish, untilCharged } = await open(n8n);
		const second = { id: randomUUID(), name: 'Second' };
		const third = { id: randomUUID() };
		await publish({ batches: 2 });
		await untilCharged(1, 2);
		await publish({ batches: 2 }, second);
		await untilCharged(1, 2, 1);
		await publish({ ...second, name: 'Leads', batches: 2 });
		await untilCharged(1, 2, 1, 2);
		await publish(third);
		await untilCharged(1, 2, 1, 2, 1);
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

	test('a poll that delivers 5 of 20 and meets a 402 says so at once', async () => {
		const { publish, failures, deliveredLeads } = await open(n8n, { apiCredits: 5 });
		await publish({ times: onceAYear });
		await until('n8n is told', async () => (await failures()).length > 0);
		expect(await failures()).toEqual([expect.stringMatching(/\(402\): 5 leads came/)]);
		expect(await deliveredLeads()).toHaveLength(5);
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
		const version = `'"version": ?1,', '"version":3,'`;
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
		await untilWaiting(n8n, nodeId);
		expect(charged()).toEqual([1]);
		expect(await failures()).toEqual([expect.stringContaining('lead search service')]);
		const items = await deliveredItems();
		expect(items[0]?.json.job_title).toBe('CEO');
		expect(items.at(-1)?.json.usage).toMatchObject({ credits: 20, creditsInTotal: 20, place: 20 });
	});

	test('an old lead at the end of a list is given to nobody, and polls wait', async () => {
		const opened = await open(n8n, { leads: perBatch });
		const { account, publish, untilDelivered, failures, nodeId } = opened;
		const old = [leadAt(people[0] ?? -1)];
		const atEnd = { account: account.id, page: perBatch + 1, perPage: 1, times: 'always' } as const;
		n8n.service.admin.addFault({ ...atEnd, kind: 'merge', merge: { preview_data: old } });
		await publish({ batches: 9 });
		await untilDelivered(1);
		await untilWaiting(n8n, nodeId);
		expect(await failures()).toEqual([
			expect.stringContaining("'new' leads at its end are old ones"),
		]);
		expect(await opened.deliveredLeads()).toHaveLength(perBatch);
	});

	test('the third change of filters in a day is refused, and a trigger in its place begins anew', async () => {
		const { account, publish, failures } = await open(n8n);
		await publish({ times: onceAYear });
		const isCharged = (credits: number) => () =>
			Promise.resolve(account.chargedLeads.length === credits);
		await until('a batch of Iceland is charged', isCharged(20));
		for (const [index, name] of ['Germany', 'France'].entries()) {
			await publish({ filters: { personLocationCountry: name }, times: onceAYear });
			await until(`a batch of ${name} is charged`, isCharged(40 + index * 20));
		}
		const filters = { personLocationCountry: 'Spain' };
		await publish({ filters, times: onceAYear });
		await until('n8n says that it is refused', async () =>
			(await readFile(n8n.server.logFile, 'utf8')).includes(
				'have changed three times within 24 hours',
			),
		);
		await publish({ id: randomUUID(), filters, times: onceAYear });
		await until('a batch of Spain is charged', isCharged(80));
		expect(await failures()).toEqual([expect.stringContaining('three times within 24 hours')]);
	});

	test('polls that meet a page of maintenance cost nothing, and the first that is answered goes on', async () => {
		const { account, publish, requests, charged, untilDelivered, failures } = await open(n8n);
		const page = { status: 503, body: '<html>Back at six</html>', times: 'always' } as const;
		n8n.service.admin.addFault({ kind: 'status', ...page, account: account.id });
		await publish({ batches: 2 });
		// A poll asks up to four times, over seven seconds, before it fails.
		const many = async () => requests() > polls && (await failures()).length > 0;
		await until('polls have met it', many);
		expect(charged()).toEqual([]);
		n8n.service.admin.clearFaults();
		// Both batches are all that Max Credits in Total has room for.
		await untilDelivered(2);
		expect(charged()).toEqual([1, 2]);
		expect(await failures()).toContainEqual(expect.stringMatching(/not answering \(503\)$/));
	});

	test("lines of n8n's log name workflow, node and place", async () => {
		const { publish, untilDelivered, workflow, nodeId } = await open(n8n);
		await publish({ times: onceAYear });
		await untilDelivered(1);
		const log = await readFile(n8n.server.logFile, 'utf8');
		const line = log
			.split('\n')
			.find((one) => one.includes(nodeId) && one.includes('for 20 credits'));
		expect(line).toContain('The next poll goes on after lead 20.');
		for (const field of [workflow.id, nodeId, '"place":20']) expect(line).toContain(field);
	});
});
