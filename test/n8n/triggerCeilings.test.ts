/**
 * What Lead Search Trigger may spend, in a real n8n that polls by itself. The ledger of the service
 * decides, whatever the trigger says.
 */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import { chain, type SavedWorkflow, type Workflow } from '../../sandbox/n8n/index';
import {
	leadsChargedTwice,
	startService,
	urlsMatching,
	type AccountOptions,
	type LeadService,
} from '../../sandbox/service';
import { until } from '../../sandbox/until';
import { credentialOf, useN8n } from './harness';

const n8n = useN8n();
const people = urlsMatching({ person_location_country: ['Iceland'] });
let service: LeadService;

beforeAll(async () => {
	service = await startService();
});

afterAll(async () => {
	await service.close();
});

/** Five seconds are the least that n8n takes; it has no interval in seconds. */
const everyFiveSeconds = Array.from({ length: 12 }, (_, index) => ({
	mode: 'custom',
	cronExpression: `${index * 5} * * * * *`,
}));

/** Publishing polls once; the next time would be after the test. */
const whenPublished = [{ mode: 'everyX', unit: 'hours', value: 12 }];

/** A time zone in which it is about noon, so that no day ends during a test. */
function zoneAtNoon(): string {
	const hours = 12 - new Date().getUTCHours();
	// In these names the sign says how far UTC is ahead.
	return `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`;
}

/** A workflow with a trigger for 50 leads a poll, of an account of its own. */
async function open(
	pollTimes: ReadonlyArray<Readonly<Record<string, unknown>>>,
	parameters: Readonly<Record<string, unknown>>,
	accountOptions?: AccountOptions,
) {
	const account = service.admin.createAccount(accountOptions);
	const { id, name } = await credentialOf(n8n.client, service, account);
	const nodeId = randomUUID();
	/** The workflow with another name of its trigger. */
	const named = (triggerName: string): Workflow => ({
		...chain(`Poll ${nodeId}`, [
			{
				id: nodeId,
				name: triggerName,
				type: 'n8n-nodes-lead-search.leadSearchTrigger',
				typeVersion: 1,
				parameters: {
					pollTimes: { item: pollTimes },
					filters: { personLocationCountry: 'Iceland' },
					leadsPerPoll: 50,
					...parameters,
				},
				credentials: { leadSearchApi: { id, name } },
			},
			{ name: 'Done', type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} },
		]),
		settings: { executionOrder: 'v1', timezone: zoneAtNoon() },
	});
	const workflow = await n8n.client.createWorkflow(named('Leads'));
	return {
		account,
		workflow,
		named,
		requests: () => service.admin.requests({ account: account.id }).length,
	};
}

/** What each poll has handed on, once there are so many executions. */
async function delivered(workflow: SavedWorkflow, polls: number): Promise<unknown[][]> {
	const ids = await until(
		`there are ${polls} executions`,
		async () => {
			const known = await n8n.client.executions(workflow);
			return known.length >= polls && [...known].reverse();
		},
		{ timeout: 45_000 },
	);
	const lists: unknown[][] = [];
	for (const id of ids) {
		const execution = await n8n.client.waitForExecution(id);
		lists.push(execution.items('Done').map(({ json }) => json.linkedin_url));
	}
	return lists;
}

/** Lines of n8n's log that hold a text. */
async function logged(text: string | RegExp): Promise<string[]> {
	const log = await readFile(n8n.server.logFile, 'utf8');
	return log
		.split('\n')
		.filter((line) => (typeof text === 'string' ? line.includes(text) : text.test(line)));
}

test('120 credits a day at 50 a poll give 50, 50, 20 and none, with a line in the log', async () => {
	const { account, workflow, requests } = await open(everyFiveSeconds, {
		maxCreditsPerDay: 120,
	});
	await n8n.client.activate(workflow);
	const lists = await delivered(workflow, 3);
	expect(lists.map(({ length }) => length)).toEqual([50, 50, 20]);
	expect(lists.flat()).toEqual(people.slice(0, 120));
	expect(account.spent.apiCredits).toBe(120);

	const sent = requests();
	const lines = await until('two polls have stopped at the ceiling', async () => {
		const known = await logged(
			/Lead Search Trigger: Max Credits per Day \(120\) is spent for \d{4}-\d\d-\d\d/,
		);
		return known.length >= 2 && known;
	});
	expect(lines.length).toBeGreaterThanOrEqual(2);
	await n8n.client.deactivate(workflow);
	expect(requests()).toBe(sent);
	expect(await n8n.client.executions(workflow)).toHaveLength(3);
	expect(account.spent.apiCredits).toBe(120);
	expect(leadsChargedTwice(account)).toEqual([]);
});

test('70 credits in total give 50, 20 and none, though the trigger is renamed in between', async () => {
	const { account, workflow, named, requests } = await open(whenPublished, {
		options: { maxCreditsInTotal: 70 },
	});
	await n8n.client.activate(workflow);
	expect(await delivered(workflow, 1)).toEqual([people.slice(0, 50)]);
	await n8n.client.deactivate(workflow);

	await n8n.client.updateWorkflow(workflow.id, named('Leads of the day'));
	await n8n.client.activate(workflow);
	expect(await delivered(workflow, 2)).toEqual([people.slice(0, 50), people.slice(50, 70)]);
	await n8n.client.deactivate(workflow);

	const sent = requests();
	await n8n.client.updateWorkflow(workflow.id, named('Leads of all days'));
	await n8n.client.activate(workflow);
	await until('a poll has stopped at the ceiling', async () => {
		const lines = await logged('Lead Search Trigger: Max Credits in Total (70) is spent');
		return lines.length > 0;
	});
	expect(requests()).toBe(sent);
	expect(await n8n.client.executions(workflow)).toHaveLength(2);
	expect(account.spent.apiCredits).toBe(70);
	expect(leadsChargedTwice(account)).toEqual([]);
	expect(await logged('starts from its first lead')).toEqual([]);
});

test('at a service of 25 a page, polls for 50 pay for each lead once', async () => {
	// The ceiling makes it four polls, however long it takes to stop them.
	const { account, workflow } = await open(
		everyFiveSeconds,
		{ options: { maxCreditsInTotal: 200 } },
		{ readings: { pageSize: 25 } },
	);
	await n8n.client.activate(workflow);
	const lists = await delivered(workflow, 4);
	await n8n.client.deactivate(workflow);
	expect(lists.map(({ length }) => length)).toEqual([50, 50, 50, 50]);
	expect(lists.flat()).toEqual(people.slice(0, 200));
	expect(account.spent.apiCredits).toBe(200);
	expect(leadsChargedTwice(account)).toEqual([]);
});
