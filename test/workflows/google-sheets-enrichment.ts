import { addressOf, credentialData } from '../../sandbox/crms/index';
import { urlsMatching, type AccountOptions } from '../../sandbox/service';
import type { TestN8n } from '../n8n/harness';
import { crmsOf, dropTable, importWorkflow, readTable } from './fixture';

const table = 'Results for Google Sheets';
const known = urlsMatching({ email_status: 'verified' }).slice(0, 5);
const unknown = 'https://www.linkedin.com/in/nobody-at-all';

export function testWorkflow(n8n: TestN8n): void {
	async function prepare(rows: unknown[][], options?: AccountOptions) {
		const spreadsheet = crmsOf(n8n).google.addSpreadsheet(rows);
		const account = n8n.service.admin.createAccount(options);
		const access = credentialData(spreadsheet);
		const type = 'googleSheetsOAuth2Api';
		const credential = await n8n.client.createCredential(type, `Google ${account.id}`, access);
		const assignments = [
			{ id: '1', name: 'url', value: addressOf(spreadsheet), type: 'string' },
			{ id: '2', name: 'tab', value: 'Sheet1', type: 'string' },
		];
		const imported = await importWorkflow(n8n, 'google-sheets-enrichment', {
			account,
			credentials: [credential],
			parameters: {
				Sheet: { assignments: { assignments } },
				// As at night: what n8n's memory still holds by hand is no help.
				'Look up': { options: { unmatched: 'returnAsNotFound', reusePaidResults: 0 } },
			},
			how: { trigger: 'Run by hand' },
		});
		/** What stands in a column, from row 2 on. */
		const column = (name: string) => {
			const at = rows[0]?.indexOf(name) ?? -1;
			return rows.slice(1).map((row) => row[at] ?? '');
		};
		return { ...imported, spreadsheet, rows, column };
	}

	afterEach(() => dropTable(n8n, table));

	const mail = expect.stringContaining('@') as unknown;

	test('rows without an email are looked up in one request, once, and written back by row', async () => {
		const { account, column, requests, rows, run } = await prepare([
			['lookup', 'name', 'linkedin_url', 'email'],
			['', 'A', known[0]],
			['', 'B', known[1], 'kept@crm.example'],
			['', 'C', unknown],
			[],
			['', 'D', `${known[2] ?? ''}/`],
			['', 'E', 'https://www.linkedin.com/company/any'],
			['', 'F'],
			['asked before', 'G', known[3]],
		]);
		const first = await run();
		expect(first.error).toBeUndefined();
		expect(column('email')).toEqual([mail, 'kept@crm.example', '', '', mail, '', '', '']);
		expect(column('lookup')).toEqual([
			...['found', '', 'not found', '', 'found', 'no profile URL', '', 'asked before'],
		]);
		const asked = [known[0], unknown, known[2]].map(
			(url) => expect.stringContaining(url ?? '-') as unknown,
		);
		expect(requests()[0]?.body).toMatchObject({ linkedinUrls: asked });
		expect(account.spent.apiCredits).toBe(2);

		rows.push(['', 'H', known[4]]);
		expect((await run()).status).toBe('success');
		expect(column('email').at(-1)).toEqual(mail);
		expect(requests().at(-1)?.body).toMatchObject({ linkedinUrls: [known[4]] });
		expect(account.spent.apiCredits).toBe(3);
	});

	test('what Google has no time for is kept, named by row, and written by the next run', async () => {
		const { account, column, rows, run, spreadsheet } = await prepare([
			['linkedin_url', 'email', 'lookup'],
			[known[0]],
			['', 'kept@crm.example'],
			[known[1]],
		]);
		// What reading and getting ready to write take, and no more.
		spreadsheet.requestsLeft = 4;
		const stopped = await run();
		expect(stopped.error?.message).toContain('too many requests');
		expect(stopped.error?.message).toContain('rows 2, 4 are not written');
		expect([account.spent.apiCredits, ...column('email')]).toEqual([2, '', 'kept@crm.example', '']);

		spreadsheet.requestsLeft = Infinity;
		rows.push([known[2]]);
		expect((await run()).status).toBe('success');
		expect(column('email')).toEqual([mail, 'kept@crm.example', mail, mail]);
		expect([account.spent.apiCredits, await readTable(n8n, table)]).toEqual([3, []]);
	});

	test('a sheet without a column is told before anything is paid', async () => {
		const { requests, rows, run } = await prepare([
			['linkedin_url', 'Email', 'lookup'],
			[known[0]],
		]);
		expect((await run()).error?.message).toContain('Sheet1 has no column named email.');
		rows.splice(0);
		expect((await run()).error?.message).toContain('named linkedin_url, email, lookup.');
		expect(requests()).toEqual([]);
	});

	test('when credits run out, what was found is written, and the next run goes on', async () => {
		const people = known.map((url) => [url]);
		const sheet = [['linkedin_url', 'email', 'lookup'], ...people];
		const { account, column, run, setCredits } = await prepare(sheet, { apiCredits: 2 });
		expect((await run()).error?.message).toContain('Not enough API credits (402): 2 ');
		expect(column('email')).toEqual([mail, mail, '', '', '']);
		setCredits(100);
		expect((await run()).status).toBe('success');
		expect(column('email')).toEqual([mail, mail, mail, mail, mail]);
		expect(account.spent.apiCredits).toBe(5);
	});
}
