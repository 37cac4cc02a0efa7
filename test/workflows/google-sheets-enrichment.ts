import type { TestN8n } from '../n8n/harness';
import { chain, manualTrigger, node } from '../../sandbox/n8n/index';
import { urlsMatching } from '../../sandbox/service';
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

	const there = [
		['linkedin_url', 'notes'],
		['Ann', 'mine'],
	];
	test.each([0, 2])("leads come by n8n's Append Row below %i rows", async (count) => {
		const { rows, credentials } = await STORES['google-sheets-enrichment'](n8n);
		const before = there.slice(0, count);
		rows.splice(0, Infinity, ...structuredClone(before));
		const search = { filters: { personLocationCountry: 'Iceland' }, limit: 3 };
		const { id = '' } = crmsOf(n8n).google.spreadsheets().at(-1) ?? {};
		const append = {
			...{ operation: 'append', authentication: 'oAuth2', options: { cellFormat: 'RAW' } },
			documentId: { __rl: true, mode: 'id', value: id },
			sheetName: { __rl: true, mode: 'name', value: 'Sheet1' },
			columns: { mappingMode: 'autoMapInputData', value: {} },
		};
		const paid = await credentialOf(n8n, n8n.service.admin.createAccount());
		const leads = leadSearch(search, paid);
		const sheet = node('Sheet', 'n8n-nodes-base.googleSheets', 4.7, append, credentials[0]);
		await goesWell(() => n8n.client.execute(chain('Append', [manualTrigger, leads, sheet])));
		const column = rows[0]?.indexOf('linkedin_url') ?? -1;
		const urls = urlsMatching({ person_location_country: ['Iceland'] }).slice(0, 3);
		expect(rows.slice(1).map((row) => row[column])).toEqual(count > 0 ? ['Ann', ...urls] : urls);
		for (const [at, row] of before.entries()) expect(rows[at]?.slice(0, 2)).toEqual(row);
	});
}
