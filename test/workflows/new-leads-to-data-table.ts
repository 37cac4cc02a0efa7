import { leadAt, leadsChargedTwice, matching } from '../../sandbox/service';
import type { TestN8n } from '../n8n/harness';
import { changed, dropTable, importWorkflow, poll, readTable } from './fixture';

const table = 'Daily new leads';
const wanted = Array.from(
	matching({
		job_titles: ['Chief Marketing Officer', 'Marketing Manager'],
		person_location_country: ['United States', 'Germany'],
	}),
	leadAt,
);

export function testWorkflow(n8n: TestN8n): void {
	async function prepare(leadsPerPoll = 50) {
		const trigger = 'Next leads every day';
		const parameters = { [trigger]: { leadsPerPoll } };
		const imported = await importWorkflow(n8n, 'new-leads-to-data-table', { parameters });
		return { ...imported, next: () => poll(n8n, imported.workflow) };
	}

	afterEach(() => dropTable(n8n, table));

	test('each poll adds the next leads; none comes or is paid for twice', async () => {
		const { account, file, next, workflow } = await prepare();
		for (const night of [1, 2]) expect([night, (await next()).status]).toEqual([night, 'success']);
		const saved = await readTable(n8n, table);
		expect(saved.map(({ linkedin_url, work_email }) => [linkedin_url, work_email])).toEqual(
			wanted.slice(0, 100).map((lead) => [lead.linkedin_url, lead.work_email ?? '']),
		);
		expect(account.spent.apiCredits).toBe(100);
		expect(leadsChargedTwice(account)).toEqual([]);

		// Another search that returns the same people.
		const filters = {
			jobTitles: 'Chief Marketing Officer, Marketing Manager',
			personLocationCountry: 'United States, Germany, Nowhere',
		};
		const parameters = { 'Next leads every day': { filters } };
		await n8n.client.updateWorkflow(workflow.id, changed(file, { parameters }));
		expect((await next()).status).toBe('success');
		expect(account.spent.apiCredits).toBeGreaterThanOrEqual(150);
		expect(await readTable(n8n, table)).toHaveLength(100);
	});

	test('two leads of one name without a LinkedIn URL are both kept', async () => {
		const { account, next } = await prepare(3);
		const merge = {
			preview_data: wanted.slice(0, 3).map((lead, index) => ({
				...lead,
				...(index > 0 && { full_name: 'Ann Twice', linkedin_url: index === 1 ? null : '' }),
			})),
		};
		n8n.service.admin.addFault({ account: account.id, kind: 'merge', merge });
		expect((await next()).status).toBe('success');
		const names = (await readTable(n8n, table)).map(({ full_name: name }) => name);
		expect(names).toEqual([wanted[0]?.full_name, 'Ann Twice', 'Ann Twice']);
	});
}
