/**
 * What Lead Search Trigger charges and delivers when n8n stops between polls, or dies in the middle
 * of one, with n8n's durable cursors and without. The ledger of the service tells what was charged,
 * n8n's executions tell what was delivered.
 */
import { randomUUID } from 'node:crypto';

import { chain, type SavedWorkflow, type Workflow } from '../../sandbox/n8n/index';
import { query } from '../../sandbox/postgres';
import {
	leadAt,
	matching,
	startService,
	type AccountOptions,
	type FaultAction,
	type FaultMatch,
	type LeadService,
} from '../../sandbox/service';
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

/** Queries that are held back must not keep the others waiting. */
const connections = { DB_POSTGRESDB_POOL_SIZE: '10' };

/** Five seconds are the least that n8n takes; it has no interval in seconds. */
const everyFiveSeconds = Array.from({ length: 12 }, (_, index) => ({
	mode: 'custom',
	cronExpression: `${index * 5} * * * * *`,
}));

const perBatch = 20;
const people = matching({ person_location_country: ['Iceland'] });
const urls = Array.from(people, (lead) => leadAt(lead).linkedin_url);
const storyMilliseconds = 400_000;

let service: LeadService;

beforeAll(async () => {
	service = await startService();
});

afterAll(async () => {
	await service.close();
});

/** A workflow with a trigger for 20 leads a poll, a batch, and an account of its own. */
async function open({ client }: TestN8n, accountOptions: AccountOptions) {
	const account = service.admin.createAccount(accountOptions);
	const { id, name } = await credentialOf(client, service, account);
	const nodeId = randomUUID();
	const workflowWith = (triggerName: string, maxCreditsInTotal: number): Workflow =>
		chain(`Poll ${nodeId}`, [
			{
				id: nodeId,
				name: triggerName,
				type: 'n8n-nodes-lead-search.leadSearchTrigger',
				typeVersion: 1,
				parameters: {
					pollTimes: { item: everyFiveSeconds },
					filters: { personLocationCountry: 'Iceland' },
					leadsPerPoll: perBatch,
					options: { maxCreditsInTotal },
				},
				credentials: { leadSearchApi: { id, name } },
			},
			{ name: 'Done', type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} },
		]);
	const workflow = await client.createWorkflow(workflowWith('Leads', 1_000));
	const addFault = (fault: FaultMatch & FaultAction) =>
		service.admin.addFault({ ...fault, account: account.id });
	return { account, workflow, workflowWith, addFault };
}

type Polled = Awaited<ReturnType<typeof open>>;

/** The batches that each execution has handed on, oldest first, counted from 1. */
async function delivered({ client }: TestN8n, workflow: SavedWorkflow): Promise<number[]> {
	const batches: number[] = [];
	for (const { id, status } of [...(await client.summaries(workflow))].reverse()) {
		if (status !== 'success') continue;
		const items = (await client.waitForExecution(id)).items('Done');
		const leads = items.map(({ json }) => json.linkedin_url);
		const first = urls.findIndex((url) => url === leads[0]);
		expect(leads).toEqual(urls.slice(first, first + perBatch));
		batches.push(first / perBatch + 1);
	}
	return batches;
}

async function untilDelivered(n8n: TestN8n, { workflow }: Polled, last: number): Promise<void> {
	await until(
		`batch ${last} is delivered`,
		async () => (await delivered(n8n, workflow)).includes(last),
		{ timeout: 60_000, interval: 500 },
	);
}

/** The batches that were charged, in order. */
function charged({ account: { chargedLeads } }: Polled): number[] {
	const batches: number[] = [];
	for (let at = 0; at < chargedLeads.length; at += perBatch) {
		const leads = chargedLeads.slice(at, at + perBatch);
		const first = people.indexOf(leads[0] ?? -1);
		expect(leads).toEqual([...people.slice(first, first + perBatch)]);
		batches.push(first / perBatch + 1);
	}
	return batches;
}

/** Publishes a workflow with another name of its trigger, or another ceiling. */
async function change(
	{ client }: TestN8n,
	{ workflow, workflowWith }: Polled,
	name: string,
	maxCreditsInTotal: number,
): Promise<void> {
	await client.updateWorkflow(workflow.id, workflowWith(name, maxCreditsInTotal));
	await client.activate(workflow);
}

/**
 * Lets n8n's database hold back a statement for as long as n8n lives.
 *
 * @returns the name of the function that does it
 */
async function holdBack({ server }: TestN8n, event: string, condition: string): Promise<string> {
	const name = `hold_${randomUUID().replaceAll('-', '_')}`;
	await query(
		server.database,
		`CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
			BEGIN
				IF ${condition} THEN PERFORM pg_sleep(86400); END IF;
				RETURN NEW;
			END
		$$;
		CREATE TRIGGER ${name} BEFORE ${event} FOR EACH ROW EXECUTE FUNCTION ${name}()`,
	);
	return name;
}

const heldBack = `FROM pg_stat_activity WHERE wait_event = 'PgSleep'`;
const isAtThirdBatch = `"staticData"::text LIKE '%"row":${2 * perBatch},%'`;

/** Ends n8n by SIGKILL. What its database holds back has never happened then. */
async function crash({ server }: TestN8n, holds: readonly string[]): Promise<void> {
	await server.kill();
	await query(server.database, `SELECT pg_terminate_backend(pid, 10000) ${heldBack}`);
	await query(server.database, `DROP FUNCTION ${holds.join()} CASCADE`);
}

describe.each([
	['off', false],
	['on', true],
])('With durable cursors %s', (_, isDurable) => {
	const n8n = useN8n({ ...connections, ...(isDurable && durable) });
	/** Its service names larger pages than were asked for. */
	let odd: Polled;
	let steady: Polled;
	/** n8n dies while its second request is charged and not answered. */
	let beforeAnswer: Polled;
	/** n8n dies when its second batch has come: its place is saved, its execution is not. */
	let beforeExecution: Polled;
	/** The same the other way round. */
	let beforePlace: Polled;

	async function goOnAfterStop(): Promise<void> {
		odd = await open(n8n, { deviation: { largerPages: 25 } });
		await n8n.client.activate(odd.workflow);
		steady = await open(n8n, {});
		// With ceilings, no poll is under way when n8n stops.
		await change(n8n, steady, 'Leads', 2 * perBatch);
		await untilDelivered(n8n, steady, 2);
		await untilDelivered(n8n, odd, 1);
		await n8n.restart();
		await change(n8n, steady, 'Leads', 4 * perBatch);
		await untilDelivered(n8n, steady, 4);
		await change(n8n, steady, 'Leads of the day', 6 * perBatch);
		await untilDelivered(n8n, steady, 6);
	}

	async function goOnAfterCrash(): Promise<void> {
		const threeBatches = { leads: 3 * perBatch };
		// Whatever is polled while n8n still lives costs nothing more.
		const hang = { kind: 'hang', times: 'always' } as const;
		beforeAnswer = await open(n8n, threeBatches);
		beforeAnswer.addFault({ ...hang, page: 2, charge: true });
		beforeExecution = await open(n8n, threeBatches);
		beforeExecution.addFault({ ...hang, page: 2, nthRequest: 2 });
		beforeExecution.addFault({ ...hang, page: 3 });
		beforePlace = await open(n8n, threeBatches);
		beforePlace.addFault({ ...hang, page: 3 });
		const holds = [
			await holdBack(
				n8n,
				'INSERT ON execution_entity',
				`NEW."workflowId" = '${beforeExecution.workflow.id}'
				AND EXISTS (SELECT FROM execution_entity WHERE "workflowId" = NEW."workflowId")`,
			),
			await holdBack(
				n8n,
				'UPDATE ON workflow_entity',
				`NEW.id = '${beforePlace.workflow.id}' AND NEW.${isAtThirdBatch}`,
			),
		];

		const all = [beforeAnswer, beforeExecution, beforePlace];
		for (const { workflow } of all) await n8n.client.activate(workflow);
		await untilDelivered(n8n, beforeAnswer, 1);
		await untilDelivered(n8n, beforePlace, 2);
		await until('the service and the database hold back what they are to', async () => {
			const places = await query(
				n8n.server.database,
				`SELECT FROM workflow_entity
				WHERE id = '${beforeExecution.workflow.id}' AND ${isAtThirdBatch}`,
			);
			const held = await query(n8n.server.database, `SELECT query ${heldBack}`);
			return charged(beforeAnswer).length === 2 && places.length === 1 && held.length === 2;
		});
		await crash(n8n, holds);
		service.admin.clearFaults();
		await n8n.restart();
		for (const one of all) await untilDelivered(n8n, one, 3);
	}

	beforeAll(async () => {
		await goOnAfterStop();
		await goOnAfterCrash();
	}, storyMilliseconds);

	test('each lead is charged and delivered once, over a restart and a new name', async () => {
		expect(charged(steady)).toEqual([1, 2, 3, 4, 5, 6]);
		expect(await delivered(n8n, steady.workflow)).toEqual([1, 2, 3, 4, 5, 6]);
	});

	test('a poll that was cut off before the answer is charged again, and delivered once', async () => {
		expect(charged(beforeAnswer)).toEqual([1, 2, 2, 3]);
		expect(await delivered(n8n, beforeAnswer.workflow)).toEqual([1, 2, 3]);
	});

	const afterAnswer = 'a crash between the answer and the end of saving';

	test(`${afterAnswer}: the place alone was saved`, async () => {
		// n8n saves the place of leads that it never starts a run with: they are lost.
		expect(charged(beforeExecution)).toEqual([1, 2, 3]);
		expect(await delivered(n8n, beforeExecution.workflow)).toEqual([1, 3]);
	});

	test(`${afterAnswer}: the execution alone was saved`, async () => {
		const batches = isDurable ? [1, 2, 3] : [1, 2, 2, 3];
		expect(charged(beforePlace)).toEqual(batches);
		expect(await delivered(n8n, beforePlace.workflow)).toEqual(batches);
	});

	test('a service that says something else than was asked for is paid for one batch, at no later poll', () => {
		expect(charged(odd)).toEqual([1]);
	});
});
