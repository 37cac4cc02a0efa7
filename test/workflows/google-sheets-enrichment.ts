import type { TestN8n } from '../n8n/harness';
import { chain, manualTrigger, node } from '../../sandbox/n8n/index';
import { leadAt, matching } from '../../sandbox/service';
import { credentialOf, leadSearch } from '../n8n/harness';
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
		['an empty sheet', []],
		[
			'a row that is there',
			[
				['full_name', 'notes'],
				['Ann', 'mine'],
			],
		],
	])("leads come into a sheet by n8n's Append Row, below %s", async (_what, before) => {
		const { store, rows } = await prepare(before);
		const [google] = store.credentials;
		const account = n8n.service.admin.createAccount({ apiCredits: 3 });
		const { id = '' } = crmsOf(n8n).google.spreadsheets().at(-1) ?? {};
		const filters = { personLocationCountry: 'Iceland' };
		const search = { resource: 'lead', operation: 'buyLeads', filters, limit: 3 };
		const leads = leadSearch(search, await credentialOf(n8n, account));
		const append = {
			operation: 'append',
			authentication: 'oAuth2',
			documentId: { __rl: true, mode: 'id', value: id },
			sheetName: { __rl: true, mode: 'name', value: 'Sheet1' },
			columns: { mappingMode: 'autoMapInputData', value: {} },
			options: { cellFormat: 'RAW' },
		};
		const sheet = node('Sheet', 'n8n-nodes-base.googleSheets', 4.7, append, google);
		const { error } = await n8n.client.execute(chain('Append', [manualTrigger, leads, sheet]));
		expect(error?.message).toBeUndefined();
		const names = Array.from(
			matching({ person_location_country: ['Iceland'] }).slice(0, 3),
			leadAt,
		);
		const column = rows[0]?.indexOf('full_name') ?? -1;
		expect(rows.map((row) => row[column])).toEqual([
			'full_name',
			...before.slice(1).map(([name]) => name),
			...names.map(({ full_name: name }) => name),
		]);
		expect(rows[0]?.slice(0, before[0]?.length ?? 0)).toEqual(before[0] ?? []);
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
