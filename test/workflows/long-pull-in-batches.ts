import { leadsChargedTwice, urlsMatching, type AccountOptions } from '../../sandbox/service';
import type { TestN8n } from '../n8n/harness';
import { importWorkflow, readTable, readWorkflow } from './fixture';

export function testWorkflow(n8n: TestN8n): void {
	/** Imports it, with batches of 3 of 7 leads. Filters tell searches apart, so each test has its own. */
	async function prepare(country: string, options: AccountOptions = {}) {
		const filters = { personLocationCountry: country };
		const imported = await importWorkflow(n8n, 'long-pull-in-batches', {
			account: n8n.service.admin.createAccount({ leads: 7, ...options }),
			parameters: { 'Search for leads': { filters, limit: 3 } },
			how: { trigger: 'Start or go on' },
		});
		return {
			...imported,
			saved: async () =>
				(await readTable(n8n, 'Leads in batches'))
					.filter((row) => row.search === JSON.stringify(filters))
					.map((row) => row.linkedin_url),
			all: urlsMatching({ person_location_country: [country] }).slice(0, 7),
		};
	}

	test('saves every lead once, batch by batch, and ends when there are no more', async () => {
		const { account, run, saved, all } = await prepare('Germany');
		const execution = await run();
		const summary = { leads: 7, message: 'The search has no more leads.' };
		expect(execution.items('Summary')[0]?.json).toEqual(summary);
		expect(await saved()).toEqual(all);
		expect(account.spent.apiCredits).toBe(7);
		// It holds no more of the list than one item a batch.
		for (const runs of Object.values(execution.runs)) {
			for (const { outputs } of runs) expect(outputs.flat().length).toBeLessThanOrEqual(1);
		}

		await run();
		expect(account.spent.apiCredits).toBe(7);
	});

	test('saves what was paid for when credits run out, and goes on from there', async () => {
		const { account, run, setCredits, saved, all } = await prepare('Spain', { apiCredits: 5 });
		const stopped = await run();
		expect(stopped.error?.message).toContain('Not enough API credits (402): 2 ');
		// Skip is an expression here, so the advice is not the node's.
		expect(stopped.error?.message).toContain('Execute the workflow again to go on after them.');
		expect(stopped.error?.message).not.toContain('Skip');
		expect(await saved()).toEqual(all.slice(0, 5));

		setCredits(100);
		expect((await run()).status).toBe('success');
		expect(await saved()).toEqual(all);
		expect(leadsChargedTwice(account)).toEqual([]);
	});

	test('asks for one page after another, since a gap would shift every place after it', () => {
		const { nodes } = readWorkflow('long-pull-in-batches');
		const node = nodes.find(({ name }) => name === 'Search for leads');
		expect(node?.parameters.options).toMatchObject({ parallelPages: 1 });
	});
}
