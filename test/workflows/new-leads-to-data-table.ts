import { leadAt, matching } from '../../sandbox/service';
import type { TestN8n } from '../n8n/harness';
import { changed, dropTable, goesWell, importWorkflow, poll, readTable } from './fixture';

const jobs = { job_titles: ['Chief Marketing Officer', 'Marketing Manager'] };
const places = { person_location_country: ['United States', 'Germany'] };

export function testWorkflow(n8n: TestN8n): void {
	test('another search that returns the same people adds nobody twice, and two of one name without a URL are two', async () => {
		const table = 'Daily new leads';
		await dropTable(n8n, table);
		const trigger = 'Next leads every day';
		const { account, file, workflow } = await importWorkflow(n8n, 'new-leads-to-data-table', {
			parameters: { [trigger]: { leadsPerPoll: 6 } },
		});
		await goesWell(() => poll(n8n, workflow));
		const found = Array.from(matching({ ...jobs, ...places }).slice(0, 6), leadAt);
		const saved = await readTable(n8n, table);
		expect(saved.map(({ linkedin_url, work_email }) => [linkedin_url, work_email])).toEqual(
			found.map((lead) => [lead.linkedin_url, lead.work_email ?? '']),
		);

		const personLocationCountry = 'United States, Germany, Nowhere';
		const parameters = { [trigger]: { filters: { personLocationCountry } } };
		await n8n.client.updateWorkflow(workflow.id, changed(file, { parameters }));
		const twice = { full_name: 'Ann Twice' };
		const [first, second] = found.map((lead) => ({ ...lead, ...twice, linkedin_url: '' }));
		const preview_data = [...found.slice(0, 4), { ...first, linkedin_url: null }, second];
		n8n.service.admin.addFault({ account: account.id, kind: 'merge', merge: { preview_data } });
		await goesWell(() => poll(n8n, workflow));
		expect((await readTable(n8n, table)).slice(6)).toMatchObject([twice, twice]);
		expect(account.spent.apiCredits).toBe(12);
	});
}
