/** Tests expressions as a user types them in the editor, and a loop around the node. */
import type { Request } from 'playwright-core';

import { shown } from '../../sandbox/browser/panels';
import { credentialOf, leadSearch, manualTrigger, node } from '../../sandbox/n8n/index';
import { leadAt } from '../../sandbox/service/index';
import { fixture } from './fixture';

const urls = Array.from({ length: 5 }, (_, index) => leadAt(index).linkedin_url);

type Panel = Awaited<ReturnType<typeof fixture.openNode>>;

/** Sets a parameter to an expression, key by key. */
async function typeExpression({ field, parameters }: Panel, label: string, text: string) {
	const page = parameters.page();
	const item = parameters
		.getByTestId('parameter-item')
		.filter({ has: field(label) })
		.last();
	await field(label).hover();
	await shown(item.getByTestId('radio-button-expression')).last().click();
	const editor = item.locator('.cm-content').last();
	await editor.click();
	await page.keyboard.press('ControlOrMeta+A');
	await page.keyboard.press('Backspace');
	// A run that starts before n8n has saved the text uses the value before it.
	const isSaved = (request: Request) =>
		request.method() === 'PATCH' && (request.postData() ?? '').includes(JSON.stringify(`=${text}`));
	const saved = page.waitForResponse((response) => isSaved(response.request()));
	await page.keyboard.insertText(text);
	// The suggestions that the editor shows during typing may cover a button.
	await editor.blur();
	await saved;
}

test('an expression for a missing field is rejected, even with a line break after it', async () => {
	const account = fixture.openAccount();
	const filters = { jobTitles: 'CEO', personLocationCountry: '' };
	const panel = await fixture.openNode(
		{ resource: 'lead', operation: 'buyLeads', limit: 5, filters },
		{ account, input: [{ land: 'Iceland' }] },
	);
	await typeExpression(panel, 'Person Country', '{{ $json.country }}\n');
	await panel.execute();
	await panel.output.message.waitFor();
	expect(await panel.output.message.innerText()).toContain(
		"'Person Country' is an expression that returns nothing: the field that it names doesn't exist",
	);
	expect(account.spent.apiCredits).toBe(0);
});

test('Return All is off if its expression returns the text FALSE', async () => {
	const account = fixture.openAccount();
	const panel = await fixture.openNode(
		{
			resource: 'linkedInProfile',
			operation: 'buyProfiles',
			limit: 2,
			returnAll: false,
			linkedinUrls: urls.join('\n'),
			options: { onlyWithEmails: false },
		},
		{ account, input: [{ all: 'FALSE' }] },
	);
	await typeExpression(panel, 'Return All', '{{ $json.all }} ');
	// The parameter must be visible, because n8n leaves out hidden parameters when the node runs.
	await panel.field('Limit').waitFor();
	await panel.execute();
	await panel.output.panel.getByText('2 items', { exact: true }).waitFor();
	expect(account.spent.apiCredits).toBe(2);
});

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
