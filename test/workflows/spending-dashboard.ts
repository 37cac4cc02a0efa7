import { randomUUID } from 'node:crypto';

import { chain, manualTrigger, node } from '../../sandbox/n8n/index';
import type { WorkflowNode } from '../../sandbox/n8n/index';
import { query } from '../../sandbox/postgres';
import { credentialOf, leadSearch, type TestN8n } from '../n8n/harness';
import { startLocalServer } from '../n8n/localServer';
import { changed, goesWell, importWorkflow, poll, readTable } from './fixture';

export function testWorkflow(n8n: TestN8n): void {
	const filters = { personLocationCountry: 'Germany' };

	/** Credits and executions of the last day, by workflow. */
	async function saved() {
		const rows = await readTable(n8n, 'Credits spent');
		// Tests before may have run on the day before.
		const today = rows.map(({ day }) => String(day)).sort();
		const sums: Record<string, [credits: number, executions: number]> = {};
		for (const { workflow, credits } of rows.filter(({ day }) => day === today.at(-1))) {
			for (const name of [String(workflow), 'All']) {
				const [sum, count] = sums[name] ?? [0, 0];
				sums[name] = [sum + Number(credits), count + 1];
			}
		}
		return sums;
	}

	test('saves what every workflow spent, posts once a day that the threshold is reached, and keeps what n8n deletes', async () => {
		const { client, server, service } = n8n;
		using chat = await startLocalServer(() => ({ ok: true }));
		// Each look would read what tests before have run.
		await query(server.database, 'DELETE FROM execution_entity');
		const account = service.admin.createAccount({ apiCredits: 1_200 });
		const paying = () => credentialOf(n8n, account);
		const buy = async (name: string, limit: number, after: WorkflowNode[] = [], own = paying()) => {
			const search = leadSearch({ filters, limit }, await own);
			return await client.execute(chain(name, [manualTrigger, search, ...after]));
		};
		const same = paying();
		for (let times = 0; times < 2; times++) await buy('Twice', 1_200, [], same);
		service.admin.setCredits(account.id, { apiCredits: 3 });
		const stopped = await buy('Out of credits', 10);
		service.admin.setCredits(account.id, { apiCredits: 100 });
		await client.retry(stopped.id);
		const stop = node('Stop', 'n8n-nodes-base.stopAndError', 1, { errorMessage: 'Later' });
		const later = await buy('Stopped later', 5, [stop]);
		await client.retry(later.id);
		const type = 'n8n-nodes-lead-search.leadSearchTrigger';
		const trigger = node('Leads', type, 1, { filters, leadsPerPoll: 7 }, await paying());
		await poll(n8n, await client.createWorkflow(chain('Polling', [trigger])));
		const pull = await importWorkflow(n8n, 'long-pull-in-batches', {
			account: service.admin.createAccount({ leads: 6 }),
			parameters: { 'Search for leads': { filters, limit: 3 } },
		});
		await goesWell(pull.run);

		const baseUrl = `${server.url}/api/v1`;
		const label = randomUUID();
		const wanted = { label, scopes: ['execution:list', 'execution:delete'], expiresAt: null };
		const key = await client.call<{ rawApiKey: string }>('POST', '/api-keys', wanted);
		const access = { apiKey: key.rawApiKey, baseUrl };
		const { run, workflow } = await importWorkflow(n8n, 'spending-dashboard', {
			credentials: [await client.createCredential('n8nApi', label, access)],
			parameters: {
				Executions: { url: `${baseUrl}/executions` },
				'Post the alert': { url: `${chat.url}/alerts` },
			},
		});
		const look = async (threshold: number) => {
			const own = workflow.nodes.find((one) => one.name === 'Over the threshold?');
			const jsCode = String(own?.parameters.jsCode).replace('= 1000', `= ${threshold}`);
			const parameters = { 'Over the threshold?': { jsCode } };
			await client.updateWorkflow(workflow.id, changed(workflow, { parameters }));
			await goesWell(run);
		};
		await look(1_000_000);
		const before = await saved();
		expect(before).toMatchObject({
			Twice: [1_200, 1],
			'Out of credits': [10, 2],
			'Stopped later': [5, 1],
			Polling: [7, 1],
			'Pull a long list in batches': [6, 1],
		});
		expect(chat.received).toEqual([]);

		const [credits = 0, count = 0] = before.All ?? [];
		const { id } = await buy('On top', 20);
		await look(credits + 20);
		const headers = { 'X-N8N-API-KEY': access.apiKey };
		const removed = await fetch(`${baseUrl}/executions/${id}`, { method: 'DELETE', headers });
		expect(removed.status).toBe(200);
		await buy('Later', 5);
		await look(credits + 20);
		const added = { 'On top': [20, 1], Later: [5, 1], All: [credits + 25, count + 2] };
		expect(await saved()).toEqual({ ...before, ...added });
		const text: unknown = expect.stringContaining(`has spent ${credits + 20} credits on `);
		expect(chat.received).toMatchObject([{ path: '/alerts', body: { text } }]);
	});
}
