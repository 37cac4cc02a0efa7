import { setTimeout as sleep } from 'node:timers/promises';

import type { SavedWorkflow, Workflow } from '../../sandbox/n8n/index';
import { leadAt, leadsChargedTwice, matching } from '../../sandbox/service';
import { changed, readTable, readWorkflow, saveLeadSearch, type Kit } from './kit';

const trigger = 'Next leads every day';

/** Publishing polls at once; waits for what that started. */
async function publish({ n8n: { client } }: Kit, workflow: SavedWorkflow): Promise<void> {
	const before = (await client.executions(workflow)).length;
	await client.activate(workflow);
	const deadline = Date.now() + 30_000;
	while (Date.now() < deadline) {
		const [newest, ...others] = await client.executions(workflow);
		if (newest !== undefined && others.length === before) {
			expect((await client.waitForExecution(newest)).status).toBe('success');
			await client.deactivate(workflow);
			return;
		}
		await sleep(100);
	}
	throw new Error('Publishing the workflow started no execution');
}

export function newLeadsToDataTable(kit: Kit): void {
	test('each poll adds the next leads; none comes or is paid for twice', async () => {
		const { client } = kit.n8n;
		const account = kit.service.admin.createAccount();
		const file: Workflow = changed(readWorkflow('new-leads-to-data-table'), {
			credentials: [await saveLeadSearch(kit, account)],
		});
		const workflow = await client.createWorkflow(file);
		const setUp = await client.run(workflow, { trigger: 'Create the table once' });
		expect((await client.waitForExecution(setUp)).status).toBe('success');

		await publish(kit, workflow);
		await publish(kit, workflow);

		const wanted = [
			...matching({
				job_titles: ['Head of Marketing', 'Marketing Manager'],
				person_location_country: ['United States', 'Germany'],
			}),
		].slice(0, 100);
		const saved = await readTable(kit, 'Leads');
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
							jobTitles: 'Marketing Manager, Head of Marketing',
							personLocationCountry: 'United States, Germany',
						},
					},
				},
			}),
		);
		await publish(kit, workflow);
		expect(account.spent.apiCredits).toBe(150);
		expect(await readTable(kit, 'Leads')).toHaveLength(100);
	});
}
