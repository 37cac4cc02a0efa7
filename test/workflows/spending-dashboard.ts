import { randomUUID } from 'node:crypto';

import { chain, manualTrigger, node } from '../../sandbox/n8n/index';
import type { WorkflowNode } from '../../sandbox/n8n/index';
import { credentialOf, leadSearch, type TestN8n } from '../n8n/harness';
import { changed, goesWell, importWorkflow, poll, readTable } from './fixture';
import { startLocalServer } from './localServer';

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

	async function prepare(apiCredits: number) {
		const { client, server, service } = n8n;
		const chat = await startLocalServer(() => ({ ok: true }));
		const account = service.admin.createAccount({ apiCredits });
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
		return {
			account,
			alerts: chat.received,
			/** Runs a workflow that buys leads. */
			buy: async (name: string, limit: number, after: WorkflowNode[] = []) => {
				const search = leadSearch({ filters, limit }, await credentialOf(n8n, account));
				return await client.execute(chain(name, [manualTrigger, search, ...after]));
			},
			look: async (threshold: number) => {
				const own = workflow.nodes.find((one) => one.name === 'Over the threshold?');
				const jsCode = String(own?.parameters.jsCode).replace('= 1000', `= ${threshold}`);
				const parameters = { 'Over the threshold?': { jsCode } };
				await client.updateWorkflow(workflow.id, changed(workflow, { parameters }));
				await goesWell(run);
			},
			remove: async (id: string) => {
				const headers = { 'X-N8N-API-KEY': access.apiKey };
				const request = { method: 'DELETE', headers };
				expect((await fetch(`${baseUrl}/executions/${id}`, request)).status).toBe(200);
			},
			[Symbol.dispose]: chat.close,
		};
	}

	test('saves what every workflow spent, a Retry and the polls of a trigger as well', async () => {
		const { client, service } = n8n;
		using prepared = await prepare(1_200);
		const { account, alerts, buy, look } = prepared;
		for (let times = 0; times < 2; times++) await buy('Twice', 1_200);
		service.admin.setCredits(account.id, { apiCredits: 3 });
		const stopped = await buy('Out of credits', 10);
		expect(stopped.status).toBe('error');
		service.admin.setCredits(account.id, { apiCredits: 100 });
		await client.retry(stopped.id);
		const stop = node('Stop', 'n8n-nodes-base.stopAndError', 1, { errorMessage: 'Later' });
		const later = await buy('Stopped later', 5, [stop]);
		expect(later.status).toBe('error');
		await client.retry(later.id);
		const credential = await credentialOf(n8n, account);
		const type = 'n8n-nodes-lead-search.leadSearchTrigger';
		const trigger = node('Leads', type, 1, { filters, leadsPerPoll: 7 }, credential);
		await poll(n8n, await client.createWorkflow(chain('Polling', [trigger])));
		const pull = await importWorkflow(n8n, 'long-pull-in-batches', {
			account: service.admin.createAccount({ leads: 6 }),
			parameters: { 'Search for leads': { filters, limit: 3 } },
		});
		await goesWell(pull.run);
		await look(1_000_000);
		expect(await saved()).toMatchObject({
			Twice: [1_200, 1],
			'Out of credits': [10, 2],
			'Stopped later': [5, 1],
			Polling: [7, 1],
			'Pull a long list in batches': [6, 1],
		});
		expect(alerts).toEqual([]);
	});

	test('posts once a day that the threshold is reached; what n8n deletes stays counted', async () => {
		using prepared = await prepare(1_000);
		const { alerts, buy, look, remove } = prepared;
		await look(1_000_000);
		const before = (await saved()).All?.[0] ?? 0;
		const { id } = await buy('On top', 20);
		await look(before + 20);
		const after = await saved();
		expect(after).toMatchObject({ 'On top': [20, 1] });
		await remove(id);
		await buy('Later', 5);
		await look(before + 20);
		const all = after.All?.[1] ?? 0;
		expect(await saved()).toEqual({ ...after, Later: [5, 1], All: [before + 25, all + 1] });
		expect(alerts).toMatchObject([{ path: '/alerts' }]);
		const { text } = alerts[0]?.body as { text: string };
		expect(text).toContain(`Lead Search has spent ${before + 20} credits on `);
	});
}
