import type { TestN8n } from '../n8n/harness';
import { chain, manualTrigger, node } from '../../sandbox/n8n/index';
import { leadAt, matching } from '../../sandbox/service';
import { credentialOf, leadSearch } from '../n8n/harness';
import { crmsOf, goesWell } from './fixture';
import { open, people, STORES } from './stores';

export function testWorkflow(n8n: TestN8n): void {
	test('a value is written by its row, whatever stands around it, and never where one is', async () => {
		const store = await STORES['google-sheets-enrichment'](n8n);
		const { account, night } = await open(n8n, 'google-sheets-enrichment', { store });
		const known = people[0]?.linkedin_url ?? '';
		const nobody = 'https://www.linkedin.com/in/nobody-at-all';
		const company = 'https://www.linkedin.com/company/any';
		const { rows } = store;
		rows.splice(0, Infinity, ['lookup', 'notes', 'linkedin_url', 'notes', 'email']);
		rows.push(['', 'A', known, '=1+1'], ['', 'B', known, '', 'kept@crm.example']);
		rows.push(['', 'C', nobody], [], ['', 'D', `${known}/`], ['', 'E', company], ['', 'F']);
		rows.push(['asked before', 'G', known]);
		const others = () => rows.map((row) => [1, 2, 3].map((at) => row[at] ?? ''));
		const before = others();
		await goesWell(night, 3);
		expect(rows.slice(1).map(([lookup = '', , , , email = '']) => [lookup, email])).toEqual([
			['found', store.people[0]],
			['', 'kept@crm.example'],
			['No profile with an email (Only With Emails is on)', ''],
			['', ''],
			['found', store.people[0]],
			[expect.stringContaining('a page of another kind'), ''],
			['', ''],
			['asked before', ''],
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
		const store = await STORES['google-sheets-enrichment'](n8n);
		const { rows } = store;
		rows.splice(0, Infinity, ...before);
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
}
