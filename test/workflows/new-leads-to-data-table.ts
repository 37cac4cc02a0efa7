import { leadAt, leadsChargedTwice, matching } from '../../sandbox/service';
import type { TestN8n } from '../n8n/harness';
import { changed, dropTable, goesWell, importWorkflow, poll, readTable } from './fixture';

const jobs = { job_titles: ['Chief Marketing Officer', 'Marketing Manager'] };
const places = { person_location_country: ['United States', 'Germany'] };
const wanted = Array.from(matching({ ...jobs, ...places }).slice(0, 12), leadAt);

export function testWorkflow(n8n: TestN8n): void {
	test('each poll adds the next leads, another search nobody twice, and two of one name without a URL are two', async () => {
		const table = 'Daily new leads';
		await dropTable(n8n, table);
		const trigger = 'Next leads every day';
		const { account, file, workflow } = await importWorkflow(n8n, 'new-leads-to-data-table', {
			parameters: { [trigger]: { leadsPerPoll: 6 } },
		});
		const next = () => poll(n8n, workflow);
		await goesWell(next, 2);
		const saved = await readTable(n8n, table);
		expect(saved.map(({ linkedin_url, work_email }) => [linkedin_url, work_email])).toEqual(
			wanted.map((lead) => [lead.linkedin_url, lead.work_email ?? '']),
		);
		expect([account.spent.apiCredits, leadsChargedTwice(account)]).toEqual([12, []]);

		// Another search that returns the same people, but for two.
		const filters = {
			jobTitles: 'Chief Marketing Officer, Marketing Manager',
			personLocationCountry: 'United States, Germany, Nowhere',
		};
		await n8n.client.updateWorkflow(
			workflow.id,
			changed(file, { parameters: { [trigger]: { filters } } }),
		);
		const twice = { full_name: 'Ann Twice' };
		const unknown = [null, ''].map((linkedin_url) => ({ ...wanted[0], ...twice, linkedin_url }));
		const merge = { preview_data: [...wanted.slice(0, 4), ...unknown] };
		n8n.service.admin.addFault({ account: account.id, kind: 'merge', merge });
		await goesWell(next);
		const added = (await readTable(n8n, table)).slice(12);
		expect(added).toMatchObject([twice, twice]);
		expect([added.length, account.spent.apiCredits]).toEqual([2, 18]);
	});
}
