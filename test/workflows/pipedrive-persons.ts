import { leadAt, leadsChargedTwice, matching } from '../../sandbox/service';
import type { TestN8n } from '../n8n/harness';
import { crmsOf, dropTable, fillTables, importWorkflow, poll, readTable } from './fixture';

const table = 'Pipedrive leads';
const people = Array.from(
	matching({ person_location_country: ['Iceland'], email_status: 'verified' }).slice(0, 6),
	leadAt,
);

function lead(number: number, more: object = {}) {
	return { ...people[number], work_email: `p${number}@crm.example`, company: 'Alpha', ...more };
}

export function testWorkflow(n8n: TestN8n): void {
	/** A search of which each poll returns these leads, or else five that the service has. */
	async function prepare(found?: readonly object[]) {
		const company = crmsOf(n8n).pipedrive.addCompany();
		const account = n8n.service.admin.createAccount();
		const access = { apiToken: company.secret };
		const credential = await n8n.client.createCredential('pipedriveApi', account.id, access);
		const merge = { preview_data: found };
		if (found) n8n.service.admin.addFault({ account: account.id, kind: 'merge', merge });
		const filters = { personLocationCountry: 'Iceland', emailStatus: 'verified' };
		const leadsPerPoll = found?.length ?? 5;
		const imported = await importWorkflow(n8n, 'pipedrive-persons', {
			account,
			credentials: [credential],
			parameters: { 'Next leads every day': { filters, leadsPerPoll } },
			how: { trigger: 'Send what is left' },
		});
		const persons = () =>
			company.persons.map(({ emails, org_id: id }) => [
				emails[0],
				company.organizations.find((one) => one.id === id)?.name,
			]);
		const statuses = async () => (await readTable(n8n, table)).map(({ status }) => status);
		return { ...imported, company, persons, statuses, next: () => poll(n8n, imported.workflow) };
	}

	afterEach(() => dropTable(n8n, table));

	test('new persons come with their organisation; nobody is there twice or paid for twice', async () => {
		const { account, company, next, persons, run, statuses } = await prepare([
			lead(0),
			lead(1, { company: 'alpha' }),
			lead(2, { company: 'Beta' }),
			lead(3, { work_email: 'P2@crm.example', company: 'Beta' }),
			lead(4, { company: null }),
			lead(5, { work_email: null, personal_emails: [] }),
		]);
		company.organizations.push({ id: 1, name: 'ALPHA' });
		const emails = ['old@x.example', 'P0@crm.example'];
		company.persons.push({ id: 1, name: 'One', emails, org_id: null });
		expect((await next()).error?.message).toBeUndefined();
		const expected = [
			['old@x.example', undefined],
			['p1@crm.example', 'ALPHA'],
			['p2@crm.example', 'Beta'],
			['p4@crm.example', undefined],
		];
		expect(persons()).toEqual(expected);
		expect(company.organizations).toHaveLength(2);
		const there = `there already, as ${people[2]?.full_name ?? ''}`;
		const kept = ['there already, as One', 'sent', 'sent', there, 'sent', 'no email'];
		expect(await statuses()).toEqual(kept);

		for (const night of [2, 3]) expect([night, (await run()).status]).toEqual([night, 'success']);
		expect([account.spent.apiCredits, persons(), await statuses()]).toEqual([6, expected, kept]);
	});

	test('one that Pipedrive refuses is named each night, the others are there, and none is paid for twice', async () => {
		const { account, next, persons, run } = await prepare([
			lead(0),
			lead(1, { work_email: 'p1@nowhere' }),
			lead(2, { company: 'Beta' }),
		]);
		const named = expect.stringMatching(
			/Pipedrive leads: 1\. refused: .+ \(row 2, .+, p1@nowhere\)/,
		) as unknown;
		expect((await next()).error?.message).toEqual(named);
		for (const night of [2, 3])
			expect([night, (await run()).error?.message]).toEqual([night, named]);
		expect(persons()).toEqual([
			['p0@crm.example', 'Alpha'],
			['p2@crm.example', 'Beta'],
		]);
		expect(account.spent.apiCredits).toBe(3);
	});

	test('Pipedrive refuses all: each is named, and paid for once', async () => {
		const bad = [0, 1, 2].map((number) => lead(number, { work_email: `p${number}@nowhere` }));
		const { account, next, persons, run } = await prepare(bad);
		const named = expect.stringContaining('Pipedrive leads: 3. refused: ') as unknown;
		expect((await next()).error?.message).toEqual(named);
		for (const night of [2, 3])
			expect([night, (await run()).error?.message]).toEqual([night, named]);
		expect([account.spent.apiCredits, persons()]).toEqual([3, []]);
	});

	test.each([
		['tooMany', 0],
		['broken', 0],
		['cut', 0],
		// A person and an organisation were looked for, and the organisation was made.
		['tooMany', 3],
		['cut', 5],
	] as const)(
		'Pipedrive takes nothing (%s) after %i requests: all is sent in the next night, for nothing',
		async (outage, requestsLeft) => {
			const { account, company, next, persons, run } = await prepare();
			Object.assign(company, { requestsLeft, outage });
			expect((await next()).error?.message).toContain('waiting: ');
			company.requestsLeft = Infinity;
			for (const night of [2, 3])
				expect([night, (await run()).error?.message]).toEqual([night, undefined]);
			const emails = people.slice(0, 5).map(({ work_email: email }) => email?.toLowerCase());
			expect(persons().map(([email]) => email)).toEqual(emails);
			const names = company.organizations.map(({ name }) => name.toLowerCase());
			expect(new Set(names).size).toBe(names.length);
			expect(account.spent.apiCredits).toBe(5);
		},
	);

	test('a full table: the leads stay in the failed executions, whose Retry keeps and sends them', async () => {
		const { account, next, persons } = await prepare();
		expect((await next()).status).toBe('success');
		const makeRoom = await fillTables(n8n);
		const stopped = [await next(), await next()];
		for (const { error } of stopped) expect(error?.message).toContain('size limit exceeded');
		expect([account.spent.apiCredits, persons().length]).toEqual([15, 5]);
		await makeRoom();
		for (const { id } of stopped) await n8n.client.retry(id);
		expect([account.spent.apiCredits, persons().length]).toEqual([15, 15]);
		expect(leadsChargedTwice(account)).toEqual([]);
	});
}
