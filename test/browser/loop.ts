/** Tests a loop around the node. */
import { credentialOf, leadSearch, manualTrigger, node } from '../../sandbox/n8n/index';
import { fixture } from './fixture';

test('a round of a loop without results shows how to skip it, and no empty row is written', async () => {
	const { client, editor } = fixture;
	const parameters = {
		resource: 'lead',
		operation: 'buyLeads',
		limit: 1,
		filters: { personLocationCountry: '={{ $json.country }}' },
	};
	const credential = await credentialOf(fixture, fixture.openAccount());
	const isEmpty = {
		id: '1',
		leftValue: '={{ $json.isEmpty() }}',
		rightValue: '',
		operator: { type: 'boolean', operation: 'true', singleValue: true },
	};
	const conditions = {
		conditions: [isEmpty],
		combinator: 'and',
		options: { version: 2, leftValue: '', caseSensitive: true, typeValidation: 'strict' },
	};
	const to = (name: string) => [{ node: name, type: 'main', index: 0 }];
	const loop = (more: object) => ({
		name: 'Loop',
		nodes: [
			manualTrigger,
			node('Loop', 'n8n-nodes-base.splitInBatches', 3, { options: {} }),
			leadSearch(parameters, credential, more),
			node('Nobody?', 'n8n-nodes-base.if', 2.2, { conditions }),
			node('Write', 'n8n-nodes-base.noOp', 1),
		].map((one, index) => ({ ...one, position: [index * 250, 0] })),
		connections: {
			[manualTrigger.name]: { main: [to('Loop')] },
			Loop: { main: [[], to('Lead Search')] },
			'Lead Search': { main: [to('Nobody?')] },
			'Nobody?': { main: [to('Loop'), to('Write')] },
			Write: { main: [to('Loop')] },
		},
		pinData: {
			[manualTrigger.name]: ['Iceland', 'Atlantis', 'Germany'].map((country) => ({
				json: { country },
			})),
		},
	});
	await editor.openWorkflow(await client.createWorkflow(loop({})));
	await editor.page.getByTestId('execute-workflow-button').click();
	await editor.page.getByText('Workflow executed successfully').first().waitFor();
	const { output } = await editor.openNode('Lead Search');
	await output.panel.getByText('before you write: {{ $json.isEmpty() }}').first().waitFor();

	const { runs } = await client.execute(loop({ alwaysOutputData: true }));
	const written = (runs.Write ?? []).flatMap(({ outputs: [items = []] }) => items);
	expect(written.map(({ json }) => json.country)).toEqual(['Iceland', 'Germany']);
});
