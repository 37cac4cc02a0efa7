import { leadAt, leadsChargedTwice, matching } from '../../sandbox/service';
import type { TestN8n } from '../n8n/harness';
import { changed, importWorkflow, poll, readTable } from './fixture';

export function testWorkflow(n8n: TestN8n): void {
	test('each poll adds the next leads; none comes or is paid for twice', async () => {
		const { client } = n8n;
		const how = { trigger: 'Create the table once' };
		const imported = await importWorkflow(n8n, 'new-leads-to-data-table', { how });
		const { account, file, workflow } = imported;
		expect((await imported.run()).status).toBe('success');
		const pollOnce = async () => {
			expect((await poll(n8n, workflow)).status).toBe('success');
		};

		await pollOnce();
		await pollOnce();
		const wanted = [
			...matching({
				job_titles: ['Head of Marketing', 'Marketing Manager'],
				person_location_country: ['United States', 'Germany'],
			}),
		].slice(0, 100);
		const saved = await readTable(n8n, 'Leads');
		expect(saved.map(({ linkedin_url, work_email }) => [linkedin_url, work_email])).toEqual(
			wanted.map((lead) => [leadAt(lead).linkedin_url, leadAt(lead).work_email ?? '']),
		);
		expect(account.spent.apiCredits).toBe(100);
		expect(leadsChargedTwice(account)).toEqual([]);

		// Another search that returns the same people.
		const filters = {
			jobTitles: 'Head of Marketing, Marketing Manager',
			personLocationCountry: 'United States, Germany, Nowhere',
		};
		const parameters = { 'Next leads every day': { filters } };
		await client.updateWorkflow(workflow.id, changed(file, { parameters }));
		await pollOnce();
		expect(account.spent.apiCredits).toBe(150);
		expect(await readTable(n8n, 'Leads')).toHaveLength(100);
	});
}
