/**
 * Tests polls and searches that wait for a response while PostgreSQL is unavailable, with and without n8n's durable
 * cursors. The mock service counts the charges, and n8n's executions contain the delivered leads.
 */
import { readFile } from 'node:fs/promises';

import { node, type Workflow } from '../../sandbox/n8n/index';
import { leadAt, matching } from '../../sandbox/service';
import { until } from '../../sandbox/until';
import { credentialOf, leadSearch } from '../n8n/harness';
import { durableCursors, everyThreeSeconds } from '../n8n/polls';
import { publish } from '../n8n/production';
import { startOnPostgres } from './databases';

const filters = { personLocationCountry: 'Iceland' };
const batchSize = 20;
const urls = Array.from(
	matching({ person_location_country: ['Iceland'] }),
	(lead) => leadAt(lead).linkedin_url,
);
/** The URLs of a batch, counted from 1. */
const batch = (number: number) => urls.slice((number - 1) * batchSize, number * batchSize);

/** n8n logs this every few seconds while the database is unavailable. Everything that n8n saved meanwhile has failed. */
const reconnects = 'Recovery attempt \\d+ failed';

/** The line of the poll, and the line of n8n after it if n8n doesn't save the cursor. */
const loggedPoll =
	/20 leads for 20 credits\. The next poll continues after lead 40\.[^]*There was a problem saving the workflow/;

/** The latency of the service. The database is unavailable by then, because the test runs in the same process. */
const latencyMs = 2_000;

describe.each([
	['without', 'never delivered', {}, [1, 3]],
	['with', 'delivered', durableCursors, [1, 2, 3]],
])('The database is unavailable, %s durable cursors', (condition, deliveries, env, batches) => {
	const logged =
		condition === 'without' ? 'two lines of the log say so' : 'the log has no such lines';
	let n8n: Awaited<ReturnType<typeof startOnPostgres>>;

	beforeAll(async () => {
		// n8n logs only at this level that it saves an execution.
		n8n = await startOnPostgres({ N8N_LOG_LEVEL: 'debug', ...env });
	}, 600_000);

	afterAll(() => n8n.close());

	/**
	 * Disconnects the database when the service gets a request for this page, until n8n's log has such a text.
	 *
	 * @param waitForSaved waits until n8n has saved everything before this request
	 */
	async function loseDatabase(
		account: string,
		page: number,
		text: RegExp,
		waitForSaved: () => Promise<unknown> = () => Promise.resolve(),
	): Promise<void> {
		const { admin } = n8n.service;
		const readLog = () => readFile(n8n.server.logFile);
		await admin.waitForRequest((request) => request.account === account && request.page === page);
		await waitForSaved();
		const { length } = await readLog();
		n8n.gate.shut();
		try {
			await until(`n8n's log has ${String(text)}`, async () =>
				text.test((await readLog()).subarray(length).toString()),
			);
		} finally {
			n8n.gate.open();
		}
	}

	test(`the leads of a poll are charged once and ${deliveries} if the database is unavailable ${condition} durable cursors, ${logged}, and Search with Skip returns them for 0 credits`, async () => {
		const { admin } = n8n.service;
		const account = admin.createAccount();
		admin.addFault({ kind: 'latency', ms: latencyMs, account: account.id, page: 2 });
		const credential = await credentialOf(n8n, account);
		const parameters = {
			pollTimes: { item: everyThreeSeconds },
			filters,
			leadsPerPoll: batchSize,
			options: { maxCreditsInTotal: 3 * batchSize },
		};
		const type = 'n8n-nodes-lead-search.leadSearchTrigger';
		const workflow: Workflow = {
			name: 'Poll',
			nodes: [
				node('Leads', type, 1, parameters, credential),
				node('Done', 'n8n-nodes-base.noOp', 1),
			],
			connections: { Leads: { main: [[{ node: 'Done', type: 'main', index: 0 }]] } },
		};
		const saved = await n8n.client.createWorkflow(workflow);
		await n8n.client.activate(saved);
		const delivered = async () => {
			const executions = await n8n.client.executions(saved);
			const ended = executions.filter(({ status }) => status === 'success').reverse();
			const all = await Promise.all(ended.map(({ id }) => n8n.client.waitForExecution(id)));
			return all.flatMap((one) => one.items('Done').map(({ json }) => json.linkedin_url));
		};
		const untilDelivered = (number: number) =>
			until(`batch ${number} is delivered`, async () =>
				(await delivered()).includes(batch(number)[0]),
			);
		await loseDatabase(account.id, 2, new RegExp(`after lead 40[^]*${reconnects}`), () =>
			untilDelivered(1),
		);
		// Operators find the lost leads by these two lines.
		const isLogged = loggedPoll.test(await readFile(n8n.server.logFile, 'utf8'));
		expect(isLogged).toBe(condition === 'without');
		await untilDelivered(3);
		expect(await delivered()).toEqual(batches.flatMap(batch));
		const search = { filters, limit: batchSize, options: { skip: batchSize } };
		const { run } = await publish(n8n, [leadSearch(search, credential)]);
		const found = (await run()).items('Lead Search').map(({ json }) => json.linkedin_url);
		expect(found).toEqual(batch(2));
		const charged = account.chargedLeads.map((lead) => leadAt(lead).linkedin_url);
		expect(charged).toEqual([1, 2, 3].flatMap(batch));
	});

	test('if the database is unavailable when a search ends, its execution stays "running" without leads, and the same search costs nothing while n8n runs', async () => {
		const { admin } = n8n.service;
		const account = admin.createAccount();
		admin.addFault({ kind: 'latency', ms: latencyMs, account: account.id, page: 3 });
		const credential = await credentialOf(n8n, account);
		const options = { pageSize: batchSize, parallelPages: 1 };
		const parameters = { filters, limit: 3 * batchSize, options };
		const { start, run } = await publish(n8n, [leadSearch(parameters, credential)]);
		const id = await start();
		const saves = `Save execution data to database for execution ID ${id}`;
		await loseDatabase(account.id, 3, new RegExp(`${saves}[^]*${reconnects}`));
		expect(account.spent.apiCredits).toBe(3 * batchSize);
		const { status, runs } = await n8n.client.execution(id);
		expect({ status, runs }).toEqual({ status: 'running', runs: {} });
		const again = await run();
		expect(again.items('Lead Search').map(({ json }) => json.linkedin_url)).toEqual(
			[1, 2, 3].flatMap(batch),
		);
		expect(account.spent.apiCredits).toBe(3 * batchSize);
	});
});
