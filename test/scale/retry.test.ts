/** What an execution paid for before it stopped, when another worker retries it. */
import type { SavedWorkflow } from '../../sandbox/n8n/index';
import { leadsChargedTwice, urlsMatching, type Account } from '../../sandbox/service';
import { until } from '../../sandbox/until';
import { credentialOf } from '../n8n/harness';
import { waitLong, publishHooked, searchNode, useQueueMode } from './harness';

const kit = useQueueMode({ workers: 1 });

const people = urlsMatching({ person_location_country: ['Iceland'] }).slice(0, 100);

interface Stopped {
	account: Account;
	/** Of the execution that stopped. */
	id: string;
}

/** Runs a search for 100 leads that stops at a balance of 60. */
async function runOut(): Promise<Stopped> {
	const account = kit.service.admin.createAccount({ apiCredits: 60, leads: people.length });
	const credential = await credentialOf(kit.client, kit.service, account);
	const hooked = await publishHooked(kit, [
		searchNode(credential, {
			filters: { personLocationCountry: 'Iceland' },
			returnAll: true,
			options: { pageSize: 25 },
		}),
	]);
	await hooked.start();
	const id = await failed(hooked.workflow);
	expect(account.spent.apiCredits).toBe(60);
	return { account, id };
}

/** The execution of a workflow, once it has failed. */
async function failed(workflow: SavedWorkflow): Promise<string> {
	const summary = await until(
		'the execution has failed',
		async () => (await kit.client.summaries(workflow)).find(({ status }) => status === 'error'),
		waitLong,
	);
	return summary.id;
}

/** The names of the workers that have begun an execution. */
async function workersOf(id: string): Promise<string[]> {
	const began = await Promise.all(
		kit.mode.workers.map(async (worker) => ({
			name: worker.name,
			ids: await worker.executions('started'),
		})),
	);
	return began.filter(({ ids }) => ids.includes(id)).map(({ name }) => name);
}

test('another worker retries what stopped at a balance of 60, and pays for the other 40 leads', async () => {
	const { client, mode, service } = kit;
	const [first] = mode.workers;
	const runs = [
		{ ...(await runOut()), loadWorkflow: false },
		{ ...(await runOut()), loadWorkflow: true },
	];
	for (const { id } of runs) expect(await workersOf(id)).toEqual([first?.name]);

	// Whatever the worker had in its memory goes with it.
	await first?.stop();
	const second = await mode.addWorker();
	for (const { account, id, loadWorkflow } of runs) {
		service.admin.setCredits(account.id, { apiCredits: 1_000 });
		const retried = await client.retry(id, { loadWorkflow });
		expect(retried.status).toBe('success');
		expect(await workersOf(retried.id)).toEqual([second.name]);
		const urls = retried.items('Search for leads').map(({ json }) => json.linkedin_url);
		expect(urls).toEqual(people);
		expect(account.spent.apiCredits).toBe(100);
		expect(leadsChargedTwice(account)).toEqual([]);
	}
});
