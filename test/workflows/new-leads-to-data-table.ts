import { leadAt, leadsChargedTwice, matching } from '../../sandbox/service';
import { until } from '../../sandbox/until';
import type { TestN8n } from '../n8n/harness';
import { changed, importWorkflow, readTable } from './fixture';

export function testWorkflow(n8n: TestN8n): void {
	test('each poll adds the next leads; none comes or is paid for twice', async () => {
		const { client } = n8n;
		const how = { trigger: 'Create the table once' };
		const imported = await importWorkflow(n8n, 'new-leads-to-data-table', { how });
		const { account, file, workflow } = imported;
		expect((await imported.run()).status).toBe('success');
		/** Publishing polls at once; waits for what that started. */
		const poll = async () => {
			const before = (await client.executions(workflow)).length;
			await client.activate(workflow);
			const started = await until('publishing has started an execution', async () => {
				const [newest, ...others] = await client.executions(workflow);
				return others.length === before && newest;
			});
			expect((await client.waitForExecution(started.id)).status).toBe('success');
			await client.deactivate(workflow);
		};

		await poll();
		await poll();
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
		await poll();
		expect(account.spent.apiCredits).toBe(150);
		expect(await readTable(n8n, 'Leads')).toHaveLength(100);
	});
}
