import { leadAt, matching } from '../../sandbox/service';
import type { TestN8n } from '../n8n/harness';
import { crmsOf, importWorkflow } from './fixture';

const leads = Array.from(
	matching({ person_location_country: ['Iceland'], email_status: 'verified' }).slice(0, 6),
	leadAt,
);

function lead(number: number, more: object = {}) {
	return { ...leads[number], work_email: `p${number}@crm.example`, company: 'Alpha', ...more };
}

export function testWorkflow(n8n: TestN8n): void {
	/** A search whose answer holds these leads, and the Pipedrive they go to. */
	async function prepare(found: readonly object[]) {
		const company = crmsOf(n8n).pipedrive.addCompany();
		const account = n8n.service.admin.createAccount();
		const access = { apiToken: company.secret };
		const credential = await n8n.client.createCredential('pipedriveApi', account.id, access);
		const merge = { preview_data: found };
		n8n.service.admin.addFault({ account: account.id, kind: 'merge', merge, times: 'always' });
		const filters = { personLocationCountry: 'Iceland' };
		const imported = await importWorkflow(n8n, 'pipedrive-persons', {
			account,
			credentials: [credential],
			parameters: { 'Search for leads': { filters, limit: found.length } },
		});
		const persons = () =>
			company.persons.map(({ emails, org_id: id }) => [
				emails[0],
				company.organizations.find((one) => one.id === id)?.name,
			]);
		return { ...imported, company, persons };
	}

	test('new persons come with their organisation; nobody is there twice or paid for twice', async () => {
		const { account, company, persons, run } = await prepare([
			lead(0),
			lead(1, { company: 'alpha' }),
			lead(2, { company: 'Beta' }),
			lead(3, { work_email: 'P2@crm.example', company: 'Beta' }),
			lead(4, { company: null }),
			lead(5, { work_email: null, personal_emails: [] }),
		]);
		company.organizations.push({ id: 1, name: 'ALPHA' });
		company.persons.push({
			id: 1,
			name: 'One',
			emails: ['old@x.example', 'P0@crm.example'],
			org_id: null,
		});
		const first = await run();
		expect(first.error).toBeUndefined();
		const expected = [
			['old@x.example', undefined],
			['p1@crm.example', 'ALPHA'],
			['p2@crm.example', 'Beta'],
			['p4@crm.example', undefined],
		];
		expect(persons()).toEqual(expected);
		expect(company.organizations).toHaveLength(2);

		expect((await run()).status).toBe('success');
		expect([account.spent.apiCredits, persons()]).toEqual([6, expected]);
	});

	test('what Pipedrive refuses or has no time for is named, and comes later for nothing', async () => {
		const { account, company, persons, run } = await prepare([
			lead(0),
			lead(1, { work_email: 'p1@nowhere' }),
			lead(2, { company: 'Beta' }),
			lead(3, { company: 'Gamma' }),
		]);
		// Four persons and three organisations are looked for; one organisation of the three is made.
		company.requestsLeft = 8;
		const stopped = await run();
		for (const text of ['p2@crm.example', 'p3@crm.example', 'too many requests'])
			expect(stopped.error?.message).toContain(text);
		expect(persons()).toEqual([]);

		company.requestsLeft = Infinity;
		const again = await run();
		expect(again.error?.message).toContain('p1@nowhere, is not in Pipedrive: ');
		expect(again.error?.message).not.toContain('p2@crm.example');
		expect(persons()).toEqual([
			['p0@crm.example', 'Alpha'],
			['p2@crm.example', 'Beta'],
			['p3@crm.example', 'Gamma'],
		]);
		expect(account.spent.apiCredits).toBe(4);

		// An email that could not be looked for is named, and not taken for a new one.
		company.requestsLeft = 0;
		const unanswered = await run();
		expect(unanswered.error?.message).toContain('p0@crm.example');
		const errors = unanswered.items('New persons').map(({ json }) => json.error);
		expect(errors).toEqual(Array(4).fill(expect.any(String)));
		expect(persons()).toHaveLength(3);
	});
}
