import {
	chain,
	manualTrigger,
	type SavedWorkflow,
	type WorkflowNode,
} from '../../sandbox/n8n/index';
import type { Account } from '../../sandbox/service';
import { until } from '../../sandbox/until';
import { credentialOf, type TestN8n } from '../n8n/harness';
import { changed, readTable, readWorkflow } from './fixture';
import { startLocalServer, type LocalServer } from './localServer';

export function spendingDashboard(n8n: TestN8n): void {
	let chat: LocalServer;
	let dashboard: SavedWorkflow;
	let account: Account;
	let apiKey: string;

	/** A node that buys leads. */
	async function buying(type: string, parameters: object): Promise<WorkflowNode> {
		const { id, name } = await credentialOf(n8n, account);
		return {
			name: 'Leads',
			type: `n8n-nodes-lead-search.${type}`,
			typeVersion: 1,
			parameters: { ...parameters, filters: { personLocationCountry: 'Germany' } },
			credentials: { leadSearchApi: { id, name } },
		};
	}

	/** Saves a workflow that searches for leads. */
	async function searching(name: string, limit: number, after: WorkflowNode[] = []) {
		const operation = { resource: 'lead', operation: 'buyLeads', limit };
		const search = await buying('leadSearch', operation);
		return await n8n.client.createWorkflow(chain(name, [manualTrigger, search, ...after]));
	}

	/** Runs a workflow by hand. */
	async function run(workflow: SavedWorkflow) {
		const { client } = n8n;
		return await client.waitForExecution(await client.run(workflow));
	}

	/** Runs the dashboard, as its schedule does, with a threshold. */
	async function look(threshold: number): Promise<void> {
		const { client, server } = n8n;
		const values = { n8n: server.url, threshold };
		const assignments = Object.entries(values).map(([name, value]) => ({
			...{ id: name, name, value },
			type: typeof value,
		}));
		const settings = { assignments: { assignments } };
		await client.updateWorkflow(
			dashboard.id,
			changed(dashboard, { parameters: { Settings: settings } }),
		);
		const execution = await run(dashboard);
		expect(execution.error?.message).toBeUndefined();
	}

	/** Credits and executions by workflow, and of all of them. */
	async function saved(): Promise<Readonly<Record<string, readonly [number, number]>>> {
		const rows = await readTable(n8n, 'Credits spent');
		return Object.fromEntries(
			rows.map(({ workflow, credits, executions }) => [
				String(workflow),
				[Number(credits), Number(executions)] as const,
			]),
		);
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
		// By hand, the second run costs nothing.
		await run(twice);
		n8n.service.admin.setCredits(account.id, { apiCredits: 3 });
		const stopped = await run(await searching('Out of credits', 10));
		expect(stopped.status).toBe('error');
		n8n.service.admin.setCredits(account.id, { apiCredits: 100 });
		await client.retry(stopped.id);
		const stop: WorkflowNode = {
			name: 'Stop',
			type: 'n8n-nodes-base.stopAndError',
			typeVersion: 1,
			parameters: { errorMessage: 'Later' },
		};
		const later = await run(await searching('Stopped later', 5, [stop]));
		expect(later.status).toBe('error');
		await client.retry(later.id);
		const polling = await client.createWorkflow(
			chain('Polling', [
				await buying('leadSearchTrigger', {
					pollTimes: { item: [{ mode: 'everyX', unit: 'hours', value: 12 }] },
					leadsPerPoll: 7,
				}),
			]),
		);
		await client.activate(polling);
		const poll = await until('a poll has delivered leads', async () =>
			(await client.executions(polling)).at(0),
		);
		await client.waitForExecution(poll.id);
		await client.deactivate(polling);

		await look(1_000_000);

		expect(await saved()).toMatchObject({
			Twice: [1_200, 1],
			'Out of credits': [10, 2],
			'Stopped later': [5, 1],
			Polling: [7, 1],
		});
		expect(chat.received).toEqual([]);
	});

	test('posts once a day that the threshold is reached; what n8n deletes stays counted', async () => {
		await look(1_000_000);
		const before = (await saved())['All workflows']?.[0] ?? 0;
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
		expect(await saved()).toEqual({ ...after, Later: [5, 1] });

		expect(chat.received).toMatchObject([{ path: '/alerts' }]);
		const { text } = chat.received[0]?.body as { text: string };
		expect(text).toContain(`Lead Search has spent ${before + 20} credits on `);
	});
}
