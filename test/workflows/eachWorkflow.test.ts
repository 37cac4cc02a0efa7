/** Tests the behaviour of single ready-made workflows in a real n8n. */
import { randomUUID } from 'node:crypto';

import { chain, manualTrigger, node, type Fields } from '../../sandbox/n8n/index';
import { query } from '../../sandbox/postgres';
import { ICELAND_LEADS, leadAt, leadsChargedTwice, matching } from '../../sandbox/service';
import type { FaultAction } from '../../sandbox/service';
import { until } from '../../sandbox/until';
import { credentialOf, leadSearch, useN8n } from '../n8n/harness';
import { addressOf, connect } from '../n8n/mcpClient';
import { startModel } from '../n8n/scriptedModel';
import { chatMessage, crmsOf, expectSuccess, importWorkflow, messageOf, poll } from './fixture';
import { readBack } from './fixture';
import { leadsOf, open, canadianLeads, STORES } from './stores';

const n8n = useN8n({}, { withCrms: true });

const urlOf = (index: number) => canadianLeads[index]?.linkedin_url ?? '';
const unknownProfile = 'https://www.linkedin.com/in/nobody-at-all';
const companyPage = 'https://www.linkedin.com/company/any';

describe('google-sheets-enrichment', () => {
	const name = 'google-sheets-enrichment';

	/** Imports the workflow with these rows instead of the usual ones. */
	async function prepare(rows: unknown[][], change = {}) {
		const store = await STORES[name](n8n);
		store.rows.splice(0, Infinity, ...rows);
		const Rows = { ...store.parameters.Rows, ...change };
		const opened = await open(n8n, name, { store: { ...store, parameters: { Rows } } });
		return { ...opened, rows: store.rows, spreadsheet: store.spreadsheet };
	}

	const columns = ['linkedin_url', 'email', 'lookup'];
	const locator = (value: string) => ({ __rl: true, mode: 'id', value });
	const sheet = { __rl: true, mode: 'name', value: 'Sheet2' };
	test.each([
		['a column is missing', ['linkedin_url', 'Email', 'lookup'], {}, 'email. It contains'],
		['the column email occurs twice', [...columns, 'email'], {}, 'email. It contains'],
		['the column lookup occurs twice', ['lookup', ...columns], {}, 'lookup. It contains'],
		['the sheet is missing', columns, { sheetName: sheet }, 'Sheet2 not found'],
		['the ID is wrong', columns, { documentId: locator('none') }, 'could not be found'],
	])(
		'google-sheets-enrichment pays and writes nothing if %s, and the message says so',
		async (_what, row, change, text) => {
			const known = ['note', urlOf(0), 'known@crm.example', urlOf(1)];
			const { night, requests, rows } = await prepare([row, [urlOf(0)], known], change);
			const before = structuredClone(rows);
			expect(messageOf(await night())).toContain(text);
			expect([requests(), rows]).toEqual([[], before]);
		},
	);

	test('google-sheets-enrichment treats a cell without a value as empty, and names the row of a duplicate URL', async () => {
		const { account, night, rows } = await prepare([
			['lookup', 'notes', 'linkedin_url', 'notes', 'email'],
			...['', '-', false, '#N/A'].map((cell, index) => [cell, 'A', urlOf(index), '=1+1', cell]),
			['', 'B', urlOf(4), '', 'kept@crm.example'],
			['my own text', 'C', urlOf(5)],
			['', 'D', unknownProfile],
			[],
			['', 'E', `${urlOf(0)}/`],
			['', 'F', companyPage],
			['', 'G', urlOf(1)],
			['', 'H', 'N/A'],
		]);
		const others = () => rows.map((row) => [1, 2, 3].map((index) => row[index] ?? ''));
		const before = others();
		for (const later of [1, 2])
			expect([later, messageOf(await night())]).toEqual([
				later,
				expect.stringContaining('row 12 (URL of row 3)') as string,
			]);
		const [one, two, three, four] = canadianLeads.map(({ work_email: email }) => email);
		expect(rows.slice(1).map(([lookup = '', , , , email = '']) => [lookup, email])).toEqual([
			...[one, two, three, four].map((email) => ['found', email]),
			['', 'kept@crm.example'],
			['my own text', ''],
			['No profile, or one without an email (Only With Emails is on)', ''],
			['', ''],
			['found', one],
			[expect.stringContaining('a page of another kind'), ''],
			['', ''],
			['', ''],
		]);
		expect([others(), account.spent.apiCredits]).toEqual([before, 4]);
	});

	test('google-sheets-enrichment writes each email to the row of its URL, even if the sheet Leads#2 is sorted meanwhile', async () => {
		const rows = [columns, ...[0, 1, 2].map((index) => [urlOf(index)])];
		const store = await STORES[name](n8n);
		const other = crmsOf(n8n).google.addSpreadsheet(rows, 'Leads', undefined, 'Leads#2');
		const oauthTokenData = { access_token: other.secret, token_type: 'Bearer' };
		const data = { clientId: 'any', clientSecret: 'any', oauthTokenData };
		const type = 'googleSheetsOAuth2Api';
		const credentials = [await n8n.client.createCredential(type, randomUUID(), data)];
		const documentId = { __rl: true, mode: 'list', value: other.id, cachedResultName: 'Leads' };
		const sheetName = { __rl: true, mode: 'list', value: 'gid=0', cachedResultName: 'Leads#2' };
		const parameters = { Rows: { documentId, sheetName } };
		const opened = await open(n8n, name, { store: { ...store, credentials, parameters } });
		const { account, requests, start } = opened;
		n8n.service.admin.addFault({ account: account.id, kind: 'latency', ms: 2_000 });
		const id = await start();
		await until('the service is asked', () => Promise.resolve(requests().length > 0));
		rows.push(...rows.splice(1).reverse());
		expect(messageOf(await n8n.client.waitForExecution(id))).toBe(' ');
		const emails = canadianLeads
			.slice(0, 3)
			.map(({ work_email: email }, index) => [urlOf(index), email, 'found']);
		expect(rows.slice(1)).toEqual(emails.reverse());
	});

	const existingRows = [
		['linkedin_url', 'notes'],
		['Ann', 'mine'],
	];
	test.each([0, 2])("n8n's Append Row adds leads below a sheet of %i rows", async (count) => {
		const { rows, credentials, spreadsheet } = await STORES[name](n8n);
		const before = existingRows.slice(0, count);
		rows.splice(0, Infinity, ...structuredClone(before));
		const search = { filters: { personLocationCountry: 'Iceland' }, limit: 3 };
		const append = {
			operation: 'append',
			authentication: 'oAuth2',
			options: { cellFormat: 'RAW' },
			documentId: locator(spreadsheet.id),
			sheetName: { ...sheet, value: 'Sheet1' },
			columns: { mappingMode: 'autoMapInputData', value: {} },
		};
		const paid = await credentialOf(n8n, n8n.service.admin.createAccount());
		const leads = leadSearch(search, paid);
		const appending = node('Sheet', 'n8n-nodes-base.googleSheets', 4.7, append, credentials[0]);
		await expectSuccess(() =>
			n8n.client.execute(chain('Append', [manualTrigger, leads, appending])),
		);
		const column = rows[0]?.indexOf('linkedin_url') ?? -1;
		const urls = leadsOf('Iceland').map(({ linkedin_url: url }) => url);
		const expected = urls.slice(0, 3);
		expect(rows.slice(1).map((row) => row[column])).toEqual(
			count > 0 ? ['Ann', ...expected] : expected,
		);
		for (const [index, row] of before.entries()) expect(rows[index]?.slice(0, 2)).toEqual(row);
	});
});

describe('data-table-enrichment', () => {
	const name = 'data-table-enrichment';

	/** Imports the workflow with a table that contains these rows instead of the usual ones. */
	async function prepare(rows: string) {
		const store = await STORES[name](n8n);
		const inTable = (statement: string) =>
			query(n8n.server.database, statement.replace('{table}', store.storage?.() ?? ''));
		await inTable('DELETE FROM {table}');
		await inTable(`INSERT INTO {table} (linkedin_url, email, lookup, notes) VALUES ${rows}`);
		const cells = async () =>
			(await inTable('SELECT email, lookup, notes FROM {table} ORDER BY id')).map((row) =>
				Object.values(row).map((cell) => cell ?? ''),
			);
		return { ...(await open(n8n, name, { store })), inTable, cells };
	}

	test('data-table-enrichment fills rows without an email, keeps all other cells, and pays once for two rows of one person', async () => {
		const { account, cells, night } = await prepare(
			`('${urlOf(0)}', NULL, NULL, 'A'),
			('${urlOf(1)}', '', '', 'B'),
			('${urlOf(2)}', 'known@crm.example', NULL, 'C'),
			('${urlOf(3)}', NULL, 'my own text', 'D'),
			('${unknownProfile}', NULL, NULL, 'E'),
			('${companyPage}', NULL, NULL, 'F'),
			('${urlOf(0)}', NULL, NULL, 'G'),
			(NULL, NULL, NULL, 'H')`,
		);
		await expectSuccess(night, 2);
		const [one, two] = canadianLeads.map(({ work_email: email }) => email);
		expect(await cells()).toEqual([
			[one, 'found', 'A'],
			[two, 'found', 'B'],
			['known@crm.example', '', 'C'],
			['', 'my own text', 'D'],
			['', expect.stringContaining('No profile') as string, 'E'],
			['', expect.stringContaining('a page of another kind') as string, 'F'],
			[one, 'found', 'G'],
			['', '', 'H'],
		]);
		expect(account.spent.apiCredits).toBe(2);
	});

	test('data-table-enrichment pays for at most 10 of 12 people in a night, for the others in the next night, and later for rows that were added', async () => {
		const rows = canadianLeads.map(({ linkedin_url: url }) => `('${url}', NULL, NULL, '')`);
		const { account, cells, inTable, night } = await prepare(rows.join());
		for (const credits of [10, 12, 12]) {
			await expectSuccess(night);
			expect(account.spent.apiCredits).toBe(credits);
		}
		const added = leadsOf('Iceland').slice(0, 5);
		const values = added.map(({ linkedin_url: url }) => `('${url}')`).join();
		await inTable(`INSERT INTO {table} (linkedin_url) VALUES ${values}`);
		await expectSuccess(night, 2);
		const found = (await cells()).filter(([, lookup]) => lookup === 'found').length;
		expect(account.spent.apiCredits).toBe(found);
		expect(found).toBeGreaterThan(12);
		expect(leadsChargedTwice(account)).toEqual([]);
	});

	test.each([['lookup'], ['linkedin_url'], ['email']])(
		'data-table-enrichment names the column %s if it is missing, and pays nothing',
		async (column) => {
			const { night, requests, store } = await prepare(`('${urlOf(0)}', NULL, NULL, 'A')`);
			const { client } = n8n;
			const { id: project } = await client.call<{ id: string }>('GET', '/projects/personal');
			const tableId = store.storage?.().replace(/^"data_table_user_|"$/g, '') ?? '';
			const path = `/projects/${project}/data-tables/${tableId}/columns`;
			const columns = await client.call<Array<{ id: string; name: string }>>('GET', path);
			const { id = '' } = columns.find((one) => one.name === column) ?? {};
			await client.call('DELETE', `${path}/${id}`);
			expect(messageOf(await night())).toContain(column);
			expect(requests()).toEqual([]);
		},
	);

	test('two concurrent copies of data-table-enrichment pay for no row of their table twice', async () => {
		const first = await prepare(
			[0, 1, 2].map((index) => `('${urlOf(index)}', NULL, NULL, '')`).join(),
		);
		const copies = [first, await open(n8n, name, { store: first.store })];
		for (const { account } of copies)
			n8n.service.admin.addFault({ account: account.id, kind: 'latency', ms: 1_000 });
		await Promise.all(copies.map(({ night }) => night()));
		expect((await first.cells()).map(([, lookup]) => lookup)).toEqual(['found', 'found', 'found']);
		expect(copies.reduce((sum, { account }) => sum + account.spent.apiCredits, 0)).toBe(3);
	});

	test('data-table-enrichment overwrites no email that a user writes while the run waits for its response', async () => {
		const { account, cells, inTable, night, requests, start } = await prepare(
			`('${urlOf(0)}', NULL, NULL, 'A'), ('${urlOf(1)}', NULL, NULL, 'B')`,
		);
		n8n.service.admin.addFault({ account: account.id, kind: 'latency', ms: 2_000 });
		const id = await start();
		await until('the service is asked', () => Promise.resolve(requests().length > 0));
		await inTable("UPDATE {table} SET email = 'mine@crm.example' WHERE notes = 'A'");
		await n8n.client.waitForExecution(id);
		await night();
		expect((await cells()).map(([email]) => email)).toEqual([
			'mine@crm.example',
			canadianLeads[1]?.work_email,
		]);
	});
});

describe('crm-sync-postgres', () => {
	const withPhone = canadianLeads.filter(({ mobile_phone: phone }) => phone !== null).slice(0, 3);
	const emails = withPhone.map(({ work_email: email }) => email);
	const withoutEmail = withPhone.map(({ linkedin_url: url }) => `('${url}')`).join();
	const inCrm = (statements: string) => query(n8n.server.database, statements);
	const contacts = (columns: string) => inCrm(`SELECT ${columns} FROM contacts ORDER BY place`);
	const column = async (name: string) => (await contacts(name)).map((row) => row[name]);

	/**
	 * @param statement changes the table before it has rows with these columns
	 * @param user the role of the credential, if it isn't the owner
	 */
	async function prepare(
		rows = withoutEmail,
		{ columns = 'linkedin_url', statement = '', user = '' } = {},
	) {
		const store = await STORES['crm-sync-postgres'](n8n);
		await inCrm(
			`TRUNCATE contacts RESTART IDENTITY;
			ALTER TABLE contacts ADD place serial;
			${statement};
			INSERT INTO contacts (${columns}) VALUES ${rows}`,
		);
		const role = user !== '' && { user, password: user };
		const access = { ...n8n.server.database, ssl: 'disable', ...role };
		const crm = await n8n.client.createCredential('postgres', `CRM ${randomUUID()}`, access);
		const opened = await open(n8n, 'crm-sync-postgres', {
			store: { ...store, credentials: [crm] },
		});
		return { ...opened, tonight: async () => (await opened.night()).error?.message };
	}

	test.each([
		['a table', 'ALTER TABLE contacts RENAME TO others', 'relation "contacts"'],
		['a column', 'ALTER TABLE contacts DROP phone', 'column "phone"'],
	])(
		'crm-sync-postgres names %s that is missing, and pays nothing',
		async (_what, statement, text) => {
			const { requests, tonight } = await prepare();
			await inCrm(`DROP TABLE IF EXISTS others; ${statement}`);
			expect(await tonight()).toContain(text);
			expect(requests()).toEqual([]);
		},
	);

	test('crm-sync-postgres fills gaps, keeps existing values, and pays once for a shared profile', async () => {
		const [first, second, third] = withPhone.map(({ linkedin_url: url }) => url);
		const { account, night } = await prepare(
			`('${first}', NULL, ''),
			('${first?.replace('www.', 'uk.')}/?trk=crm', 'kept@crm.example', NULL),
			('${second}', 'has@crm.example', '+15551234567'),
			('${unknownProfile}', NULL, NULL),
			('${companyPage}', NULL, NULL),
			('${third}', NULL, NULL)`,
			{ columns: 'linkedin_url, email, phone' },
		);
		await expectSuccess(night, 2);
		const [one, , three] = withPhone;
		expect(await contacts('email, phone, looked_up_at IS NULL AS open')).toEqual([
			{ email: one?.work_email, phone: one?.mobile_phone, open: false },
			{ email: 'kept@crm.example', phone: one?.mobile_phone, open: false },
			{ email: 'has@crm.example', phone: '+15551234567', open: true },
			{ email: null, phone: null, open: false },
			{ email: null, phone: null, open: true },
			{ email: three?.work_email, phone: three?.mobile_phone, open: false },
		]);
		expect(account.spent.apiCredits).toBe(2);
		expect(Object.keys((await night()).runs)).not.toContain('Look up');
	});

	test('crm-sync-postgres names older claims even if more new contacts wait than a run takes', async () => {
		const { account, tonight } = await prepare(
			canadianLeads.map(({ linkedin_url: url }) => `('${url}')`).join(),
		);
		const claimed = "looked_up_at = now() - interval '1 day', lookup_note = 'Asked in execution 1'";
		await inCrm(`UPDATE contacts SET ${claimed} WHERE id = 12`);
		expect(await tonight()).toContain('id 12: Asked in execution 1');
		expect(account.spent.apiCredits).toBe(10);
	});

	describe('A contact', () => {
		const user = `role_${randomUUID().slice(0, 8)}`;
		const uuid = `
			ALTER TABLE contacts DROP id, ADD id uuid DEFAULT gen_random_uuid() PRIMARY KEY,
				ALTER email SET DEFAULT '', ALTER email SET NOT NULL,
				ALTER phone SET DEFAULT '', ALTER phone SET NOT NULL`;
		const claim = `
			CREATE OR REPLACE FUNCTION refuse_one() RETURNS trigger LANGUAGE plpgsql
				AS $$ BEGIN IF OLD.id = 2 THEN RAISE 'Not this one'; END IF; RETURN NEW; END $$;
			CREATE TRIGGER one BEFORE UPDATE ON contacts FOR EACH ROW EXECUTE FUNCTION refuse_one()`;
		const policy = `
			ALTER TABLE contacts ENABLE ROW LEVEL SECURITY;
			CREATE POLICY seen ON contacts FOR SELECT USING (true);
			CREATE POLICY changed ON contacts FOR UPDATE USING (id <> 2)`;
		const noPhone = `REVOKE UPDATE ON contacts FROM ${user};
			GRANT UPDATE (email, looked_up_at, lookup_note) ON contacts TO ${user}`;
		const [all, others, none] = [emails, [emails[0], null, emails[2]], [null, null, null]];
		const left = '1 contacts are not done (id 2)';
		const denied = 'permission denied for table contacts';

		beforeAll(() => inCrm(`CREATE ROLE ${user} LOGIN PASSWORD '${user}'`));

		test.each([
			['has a UUID', uuid, all, undefined],
			['is refused by a trigger', claim, others, left],
			['is hidden from UPDATE by a policy', policy, others, left],
			['has a column without rights', noPhone, none, denied],
		])(
			'crm-sync-postgres writes and pays for all contacts that it can in two nights if a contact %s',
			async (...row) => {
				const [, statement, written, message] = row;
				const grant = `GRANT SELECT, UPDATE ON contacts TO ${user};`;
				const { account, tonight } = await prepare(withoutEmail, {
					statement: grant + statement,
					user,
				});
				const text: unknown = message === undefined ? message : expect.stringContaining(message);
				for (const night of [1, 2]) expect([night, await tonight()]).toEqual([night, text]);
				expect(await column('email')).toEqual(written);
				expect(account.spent.apiCredits).toBe(written.filter((email) => email !== null).length);
			},
		);
	});

	test('two concurrent copies of crm-sync-postgres pay for no contact twice', async () => {
		const first = await prepare();
		const copies = [first, await open(n8n, 'crm-sync-postgres', { store: first.store })];
		for (const { account } of copies)
			n8n.service.admin.addFault({ account: account.id, kind: 'latency', ms: 1_000 });
		await Promise.all(copies.map(({ night }) => night()));
		expect(await column('email')).toEqual(emails);
		expect(copies.reduce((sum, { account }) => sum + account.spent.apiCredits, 0)).toBe(3);
	});

	test('a late Retry of crm-sync-postgres writes to no contact that was changed or filled meanwhile', async () => {
		const { account, night, setCredits, tonight } = await prepare();
		await inCrm('ALTER TABLE contacts ADD CONSTRAINT closed CHECK (email IS NULL)');
		setCredits(2);
		const failed = await night();
		await inCrm(
			`ALTER TABLE contacts DROP CONSTRAINT closed;
			UPDATE contacts SET linkedin_url = 'https://www.linkedin.com/in/somebody-else' WHERE id = 2`,
		);
		expect(await tonight()).toContain('(402)');
		await n8n.client.retry(failed.id);
		expect(await column('email')).toEqual([emails[0], null, null]);
		setCredits(100);
		await tonight();
		await n8n.client.retry(failed.id);
		expect(await column('email')).toEqual([emails[0], null, emails[2]]);
		expect(account.spent.apiCredits).toBe(3);
	});
});

describe('hubspot-contacts', () => {
	test("hubspot-contacts updates a contact whose second email is the lead's email, and marks the lead as done", async () => {
		const store = await STORES['hubspot-contacts'](n8n);
		const [first = ''] = store.leadKeys;
		store.portal.contacts.set('main@crm.example', { email: 'main@crm.example' });
		store.portal.primaryEmails.set(first, 'main@crm.example');
		const { account, night } = await open(n8n, 'hubspot-contacts', { store });
		await expectSuccess(night, 2);
		expect(await store.done()).toEqual(['main@crm.example', ...store.leadKeys.slice(1, 6)]);
		expect(store.portal.contacts.get('main@crm.example')?.firstname).toBe(
			canadianLeads[0]?.first_name,
		);
		expect([await store.marked(), account.spent.apiCredits]).toEqual([6, 6]);
	});

	test('hubspot-contacts names the second of two leads with the same email, and does not overwrite values with empty fields', async () => {
		const store = await STORES['hubspot-contacts'](n8n);
		const { account, night } = await open(n8n, 'hubspot-contacts', { store });
		const addresses = ['Info@alpha.example', 'info@alpha.example', 'cy@alpha.example'];
		const preview_data = ['Ann One', 'Bob Other', 'Cy Third'].map((full_name, index) => ({
			...canadianLeads[index],
			full_name,
			first_name: full_name.split(' ')[0],
			mobile_phone: null,
			linkedin_url: '',
			work_email: addresses[index],
			personal_emails: [],
		}));
		n8n.service.admin.addFault({ account: account.id, kind: 'merge', merge: { preview_data } });
		const { contacts, written } = store.portal;
		const before = { mobilephone: '+1 555 0000', lifecyclestage: 'customer' };
		contacts.set('cy@alpha.example', before);
		for (const later of [1, 2])
			expect([later, (await night()).error?.message]).toEqual([
				later,
				expect.stringContaining('not in HubSpot: row 2, Bob Other, info@alpha.example'),
			]);
		expect(contacts.get('info@alpha.example')?.firstname).toBe('Ann');
		expect(contacts.get('cy@alpha.example')).toMatchObject({ ...before, firstname: 'Cy' });
		expect(written.filter((email) => email.endsWith('alpha.example'))).toHaveLength(2);
		expect([await store.marked(), account.spent.apiCredits]).toEqual([5, 6]);
	});
});

describe('pipedrive-persons', () => {
	test('pipedrive-persons keeps an existing person unchanged, and adds two leads with the same email as two persons', async () => {
		const store = await STORES['pipedrive-persons'](n8n);
		const { account, night } = await open(n8n, 'pipedrive-persons', { store });
		const addresses = ['P0@crm.example', 'info@crm.example', 'info@crm.example'];
		const preview_data = ['Ann One', 'Bob Other', 'Cy Third'].map((full_name, index) => {
			return { ...canadianLeads[index], full_name, work_email: addresses[index] };
		});
		n8n.service.admin.addFault({ account: account.id, kind: 'merge', merge: { preview_data } });
		const { persons } = store.company;
		const existingPerson = { id: 1, name: 'One', emails: ['old@x.example', 'p0@crm.example'] };
		persons.push(existingPerson);
		await expectSuccess(night, 2);
		expect(persons[0]).toEqual(existingPerson);
		const added = persons.slice(1, 3).map(({ name, emails }) => [name, emails]);
		expect(added.sort()).toEqual([
			['Bob Other', ['info@crm.example']],
			['Cy Third', ['info@crm.example']],
		]);
		expect([persons.length, account.spent.apiCredits]).toEqual([6, 6]);
	});

	test('pipedrive-persons names the lead if Pipedrive refuses its search, does not report it as not found, and creates no person', async () => {
		const store = await STORES['pipedrive-persons'](n8n);
		const { night } = await open(n8n, 'pipedrive-persons', { store });
		await store.breakDown('refuses');
		const message = messageOf(await night());
		expect(message).toContain(store.leadKeys[0]);
		expect(message).not.toContain('could not be found');
		expect(await store.done()).toEqual([]);
	});
});

describe('only-new-leads', () => {
	const name = 'only-new-leads';
	const masking = (masks: 'allButUrl' | 'all') => {
		n8n.service.admin.setPreviewBehaviour({ readings: { preview: { masks } } });
	};
	afterEach(() => {
		n8n.service.admin.setPreviewBehaviour({});
	});

	test('only-new-leads needs only URLs from the preview, and buys only the other leads after its Limit is raised', async () => {
		masking('allButUrl');
		const { account, change, file, night, store } = await open(n8n, name);
		await expectSuccess(night, 2);
		expect([account.spent.apiCredits, await store.done()]).toEqual([3, store.leadKeys.slice(0, 3)]);
		const nodes = file.nodes.map((one) => {
			const { parameters } = one;
			return one.name === 'Preview for free'
				? { ...one, parameters: { ...parameters, limit: 6 } }
				: one;
		});
		await change({ nodes });
		await expectSuccess(night);
		expect(await store.done()).toEqual(store.leadKeys.slice(0, 6));
		expect([account.spent.apiCredits, leadsChargedTwice(account)]).toEqual([6, []]);
	});

	test('only-new-leads says how many of the new people Max Credits was enough for, and looks up the others in the next runs', async () => {
		const { account, night, store } = await open(n8n, name, {
			parameters: { 'Look up': { maxCredits: 1 } },
		});
		const [first = '', second = '', third = ''] = store.leadKeys;
		for (const people of [3, 2])
			expect(messageOf(await night())).toContain(
				`1 of ${people} looked up. The next run looks up the others.`,
			);
		expect(await store.done()).toEqual([first, second]);
		await expectSuccess(night, 2);
		expect([account.spent.apiCredits, await store.done()]).toEqual([3, [first, second, third]]);
	});

	test('only-new-leads never looks up people whose rows a user has added, with any text in lookup', async () => {
		const { account, night, store } = await open(n8n, name);
		const [first = '', second = '', third = ''] = store.leadKeys;
		const known = [first, second].map((url) => `('${url}', 'in HubSpot')`).join();
		const table = store.storage?.() ?? '';
		const add = `INSERT INTO ${table} (linkedin_url, lookup) VALUES ${known}`;
		await query(n8n.server.database, add);
		await expectSuccess(night, 2);
		expect([account.spent.apiCredits, await store.done()]).toEqual([1, [third]]);
	});

	test('only-new-leads names the row if a preview has no LinkedIn URLs, and pays nothing', async () => {
		masking('all');
		const { night, requests } = await open(n8n, name);
		expect((await night()).error?.message).toContain('profiles have no result: row 1');
		expect(requests()).toEqual([]);
	});

	test('only-new-leads neither buys nor stores a lead again that was erased except for its URL and mark', async () => {
		const { account, night, store } = await open(n8n, name);
		await expectSuccess(night);
		const storage = store.storage?.() ?? '';
		const erased = ['full_name', 'job_title', 'company', 'work_email', 'personal_emails'];
		const empty = erased.map((field) => `${field} = NULL`).join();
		await query(n8n.server.database, `UPDATE ${storage} SET ${empty}`);
		await expectSuccess(night);
		const rows = await query(n8n.server.database, `SELECT ${erased.join()} FROM ${storage}`);
		expect(rows.flatMap((row) => Object.values(row).filter(Boolean))).toEqual([]);
		expect([account.spent.apiCredits, (await store.done()).length]).toEqual([3, 3]);
	});
});

const polling = ['new-leads-to-data-table', 'hubspot-contacts', 'pipedrive-persons'] as const;

test.each(polling)(
	'publishing %s buys 10 leads, the poll of its schedule buys 10 more on the same day, and a third poll fails and buys nothing',
	async (name) => {
		// The limits are those of the file.
		const parameters = { 'Next leads every day': {} };
		const { account, night } = await open(n8n, name, { parameters });
		for (const credits of [10, 20]) {
			await expectSuccess(night);
			expect(account.spent.apiCredits).toBe(credits);
		}
		expect(messageOf(await night())).toContain("'Max Credits per Day' (20) is spent");
		expect(account.spent.apiCredits).toBe(20);
	},
);

test.each(polling)(
	'a manual test of %s delivers the lead that it buys, and the first poll reuses this lead',
	async (name) => {
		const { account, night, run, store } = await open(n8n, name, { isNight: false });
		await expectSuccess(run);
		expect([account.spent.apiCredits, await store.done()]).toEqual([1, store.leadKeys.slice(0, 1)]);
		await expectSuccess(night);
		expect([account.spent.apiCredits, await store.done()]).toEqual([3, store.leadKeys.slice(0, 3)]);
		expect(leadsChargedTwice(account)).toEqual([]);
	},
);

test("new-leads-to-data-table adds no lead twice after its search is changed, and doesn't merge two leads without a URL", async () => {
	const name = 'new-leads-to-data-table';
	const { account, change, file, night, store, workflow } = await open(n8n, name);
	await expectSuccess(night);
	const filters = { personLocationCountry: 'Iceland' };
	const nodes = file.nodes.map((one) => {
		const parameters = { ...one.parameters, filters };
		return one.name === store.trigger ? { ...one, parameters } : one;
	});
	await change({ nodes });
	const [ann, bob] = canadianLeads.map((lead) => ({
		...lead,
		full_name: 'Ann Twice',
		linkedin_url: '',
	}));
	const preview_data = [canadianLeads[0], ann, bob];
	n8n.service.admin.addFault({ account: account.id, kind: 'merge', merge: { preview_data } });
	await expectSuccess(() => poll(n8n, workflow, true));
	const rows = await query(n8n.server.database, `SELECT full_name FROM ${store.storage?.() ?? ''}`);
	const names = canadianLeads.slice(0, 3).map(({ full_name: full }) => full);
	expect(rows.map((row) => row.full_name).sort()).toEqual(
		[...names, 'Ann Twice', 'Ann Twice'].sort(),
	);
	expect(account.spent.apiCredits).toBe(6);
});

describe('preview-then-search', () => {
	const wanted = { job_titles: ['Marketing Manager'], person_location_country: ['Germany'] };
	const germanLeads = Array.from(matching(wanted), leadAt);

	async function prepare(countries: string, leads: number, apiCredits = 1_000) {
		const options = { includePhones: true };
		const assignments = Object.entries({
			jobTitles: 'Marketing Manager',
			countries,
			leads,
		}).map(([name, value]) => ({ id: name, name, value, type: typeof value }));
		return await importWorkflow(n8n, 'preview-then-search', {
			account: n8n.service.admin.createAccount({ apiCredits }),
			parameters: { Audience: { assignments: { assignments } }, 'Search for leads': { options } },
			appended: readBack('Excel file'),
		});
	}

	test.each([
		['all leads that match and no more', 'Germany', 100_000, 1_000, germanLeads.length, undefined],
		['nothing if no lead matches', 'Nowhere', 25, 1_000, 0, undefined],
		['as many leads as there are credits', 'Germany', 25, 10, 10, /Not enough.*\(402\)/],
	])(
		'preview-then-search saves and buys %s',
		async (_what, countries, leads, apiCredits, bought, message) => {
			const { account, requests, run } = await prepare(countries, leads, apiCredits);
			const { error, runs } = await run();
			const rows = runs['Rows of Excel file']?.at(-1)?.outputs[0] ?? [];
			expect([rows.length, account.spent.apiCredits]).toEqual([bought, bought]);
			const urls = rows.map(({ json }) => json.linkedin_url);
			expect(urls).toEqual(germanLeads.slice(0, bought).map(({ linkedin_url: url }) => url));
			expect(error?.message).toEqual(message && expect.stringMatching(message));
			if (bought === 0) expect(requests()).toEqual([]);
		},
	);

	test('preview-then-search writes phones unchanged into the Excel file, and no text runs as a formula', async () => {
		const { account, run } = await prepare('Germany', 4);
		const texts = ['=HYPERLINK("https://example.com")', '@SUM(1)', '-2+3', 'Ann'];
		const fields = (text: string) => ({ job_title: text, company: text });
		const phone = '+15035550100';
		const preview_data = texts.map((text, index) => {
			return { ...germanLeads[index], ...fields(text), mobile_phone: phone };
		});
		n8n.service.admin.addFault({ account: account.id, kind: 'merge', merge: { preview_data } });
		const rows = (await run()).items('Rows of Excel file').map(({ json }) => json);
		for (const [index, text] of texts.entries())
			expect(rows[index]).toMatchObject({ ...fields(text), mobile_phone: phone });
	});
});

describe('look-up-form', () => {
	test.each([
		['the requested URL', {}],
		['another URL', { profiles: { renamedEvery: 1 } }],
	])(
		'look-up-form shows a profile that comes under %s for 1 credit, says why there is none, and a form that is sent again costs nothing',
		async (_what, readings) => {
			const account = n8n.service.admin.createAccount({ apiCredits: 1, readings });
			const { workflow } = await importWorkflow(n8n, 'look-up-form', { account });
			await n8n.client.activate(workflow);
			const trigger = workflow.nodes.find(({ type }) => type.endsWith('formTrigger'));
			const form = `${n8n.server.url}/form/${String(trigger?.webhookId)}`;
			await until('the form is there', async () => (await fetch(form)).ok);
			const submit = async (url: string) => {
				const body = new FormData();
				body.append('field-0', url);
				const sent = await fetch(form, { method: 'POST', body });
				const { formWaitingUrl } = (await sent.json()) as { formWaitingUrl: string };
				// The page that is sent to the user polls this URL.
				const status = formWaitingUrl.replace('?', '/n8n-execution-status?');
				await until(
					'the answer is there',
					async () => (await (await fetch(status)).text()) === 'form-waiting',
				);
				return await (await fetch(formWaitingUrl)).text();
			};
			const { linkedin_url: known, work_email: email } = leadAt(1);
			expect(await submit(known)).toContain(email);
			expect(await submit(known)).toContain(email);
			expect(await submit(unknownProfile)).toContain('Not found');
			expect(await submit(companyPage)).toContain('a page of another kind');
			expect(await submit(leadAt(2).linkedin_url)).toContain('Not enough API credits (402)');
			expect(account.spent.apiCredits).toBe(1);
			await n8n.client.deactivate(workflow);
		},
	);
});

describe('Agents', () => {
	const iceland = { jobTitles: '', countries: 'Iceland' };

	test('ai-agent-tool previews for free, continues with the next leads, and limits a model that asks for 1,000 to 10', async () => {
		using model = await startModel(n8n.client, [
			[{ tool: 'Free_preview', input: iceland }],
			[{ tool: 'Paid_search', input: { ...iceland, limit: 5, skip: 0 } }],
			[{ tool: 'Paid_search', input: { ...iceland, limit: 1_000, skip: 5 } }],
		]);
		const { account, run } = await importWorkflow(n8n, 'ai-agent-tool', {
			credentials: [model.credential],
			pinData: chatMessage('Find leads'),
		});
		expect((await run()).status).toBe('success');
		const offered = model.tools().map(({ name }) => name);
		expect(offered.sort()).toEqual(['Free_preview', 'Paid_search']);
		const icelandLeads = leadsOf('Iceland').slice(0, 10);
		const [preview, ...searches] = model.toolResponses();
		expect(preview).toContain(icelandLeads[0]?.full_name);
		const urlsIn = (text: string) =>
			icelandLeads.map(({ linkedin_url: url }) => text.includes(url));
		const first = icelandLeads.map((_, index) => index < 5);
		expect(searches.map(urlsIn)).toEqual([first, first.map((isFirst) => !isFirst)]);
		expect([account.spent.apiCredits, leadsChargedTwice(account)]).toEqual([10, []]);
	});

	test('mcp-server previews for free, and limits an app that asks for 1,000 leads to 10, which are paid for once', async () => {
		const { client, server } = n8n;
		const header = { name: 'x-leads', value: randomUUID() };
		const access = await client.createCredential('httpHeaderAuth', randomUUID(), header);
		const { account, workflow } = await importWorkflow(n8n, 'mcp-server', {
			credentials: [access],
		});
		await client.activate(workflow);
		const url = await addressOf(server, 'business-leads');
		await expect(connect(url)).rejects.toThrow();
		const app = await connect(url, { [header.name]: header.value });
		const tools = (await app.tools()).map((tool) => tool.name).sort();
		expect(tools).toEqual(['Free_count', 'Free_preview', 'Paid_search']);
		const preview = await app.call('Free_preview', iceland);
		expect(preview.filter(({ full_name }) => full_name)).toHaveLength(5);
		expect(await app.call('Free_count', iceland)).toMatchObject([{ count: ICELAND_LEADS }]);
		expect(account.spent.apiCredits).toBe(0);
		const wanted = { ...iceland, limit: 1_000, skip: 0 };
		for (const credits of [10, 0]) {
			const bought = await app.call('Paid_search', wanted);
			expect(bought.filter(({ work_email }) => work_email !== undefined)).toHaveLength(10);
			expect(bought.at(-1)).toMatchObject({ usage: { credits, creditsSoFar: 10 } });
		}
		const [refusal] = await app.call('Paid_search', { ...iceland, limit: 5, skip: 10 });
		expect(refusal?.error).toContain("'Max Credits' (10 credits) is spent");
		expect(account.spent.apiCredits).toBe(10);
		await client.deactivate(workflow);
	});

	type Question = Readonly<{ text: string; buttons: Array<{ text: string; link: string }> }>;

	/** n8n ignores links that a program opens, such as a chat's preview of them. */
	const browser = {
		'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0',
	};

	interface Search {
		/** The arguments of the agent's call. */
		readonly input: Fields;
		/** The arguments of the human review in the agent's call. */
		readonly review?: Fields;
		/** Changed parameters of the node Paid search. */
		readonly parameters?: Fields;
		readonly answer?: 'Approve' | 'Decline';
		readonly fault?: FaultAction;
	}

	/** Lets the agent of purchase-approval request a search. Answers its question, and waits for the end of the search. */
	async function answerQuestion({
		input,
		review = {},
		parameters = {},
		answer = 'Approve',
		fault,
	}: Search) {
		const { client, service } = n8n;
		const account = service.admin.createAccount();
		if (fault) service.admin.addFault({ account: account.id, times: 'always', ...fault });
		const search = { toolParameters: { ...iceland, ...input }, hitlParameters: review };
		using model = await startModel(client, [
			[{ tool: 'Free_count', input: iceland }],
			[{ tool: 'Paid_search', input: search }],
		]);
		const { start, requests } = await importWorkflow(n8n, 'purchase-approval', {
			account,
			credentials: [model.credential],
			parameters: { 'Paid search': parameters },
			pinData: chatMessage('Find leads'),
		});
		const id = await start();
		const question = await until('a person is asked', async () => {
			const [asked] = (await client.execution(id)).runs['Ask first'] ?? [];
			const [item] = asked?.outputs.flat() ?? [];
			return (item as { sendMessage?: Question } | undefined)?.sendMessage;
		});
		expect(requests()).toEqual([]);
		const button = question.buttons.find(({ text }) => text === answer);
		expect((await fetch(button?.link ?? '', { headers: browser })).status).toBe(200);
		await until('the model has the answer', () =>
			Promise.resolve(model.toolResponses().length === 2),
		);
		const [count, response = ''] = model.toolResponses();
		expect(count).toContain(String(ICELAND_LEADS));
		const offered = model.tools().find(({ name }) => name === 'Paid_search');
		expect(offered?.description).toContain('1 credit');
		return { account, response, question: question.text };
	}

	test.each<[string, number, number, Search]>([
		['an unknown number of leads', 10, 5, { input: {} }],
		['5 leads after the first 5', 5, 5, { input: { limit: 5, skip: 5 } }],
		[
			'40 leads, with Max Credits 30',
			30,
			30,
			{ input: { limit: 40 }, parameters: { maxCredits: 30 } },
		],
		[
			'40 leads, without Max Credits',
			40,
			40,
			{ input: { limit: 40 }, parameters: { maxCredits: '' } },
		],
		[
			'2 leads, with a Limit of 8 in the node',
			8,
			8,
			{ input: { limit: 2 }, parameters: { limit: 8 } },
		],
	])(
		'purchase-approval asks whether a search for %s may cost at most %i credits, and buys %i leads after an approval',
		async (_what, price, bought, search) => {
			const { account, question, response } = await answerQuestion(search);
			const skip = Number(search.input.skip ?? 0);
			expect(question).toContain(`at most ${price} credits`);
			expect(question).toContain(`Countries: Iceland\nLeads to skip: ${skip}`);
			expect(response).toContain(leadsOf('Iceland')[skip]?.linkedin_url);
			expect(account.spent.apiCredits).toBe(bought);
		},
	);

	const hidden = { limit: 1, query: { ...iceland, limit: 9 } };
	test.each<[string, Pick<Search, 'input' | 'review'>]>([
		['the search', { input: hidden }],
		['the review', { input: { limit: 9 }, review: { query: { toolParameters: { limit: 1 } } } }],
	])(
		'purchase-approval names Max Credits as the price if the agent hides its request in "query" of %s',
		async (_what, search) => {
			const { account, question } = await answerQuestion(search);
			expect(question).toContain('at most 10 credits');
			expect(account.spent.apiCredits).toBe(9);
		},
	);

	test('purchase-approval buys nothing if the search is declined', async () => {
		const declined = await answerQuestion({ input: { limit: 5 }, answer: 'Decline' });
		expect(declined.response).toContain('rejected');
		expect(declined.account.spent.apiCredits).toBe(0);
	});

	test('an approved search of purchase-approval costs no more than the question says if its responses are lost', async () => {
		const fault = { kind: 'loseAfterAnswer' } as const;
		const { account, question, response } = await answerQuestion({ input: { limit: 5 }, fault });
		expect(question).toContain('at most 5 credits');
		expect(response).toContain('may have been charged');
		expect(account.spent.apiCredits).toBe(5);
	});
});

test('the page of the CRM stand-ins shows the data that they received', async () => {
	const account = n8n.service.admin.createAccount();
	const crms = crmsOf(n8n);
	crms.hubspot.addPortal().contacts.set('a@b.example', { email: 'a@b.example', lastname: '<b>' });
	crms.google.addSpreadsheet([['email'], ['cell@b.example']], 'Shown');
	const page = await (await fetch(crms.page)).text();
	const shown = ['a@b.example', '&lt;b&gt;', 'cell@b.example'].map((text) => `<td>${text}</td>`);
	for (const text of [...shown, `<td>${account.apiKey}</td><td>0</td>`])
		expect(page).toContain(text);
});
