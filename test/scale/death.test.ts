/** What happens to an execution, and to what it paid for, when its worker dies. */
import { chain, type SavedWorkflow } from '../../sandbox/n8n/index';
import { leadsChargedTwice, matching, type Account } from '../../sandbox/service';
import { until } from '../../sandbox/until';
import { changed, readTable, readWorkflow } from '../workflows/fixture';
import { credentialOf } from '../n8n/harness';
import {
	killWorkerOf,
	waitLong,
	publishHooked,
	quickToNotice,
	say,
	searchNode,
	succeeded,
	useQueueMode,
} from './harness';

const fixture = useQueueMode({ workers: 3, env: quickToNotice });

const pageSize = 1_000;

/** The execution of a workflow that was started last. */
async function newest(workflow: SavedWorkflow): Promise<string> {
	const [summary] = await fixture.client.summaries(workflow);
	if (summary === undefined) throw new Error('The workflow has no execution');
	return summary.id;
}

/**
 * Has the service charge for a page and never answer, so that the worker can be ended just then.
 *
 * @returns resolves when that page is asked for
 */
async function stuckAt(account: Account, page: number): Promise<void> {
	fixture.service.admin.addFault({ kind: 'hang', charge: true, account: account.id, page });
	await fixture.service.admin.whenRequest(
		(request) => request.account === account.id && request.page === page,
	);
}

/** Ends the worker that has an execution, waits until n8n has noticed, and starts another worker. */
async function endWorkerOf(workflow: SavedWorkflow, id: string): Promise<string> {
	const worker = await killWorkerOf(fixture, id);
	const since = Date.now();
	let status = 'running';
	await until(
		'n8n has given the execution up',
		async () => {
			const summary = (await fixture.client.summaries(workflow)).find((one) => one.id === id);
			status = summary?.status ?? status;
			return status !== 'running' && status !== 'new';
		},
		waitLong,
	);
	const seconds = ((Date.now() - since) / 1000).toFixed(1);
	say(`${worker.name} ended by SIGKILL; ${seconds} s later its execution has "${status}"`);
	await fixture.mode.addWorker();
	return status;
}

/** The other workers that have begun an execution as well. */
async function takenOverBy(id: string): Promise<string[]> {
	const began = await Promise.all(
		fixture.mode.workers.map(async (worker) => ({
			name: worker.name,
			ids: await worker.executions('started'),
		})),
	);
	return began
		.filter(({ ids }) => ids.includes(id))
		.map(({ name }) => name)
		.slice(1);
}

test('a search whose worker dies is given up, not run again; Skip goes on, starting anew pays anew', async () => {
	const { client, service } = fixture;
	const account = service.admin.createAccount({ apiCredits: 100_000 });
	const credential = await credentialOf(fixture.client, fixture.service, account);
	const hooked = await publishHooked(fixture, [
		searchNode(credential, { limit: 5 * pageSize, options: { parallelPages: 1 } }),
	]);
	const stuck = stuckAt(account, 3);
	await hooked.start();
	await stuck;
	const id = await newest(hooked.workflow);
	expect(account.spent.apiCredits).toBe(3 * pageSize);

	expect(await endWorkerOf(hooked.workflow, id)).toBe('error');
	expect(await takenOverBy(id)).toEqual([]);
	expect(account.spent.apiCredits).toBe(3 * pageSize);
	const failed = await client.waitForExecution(id);
	say(`n8n says: ${failed.error?.message ?? 'nothing'}`);
	// n8n kept nothing that a Retry could go on from.
	expect(failed.runs).toEqual({});

	const rest = await publishHooked(fixture, [
		searchNode(credential, { limit: 2 * pageSize, options: { skip: 3 * pageSize } }),
	]);
	await rest.start();
	await succeeded(fixture, rest.workflow);
	const leads = (await client.waitForExecution(await newest(rest.workflow))).items(
		'Search for leads',
	);
	expect(leads).toHaveLength(2 * pageSize);
	expect(account.spent.apiCredits).toBe(5 * pageSize);
	expect(leadsChargedTwice(account)).toEqual([]);

	await hooked.start();
	await succeeded(fixture, hooked.workflow);
	expect(account.spent.apiCredits).toBe(10 * pageSize);
	expect(leadsChargedTwice(account)).toHaveLength(5 * pageSize);
});

test('a pull in batches loses one batch at most, and goes on by itself when run again', async () => {
	const { client, service } = fixture;
	const filters = { personLocationCountry: 'Germany' };
	const leads = 5 * pageSize;
	expect(matching({ person_location_country: ['Germany'] }).length).toBeGreaterThan(leads);
	const account = service.admin.createAccount({ apiCredits: 100_000, leads });
	const workflow = await client.createWorkflow(
		changed(readWorkflow('long-pull-in-batches'), {
			credentials: [await credentialOf(fixture.client, fixture.service, account)],
			parameters: { 'Search for leads': { filters, limit: pageSize } },
		}),
	);
	const start = () => client.run(workflow, { trigger: 'Start or go on' });
	const saved = async () =>
		(await readTable({ n8n: { client } }, 'Leads in batches')).map(({ place }) => place);

	const stuck = stuckAt(account, 3);
	const id = await start();
	await stuck;
	await endWorkerOf(workflow, id);
	expect(await saved()).toHaveLength(2 * pageSize);
	expect(account.spent.apiCredits).toBe(3 * pageSize);

	const second = await client.waitForExecution(await start());
	expect(second.status).toBe('success');
	expect(await saved()).toEqual(Array.from({ length: leads }, (_, index) => index + 1));
	const twice = leadsChargedTwice(account);
	say(`${leads} leads saved for ${account.spent.apiCredits} credits, ${twice.length} paid twice`);
	expect(twice).toHaveLength(pageSize);
	expect(account.spent.apiCredits).toBe(leads + pageSize);
});

test('leads of a poll are lost with the worker that had them; the next poll goes on behind them', async () => {
	const { client, service } = fixture;
	const polled = service.admin.createAccount();
	const searched = service.admin.createAccount();
	const { id, name } = await credentialOf(fixture.client, fixture.service, polled);
	const workflow = await client.createWorkflow(
		chain('Polled', [
			{
				name: 'Next leads',
				type: 'n8n-nodes-lead-search.leadSearchTrigger',
				typeVersion: 1,
				parameters: {
					pollTimes: { item: [{ mode: 'everyDay', hour: 7, minute: 0 }] },
					filters: {},
					leadsPerPoll: 50,
					options: {},
				},
				credentials: { leadSearchApi: { id, name } },
			},
			{
				...searchNode(await credentialOf(fixture.client, fixture.service, searched), {
					limit: 10,
				}),
				executeOnce: true,
			},
		]),
	);
	const stuck = stuckAt(searched, 1);
	await client.activate(workflow);
	await stuck;
	// A poll at seven in the morning would be one more.
	await client.deactivate(workflow);
	const execution = await newest(workflow);
	await endWorkerOf(workflow, execution);
	expect(polled.spent.apiCredits).toBe(50);

	await client.activate(workflow);
	await succeeded(fixture, workflow);
	expect(polled.spent.apiCredits).toBe(100);
	expect(leadsChargedTwice(polled)).toEqual([]);
});
