import { credentialOf, type TestN8n } from '../n8n/harness';
import { importWorkflow } from './fixture';
import { startLocalServer } from './localServer';

export function testWorkflow(n8n: TestN8n): void {
	/** @param topUps credits that arrive after each alert */
	async function run(apiCredits: number, topUps: number[], apiKey?: string) {
		const { admin } = n8n.service;
		const account = admin.createAccount({ apiCredits });
		const left = [...topUps];
		using chat = await startLocalServer(() => {
			admin.setCredits(account.id, { apiCredits: left.shift() ?? 0 });
			return { ok: true };
		});
		const { run: start } = await importWorkflow(n8n, 'wait-for-credits', {
			account,
			credentials: apiKey === undefined ? [] : [await credentialOf(n8n, { apiKey })],
			parameters: {
				'Post the alert': { url: `${chat.url}/alerts` },
				Wait: { amount: 1, unit: 'seconds' },
			},
		});
		return { account, execution: await start(), alerts: chat.received };
	}

	test('a balance that is topped up twice: the whole list, each lead once', async () => {
		const { account, execution, alerts } = await run(60, [200, 1_000]);
		expect(execution.status).toBe('success');
		expect(alerts).toHaveLength(2);
		expect(alerts[0]?.body).toEqual({
			text: expect.stringContaining('Not enough API credits (402)') as string,
		});
		const leads = (execution.runs['Save the leads'] ?? []).map(({ outputs: [items = []] }) =>
			items.map(({ json }) => json.linkedin_url),
		);
		expect(leads.map(({ length }) => length)).toEqual([60, 200, 240]);
		expect(new Set(leads.flat()).size).toBe(500);
		expect(account.spent.apiCredits).toBe(500);
	});

	test('any other failure stops the workflow, with its message', async () => {
		const { execution, alerts } = await run(60, [], 'wrong-key');
		expect(execution.error?.message).toContain('The API key was not accepted (401)');
		expect(alerts).toEqual([]);
	});
}
