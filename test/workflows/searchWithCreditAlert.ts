import { changed, readingBack, readWorkflow, saveLeadSearch, type Fixture } from './fixture';
import { startLocalServer, type LocalServer } from './localServer';

export function searchWithCreditAlert(fixture: Fixture): void {
	let chat: LocalServer;

	beforeEach(async () => {
		chat = await startLocalServer(() => ({ ok: true }));
	});

	afterEach(() => {
		chat.close();
	});

	async function run(apiCredits: number, apiKey?: string) {
		const account = fixture.service.admin.createAccount({ apiCredits });
		const { client } = fixture.n8n;
		const workflow = await client.createWorkflow(
			changed(readWorkflow('search-with-credit-alert'), {
				credentials: [await saveLeadSearch(fixture, { apiKey: apiKey ?? account.apiKey })],
				parameters: { 'Post the alert': { url: `${chat.url}/alerts` } },
				appended: [readingBack('CSV file')],
			}),
		);
		const again = async () => await client.waitForExecution(await client.run(workflow));
		return { account, execution: await again(), again };
	}

	test('with enough credits saves the leads and tells nobody', async () => {
		const { account, execution } = await run(1_000);
		expect(execution.status).toBe('success');
		expect(execution.items('Rows of CSV file')).toHaveLength(500);
		expect(account.spent.apiCredits).toBe(500);
		expect(chat.received).toEqual([]);
	});

	test('with 60 credits saves 60 leads and posts how to go on', async () => {
		const { account, execution, again } = await run(60);
		expect(execution.status).toBe('success');
		expect(execution.items('Rows of CSV file')).toHaveLength(60);
		expect(account.apiCredits).toBe(0);
		expect(chat.received).toMatchObject([{ path: '/alerts' }]);
		const { text } = chat.received[0]?.body as { text: string };
		expect(text).toContain('Not enough API credits (402): 60 leads fetched');
		expect(text).toContain('kept for 60 minutes. Run again: you pay only for the rest.');

		// As it says: run again, the leads that were charged are not paid again.
		fixture.service.admin.setCredits(account.id, { apiCredits: 1_000 });
		expect((await again()).items('Rows of CSV file')).toHaveLength(500);
		expect(account.spent.apiCredits).toBe(500);
	});

	test('any other failure stops the workflow, with its message', async () => {
		const { execution } = await run(60, 'wrong-key');
		expect(execution.status).toBe('error');
		expect(execution.error?.message).toContain('The API key was not accepted (401)');
		expect(chat.received).toEqual([]);
	});
}
