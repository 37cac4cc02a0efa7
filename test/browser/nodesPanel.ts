import { openNewWorkflow } from '../../sandbox/browser/lead-workflow';
import { findNode } from './adding';
import { fixture } from './fixture';

describe('The list of nodes', () => {
	test('has an action for each operation, and the trigger', async () => {
		const nodes = await findNode();
		const actions = [
			'Count leads',
			'Preview leads',
			'Buy leads (1 credit each)',
			'Check LinkedIn URLs',
			'Buy profiles by LinkedIn URL (1 credit each)',
		];
		expect(await nodes.entries()).toEqual(actions);
		await nodes.toggle('Triggers');
		await nodes.entry('On a schedule: next leads of a search').waitFor();
		expect(await nodes.entries()).toEqual([...actions, 'On a schedule: next leads of a search']);
		await nodes.panel.locator('img[src*="leadSearch"]').first().waitFor();
	});

	test('finds the node by what it is for', async () => {
		await openNewWorkflow(fixture);
		const nodes = await fixture.editor.openNodesPanel();
		for (const words of ['leads', 'people', 'company', 'sales', 'email finder']) {
			await nodes.search(words);
			await nodes.entry('Lead Search').waitFor();
			await nodes.search('');
			await nodes.entry('Lead Search').waitFor({ state: 'hidden' });
		}
	});
});
