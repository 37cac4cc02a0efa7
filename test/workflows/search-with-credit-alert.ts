import { leadsChargedTwice } from '../../sandbox/service';
import { credentialOf, type TestN8n } from '../n8n/harness';
import { startLocalServer } from '../n8n/localServer';
import { importWorkflow, readingBack } from './fixture';

export function testWorkflow(n8n: TestN8n): void {
	/** With credits for 6 leads of 10, and a chat that answers every alert so. */
	async function prepare(answer: unknown, apiKey?: string) {
		const chat = await startLocalServer(() => answer);
		const imported = await importWorkflow(n8n, 'search-with-credit-alert', {
			account: n8n.service.admin.createAccount({ apiCredits: 6 }),
			credentials: apiKey === undefined ? [] : [await credentialOf(n8n, { apiKey })],
			parameters: {
				'Search for leads': { limit: 10 },
				'Post the alert': { url: `${chat.url}/alerts` },
			},
			appended: [readingBack('CSV file')],
		});
		return { ...imported, alerts: chat.received, [Symbol.dispose]: chat.close };
	}

	test.each([
		['taken', 'success', { ok: true }],
		['refused', 'error', 500],
		['lost', 'error', 0],
	])(
		'an alert that is %s: three runs keep what came and pay for nothing twice, and the next gets the rest',
		async (_what, status, answer) => {
			using search = await prepare(answer);
			const { account, alerts, run, setCredits } = search;
			for (const night of [1, 2, 3]) {
				const execution = await run();
				expect([night, execution.status]).toEqual([night, status]);
				expect(execution.items('Rows of CSV file')).toHaveLength(6);
				expect([account.spent.apiCredits, alerts.length]).toEqual([6, night]);
			}
			const { text } = alerts[0]?.body as { text: string };
			expect(text).toMatch(/Not enough API credits \(402\): 6 leads came.*only for the rest\./);
			setCredits(100);
			expect((await run()).items('Rows of CSV file')).toHaveLength(10);
			expect([account.spent.apiCredits, alerts.length]).toEqual([10, 3]);
			expect(leadsChargedTwice(account)).toEqual([]);
		},
	);

	test('any other failure stops the workflow, with its message', async () => {
		using search = await prepare({ ok: true }, 'wrong-key');
		const { error } = await search.run();
		expect(error?.message).toContain('The API key was not accepted (401)');
		expect(search.alerts).toEqual([]);
	});
}
