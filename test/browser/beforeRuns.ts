import { chain, manualTrigger } from '../../sandbox/n8n/index';
import { fixture } from './fixture';
import { search } from './search';

describe('Before any run', () => {
	test('the node behind Search offers the fields of a lead', async () => {
		const { client, editor } = fixture;
		const leadSearch = {
			name: 'Lead Search',
			type: 'n8n-nodes-lead-search.leadSearch',
			typeVersion: 1,
			parameters: search({}),
		};
		const next = {
			name: 'Next',
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			parameters: {},
		};
		const workflow = chain('Leads', [manualTrigger, leadSearch, next]);
		await editor.openWorkflow(await client.createWorkflow(workflow));
		await editor.openNode(next.name);
		const input = editor.page.getByTestId('ndv-input-panel');
		await input.getByText('work_email', { exact: true }).waitFor();
	});

	test('a search without a filter warns of what it buys', async () => {
		const { panel: output } = (await fixture.openNode(search({ filters: {} }))).output;
		await output.getByText('No filter: this buys the first leads').waitFor();
		const filtered = await fixture.openNode(search({}));
		await filtered.output.panel.getByText('No output data').waitFor();
		await expect(filtered.output.panel.getByText('No filter').count()).resolves.toBe(0);
	});
});
