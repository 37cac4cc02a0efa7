import { randomUUID } from 'node:crypto';

import { query } from '../../sandbox/postgres';
import { leadAt, matching } from '../../sandbox/service';
import type { TestN8n } from '../n8n/harness';
import { importForNights } from './fixture';

const people = Array.from(matching({ email_status: 'verified' }), leadAt)
	.filter((lead) => lead.work_email !== null && lead.mobile_phone !== null)
	.slice(0, 3);
const [one, two, three] = people;
const emails = people.map(({ work_email: email }) => email);

type Contact = readonly [url: string | undefined, email?: string | null, phone?: string | null];

export function testWorkflow(n8n: TestN8n): void {
	const inCrm = (statements: string) => query(n8n.server.database, statements);
	const contacts = (columns: string) => inCrm(`SELECT ${columns} FROM contacts ORDER BY place`);
	const column = async (name: string) => (await contacts(name)).map((row) => row[name]);

	/** @param user a role that is used in place of the owner */
	async function prepare(
		rows: readonly Contact[],
		{ id = 'serial', type = 'text', user = '' } = {},
	) {
		await inCrm(
			`DROP TABLE IF EXISTS contacts;
			CREATE TABLE contacts (
				id ${id} PRIMARY KEY, linkedin_url text, email ${type}, phone ${type},
				place serial, looked_up_at timestamptz, lookup_note text
			)`,
		);
		for (const contact of rows) {
			const names = ['linkedin_url', 'email', 'phone'].filter((_, at) => contact[at] != null);
			const values = contact.filter((value) => value != null).map((value) => `'${value}'`);
			await inCrm(`INSERT INTO contacts (${names.join()}) VALUES (${values.join()})`);
		}
		const own = { ...n8n.server.database, ssl: 'disable' };
		const access = user === '' ? own : { ...own, user, password: user };
		const name = `CRM ${randomUUID()}`;
		const credentials = [await n8n.client.createCredential('postgres', name, access)];
		const imported = await importForNights(n8n, 'crm-sync-postgres', 'Every night', {
			credentials,
		});
		return { ...imported, tonight: async () => (await imported.night()).error?.message };
	}

	test('fills the gaps, keeps what is there, and pays for a shared profile once', async () => {
		const spelling = `${one?.linkedin_url.replace('www.', 'uk.') ?? ''}/?trk=crm`;
		const { account, night, requests } = await prepare([
			[one?.linkedin_url, null, ''],
			[spelling, 'kept@crm.example'],
			[two?.linkedin_url, 'has@crm.example', '+15551234567'],
			['https://www.linkedin.com/in/nobody-at-all'],
			['https://www.linkedin.com/company/any'],
			[three?.linkedin_url],
		]);
		for (const later of [1, 2, 3])
			expect([later, (await night()).error?.message]).toEqual([later, undefined]);
		expect(await contacts('email, phone, looked_up_at IS NULL AS open')).toEqual([
			{ email: one?.work_email, phone: one?.mobile_phone, open: false },
			{ email: 'kept@crm.example', phone: one?.mobile_phone, open: false },
			{ email: 'has@crm.example', phone: '+15551234567', open: true },
			{ email: null, phone: null, open: false },
			{ email: null, phone: null, open: true },
			{ email: three?.work_email, phone: three?.mobile_phone, open: false },
		]);
		expect([account.spent.apiCredits, requests().length]).toEqual([2, requests().length]);
		const { runs } = await night();
		expect(Object.keys(runs)).not.toContain('Look up');
	});

	test.each(['uuid DEFAULT gen_random_uuid()', "text DEFAULT 'c-' || random()", 'bigserial'])(
		'the id may be a %s, and email and phone NOT NULL',
		async (id) => {
			const type = "text NOT NULL DEFAULT ''";
			const rows = people.map(({ linkedin_url: url }): Contact => [url]);
			const { account, tonight } = await prepare(rows, { id, type });
			for (const night of [1, 2, 3]) expect([night, await tonight()]).toEqual([night, undefined]);
			expect([account.spent.apiCredits, await column('email')]).toEqual([3, emails]);
		},
	);

	describe('A role', () => {
		const user = `role_${randomUUID().slice(0, 8)}`;
		const slow = `
			CREATE OR REPLACE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql
				AS $$ BEGIN PERFORM pg_sleep(0.4); RETURN NEW; END $$;
			CREATE TRIGGER slow BEFORE UPDATE ON contacts FOR EACH ROW EXECUTE FUNCTION slow();
			ALTER ROLE ${user} SET statement_timeout = '1s'`;
		const claim = `
			CREATE OR REPLACE FUNCTION refuse_one() RETURNS trigger LANGUAGE plpgsql
				AS $$ BEGIN IF OLD.id = 2 THEN RAISE 'Not this one'; END IF; RETURN NEW; END $$;
			CREATE TRIGGER one BEFORE UPDATE ON contacts FOR EACH ROW EXECUTE FUNCTION refuse_one()`;
		const policy = `
			ALTER TABLE contacts ENABLE ROW LEVEL SECURITY;
			CREATE POLICY seen ON contacts FOR SELECT USING (true);
			CREATE POLICY changed ON contacts FOR UPDATE USING (id <> 2)`;
		const noTemporary = 'REVOKE TEMPORARY ON DATABASE postgres FROM PUBLIC';
		const readOnly = `REVOKE UPDATE ON contacts FROM ${user}`;
		const noPhone = `
			REVOKE UPDATE ON contacts FROM ${user};
			GRANT UPDATE (email, looked_up_at, lookup_note) ON contacts TO ${user}`;
		const others = [emails[0], null, emails[2]];

		beforeAll(() => inCrm(`CREATE ROLE ${user} LOGIN PASSWORD '${user}'`));

		test.each([
			['whose statements end after a second, with a slow trigger', slow, emails, undefined],
			['that may make no temporary table', noTemporary, emails, undefined],
			['whose claim of one row a trigger refuses', claim, others, '1 contacts are not done (id 2)'],
			[
				'from whose UPDATE a policy hides one row',
				policy,
				others,
				'1 contacts are not done (id 2)',
			],
			['that may not write', readOnly, [null, null, null], 'permission denied for table contacts'],
			[
				'that may not write one column',
				noPhone,
				[null, null, null],
				'permission denied for table contacts',
			],
		])('%s: what can be written is, in three nights, and nothing else is paid', async (...row) => {
			const [, statement, written, message] = row;
			const rows = people.map(({ linkedin_url: url }): Contact => [url]);
			const { account, tonight } = await prepare(rows, { user });
			await inCrm(`GRANT SELECT, UPDATE ON contacts TO ${user}; ${statement}`);
			for (const night of [1, 2, 3]) {
				const told = await tonight();
				const expected: unknown =
					message === undefined ? message : expect.stringContaining(message);
				expect([night, told]).toEqual([night, expected]);
			}
			expect(await column('email')).toEqual(written);
			expect(account.spent.apiCredits).toBe(written.filter((email) => email !== null).length);
		});
	});

	test('a late Retry writes nobody who has become somebody else, and nothing that a later night did', async () => {
		const rows = people.map(({ linkedin_url: url }): Contact => [url]);
		const { account, night, setCredits, tonight } = await prepare(rows);
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
		await inCrm("UPDATE contacts SET looked_up_at = now() - interval '1 day'");
		expect(await tonight()).toContain(`id 2: Looked up in execution ${failed.id}`);
	});
}
