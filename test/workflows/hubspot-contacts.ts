import { leadAt, matching } from '../../sandbox/service';
import type { TestN8n } from '../n8n/harness';
import { crmsOf, fillTables, readTable } from './fixture';
import { open } from './stores';

const people = Array.from(matching({ person_location_country: ['Canada'] }).slice(0, 3), leadAt);

export function testWorkflow(n8n: TestN8n): void {
	/** @param found the leads of the first poll */
	async function prepare(found: readonly object[]) {
		const opened = await open(n8n, 'hubspot-contacts');
		const merge = { preview_data: found };
		n8n.service.admin.addFault({ account: opened.account.id, kind: 'merge', merge });
		const portal = crmsOf(n8n).hubspot.portals().at(-1);
		if (!portal) throw new Error('There is no portal');
		const statuses = async () =>
			(await readTable(n8n, 'HubSpot leads')).map(({ full_name, status }) => [full_name, status]);
		return { ...opened, portal, statuses };
	}

	test('of two people with one email the second is held back and named, and empty fields write over nothing', async () => {
		const named = ['Ann One', 'Bob Other', 'Cy Third', 'Di None'].map((full_name, index) => ({
			...people[index],
			...{ full_name, first_name: full_name.split(' ')[0], mobile_phone: null, linkedin_url: '' },
			work_email: ['Info@alpha.example', 'info@alpha.example', 'cy@alpha.example', null][index],
			personal_emails: [],
		}));
		const { account, night, portal, statuses } = await prepare(named.slice(0, 3));
		const before = { mobilephone: '+1 555 0000', lifecyclestage: 'customer' };
		portal.contacts.set('cy@alpha.example', before);
		for (const later of [1, 2])
			expect([later, (await night()).error?.message]).toEqual([
				later,
				expect.stringContaining('not in HubSpot: row 2, Bob Other, info@alpha.example'),
			]);
		expect((await statuses()).slice(0, 3)).toEqual([
			['Ann One', 'sent'],
			['Bob Other', null],
			['Cy Third', 'sent'],
		]);
		expect(portal.contacts.get('info@alpha.example')?.firstname).toBe('Ann');
		expect(portal.contacts.get('cy@alpha.example')).toMatchObject({ ...before, firstname: 'Cy' });
		expect(portal.written.filter((email) => email.endsWith('alpha.example'))).toHaveLength(2);
		expect(account.spent.apiCredits).toBe(6);
	});

	test('a full table: the leads stay in the failed execution, whose Retry keeps and sends them', async () => {
		const { account, night, store } = await prepare(people);
		await night();
		const makeRoom = await fillTables(n8n);
		const stopped = await night();
		expect(stopped.error?.message).toContain('size limit exceeded');
		await makeRoom();
		await n8n.client.retry(stopped.id);
		expect([account.spent.apiCredits, await store.done()]).toEqual([6, store.people.slice(0, 6)]);
	});
}
