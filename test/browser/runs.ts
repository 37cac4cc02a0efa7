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

describe('Before a run', () => {
	test('the node after Search offers the fields of a lead before Search has run', async () => {
		const { client, editor } = fixture;
		const next = node('Next', 'n8n-nodes-base.set', 3.4);
		const workflow = chain('Leads', [manualTrigger, leadSearch(search()), next]);
		await editor.openWorkflow(await client.createWorkflow(workflow));
		await editor.openNode(next.name);
		const input = editor.page.getByTestId('ndv-input-panel');
		await input.getByText('work_email', { exact: true }).waitFor();
	});

	test('the editor warns before the run that a search without a filter buys nothing', async () => {
		const { panel: output } = (await fixture.openNode(search({ filters: {} }))).output;
		await output.getByText('No filter is set, so the whole database matches').waitFor();
		const filtered = await fixture.openNode(search());
		await filtered.output.panel.getByText('No output data').waitFor();
		await expect(filtered.output.panel.getByText('No filter is set').count()).resolves.toBe(0);
	});
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

test("the box of Count starts with 'Free.'", async () => {
	const { baseUrl } = fixture.service;
	const filters = { personLocationCountry: 'Iceland' };
	const { output } = await run({ resource: 'lead', operation: 'count', baseUrl, filters });
	expect((await output.boxes())[0]).toMatch(/^Free\. "credits" and /);
});

describe('A run that goes well', () => {
	test('Search shows a table of leads that starts with the most used fields', async () => {
		const panel = await run(search({ limit: 7 }), { account: fixture.openAccount() });
		await panel.output.showTable();
		const columns = await panel.output.columns();
		expect(columns.slice(0, 6).join(', ')).toBe(
			'full_name, work_email, job_title, company, linkedin_url, country',
		);
		expect(columns.length).toBeLessThanOrEqual(10);
		expect(columns).not.toContain('mobile_phone');
		await panel.output.panel.getByText('7 items', { exact: true }).waitFor();
		await panel.add('Options', 'Include Phones');
		await panel.toggle('Include Phones');
		await panel.execute();
		await panel.output.panel.getByText('7 leads for 7 credits').waitFor();
		expect(await panel.output.columns()).toContain('mobile_phone');
	});

	test('Preview runs without a credential, with the Base URL and the filter that are typed', async () => {
		const panel = await fixture.openNode({ resource: 'lead', operation: 'preview' });
		await panel.fill('Base URL', fixture.service.baseUrl);
		await panel.add('Filters', 'Person Country');
		await panel.fill('Person Country', 'Iceland');
		await panel.fill('Limit', '5');
		await panel.execute();
		await panel.output.panel.getByText('5 items', { exact: true }).waitFor();
		expect(fixture.service.admin.requests({ path: '/api/preview' }).at(-1)).toMatchObject({
			headerStyle: null,
			body: { person_location_country: ['Iceland'] },
		});
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

	test('a list that Max Credits truncates has one box with the cost and one with the warnings', async () => {
		const filters = { personLocationCountry: 'Iceland\nAtlantis' };
		const all = search({ returnAll: true, maxCredits: 5, filters });
		const { output } = await run(all, { account: fixture.openAccount() });
		expect(await output.boxes()).toEqual([
			expect.stringMatching(/^5 leads for 5 credits with '.+'; \d with an email/),
			expect.stringMatching(
				/^None of these 5 leads is in Atlantis.*\nThis list is incomplete: 'Max Credits' \(5 credits\) was reached after 5 leads\. Raise this limit to get the rest\./,
			),
		]);
	});
});

describe('A run that stops', () => {
	test('a run that a 402 stops says how to continue, and a later run reuses its leads for 0 credits', async () => {
		const account = fixture.service.admin.createAccount({ apiCredits: 60 });
		const panel = await run(search({ limit: 80, options: { pageSize: 20 } }), { account });
		const { output } = panel;
		await output.message.getByText('the credits ran out after 60 leads').waitFor();
		const advice = 'or run it again within 29 minutes: you pay only for the rest.';
		await output.description.getByText(advice).waitFor();
		await panel.fill('Limit', '60');
		await panel.execute();
		await output.panel.getByText('60 leads for 0 credits').waitFor();
	});
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
