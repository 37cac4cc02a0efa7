import type { TestN8n } from '../n8n/harness';
import { open, STORES } from './stores';
import { crmsOf } from './fixture';

export function testWorkflow(n8n: TestN8n): void {
	async function prepare(rows: unknown[][], tab = 'Sheet1') {
		const store = await STORES['google-sheets-enrichment'](n8n);
		const spreadsheet = crmsOf(n8n).google.spreadsheets().at(-1);
		if (!spreadsheet) throw new Error('There is no spreadsheet');
		const [, known] = spreadsheet.rows.map(([url]) => url);
		spreadsheet.rows.splice(0, Infinity, ...rows);
		const url = String(store.parameters.Rows?.url).replace('Sheet1', tab);
		const parameters = { Rows: { url } };
		const opened = await open(n8n, 'google-sheets-enrichment', { store, parameters });
		return { ...opened, known, rows: spreadsheet.rows };
	}

	test('a value is written by its row, whatever stands around it, and never where one is', async () => {
		const { account, known, night, rows, store } = await prepare([]);
		rows.push(
			['lookup', 'notes', 'linkedin_url', 'notes', 'email'],
			['', 'A', known, '=1+1'],
			['', 'B', known, '', 'kept@crm.example'],
			['', 'C', 'https://www.linkedin.com/in/nobody-at-all'],
			[],
			['', 'D', `${String(known)}/`],
			['', 'E', 'https://www.linkedin.com/company/any'],
			['', 'F'],
			['asked before', 'G', known],
		);
		const others = () => rows.map((row) => [1, 2, 3].map((at) => row[at] ?? ''));
		const before = others();
		for (const later of [1, 2, 3])
			expect([later, (await night()).error?.message]).toEqual([later, undefined]);
		const email = store.people[0];
		expect(rows.slice(1).map((row) => row[4] ?? '')).toEqual([
			...[email, 'kept@crm.example', '', '', email, '', '', ''],
		]);
		const company = expect.stringContaining('a page of another kind') as unknown;
		expect(rows.slice(1).map((row) => row[0] ?? '')).toEqual([
			...[
				'found',
				'',
				'No profile with an email (Only With Emails is on)',
				'',
				'found',
				company,
				'',
				'asked before',
			],
		]);
		expect(others()).toEqual(before);
		expect(account.spent.apiCredits).toBe(1);
	});

	test.each([
		['a tab', [['linkedin_url', 'email', 'lookup']], 'Other', 'Unable to parse range: Other'],
		[
			'a column',
			[['linkedin_url', 'Email', 'lookup']],
			'Sheet1',
			'named email, but linkedin_url, Email',
		],
		['row 1', [], 'Sheet1', 'named linkedin_url, email, lookup, but none'],
	])('%s that is missing is told before anything is paid', async (_what, rows, tab, message) => {
		const { night, requests } = await prepare(rows, tab);
		const { error } = await night();
		expect(`${error?.message ?? ''} ${error?.description ?? ''}`).toContain(message);
		expect(requests()).toEqual([]);
	});
}
