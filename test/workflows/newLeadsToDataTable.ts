import type { SavedWorkflow, Workflow } from '../../sandbox/n8n/index';
import { leadAt, leadsChargedTwice, matching } from '../../sandbox/service';
import { until } from '../../sandbox/until';
import { changed, readTable, readWorkflow, saveLeadSearch, type Fixture } from './fixture';

const trigger = 'Next leads every day';

/** Publishing polls at once; waits for what that started. */
async function publish({ n8n: { client } }: Fixture, workflow: SavedWorkflow): Promise<void> {
	const before = (await client.executions(workflow)).length;
	await client.activate(workflow);
	const started = await until('publishing the workflow has started an execution', async () => {
		const [newest, ...others] = await client.executions(workflow);
		return others.length === before && newest;
	});
	expect((await client.waitForExecution(started)).status).toBe('success');
	await client.deactivate(workflow);
}

export function newLeadsToDataTable(fixture: Fixture): void {
	test('each poll adds the next leads; none comes or is paid for twice', async () => {
		const { client } = fixture.n8n;
		const account = fixture.service.admin.createAccount();
		const file: Workflow = changed(readWorkflow('new-leads-to-data-table'), {
			credentials: [await saveLeadSearch(fixture, account)],
		});
		const workflow = await client.createWorkflow(file);
		const setUp = await client.run(workflow, { trigger: 'Create the table once' });
		expect((await client.waitForExecution(setUp)).status).toBe('success');

		await publish(fixture, workflow);
		await publish(fixture, workflow);

		const wanted = [
			...matching({
				job_titles: ['Head of Marketing', 'Marketing Manager'],
				person_location_country: ['United States', 'Germany'],
			}),
		].slice(0, 100);
		const saved = await readTable(fixture, 'Leads');
		expect(saved.map((row) => row.linkedin_url)).toEqual(
			wanted.map((lead) => leadAt(lead).linkedin_url),
		);
		expect(saved.map((row) => row.work_email)).toEqual(
			wanted.map((lead) => leadAt(lead).work_email ?? ''),
		);
		expect(account.spent.apiCredits).toBe(100);
		expect(leadsChargedTwice(account)).toEqual([]);

		// Another search that returns the same people.
		await client.updateWorkflow(
			workflow.id,
			changed(file, {
				parameters: {
					[trigger]: {
						filters: {
							jobTitles: 'Head of Marketing, Marketing Manager',
							personLocationCountry: 'United States, Germany, Nowhere',
						},
					},
				},
			}),
		);
		await publish(fixture, workflow);
		expect(account.spent.apiCredits).toBe(150);
		expect(await readTable(fixture, 'Leads')).toHaveLength(100);
	});
}
