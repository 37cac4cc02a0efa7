import { leadAt, matching } from '../../sandbox/service';
import type { TestN8n } from '../n8n/harness';
import { dropTable, goesWell, importWorkflow, poll, readTable } from './fixture';

const jobs = { job_titles: ['Chief Marketing Officer', 'Marketing Manager'] };
const places = { person_location_country: ['United States', 'Germany'] };

export function testWorkflow(n8n: TestN8n): void {
	test('another search that returns the same people adds nobody twice, and two of one name without a URL are two', async () => {
		const table = 'Daily new leads';
		await dropTable(n8n, table);
		const search = (filters: object) =>
			importWorkflow(n8n, 'new-leads-to-data-table', {
				parameters: { 'Next leads every day': { leadsPerPoll: 6, ...filters } },
			});
		const first = await search({});
		await goesWell(() => poll(n8n, first.workflow));
		const found = Array.from(matching({ ...jobs, ...places }).slice(0, 6), leadAt);
		const saved = await readTable(n8n, table);
		expect(saved.map(({ linkedin_url, work_email }) => [linkedin_url, work_email])).toEqual(
			found.map((lead) => [lead.linkedin_url, lead.work_email ?? '']),
		);

		const other = await search({ filters: { personLocationCountry: 'Germany' } });
		const twice = { full_name: 'Ann Twice' };
		const [ann, namesake] = found.map((lead) => ({ ...lead, ...twice, linkedin_url: '' }));
		const preview_data = [...found.slice(0, 4), { ...ann, linkedin_url: null }, namesake];
		const { id } = other.account;
		n8n.service.admin.addFault({ account: id, kind: 'merge', merge: { preview_data } });
		await goesWell(() => poll(n8n, other.workflow));
		expect((await readTable(n8n, table)).slice(6)).toMatchObject([twice, twice]);
		expect([first, other].map(({ account }) => account.spent.apiCredits)).toEqual([6, 6]);
	});
}
