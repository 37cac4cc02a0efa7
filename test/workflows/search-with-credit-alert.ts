import { leadAt, leadsChargedTwice } from '../../sandbox/service';
import { credentialOf, type TestN8n } from '../n8n/harness';
import { importWorkflow, readingBack } from './fixture';
import { startLocalServer } from './localServer';

export function testWorkflow(n8n: TestN8n): void {
	async function runTwice(apiKey?: string) {
		using chat = await startLocalServer(() => ({ ok: true }));
		const { account, run, setCredits } = await importWorkflow(n8n, 'search-with-credit-alert', {
			account: n8n.service.admin.createAccount({ apiCredits: 60 }),
			credentials: apiKey === undefined ? [] : [await credentialOf(n8n, { apiKey })],
			parameters: { 'Post the alert': { url: `${chat.url}/alerts` } },
			appended: [readingBack('CSV file')],
		});
		const first = await run();
		setCredits(1_000);
		const second = await run();
		return { account, first, second, alerts: chat.received };
	}

	test('with 60 credits saves 60 leads and posts how to go on, which then costs no more', async () => {
		const { account, first, second, alerts } = await runTwice();
		expect(first.status).toBe('success');
		expect(first.items('Rows of CSV file')).toHaveLength(60);
		expect(alerts).toMatchObject([{ path: '/alerts' }]);
		const { text } = alerts[0]?.body as { text: string };
		expect(text).toContain('Not enough API credits (402): 60 leads came');
		expect(text).toContain('you pay only for the rest.');
		expect(second.status).toBe('success');
		expect(second.items('Rows of CSV file')).toHaveLength(500);
		expect(account.spent.apiCredits).toBe(500);
	});

	test.each([429, 500, 0])(
		'an alert that nobody takes (%i): three runs keep the file, and pay for nothing twice',
		async (status) => {
			using chat = await startLocalServer(() => status);
			const { account, run, setCredits } = await importWorkflow(n8n, 'search-with-credit-alert', {
				account: n8n.service.admin.createAccount({ apiCredits: 6 }),
				parameters: {
					'Search for leads': { limit: 10 },
					'Post the alert': { url: `${chat.url}/alerts` },
				},
				appended: [readingBack('CSV file')],
			});
			for (const night of [1, 2, 3]) {
				const execution = await run();
				expect([night, execution.status]).toEqual([night, 'error']);
				expect(execution.items('Rows of CSV file')).toHaveLength(6);
				expect(account.spent.apiCredits).toBe(6);
			}
			setCredits(100);
			expect((await run()).items('Rows of CSV file')).toHaveLength(10);
			expect([account.spent.apiCredits, leadsChargedTwice(account)]).toEqual([10, []]);
		},
	);

	test('what a spreadsheet would run is text in the file', async () => {
		const account = n8n.service.admin.createAccount();
		const bad = ['=HYPERLINK("https://example.com")', '@SUM(1)', '-2+3', '+1555', 'Ann'];
		const preview_data = bad.map((job_title) => ({
			...leadAt(0),
			job_title,
			company: '@SUM(1)',
		}));
		const merge = { preview_data };
		n8n.service.admin.addFault({ account: account.id, kind: 'merge', merge });
		const { run } = await importWorkflow(n8n, 'search-with-credit-alert', {
			account,
			parameters: { 'Search for leads': { limit: 5 } },
			appended: [readingBack('CSV file')],
		});
		const rows = (await run()).items('Rows of CSV file');
		expect(rows.map(({ json }) => [json.job_title, json.company])).toEqual(
			bad.map((name) => [name === 'Ann' ? name : `'${name}`, "'@SUM(1)"]),
		);
	});

	test('any other failure stops the workflow, with its message', async () => {
		const { first, alerts } = await runTwice('wrong-key');
		expect(first.error?.message).toContain('The API key was not accepted (401)');
		expect(alerts).toEqual([]);
	});
}
