import { chain, manualTrigger, node } from '../../sandbox/n8n/index';
import type { SavedWorkflow, WorkflowNode } from '../../sandbox/n8n/index';
import type { Account } from '../../sandbox/service';
import { until } from '../../sandbox/until';
import { credentialOf, leadSearch, type TestN8n } from '../n8n/harness';
import { changed, edited, importWorkflow, readTable, readWorkflow } from './fixture';
import { startLocalServer, type LocalServer } from './localServer';

export function testWorkflow(n8n: TestN8n): void {
	let chat: LocalServer;
	let dashboard: SavedWorkflow;
	let account: Account;
	let apiKey: string;

	const filters = { personLocationCountry: 'Germany' };

	async function searching(name: string, limit: number, after: WorkflowNode[] = []) {
		const search = leadSearch({ filters, limit }, await credentialOf(n8n, account));
		return await n8n.client.createWorkflow(chain(name, [manualTrigger, search, ...after]));
	}

	async function run(workflow: SavedWorkflow) {
		const { client } = n8n;
		return await client.waitForExecution(await client.run(workflow));
	}

	async function look(threshold: number): Promise<void> {
		const { client, server } = n8n;
		const parameters = {
			Executions: { url: `${server.url}/api/v1/executions` },
			...edited('spending-dashboard', 'Over the threshold?', '= 1000', `= ${threshold}`),
		};
		await client.updateWorkflow(dashboard.id, changed(dashboard, { parameters }));
		expect((await run(dashboard)).error?.message).toBeUndefined();
	}

	async function saved() {
		const all = await readTable(n8n, 'Credits spent');
		// Tests before may have run on the day before.
		const today = all
			.map(({ day }) => String(day))
			.sort()
			.at(-1);
		const sums: Record<string, [credits: number, executions: number]> = {};
		for (const { day, workflow, credits } of all.filter((row) => row.day === today)) {
			for (const name of [String(workflow), 'All']) {
				const [sum, count] = sums[name] ?? [0, 0];
				sums[name] = [sum + Number(credits), count + 1];
			}
			expect(day).toBe(today);
		}
		return sums;
	}

	beforeEach(async () => {
		const { client } = n8n;
		chat = await startLocalServer(() => ({ ok: true }));
		account = n8n.service.admin.createAccount({ apiCredits: 1_000 });
		const label = `Dashboard ${Date.now()}`;
		const wanted = { label, scopes: ['execution:list', 'execution:delete'], expiresAt: null };
		const made = await client.call<{ rawApiKey: string }>('POST', '/api-keys', wanted);
		apiKey = made.rawApiKey;
		const credential = await client.createCredential('n8nApi', label, {
			apiKey,
			baseUrl: `${n8n.server.url}/api/v1`,
		});
		dashboard = await client.createWorkflow(
			changed(readWorkflow('spending-dashboard'), {
				credentials: [credential],
				parameters: { 'Post the alert': { url: `${chat.url}/alerts` } },
			}),
		);
	});

	afterEach(() => {
		chat.close();
	});

	test('saves what every workflow spent, a Retry and the polls of a trigger as well', async () => {
		const { client } = n8n;
		const twice = await searching('Twice', 1_200);
		n8n.service.admin.setCredits(account.id, { apiCredits: 1_200 });
		await run(twice);
		await run(twice);
		n8n.service.admin.setCredits(account.id, { apiCredits: 3 });
		const stopped = await run(await searching('Out of credits', 10));
		expect(stopped.status).toBe('error');
		n8n.service.admin.setCredits(account.id, { apiCredits: 100 });
		await client.retry(stopped.id);
		const stop = node('Stop', 'n8n-nodes-base.stopAndError', 1, { errorMessage: 'Later' });
		const later = await run(await searching('Stopped later', 5, [stop]));
		expect(later.status).toBe('error');
		await client.retry(later.id);
		const pollTimes = { item: [{ mode: 'everyX', unit: 'hours', value: 12 }] };
		const parameters = { filters, pollTimes, leadsPerPoll: 7 };
		const credential = await credentialOf(n8n, account);
		const type = 'n8n-nodes-lead-search.leadSearchTrigger';
		const trigger = node('Leads', type, 1, parameters, credential);
		const polling = await client.createWorkflow(chain('Polling', [trigger]));
		await client.activate(polling);
		const poll = await until('a poll has delivered leads', async () =>
			(await client.executions(polling)).at(0),
		);
		await client.waitForExecution(poll.id);
		await client.deactivate(polling);

		const pull = await importWorkflow(n8n, 'long-pull-in-batches', {
			account: n8n.service.admin.createAccount({ leads: 6 }),
			parameters: { 'Search for leads': { filters, limit: 3 } },
		});
		expect((await pull.run()).status).toBe('success');
		await look(1_000_000);

		expect(await saved()).toMatchObject({
			Twice: [1_200, 1],
			'Out of credits': [10, 2],
			'Stopped later': [5, 1],
			Polling: [7, 1],
			'Pull a long list in batches': [6, 1],
		});
		expect(chat.received).toEqual([]);
	});

	test('posts once a day that the threshold is reached; what n8n deletes stays counted', async () => {
		await look(1_000_000);
		const before = (await saved()).All?.[0] ?? 0;
		const { id } = await run(await searching('On top', 20));
		await look(before + 20);
		const after = await saved();
		expect(after).toMatchObject({ 'On top': [20, 1] });

		const deleted = await fetch(`${n8n.server.url}/api/v1/executions/${id}`, {
			method: 'DELETE',
			headers: { 'X-N8N-API-KEY': apiKey },
		});
		expect(deleted.status).toBe(200);
		await run(await searching('Later', 5));
		await look(before + 20);
		const all = after.All?.[1] ?? 0;
		expect(await saved()).toEqual({ ...after, Later: [5, 1], All: [before + 25, all + 1] });

		expect(chat.received).toMatchObject([{ path: '/alerts' }]);
		const { text } = chat.received[0]?.body as { text: string };
		expect(text).toContain(`Lead Search has spent ${before + 20} credits on `);
	});
}
