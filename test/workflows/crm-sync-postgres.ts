import { randomUUID } from 'node:crypto';

import { query } from '../../sandbox/postgres';
import type { TestN8n } from '../n8n/harness';
import { goesWell } from './fixture';
import { open, people as known, STORES } from './stores';

const people = known.filter(({ mobile_phone: phone }) => phone !== null).slice(0, 3);
const emails = people.map(({ work_email: email }) => email);
const withoutEmail = people.map(({ linkedin_url: url }) => `('${url}')`).join();

export function testWorkflow(n8n: TestN8n): void {
	const inCrm = (statements: string) => query(n8n.server.database, statements);
	const contacts = (columns: string) => inCrm(`SELECT ${columns} FROM contacts ORDER BY place`);
	const column = async (name: string) => (await contacts(name)).map((row) => row[name]);

	/**
	 * @param statement makes another table of it, before it has rows with these columns
	 * @param user a role that is used in place of the owner
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

	test('fills the gaps, keeps what is there, and pays for a shared profile once', async () => {
		const [first, second, third] = people.map(({ linkedin_url: url }) => url);
		const { account, night } = await prepare(
			`('${first}', NULL, ''),
			('${first?.replace('www.', 'uk.')}/?trk=crm', 'kept@crm.example', NULL),
			('${second}', 'has@crm.example', '+15551234567'),
			('https://www.linkedin.com/in/nobody-at-all', NULL, NULL),
			('https://www.linkedin.com/company/any', NULL, NULL),
			('${third}', NULL, NULL)`,
			{ columns: 'linkedin_url, email, phone' },
		);
		await goesWell(night, 2);
		const [one, , three] = people;
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

	describe('Contacts', () => {
		const user = `role_${randomUUID().slice(0, 8)}`;
		const uuid = `
			ALTER TABLE contacts DROP id, ADD id uuid DEFAULT gen_random_uuid() PRIMARY KEY,
				ALTER email SET DEFAULT '', ALTER email SET NOT NULL,
				ALTER phone SET DEFAULT '', ALTER phone SET NOT NULL`;
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
		const noPhone = `REVOKE UPDATE ON contacts FROM ${user};
			GRANT UPDATE (email, looked_up_at, lookup_note) ON contacts TO ${user}`;
		const [all, others, none] = [emails, [emails[0], null, emails[2]], [null, null, null]];
		const left = '1 contacts are not done (id 2)';
		const denied = 'permission denied for table contacts';

		beforeAll(() => inCrm(`CREATE ROLE ${user} LOGIN PASSWORD '${user}'`));

		test.each([
			['whose id is a UUID', uuid, all, undefined],
			['of which a trigger refuses one claim', claim, others, left],
			['of which a policy hides one from UPDATE', policy, others, left],
			['of a role that may not write one column', noPhone, none, denied],
			// It is the role's from here on.
			['of a role whose statements end after a second, with a slow trigger', slow, all, undefined],
		])('%s: what can be written is, in two nights, and nothing else is paid', async (...row) => {
			const [, statement, written, message] = row;
			const grant = `GRANT SELECT, UPDATE ON contacts TO ${user};`;
			const { account, tonight } = await prepare(withoutEmail, {
				statement: grant + statement,
				user,
			});
			const told: unknown = message === undefined ? message : expect.stringContaining(message);
			for (const night of [1, 2]) expect([night, await tonight()]).toEqual([night, told]);
			expect(await column('email')).toEqual(written);
			expect(account.spent.apiCredits).toBe(written.filter((email) => email !== null).length);
		});
	});

	test('a late Retry writes nobody who has become somebody else, and nothing that a later night did', async () => {
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
		await inCrm("UPDATE contacts SET looked_up_at = now() - interval '1 day'");
		expect(await tonight()).toContain(`id 2: Looked up in execution ${failed.id}`);
	});
}
