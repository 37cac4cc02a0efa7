import { chain, manualTrigger } from '../../sandbox/n8n/index';
import { query } from '../../sandbox/postgres';
import { leadsChargedTwice, urlsMatching, type AccountOptions } from '../../sandbox/service';
import { until } from '../../sandbox/until';
import type { TestN8n } from '../n8n/harness';
import {
	dropTable,
	fillTables,
	importWorkflow,
	readTable,
	readWorkflow,
	storageOf,
} from './fixture';

const table = 'Leads in batches';

export function testWorkflow(n8n: TestN8n): void {
	const inDatabase = async (statement: string) => await query(n8n.server.database, statement);

	/** Makes the table as the workflow does. */
	async function makeTable(): Promise<void> {
		const { nodes } = readWorkflow('long-pull-in-batches');
		const make = nodes.find(({ name }) => name === 'Table of leads');
		if (make) await n8n.client.execute(chain('Make the table', [manualTrigger, make]));
	}

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
				(await readTable(n8n, table))
					.filter(({ search, claim }) => search === JSON.stringify(filters) && claim === null)
					.map((row) => row.linkedin_url),
			all: urlsMatching({ person_location_country: [country] }).slice(0, 7),
		};
	}

	test('saves every lead once, batch by batch, and ends when there are no more', async () => {
		const { account, run, saved, all } = await prepare('Germany');
		const execution = await run();
		expect(execution.error?.message).toBeUndefined();
		expect(await saved()).toEqual(all);
		expect(account.spent.apiCredits).toBe(7);
		// It holds no more of the list than one item a batch.
		for (const runs of Object.values(execution.runs)) {
			for (const items of runs.flatMap(({ outputs }) => outputs))
				expect(items.length).toBeLessThanOrEqual(1);
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

	test.each([
		['one row', [4]],
		['all rows', [0, 1, 2, 3, 4, 5, 6]],
	])(
		'%s refused: nothing more is bought until Retry saves it, for nothing',
		async (what, places) => {
			const countries = { 'one row': 'France', 'all rows': 'Canada' };
			const pull = await prepare(countries[what as keyof typeof countries]);
			const { account, all, run, saved } = pull;
			await dropTable(n8n, table);
			await makeTable();
			const list = places.map((place) => `'${all[place] ?? ''}'`).join(', ');
			const storage = await storageOf(n8n, table);
			await inDatabase(
				`ALTER TABLE ${storage} ADD CONSTRAINT never CHECK (linkedin_url NOT IN (${list}))`,
			);
			const bought = what === 'one row' ? 6 : 3;
			const written = all.slice(0, bought).filter((_, place) => !places.includes(place));
			expect((await run()).error?.message).toContain('check constraint');
			const messages = [await run(), await run()].map(({ error }) => error?.message);
			for (const message of messages)
				expect(message).toContain(`place ${bought - 2} on were bought in execution `);
			expect([await saved(), account.spent.apiCredits]).toEqual([written, bought]);

			await inDatabase(`ALTER TABLE ${storage} DROP CONSTRAINT never`);
			const [, id] = /in execution (\d+)/.exec(String(messages[0])) ?? [];
			// n8n keeps no execution of this workflow that went well, so nobody can wait for its end.
			await n8n.client.call('POST', `/executions/${String(id)}/retry`, {});
			await until('Retry has saved them', async () => (await saved()).length === bought);
			expect((await saved()).sort()).toEqual(all.slice(0, bought).sort());
			expect((await run()).status).toBe('success');
			expect((await saved()).sort()).toEqual([...all].sort());
			expect([account.spent.apiCredits, leadsChargedTwice(account)]).toEqual([7, []]);
		},
	);

	test('a full table is told before anything is paid, in words', async () => {
		const { account, run, saved, all } = await prepare('Sweden');
		const makeRoom = await fillTables(n8n);
		for (const night of [1, 2, 3]) {
			const { error } = await run();
			expect([night, error?.message]).toEqual([
				night,
				expect.stringContaining('size limit exceeded'),
			]);
		}
		expect(account.spent.apiCredits).toBe(0);
		await makeRoom();
		expect((await run()).status).toBe('success');
		expect([await saved(), account.spent.apiCredits]).toEqual([all, 7]);
	});

	test('asks for one page after another, since a gap would shift every place after it', () => {
		const { nodes } = readWorkflow('long-pull-in-batches');
		const node = nodes.find(({ name }) => name === 'Search for leads');
		expect(node?.parameters.options).toMatchObject({ parallelPages: 1 });
	});
}
