import { leadAt, leadsChargedTwice, matching, type AccountOptions } from '../../sandbox/service';
import type { TestN8n } from '../n8n/harness';
import { crmsOf, dropTable, fillTables, importWorkflow, poll, readTable } from './fixture';

const table = 'HubSpot leads';
const filters = { personLocationCountry: 'Iceland' };
const people = Array.from(matching({ person_location_country: ['Iceland'] }), leadAt);

/** The address that a lead has a contact by. */
const emailOf = ({ work_email, personal_emails: [personal] }: (typeof people)[number]) =>
	(work_email ?? personal ?? '').toLowerCase();

export function testWorkflow(n8n: TestN8n): void {
	async function prepare(options: AccountOptions, leadsPerPoll: number) {
		const portal = crmsOf(n8n).hubspot.addPortal();
		const account = n8n.service.admin.createAccount(options);
		const access = { appToken: portal.secret };
		const credential = await n8n.client.createCredential('hubspotAppToken', account.id, access);
		const imported = await importWorkflow(n8n, 'hubspot-contacts', {
			account,
			credentials: [credential],
			parameters: { 'Next leads every day': { filters, leadsPerPoll } },
			how: { trigger: 'Send what is left' },
		});
		const rows = () => readTable(n8n, table);
		return { ...imported, portal, rows, next: () => poll(n8n, imported.workflow) };
	}

	afterEach(() => dropTable(n8n, table));

	test('leads become contacts; empty fields write over nothing; none is paid for twice', async () => {
		const { account, portal, next, run, rows } = await prepare({ leads: 30 }, 20);
		const there = people.slice(0, 20).find(({ mobile_phone: phone }) => phone === null);
		if (!there) throw new Error('The service has no such lead');
		const before = { mobilephone: '+354 555 0000', lifecyclestage: 'customer' };
		portal.contacts.set(emailOf(there), before);
		expect((await next()).status).toBe('success');
		expect((await next()).status).toBe('success');

		const withEmail = people.slice(0, 30).filter((lead) => emailOf(lead) !== '');
		const emails = new Set(withEmail.map(emailOf));
		expect(new Set(portal.contacts.keys())).toEqual(emails);
		expect(portal.contacts.get(emailOf(there))).toMatchObject(before);
		const last = withEmail.at(-1);
		if (!last) throw new Error('The service has no such lead');
		const { first_name: firstname, last_name: lastname, linkedin_url: url } = last;
		const written = { firstname, lastname, hs_linkedin_url: url, jobtitle: last.job_title };
		expect(portal.contacts.get(emailOf(last))).toMatchObject(written);
		expect((await rows()).map(({ status }) => status)).toEqual(
			people.slice(0, 30).map((lead) => (emailOf(lead) === '' ? 'no email' : 'sent')),
		);
		expect(emails.size).toBeLessThan(30);
		expect([account.spent.apiCredits, leadsChargedTwice(account)]).toEqual([30, []]);

		const { length } = portal.written;
		expect((await run()).status).toBe('success');
		expect([account.spent.apiCredits, portal.written.length]).toEqual([30, length]);
	});

	test('what HubSpot refuses or has no time for is named by row, and sent later for nothing', async () => {
		const { account, portal, next, run, rows } = await prepare({}, 10);
		const [refused = '', ...others] = people.slice(0, 10).map(emailOf).filter(Boolean);
		portal.refusedEmails.add(refused);
		portal.requestsLeft = 4;
		const stopped = await next();
		for (const text of [
			`not in HubSpot, but in the data table HubSpot leads: ${others.length - 2}. `,
			new RegExp(`refused: Email address ${refused} is invalid.* \\(row 1, .+, ${refused}\\)`),
			new RegExp(
				`waiting: The service is receiving too many requests.+, ${others.at(-1) ?? ''}\\)`,
			),
		])
			expect(stopped.error?.message).toMatch(text);
		expect([...portal.contacts.keys()]).toEqual(others.slice(0, 3));

		const statuses = async () => (await rows()).map(({ status }) => status);
		expect(await statuses()).toContain('no email');

		// Later, without a poll: all but the refused one, until it is corrected in the table.
		portal.requestsLeft = Infinity;
		for (const night of [2, 3]) {
			const message = (await run()).error?.message;
			expect([night, message]).toEqual([
				night,
				expect.stringContaining('HubSpot leads: 1. refused: '),
			]);
			expect(portal.written).toEqual(others);
		}
		const left = (await rows()).filter(({ status }) => String(status).startsWith('refused'));
		expect(left.map(({ email }) => email)).toEqual([refused]);
		expect(account.spent.apiCredits).toBe(10);
	});

	test.each(['tooMany', 'broken', 'cut'] as const)(
		'HubSpot takes nothing (%s) in the first night: all is sent in the next, for nothing',
		async (outage) => {
			const { account, portal, next, run } = await prepare({}, 5);
			Object.assign(portal, { requestsLeft: 0, outage });
			expect((await next()).error?.message).toContain('waiting: ');
			expect(portal.written).toEqual([]);
			portal.requestsLeft = Infinity;
			for (const night of [2, 3]) expect([night, (await run()).status]).toEqual([night, 'success']);
			expect(portal.written).toEqual(people.slice(0, 5).map(emailOf).filter(Boolean));
			expect(account.spent.apiCredits).toBe(5);
		},
	);

	test('HubSpot refuses all: each is named, and paid for once', async () => {
		const { account, portal, next, run, rows } = await prepare({}, 5);
		for (const lead of people) portal.refusedEmails.add(emailOf(lead));
		const emails = people.slice(0, 5).map(emailOf).filter(Boolean);
		const named = `HubSpot leads: ${emails.length}. refused: `;
		expect((await next()).error?.message).toContain(named);
		for (const night of [2, 3])
			expect([night, (await run()).error?.message]).toEqual([
				night,
				expect.stringContaining(named),
			]);
		expect([portal.written, (await rows()).length, account.spent.apiCredits]).toEqual([[], 5, 5]);
	});

	test('of two people with one email the second is held back, and says whose it is', async () => {
		const { account, portal, next, run, rows } = await prepare({}, 3);
		const [one, other, third] = ['Ann One', 'Bob Other', 'Cy Third'].map((full_name, index) => ({
			...people[index],
			...{ full_name, work_email: index < 2 ? 'Info@alpha.example' : 'cy@alpha.example' },
			linkedin_url: '',
		}));
		const merge = { preview_data: [one, other, third] };
		n8n.service.admin.addFault({ account: account.id, kind: 'merge', merge });
		const held = 'info@alpha.example is the email of Ann One, row 1';
		const message = expect.stringContaining(held) as unknown;
		expect((await next()).error?.message).toEqual(message);
		for (const night of [2, 3])
			expect([night, (await run()).error?.message]).toEqual([night, message]);
		expect((await rows()).map(({ full_name, status }) => [full_name, status])).toEqual([
			['Ann One', 'sent'],
			['Bob Other', 'held back: info@alpha.example is the email of Ann One, row 1'],
			['Cy Third', 'sent'],
		]);
		expect(portal.written).toEqual(['info@alpha.example', 'cy@alpha.example']);
		expect(portal.contacts.get('info@alpha.example')?.firstname).toBe(one?.first_name);
		expect(account.spent.apiCredits).toBe(3);
	});

	test('a full table: the leads stay in the failed executions, whose Retry keeps and sends them', async () => {
		const { account, portal, next, rows } = await prepare({}, 5);
		expect((await next()).status).toBe('success');
		const makeRoom = await fillTables(n8n);
		const stopped = [await next(), await next()];
		for (const { error } of stopped) expect(error?.message).toContain('size limit exceeded');
		expect([account.spent.apiCredits, (await rows()).length]).toEqual([15, 5]);
		await makeRoom();
		for (const { id } of stopped) await n8n.client.retry(id);
		expect([account.spent.apiCredits, (await rows()).length]).toEqual([15, 15]);
		expect(portal.written).toEqual(people.slice(0, 15).map(emailOf).filter(Boolean));
	});
}
