/** Expressions as a user types them, and what n8n makes of them on the way to the node. */
import { shown } from '../../sandbox/browser/panels';
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
	await page.keyboard.insertText(text);
}

test('a line break after an expression for a missing field is refused, as without it', async () => {
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
		"'Person Country' is an expression that gives nothing: the field it names is not there",
	);
	expect(account.spent.apiCredits).toBe(0);
});

test('Return All by an expression that gives the text FALSE is off', async () => {
	const account = fixture.openAccount();
	const panel = await fixture.openNode(
		{
			...{ resource: 'linkedInProfile', operation: 'buyProfiles', limit: 2, returnAll: false },
			...{ linkedinUrls: urls.join('\n'), options: { onlyWithEmails: false } },
		},
		{ account, input: [{ all: 'FALSE' }] },
	);
	await typeExpression(panel, 'Return All', '{{ $json.all }} ');
	// Hidden, it would be gone when the node runs.
	await panel.field('Limit').waitFor();
	await panel.execute();
	await panel.output.panel.getByText('2 items', { exact: true }).waitFor();
	expect(account.spent.apiCredits).toBe(2);
});
