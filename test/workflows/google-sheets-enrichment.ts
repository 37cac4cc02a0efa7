import { addressOf, credentialData } from '../../sandbox/crms/index';
import type { Fields } from '../../sandbox/n8n/index';
import { urlsMatching, type AccountOptions } from '../../sandbox/service';
import type { TestN8n } from '../n8n/harness';
import { crmsOf, edited, importForNights, importWorkflow, yourSheet } from './fixture';

const known = urlsMatching({ email_status: 'verified' }).slice(0, 5);
const unknown = 'https://www.linkedin.com/in/nobody-at-all';

export function testWorkflow(n8n: TestN8n): void {
	async function prepare(rows: unknown[][], options?: AccountOptions, lookUp: Fields = {}) {
		const spreadsheet = crmsOf(n8n).google.addSpreadsheet(rows);
		const account = n8n.service.admin.createAccount(options);
		const access = credentialData(spreadsheet);
		const type = 'googleSheetsOAuth2Api';
		const credential = await n8n.client.createCredential(type, `Google ${account.id}`, access);
		const imported = await importForNights(n8n, 'google-sheets-enrichment', 'Every night', {
			account,
			credentials: [credential],
			parameters: { 'Your sheet': yourSheet(addressOf(spreadsheet)), 'Look up': lookUp },
		});
		/** What stands in a column, from row 2 on. */
		const column = (name: string) => {
			const at = rows[0]?.indexOf(name) ?? -1;
			return rows.slice(1).map((row) => row[at] ?? '');
		};
		return { ...imported, spreadsheet, rows, column };
	}

	const mail = expect.stringContaining('@') as unknown;
	const empty = known.slice(0, 3).map((url) => [url]);

	test('rows without an email are looked up in one request, once, and written back by row', async () => {
		const { account, column, requests, rows, night } = await prepare([
			['lookup', 'name', 'linkedin_url', 'email', 'error'],
			['', 'A', known[0]],
			['', 'B', known[1], 'kept@crm.example'],
			['', 'C', unknown],
			[],
			['', 'D', `${known[2] ?? ''}/`],
			['', 'E', 'https://www.linkedin.com/company/any'],
			['', 'F'],
			['asked before', 'G', known[3]],
			['', 'H', `${known[0] ?? ''}, ${known[1] ?? ''}`],
		]);
		const first = await night();
		expect(first.error?.message).toBeUndefined();
		expect(column('email')).toEqual([mail, 'kept@crm.example', '', '', mail, '', '', '', '']);
		const reason = expect.stringContaining('LinkedIn') as unknown;
		const company = expect.stringContaining('page of a company or school') as unknown;
		expect(column('lookup')).toEqual([
			...['found', '', 'not found', '', 'found', company, '', 'asked before', reason],
		]);
		const asked = [known[0], unknown, known[2]].map(
			(url) => expect.stringContaining(url ?? '-') as unknown,
		);
		expect(requests()[0]?.body).toMatchObject({ linkedinUrls: asked });
		expect(account.spent.apiCredits).toBe(2);

		rows.push(['', 'I', known[4]]);
		expect((await night()).status).toBe('success');
		expect(column('email').at(-1)).toEqual(mail);
		expect(requests().at(-1)?.body).toMatchObject({ linkedinUrls: [known[4]] });
		const { length } = requests();
		expect((await night()).status).toBe('success');
		expect([account.spent.apiCredits, requests().length]).toEqual([3, length]);
	});

	test.each(['tooMany', 'broken', 'cut', 'one protected cell', 'protected cells'] as const)(
		'%s after the purchase: three nights pay for nothing twice, and Retry writes it',
		async (what) => {
			const { account, column, night, spreadsheet } = await prepare([
				['linkedin_url', 'email', 'lookup'],
				...empty.map((row) => [...row]),
			]);
			if (what === 'one protected cell') spreadsheet.protectedCells.add('Sheet1!B3');
			else if (what === 'protected cells')
				for (const row of [2, 3, 4]) spreadsheet.protectedCells.add(`Sheet1!B${row}`);
			// What reading and claiming take, and no more.
			else Object.assign(spreadsheet, { requestsLeft: 5, outage: what });
			const failed = await night();
			expect(failed.error).toBeDefined();
			expect(column('email')).toEqual(['', '', '']);
			expect(account.spent.apiCredits).toBe(3);

			spreadsheet.requestsLeft = Infinity;
			for (const lookup of column('lookup'))
				expect(lookup).toContain(`looked up in execution ${failed.id}, `);
			for (const row of spreadsheet.rows.slice(1))
				row[2] = `looked up in execution ${failed.id}, 2026-11-01T03:00:00.000+00:00`;
			for (const later of [2, 3]) {
				const message = (await night()).error?.message;
				expect([later, message]).toEqual([later, expect.stringContaining('row 2 (execution ')]);
			}
			spreadsheet.protectedCells.clear();
			await n8n.client.retry(failed.id);
			expect(column('email')).toEqual([mail, mail, mail]);
			expect((await night()).status).toBe('success');
			expect(account.spent.apiCredits).toBe(3);
		},
	);

	test('a column or tab that is missing is told before anything is paid, and so is a wrong address', async () => {
		const { file, requests, rows, spreadsheet, night } = await prepare([
			['linkedin_url', 'Email', 'lookup'],
			[known[0]],
		]);
		expect((await night()).error?.message).toContain(
			'Row 1 has no column named email, but linkedin_url, Email, lookup.',
		);
		rows.splice(0);
		expect((await night()).error?.message).toContain(
			'named linkedin_url, email, lookup, but none.',
		);
		const credentials = file.nodes.flatMap(({ credentials: own = {} }) =>
			Object.entries(own).map(([type, one]) => ({ ...one, type })),
		);
		const other = async (parameters: Readonly<Record<string, Fields>>) =>
			await importForNights(n8n, 'google-sheets-enrichment', 'Every night', {
				credentials,
				parameters,
			});
		// The editor drops the options of a Google Sheets node when an address is entered in it.
		const address = addressOf(spreadsheet);
		const withoutRow1 = await other({ 'Your sheet': yourSheet(address), Rows: { options: {} } });
		rows.push(['linkedin_url', 'email', 'lookup'], [known[0]]);
		expect((await withoutRow1.night()).error?.message).toContain('Row 1 did not come.');
		expect(withoutRow1.requests()).toEqual([]);
		for (const [place, tab, message] of [
			[address, 'Other', 'Sheet with name Other not found'],
			[
				'https://docs.google.com/spreadsheets/u/0/',
				'Sheet1',
				'The resource you are requesting could not be found',
			],
		] as const) {
			const wrong = await other({ 'Your sheet': yourSheet(place, tab) });
			const { error } = await wrong.night();
			expect(error?.message).toContain(
				`Google Sheets: ${message}. Nothing was paid. Check the address`,
			);
			expect(wrong.requests()).toEqual([]);
		}
		expect(requests()).toEqual([]);
	});

	test('when credits run out, what was found is written, the rest given back, and bought later', async () => {
		const people = known.map((url) => [url]);
		const sheet = [['linkedin_url', 'email', 'lookup'], ...people];
		const { account, column, night, setCredits } = await prepare(sheet, { apiCredits: 2 });
		const { error } = await night();
		expect(error?.message).toContain('Not enough API credits (402): 2 ');
		expect(error?.message).toContain('3 rows wait for the next run');
		expect(column('email')).toEqual([mail, mail, '', '', '']);
		expect(column('lookup')).toEqual(['found', 'found', '', '', '']);
		expect((await night()).error?.message).toContain('(402)');
		setCredits(100);
		expect((await night()).status).toBe('success');
		expect(column('email')).toEqual([mail, mail, mail, mail, mail]);
		expect(account.spent.apiCredits).toBe(5);
	});

	test('when Max Credits is reached, the rest is given back, and bought by the next nights', async () => {
		const sheet = [['linkedin_url', 'email', 'lookup'], ...known.map((url) => [url])];
		const { account, column, night } = await prepare(sheet, {}, { maxCredits: 2 });
		for (const [rest, lookup] of [
			[3, ['found', 'found', '', '', '']],
			[1, ['found', 'found', 'found', 'found', '']],
		] as const) {
			const { error } = await night();
			expect(error?.message).toContain(
				"'Max Credits' (2 credits) is spent, so no more is returned",
			);
			expect(error?.message).toContain(`${rest} rows wait for the next run`);
			expect(column('lookup')).toEqual(lookup);
		}
		expect((await night()).status).toBe('success');
		expect(column('email')).toEqual([mail, mail, mail, mail, mail]);
		expect(account.spent.apiCredits).toBe(5);
	});

	test('rows that were read long ago, as by Retry of a run that bought nothing, are not bought', async () => {
		const spreadsheet = crmsOf(n8n).google.addSpreadsheet([
			['linkedin_url', 'email', 'lookup'],
			...empty.map((row) => [...row]),
		]);
		const type = 'googleSheetsOAuth2Api';
		const access = credentialData(spreadsheet);
		const { run, requests } = await importWorkflow(n8n, 'google-sheets-enrichment', {
			credentials: [await n8n.client.createCredential(type, spreadsheet.id, access)],
			parameters: {
				'Your sheet': yourSheet(addressOf(spreadsheet)),
				...edited('google-sheets-enrichment', 'Claim', '> 900000', '> -1'),
			},
		});
		const { error } = await run();
		expect(`${error?.message ?? ''} ${error?.description ?? ''}`).toContain(
			'The sheet was read long ago',
		);
		expect(requests()).toEqual([]);
		expect(spreadsheet.rows[1]).toEqual([known[0]]);
	});

	test('what could not be looked up, for a key that is not accepted, is given back', async () => {
		const sheet = [['linkedin_url', 'email', 'lookup'], ...empty.map((row) => [...row])];
		const { account, column, night } = await prepare(sheet);
		n8n.service.admin.addFault({ account: account.id, kind: 'status', status: 401 });
		const { error } = await night();
		expect(error?.message).toContain('(401)');
		expect(error?.message).toContain('3 rows wait for the next run');
		expect(column('lookup')).toEqual(['', '', '']);
		expect((await night()).status).toBe('success');
		expect(column('email')).toEqual([mail, mail, mail]);
		expect(account.spent.apiCredits).toBe(3);
	});
}
