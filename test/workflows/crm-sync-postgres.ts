import { query } from '../../sandbox/postgres';
import { leadAt, type AccountOptions, type LeadRecord } from '../../sandbox/service';
import type { TestN8n } from '../n8n/harness';
import { importWorkflow } from './fixture';

function leads(count: number, wanted: (lead: LeadRecord) => boolean): LeadRecord[] {
	const found: LeadRecord[] = [];
	for (let lead = 0; found.length < count; lead++) {
		const record = leadAt(lead);
		if (wanted(record)) found.push(record);
	}
	return found;
}

const quoted = (value: string | null) =>
	value === null ? 'NULL' : `'${value.replaceAll("'", "''")}'`;

type Contact = readonly [url: string, email: string | null, phone: string | null];

export function testWorkflow(n8n: TestN8n): void {
	/** n8n's own database has room for the CRM's table. */
	const inCrm = (statements: string) => query(n8n.server.database, statements);

	async function prepare(people: readonly Contact[], options?: AccountOptions) {
		const values = people.map((contact) => `(${contact.map(quoted).join(', ')})`);
		await inCrm(`
			DROP TABLE IF EXISTS contacts;
			CREATE TABLE contacts (
				id serial PRIMARY KEY,
				linkedin_url text NOT NULL,
				email text,
				phone text,
				looked_up_at timestamptz
			);
			INSERT INTO contacts (linkedin_url, email, phone) VALUES ${values.join(', ')};
		`);
		const account = n8n.service.admin.createAccount(options);
		const access = { ...n8n.server.database, ssl: 'disable' };
		const crm = await n8n.client.createCredential('postgres', `CRM ${account.id}`, access);
		const how = { trigger: 'Run by hand' };
		return await importWorkflow(n8n, 'crm-sync-postgres', { account, credentials: [crm], how });
	}

	const contacts = () =>
		inCrm('SELECT email, phone, looked_up_at IS NOT NULL AS looked_up FROM contacts ORDER BY id');

	test('fills the gaps, keeps what is there, and pays for a shared profile once', async () => {
		const [full] = leads(1, (lead) => lead.work_email !== null && lead.mobile_phone !== null);
		const [phoneless] = leads(1, (lead) => lead.work_email !== null && !lead.mobile_phone);
		if (!full || !phoneless) throw new Error('The service has no such leads');
		const otherSpelling = `${full.linkedin_url.replace('www.', 'uk.')}/?trk=crm`;
		const { account, run, requests } = await prepare([
			[full.linkedin_url, null, ''],
			[otherSpelling, 'kept@crm.example', null],
			[leadAt(7).linkedin_url, 'has@crm.example', '+15551234567'],
			['https://www.linkedin.com/in/nobody-at-all', null, null],
			['', null, null],
			['https://www.linkedin.com/company/any', null, null],
			[phoneless.linkedin_url, null, null],
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
		expect((await run()).status).toBe('success');
		expect(await contacts()).toEqual(written);
		expect(account.spent.apiCredits).toBe(2);

		// The night after, nobody is left to look up, and nothing is sent.
		const { length } = requests();
		expect((await run()).status).toBe('success');
		expect(requests()).toHaveLength(length);
		expect(await contacts()).toEqual(written);
	});

	test('a contact whose column holds more than a URL is named once, and keeps nobody else', async () => {
		const [good] = leads(1, (lead) => lead.work_email !== null);
		if (!good) throw new Error('The service has no such lead');
		const at = (name: string) => `https://www.linkedin.com/in/${name}`;
		const { account, run, requests } = await prepare([
			[`${leadAt(1).linkedin_url}, https://www.linkedin.com/company/any`, null, null],
			[good.linkedin_url, null, null],
			[`${leadAt(2).linkedin_url}, ${leadAt(3).linkedin_url}`, null, null],
			[at(''), null, null],
		]);
		const first = await run();
		expect(first.error?.message).toContain('these ids: 1, 3, 4.');
		expect(await contacts()).toEqual([
			{ email: null, phone: null, looked_up: true },
			{ email: good.work_email, phone: good.mobile_phone, looked_up: true },
			{ email: null, phone: null, looked_up: true },
			{ email: null, phone: null, looked_up: true },
		]);
		expect(account.spent.apiCredits).toBe(1);

		const { length } = requests();
		expect((await run()).status).toBe('success');
		expect(requests()).toHaveLength(length);
	});

	test('writes what was paid for when credits run out, and goes on the next time', async () => {
		const people = leads(5, (lead) => lead.work_email !== null);
		const emails = people.map((lead) => lead.work_email);
		const rows = people.map((lead): Contact => [lead.linkedin_url, null, null]);
		const { account, run, setCredits } = await prepare(rows, { apiCredits: 2 });
		const saved = async () => (await contacts()).map(({ email }) => email);
		const stopped = await run();
		expect(stopped.error?.message).toContain('Not enough API credits (402): 2 ');
		expect(await saved()).toEqual([...emails.slice(0, 2), null, null, null]);

		setCredits(100);
		expect((await run()).status).toBe('success');
		expect(await saved()).toEqual(emails);
		expect(account.spent.apiCredits).toBe(5);
	});
}
