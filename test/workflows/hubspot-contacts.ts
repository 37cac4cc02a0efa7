import type { TestN8n } from '../n8n/harness';
import { readTable } from './fixture';
import { open, people, STORES } from './stores';

export function testWorkflow(n8n: TestN8n): void {
	test('of two people with one email the second is held back and named, and empty fields write over nothing', async () => {
		const store = await STORES['hubspot-contacts'](n8n);
		const { account, night } = await open(n8n, 'hubspot-contacts', { store });
		const emails = ['Info@alpha.example', 'info@alpha.example', 'cy@alpha.example'];
		const preview_data = ['Ann One', 'Bob Other', 'Cy Third'].map((full_name, index) => ({
			...people[index],
			...{ full_name, first_name: full_name.split(' ')[0], mobile_phone: null, linkedin_url: '' },
			...{ work_email: emails[index], personal_emails: [] },
		}));
		n8n.service.admin.addFault({ account: account.id, kind: 'merge', merge: { preview_data } });
		const { contacts, written } = store.portal;
		const before = { mobilephone: '+1 555 0000', lifecyclestage: 'customer' };
		contacts.set('cy@alpha.example', before);
		for (const later of [1, 2])
			expect([later, (await night()).error?.message]).toEqual([
				later,
				expect.stringContaining('not in HubSpot: row 2, Bob Other, info@alpha.example'),
			]);
		const rows = (await readTable(n8n, 'HubSpot leads')).slice(0, 3);
		expect(rows.map(({ status }) => status)).toEqual(['sent', null, 'sent']);
		expect(contacts.get('info@alpha.example')?.firstname).toBe('Ann');
		expect(contacts.get('cy@alpha.example')).toMatchObject({ ...before, firstname: 'Cy' });
		expect(written.filter((email) => email.endsWith('alpha.example'))).toHaveLength(2);
		expect(account.spent.apiCredits).toBe(6);
	});
}
