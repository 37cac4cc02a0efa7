import { chain, manualTrigger, type SavedWorkflow } from '../../sandbox/n8n/index';
import {
	leadsChargedTwice,
	urlsMatching,
	type Account,
	type AccountOptions,
} from '../../sandbox/service';
import { changed, readTable, readWorkflow, saveLeadSearch, type Fixture } from './fixture';

const table = 'Leads in batches';

/** The filters are what tells one search from another, so each test has its own. */
function search(country?: string) {
	const filters = country === undefined ? {} : { personLocationCountry: country };
	return {
		filters,
		name: JSON.stringify(filters),
		urls: (count: number) =>
			urlsMatching(country === undefined ? {} : { person_location_country: [country] }).slice(
				0,
				count,
			),
	};
}

export function longPullInBatches(fixture: Fixture): void {
	/** Imports it as a user would, with batches of 3. */
	async function prepare(country: string | undefined, options: AccountOptions) {
		const account = fixture.service.admin.createAccount(options);
		const workflow = await fixture.n8n.client.createWorkflow(
			changed(readWorkflow('long-pull-in-batches'), {
				credentials: [await saveLeadSearch(fixture, account)],
				parameters: { 'Search for leads': { filters: search(country).filters, limit: 3 } },
			}),
		);
		return { account, workflow };
	}

	async function run(workflow: SavedWorkflow) {
		const id = await fixture.n8n.client.run(workflow, { trigger: 'Start or go on' });
		return fixture.n8n.client.waitForExecution(id);
	}

	async function rowsOf(country: string) {
		const { name } = search(country);
		return (await readTable(fixture, table)).filter((row) => row.search === name);
	}

	const requests = (account: Account) => fixture.service.admin.requests({ account: account.id });

	test('saves every lead once, batch by batch, and ends when there are no more', async () => {
		const { account, workflow } = await prepare('Germany', { leads: 7 });
		const execution = await run(workflow);

		expect(execution.items('Summary')[0]?.json).toEqual({
			leads: 7,
			message: 'The search has no more leads.',
		});
		const rows = await rowsOf('Germany');
		expect(rows.map((row) => row.place)).toEqual([1, 2, 3, 4, 5, 6, 7]);
		expect(rows.map((row) => row.linkedin_url)).toEqual(search('Germany').urls(7));
		expect(account.spent.apiCredits).toBe(7);
		expect(leadsChargedTwice(account)).toEqual([]);

		// Run again, it asks whether more leads follow, for nothing.
		const { length: asked } = requests(account);
		await run(workflow);
		expect(requests(account).length - asked).toBeLessThanOrEqual(2);
		expect(account.spent.apiCredits).toBe(7);
	});

	test('holds no more of the list than one item a batch, and saves no batch twice', async () => {
		const { workflow } = await prepare('France', { leads: 7 });
		const execution = await run(workflow);

		expect(execution.runs['Next batch']).toHaveLength(4);
		for (const runs of Object.values(execution.runs)) {
			for (const { outputs } of runs) expect(outputs.flat().length).toBeLessThanOrEqual(1);
		}
		expect(await fixture.n8n.client.executions(workflow)).toEqual([execution.id]);
	});

	test('saves what was paid for when credits run out, and goes on from there', async () => {
		const { account, workflow } = await prepare('Spain', { leads: 7, apiCredits: 5 });
		const stopped = await run(workflow);
		expect(stopped.status).toBe('error');
		expect(stopped.error?.message).toContain('Not enough API credits (402): 2 ');
		// Skip is an expression here, so the advice is not the node's.
		expect(stopped.error?.message).toContain('Execute the workflow again to go on after them.');
		expect(stopped.error?.message).not.toContain('Skip');
		expect(await rowsOf('Spain')).toHaveLength(5);

		fixture.service.admin.setCredits(account.id, { apiCredits: 100 });
		expect((await run(workflow)).status).toBe('success');
		const rows = await rowsOf('Spain');
		expect(rows.map((row) => row.linkedin_url)).toEqual(search('Spain').urls(7));
		expect(account.spent.apiCredits).toBe(7);
		expect(leadsChargedTwice(account)).toEqual([]);
	});

	test('starts with the first lead when the filters have changed', async () => {
		const { account, workflow } = await prepare('Iceland', { leads: 2 });
		await run(workflow);
		expect(account.spent.apiCredits).toBe(2);
		const { filters } = search('Canada');
		const { client } = fixture.n8n;
		await client.updateWorkflow(
			workflow.id,
			changed(workflow, { parameters: { 'Search for leads': { filters } } }),
		);
		await run(workflow);
		expect((await rowsOf('Canada')).map((row) => row.linkedin_url)).toEqual(
			search('Canada').urls(2),
		);
		expect(account.spent.apiCredits).toBe(4);
	});

	test('asks for one page after another, since a gap would shift every place behind it', () => {
		const { nodes } = readWorkflow('long-pull-in-batches');
		const node = nodes.find(({ name }) => name === 'Search for leads');
		expect(node?.parameters.options).toMatchObject({ parallelPages: 1 });
	});

	test('says that narrower filters get the others at 100,000, the end of every search', async () => {
		const { account, workflow } = await prepare(undefined, {});
		// As if 99,998 leads were there.
		await fixture.n8n.client.execute(
			chain('Go ahead', [
				manualTrigger,
				...workflow.nodes.filter((node) => node.name === 'Table of leads'),
				{
					name: 'Row',
					type: 'n8n-nodes-base.dataTable',
					typeVersion: 1.1,
					parameters: {
						resource: 'row',
						operation: 'insert',
						dataTableId: { __rl: true, mode: 'name', value: table },
						columns: {
							mappingMode: 'defineBelow',
							value: { search: search().name, place: 99_998 },
						},
					},
				},
			]),
		);
		const execution = await run(workflow);
		expect(execution.items('Summary')[0]?.json).toEqual({
			leads: 100_000,
			message: 'A search reaches 100,000 leads. Narrower filters get the others.',
		});
		expect(account.spent.apiCredits).toBe(2);
	});
}
