/** Tests a user's first jobs in the editor: the number of clicks, the messages, and the cost. */
import { openNewWorkflow } from '../../sandbox/browser/fixture';
import { shown } from '../../sandbox/browser/panels';
import { chain, credentialOf, node, type SavedWorkflow } from '../../sandbox/n8n/index';
import { ICELAND_LEADS, leadsChargedTwice, TOP_UP_PATH } from '../../sandbox/service/index';
import type { Account } from '../../sandbox/service/index';
import { until } from '../../sandbox/until';
import { fixture } from './fixture';
import { withForm } from './form';

const filters = { personLocationCountry: 'Iceland' };
const search = { resource: 'lead', operation: 'buyLeads', filters };

/**
 * Counts clicks and typed keys in the open page, until it is loaded again. A text that is inserted as a whole counts as
 * one key for each character.
 */
async function countActions(): Promise<() => Promise<{ clicks: number; keys: number }>> {
	const { page } = fixture.editor;
	await page.evaluate(`
		actions = { clicks: 0, keys: 0 };
		addEventListener('pointerdown', () => { actions.clicks += 1 }, true);
		addEventListener('keydown', ({ key, ctrlKey }) => {
			if (key.length > 1 || ctrlKey) actions.keys += 1;
		}, true);
		addEventListener('input', ({ data }) => { actions.keys += data?.length ?? 0 }, true);
	`);
	return () => page.evaluate('actions');
}

/** Returns the workflow in the editor as n8n has saved it. */
function savedWorkflow(): Promise<SavedWorkflow> {
	const [, id = ''] = /\/workflow\/(\w+)/.exec(fixture.editor.page.url()) ?? [];
	return fixture.client.call('GET', `/workflows/${id}`);
}

test('a new user counts, previews and buys 20 leads with at most 17 clicks and 24 keys', async () => {
	const account = fixture.openAccount();
	await credentialOf(fixture, account, 'bearer', 'Lead Search account');
	await openNewWorkflow(fixture);
	const { editor } = fixture;
	const actions = await countActions();
	const nodes = await editor.openNodesPanel();
	await nodes.panel.getByTestId('node-creator-search-bar').waitFor();
	await editor.page.keyboard.insertText('Lead Search');
	await nodes.choose('Lead Search');
	const panel = withForm(await nodes.add('Count leads'));
	await panel.add('Filters', 'Person Country');
	await panel.type('Person Country', 'Iceland');
	await panel.execute();
	await panel.output.panel.getByText(String(ICELAND_LEADS)).first().waitFor();

	await panel.choose('Operation', 'Preview');
	await panel.execute();
	await panel.output.panel.getByText('50 items', { exact: true }).waitFor();
	expect(account.spent.apiCredits).toBe(0);

	await panel.choose('Operation', 'Search (Paid)');
	await panel.type('Limit', '20');
	await panel.execute();
	await panel.output.panel.getByText('20 leads for 20 credits').waitFor();
	expect(account.spent.apiCredits).toBe(20);
	// This job takes 20 clicks and 165 keys with HTTP Request nodes.
	const { clicks, keys } = await actions();
	expect(keys).toBe(24);
	// The job takes 14 clicks. A click that misses a moving button is repeated.
	expect(clicks).toBeLessThanOrEqual(17);
});

test('a test of the trigger buys one lead, its item has the cost, and publishing says where to see the cost of polls', async () => {
	const account = fixture.openAccount();
	const { page } = fixture.editor;
	const panel = await fixture.openNode({ filters }, { account, isTrigger: true });
	await panel.add('Options', 'Include Usage');
	await panel.toggle('Include Usage');
	await panel.execute();
	await panel.output.panel.getByText('1 item', { exact: true }).waitFor();
	await panel.output.showJson();
	await panel.output.panel.getByText('creditsToday').waitFor();
	expect(account.spent.apiCredits).toBe(1);

	await panel.close();
	await page.getByTestId('workflow-open-publish-modal-button').click();
	await page.getByTestId('workflow-publish-button').click();
	await page.getByText("turn on 'Include Usage'").waitFor();
	await fixture.client.deactivate(await savedWorkflow());
});

/** Buys credits on the page that `npm start` prints. */
async function topUp({ apiKey }: Account): Promise<void> {
	const page = await fixture.editor.page.context().newPage();
	await page.goto(fixture.service.baseUrl + TOP_UP_PATH);
	const row = page.getByRole('row').filter({ has: page.getByText(apiKey, { exact: true }) });
	await row.getByRole('button', { name: 'Add 1,000 credits' }).click();
	await row.getByText('1,000', { exact: true }).waitFor();
	await page.close();
}

test('the description of a 402 starts with what to do, and a Retry after a top-up pays only for the rest', async () => {
	const account = fixture.service.admin.createAccount({ apiCredits: 60 });
	const { client, editor } = fixture;
	const { page } = editor;
	const parameters = { ...search, limit: 80, options: { pageSize: 20 } };
	const panel = await fixture.openNode(parameters, { account });
	const { output } = panel;
	await panel.execute();
	await output.message.getByText('Not enough API credits (402)').waitFor();
	expect((await output.description.innerText()).trim()).toMatch(/^Get more API credits/);

	await topUp(account);
	const workflow = await savedWorkflow();
	await panel.close();
	await page.getByTestId('radio-button-executions').click();
	await page.getByTestId('retry-execution-button').click();
	await shown(page.getByText(/^Retry with currently saved workflow/)).click();
	await page.getByText('Retry successful').waitFor();
	const [retried] = await client.executions(workflow);
	expect(retried).toMatchObject({ mode: 'retry', status: 'success' });
	const { items, node: nodeOf } = await client.execution(retried?.id ?? '');
	expect(items('Lead Search')).toHaveLength(80);
	expect(JSON.stringify(nodeOf('Lead Search').hints)).toContain('80 leads for 20 credits');
	expect(account.spent.apiCredits).toBe(80);
	expect(leadsChargedTwice(account)).toEqual([]);
});

test('notices of the agent tool say to add a filter and what calls cost, and the model can fill in the filter', async () => {
	const { client, editor } = fixture;
	await credentialOf(fixture, fixture.openAccount(), 'bearer', 'Lead Search account');
	const agent = node('AI Agent', '@n8n/n8n-nodes-langchain.agent', 3.1);
	await editor.openWorkflow(await client.createWorkflow(chain('Agent', [agent])));
	const nodes = await editor.openToolsPanel(agent.name);
	await nodes.search('Lead Search');
	const panel = withForm(await nodes.add('Lead Search Tool'));
	await panel.choose('Operation', 'Search (Paid)');
	const callCost = "Each call can cost up to 'Limit' credits";
	expect((await panel.notices()).join()).toMatch(/Add a filter/);
	await panel.toggle('Return All');
	await panel.parameters.getByText(callCost).waitFor();
	expect((await panel.notices()).join()).not.toContain('100,000');
	await panel.fill('Max Credits', '20');
	await panel.add('Filters', 'Job Titles');
	await panel.parameters.getByText(callCost).waitFor({ state: 'hidden' });
	await panel.letModelDefine('Job Titles');
	await panel.parameters.getByText('Defined automatically by the model').waitFor();
	// n8n saves the workflow a moment later.
	await until('the filter is saved', async () => {
		const { nodes: saved } = await savedWorkflow();
		const tool = saved.find(({ type }) => type === 'n8n-nodes-lead-search.leadSearchTool');
		return tool !== undefined && JSON.stringify(tool.parameters).includes("$fromAI('Job_Titles'");
	});
});
