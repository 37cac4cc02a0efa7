import { leadAt, matching } from '../../sandbox/service';
import type { TestN8n } from '../n8n/harness';
import { crmsOf } from './fixture';
import { open } from './stores';

const people = Array.from(matching({ person_location_country: ['Canada'] }).slice(0, 4), leadAt);

export function testWorkflow(n8n: TestN8n): void {
	test('a person who is there stays as it is, and two people with one email are not made one', async () => {
		const { account, night } = await open(n8n, 'pipedrive-persons');
		const company = crmsOf(n8n).pipedrive.companies().at(-1);
		if (!company) throw new Error('There is no company');
		const names = ['Ann One', 'Bob Other', 'Cy Third'];
		const addresses = ['P0@crm.example', 'info@crm.example', 'info@crm.example'];
		const preview_data = names.map((full_name, at) => ({
			...{ ...people[at], full_name, work_email: addresses[at] },
		}));
		n8n.service.admin.addFault({ account: account.id, kind: 'merge', merge: { preview_data } });
		const there = { id: 1, name: 'One', emails: ['old@x.example', 'p0@crm.example'] };
		company.persons.push(there);
		for (const later of [1, 2])
			expect([later, (await night()).error?.message]).toEqual([later, undefined]);
		expect(company.persons.slice(0, 1)).toEqual([there]);
		const added = company.persons.slice(1, 3).map(({ name, emails }) => [name, emails]);
		expect(added.sort()).toEqual([
			['Bob Other', ['info@crm.example']],
			['Cy Third', ['info@crm.example']],
		]);
		expect([company.persons.length, account.spent.apiCredits]).toEqual([6, 6]);
	});

	test('two copies at once, for one audience each, bring nobody twice', async () => {
		const { store, ...first } = await open(n8n, 'pipedrive-persons');
		const filters = { personLocationCountry: 'Iceland' };
		const parameters = { 'Next leads every day': { filters, leadsPerPoll: 3 } };
		const second = await open(n8n, 'pipedrive-persons', { store, parameters });
		await Promise.all([first.night(), second.night()]);
		const emails = crmsOf(n8n)
			.pipedrive.companies()
			.at(-1)
			?.persons.flatMap((one) => one.emails);
		expect([emails?.length, new Set(emails).size]).toEqual([6, 6]);
	});
}
