import type { TestN8n } from '../n8n/harness';
import { goesWell } from './fixture';
import { open, people, STORES } from './stores';

export function testWorkflow(n8n: TestN8n): void {
	test('a person who is there stays as it is, and two people with one email are not made one', async () => {
		const store = await STORES['pipedrive-persons'](n8n);
		const { account, night } = await open(n8n, 'pipedrive-persons', { store });
		const addresses = ['P0@crm.example', 'info@crm.example', 'info@crm.example'];
		const preview_data = ['Ann One', 'Bob Other', 'Cy Third'].map((full_name, at) => {
			return { ...people[at], full_name, work_email: addresses[at] };
		});
		n8n.service.admin.addFault({ account: account.id, kind: 'merge', merge: { preview_data } });
		const { persons } = store.company;
		const there = { id: 1, name: 'One', emails: ['old@x.example', 'p0@crm.example'] };
		persons.push(there);
		await goesWell(night, 2);
		expect(persons[0]).toEqual(there);
		const added = persons.slice(1, 3).map(({ name, emails }) => [name, emails]);
		expect(added.sort()).toEqual([
			['Bob Other', ['info@crm.example']],
			['Cy Third', ['info@crm.example']],
		]);
		expect([persons.length, account.spent.apiCredits]).toEqual([6, 6]);
	});
}
