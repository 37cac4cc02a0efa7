/** Tests the output panel before, during and after a run. */
import type { NodeSetup } from '../../sandbox/browser/fixture';
import { chain, leadSearch, manualTrigger, node, type Fields } from '../../sandbox/n8n/index';
import { fixture } from './fixture';

const search = (more: Fields = {}): Fields => ({
	resource: 'lead',
	operation: 'buyLeads',
	filters: { personLocationCountry: 'Iceland' },
	...more,
});

async function run(parameters: Fields, setup?: NodeSetup) {
	const panel = await fixture.openNode(parameters, setup);
	await panel.execute();
	return panel;
}

test('the node after Search offers the fields of a lead before Search has run', async () => {
	const { client, editor } = fixture;
	const next = node('Next', 'n8n-nodes-base.set', 3.4);
	const workflow = chain('Leads', [manualTrigger, leadSearch(search()), next]);
	await editor.openWorkflow(await client.createWorkflow(workflow));
	await editor.openNode(next.name);
	const input = editor.page.getByTestId('ndv-input-panel');
	await input.getByText('work_email', { exact: true }).waitFor();
});

test('the editor says before and after a run that a filter and an option have no effect, and how a comma is read', async () => {
	const jobTitles = 'Chief Executive Officer, Owner';
	const parameters = search({
		filters: { personLocationCountry: 'Iceland', emailStatus: 'all', jobTitles },
		options: { includePhones: false },
		limit: 2,
	});
	const panel = await fixture.openNode(parameters, { account: fixture.openAccount() });
	const hints = [
		"'Email Status' is All, so it filters nothing",
		"'Include Phones' is off: no phones come, and turning it on later costs all again",
		"'Job Titles': a comma separates values. Put a value that contains one in quotes.",
	];
	for (const hint of hints) await panel.output.panel.getByText(hint).waitFor();
	await panel.execute();
	for (const hint of hints) await panel.output.panel.getByText(hint).waitFor();
	await panel.output.panel
		.getByText("Job Titles was read as 2 values: 'Chief Executive Officer', 'Owner'.")
		.waitFor();
});

test('a box above the output says what the run cost, and how many leads were reused', async () => {
	const account = fixture.openAccount();
	const panel = await run(search({ limit: 4 }), { account });
	const { output } = panel;
	await output.panel.getByText('4 leads for 4 credits').waitFor();
	await panel.execute();
	await output.panel.getByText('4 leads for 0 credits').waitFor();
	const [cost = '', ...others] = await output.boxes();
	expect(cost.split('\n')).toEqual([
		expect.stringMatching(/^4 leads for 0 credits; 4 with an email/),
		expect.stringMatching(
			/^All 4 leads were reused for 0 credits\. They are free until \d\d:\d\d, in this n8n process\.$/,
		),
		"There may be more leads. To get the next leads, set 'Skip' under Options to 4.",
	]);
	// n8n adds this box.
	expect(others).toEqual([expect.stringMatching(/^Limit of 4 items reached/)]);
	expect(account.spent.apiCredits).toBe(4);
});

describe('Messages of the service', () => {
	const hostile = `Plan "Basic" isn't <b>enough</b> & <img src=x onerror="document.title='taken'">`;
	const quotation = `The service said: "${hostile}".`;

	async function runWithStatus(status: number) {
		const body = { message: hostile };
		fixture.service.admin.addFault({ kind: 'status', status, body, times: 2 });
		return (await run(search(), { account: fixture.openAccount() })).output;
	}

	afterEach(async () => {
		expect(await fixture.editor.page.locator('b, img[src=x]').count()).toBe(0);
		expect(await fixture.editor.page.title()).not.toContain('taken');
	});

	test("the service's message in the description of a stopped run is shown as text, not as HTML", async () => {
		await (await runWithStatus(402)).description.getByText(quotation).waitFor();
	});

	test("the service's message in the message of a refused request is shown as text, not as HTML", async () => {
		const quoted = hostile.replaceAll('<', '‹').replaceAll('>', '›');
		const { message } = await runWithStatus(422);
		await message.waitFor();
		expect((await message.innerText()).trim()).toBe(
			`The lead service refused the request (422): ${quoted}`,
		);
	});
});
