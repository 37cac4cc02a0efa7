import { randomUUID } from 'node:crypto';

import { query } from '../../sandbox/postgres';
import { leadAt, type AccountOptions, type LeadRecord } from '../../sandbox/service';
import type { Fields } from '../../sandbox/n8n/index';
import type { TestN8n } from '../n8n/harness';
import { edited, importForNights } from './fixture';
import { startWayTo } from './unreliable';

function leads(count: number, wanted: (lead: LeadRecord) => boolean): LeadRecord[] {
	const found: LeadRecord[] = [];
	for (let lead = 0; found.length < count; lead++) {
		const record = leadAt(lead);
		if (wanted(record)) found.push(record);
	}
	return found;
}

const people = leads(3, (lead) => lead.work_email !== null && lead.mobile_phone !== null);
const emails = people.map((lead) => lead.work_email ?? '');
const phones = people.map((lead) => lead.mobile_phone ?? '');
const urls = people.map((lead) => lead.linkedin_url);

const quoted = (value: string) => `'${value.replaceAll("'", "''")}'`;

type Contact = readonly [url: string, email?: string | null, phone?: string | null];

interface Table {
	readonly id?: string;
	readonly email?: string;
	readonly phone?: string;
	/** Columns or constraints behind the others. */
	readonly more?: string;
	readonly lookedUpAt?: string;
	readonly port?: number;
	/** Of the workflow, by node. */
	readonly parameters?: Readonly<Record<string, Fields>>;
}

export function testWorkflow(n8n: TestN8n): void {
	/** n8n's own database has room for the CRM's table. */
	const inCrm = (statements: string) => query(n8n.server.database, statements);

	async function prepare(rows: readonly Contact[], table: Table = {}, options?: AccountOptions) {
		const { id = 'serial', email = 'text', phone = 'text', more = '' } = table;
		const { lookedUpAt = 'looked_up_at timestamptz, lookup_note text' } = table;
		await inCrm(`
			DROP TABLE IF EXISTS contacts;
			CREATE TABLE contacts (
				id ${id} PRIMARY KEY, linkedin_url text NOT NULL, email ${email}, phone ${phone},
				place serial, ${lookedUpAt} ${more}
			);
		`);
		for (const [url, ...rest] of rows) {
			const [mail = null, number = null] = rest;
			// What is left out becomes the default of its column.
			const given = Object.entries({ linkedin_url: url, email: mail, phone: number }).filter(
				([, value]) => value !== null,
			);
			const names = given.map(([name]) => name).join(', ');
			const values = given.map(([, value]) => quoted(value ?? '')).join(', ');
			await inCrm(`INSERT INTO contacts (${names}) VALUES (${values})`);
		}
		const account = n8n.service.admin.createAccount(options);
		const { port = n8n.server.database.port } = table;
		const access = { ...n8n.server.database, port, ssl: 'disable' };
		const crm = await n8n.client.createCredential('postgres', `CRM ${randomUUID()}`, access);
		const credentials = [crm];
		const imported = await importForNights(n8n, 'crm-sync-postgres', 'Every night', {
			account,
			credentials,
			...(table.parameters && { parameters: table.parameters }),
		});
		/** Runs it a night after the one before; resolves with what it ended with. */
		const tonight = async () => (await imported.night()).error?.message;
		return { ...imported, tonight };
	}

	const contacts = (columns = 'email, phone, looked_up_at IS NOT NULL AS looked_up') =>
		inCrm(`SELECT ${columns} FROM contacts ORDER BY place`);
	const column = async (expression: string) =>
		(await contacts(`${expression} AS value`)).map(({ value }) => value);

	test('fills the gaps, keeps what is there, and pays for a shared profile once', async () => {
		const [full] = people;
		const [phoneless] = leads(1, (lead) => lead.work_email !== null && !lead.mobile_phone);
		if (!full || !phoneless) throw new Error('The service has no such leads');
		const otherSpelling = `${full.linkedin_url.replace('www.', 'uk.')}/?trk=crm`;
		const { account, night, tonight, requests } = await prepare([
			[full.linkedin_url, null, ''],
			[otherSpelling, 'kept@crm.example'],
			[leadAt(7).linkedin_url, 'has@crm.example', '+15551234567'],
			['https://www.linkedin.com/in/nobody-at-all'],
			[''],
			['https://www.linkedin.com/company/any'],
			[phoneless.linkedin_url],
		]);
		const written = [
			{ email: full.work_email, phone: full.mobile_phone, looked_up: true },
			{ email: 'kept@crm.example', phone: full.mobile_phone, looked_up: true },
			{ email: 'has@crm.example', phone: '+15551234567', looked_up: false },
			{ email: null, phone: null, looked_up: true },
			{ email: null, phone: null, looked_up: false },
			{ email: null, phone: null, looked_up: false },
			{ email: phoneless.work_email, phone: null, looked_up: true },
		];
		expect(await tonight()).toBeUndefined();
		expect(await contacts()).toEqual(written);
		expect(account.spent.apiCredits).toBe(2);

		// The nights after, nobody is left to look up, and nothing is sent.
		const { length } = requests();
		for (const later of [2, 3]) {
			const { error, runs } = await night();
			expect([later, error, Object.keys(runs)]).toEqual([
				later,
				undefined,
				expect.not.arrayContaining(['Look up profiles']),
			]);
		}
		expect(requests()).toHaveLength(length);
		expect(await contacts()).toEqual(written);
	});

	test.each(['uuid DEFAULT gen_random_uuid()', "text DEFAULT 'c-' || random()", 'bigserial'])(
		'the id may be a %s, and email and phone NOT NULL',
		async (id) => {
			const column = "text NOT NULL DEFAULT ''";
			const rows = urls.map((url): Contact => [url]);
			const { account, tonight } = await prepare(rows, { id, email: column, phone: column });
			for (const night of [1, 2, 3]) expect([night, await tonight()]).toEqual([night, undefined]);
			expect(await contacts('email, phone')).toEqual(
				people.map((lead) => ({ email: lead.work_email, phone: lead.mobile_phone })),
			);
			expect(account.spent.apiCredits).toBe(3);
		},
	);

	test.each([
		['an email that another contact has', { email: 'text UNIQUE' }],
		['a check', { more: `, CHECK (email <> '${emails[1] ?? ''}')` }],
		['a length', { email: `varchar(${(emails[1] ?? '').length - 1})` }],
	])(
		'one row that is refused by %s is named with what was found; the others are written',
		async (what, table: Table) => {
			const rows = urls.map((url): Contact => [url]);
			if (table.email === 'text UNIQUE') rows.push(['', emails[1]]);
			const { account, tonight } = await prepare(rows, table);
			const longer = table.email?.startsWith('varchar') === true ? emails : [];
			const limit = (emails[1] ?? '').length - 1;
			const written = emails.map((email, index) =>
				index === 1 || (longer[index] ?? '').length > limit ? null : email,
			);
			for (const night of [1, 2, 3]) {
				const message = await tonight();
				expect([night, message]).toEqual([night, expect.stringContaining(emails[1] ?? '')]);
				expect((await column('email')).slice(0, 3)).toEqual(written);
				expect(account.spent.apiCredits).toBe(3);
			}
			expect(await tonight()).toContain(
				'(id 2): enter what was found by hand, and empty lookup_note',
			);
			const [, note] = await column('lookup_note');
			expect(note).toContain(`Found: ${emails[1] ?? ''} ${phones[1] ?? ''}`);
			// Who empties the note has seen it.
			await inCrm('UPDATE contacts SET lookup_note = NULL');
			expect([what, await tonight()]).toEqual([what, undefined]);
			expect(account.spent.apiCredits).toBe(3);
		},
	);

	test('a trigger that refuses all rows: each has a note, and is paid for once', async () => {
		const { account, tonight } = await prepare(urls.map((url): Contact => [url]));
		await inCrm(`
			CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql
				AS $$ BEGIN RAISE EXCEPTION 'Emails are frozen'; END $$;
			CREATE TRIGGER frozen BEFORE UPDATE ON contacts FOR EACH ROW
				WHEN (OLD.email IS DISTINCT FROM NEW.email) EXECUTE FUNCTION refuse();
		`);
		for (const night of [1, 2, 3])
			expect([night, await tonight()]).toEqual([night, expect.stringContaining('are frozen')]);
		expect(await column('lookup_note')).toEqual(
			emails.map(
				(email) => expect.stringContaining(`Emails are frozen. Found: ${email}`) as string,
			),
		);
		expect(account.spent.apiCredits).toBe(3);
	});

	test('a name that Write back alone has wrong: nothing is lost, and Retry writes it for nothing', async () => {
		const parameters = edited('crm-sync-postgres', 'Write back', 'SET email', 'SET mail');
		const { account, night, tonight } = await prepare(
			urls.map((url): Contact => [url]),
			{ parameters },
		);
		const failed = await night();
		expect(failed.error?.message).toContain('column "mail" of relation "contacts" does not exist');
		await inCrm("UPDATE contacts SET looked_up_at = now() - interval '1 day'");
		expect(await tonight()).toContain(
			`in execution ${failed.id} (id 1, 2, 3): Retry that execution, for 0 credits where`,
		);
		await inCrm('ALTER TABLE contacts ADD mail text');
		await n8n.client.retry(failed.id);
		expect(await column('mail')).toEqual(emails);
		expect(await tonight()).toBeUndefined();
		expect(account.spent.apiCredits).toBe(3);
	});

	test.each(['no connection', 'a full disk'])(
		'%s after the purchase: nothing is paid for twice, and Retry writes it for nothing',
		async (what) => {
			const isFull = what === 'a full disk';
			const cutsAt = isFull ? 'never' : 'SET email';
			using way = await startWayTo(n8n.server.database.port, cutsAt);
			const rows = urls.map((url): Contact => [url]);
			const { account, night, tonight } = await prepare(rows, { port: way.port });
			if (isFull)
				await inCrm(`
					CREATE OR REPLACE FUNCTION fill() RETURNS trigger LANGUAGE plpgsql
						AS $$ BEGIN RAISE 'No space left on device' USING ERRCODE = '53100'; END $$;
					CREATE TRIGGER filled BEFORE UPDATE ON contacts FOR EACH ROW
						WHEN (OLD.looked_up_at IS NOT NULL) EXECUTE FUNCTION fill();
				`);
			const failed = await night();
			expect(failed.status).toBe('error');
			expect(account.spent.apiCredits).toBe(3);
			expect((await night()).status).toBe(isFull ? 'success' : 'error');
			if (isFull) await inCrm('DROP TRIGGER filled ON contacts');
			way.isDown = false;

			// Long after, those that nobody has written say in which execution they are.
			await inCrm("UPDATE contacts SET looked_up_at = now() - interval '1 day'");
			expect(await tonight()).toContain(`Being looked up in execution ${failed.id} (id 1, 2, 3)`);

			await n8n.client.retry(failed.id);
			expect(await contacts('email, phone, lookup_note')).toEqual(
				people.map((lead) => ({
					email: lead.work_email,
					phone: lead.mobile_phone,
					lookup_note: null,
				})),
			);
			expect(await tonight()).toBeUndefined();
			expect(account.spent.apiCredits).toBe(3);
		},
	);

	test('a second Retry gives back nothing that a later night has bought, and writes nobody else', async () => {
		using way = await startWayTo(n8n.server.database.port, 'SET email');
		const rows = urls.map((url): Contact => [url]);
		const { account, night, tonight, setCredits } = await prepare(
			rows,
			{ port: way.port },
			{ apiCredits: 2 },
		);
		const failed = await night();
		expect(failed.status).toBe('error');
		way.isDown = false;
		// The second of them is somebody else by now.
		const other = 'https://www.linkedin.com/in/somebody-else';
		await inCrm(`UPDATE contacts SET linkedin_url = '${other}' WHERE id = 2`);
		await n8n.client.retry(failed.id);
		expect(await column('email')).toEqual([emails[0], null, null]);
		setCredits(100);
		await tonight();
		await n8n.client.retry(failed.id);
		expect(await column('email')).toEqual([emails[0], null, emails[2]]);
		await tonight();
		expect(account.spent.apiCredits).toBe(3);
	});

	test('two executions at once claim different contacts', async () => {
		const { account, night } = await prepare(urls.map((url): Contact => [url]));
		const statuses = (await Promise.all([night(), night()])).map(({ status }) => status);
		expect(statuses).toEqual(['success', 'success']);
		expect(await column('email')).toEqual(emails);
		expect(account.spent.apiCredits).toBe(3);
	});

	test('a contact whose column holds more than a URL is named, and keeps nobody else', async () => {
		const { account, tonight } = await prepare([
			[`${urls[0] ?? ''}, https://www.linkedin.com/company/any`],
			[urls[1] ?? ''],
			[`${urls[2] ?? ''}, ${urls[0] ?? ''}`],
			['https://www.linkedin.com/in/'],
		]);
		for (const night of [1, 2, 3]) {
			const message = await tonight();
			expect([night, message]).toEqual([
				night,
				expect.stringMatching(/\(id 1, 3\): correct linkedin_url, and empty/),
			]);
			expect(await column('lookup_note IS NOT NULL')).toEqual([true, false, true, true]);
			expect(await column('email')).toEqual([null, emails[1], null, null]);
			expect(account.spent.apiCredits).toBe(1);
		}
	});

	test.each([
		['the table', 'DROP TABLE contacts', 'relation "contacts" does not exist'],
		['a column', 'ALTER TABLE contacts DROP phone', 'column "phone" does not exist'],
		['looked_up_at', 'ALTER TABLE contacts DROP looked_up_at', 'looked_up_at'],
		['lookup_note', 'ALTER TABLE contacts DROP lookup_note', 'lookup_note'],
	])('%s that is missing is told before anything is paid', async (_what, statement, message) => {
		const { requests, tonight } = await prepare([[urls[0] ?? '']]);
		await inCrm(statement);
		expect(await tonight()).toContain(message);
		expect(requests()).toEqual([]);
	});

	test('writes what was paid for when credits run out, and gives the rest back', async () => {
		const rows = urls.map((url): Contact => [url]);
		const { account, tonight, setCredits } = await prepare(rows, {}, { apiCredits: 2 });
		const given = await tonight();
		expect(given).toContain('Not enough API credits (402): 2 ');
		expect(given).toContain(
			'(id 3): the next run looks them up again. All other contacts are done.',
		);
		expect(await contacts('email, looked_up_at IS NULL AS open')).toEqual([
			{ email: emails[0], open: false },
			{ email: emails[1], open: false },
			{ email: null, open: true },
		]);
		expect(await tonight()).toContain('Not enough API credits (402)');
		setCredits(100);
		expect(await tonight()).toBeUndefined();
		expect(await column('email')).toEqual(emails);
		expect(account.spent.apiCredits).toBe(3);
	});

	test('what could not be looked up, for a key that is not accepted, is given back', async () => {
		const { account, tonight } = await prepare([[urls[0] ?? '']]);
		const status = { kind: 'status', status: 401 } as const;
		n8n.service.admin.addFault({ account: account.id, ...status });
		expect(await tonight()).toContain('(401)');
		expect(await tonight()).toBeUndefined();
		expect(await column('email')).toEqual([emails[0]]);
		expect(account.spent.apiCredits).toBe(1);
	});
}
