/** The example workflows, imported into and run in a real n8n; those with tests of their own have a file of their name here. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { chain, manualTrigger, node as newNode } from '../../sandbox/n8n/index';
import { leadAt } from '../../sandbox/service';
import { credentialOf, useN8n, type TestN8n } from '../n8n/harness';
import { crmsOf, importWorkflow, readingBack, readWorkflow, workflowNames } from './fixture';

const n8n = useN8n({}, { withCrms: true });

test('a credential that has the name n8n gives it is picked by itself on import', async () => {
	const { client } = n8n;
	const saved = await credentialOf(n8n, { apiKey: 'any' }, 'bearer', 'Lead Search account');
	const imported = await client.createWorkflow(readWorkflow('search-with-credit-alert'));
	const search = imported.nodes.find((node) => node.name === 'Search for leads');
	expect(search?.credentials).toEqual({ leadSearchApi: { id: saved.id, name: saved.name } });
});

test("n8n's own rules for version 3 find nothing in them, but a node that is made to be found", async () => {
	const { client } = n8n;
	const removed = newNode('Removed', 'n8n-nodes-base.function', 1);
	const control = chain('Control', [manualTrigger, removed]);
	for (const workflow of [control, ...workflowNames().map(readWorkflow)])
		await client.createWorkflow(workflow);
	const path = '/breaking-changes/report/refresh?version=v3';
	const { report } = await client.call<{ report: { workflowResults: unknown[] } }>('POST', path);
	expect(report.workflowResults).toMatchObject([
		{ ruleId: 'function-removed-v3', nbAffectedWorkflows: 1 },
	]);
});

test('a workflow that names leads.example.com is tried as it stands, and what arrives is shown', async () => {
	const preview = await importWorkflow(n8n, 'preview-then-search');
	expect((await preview.run()).error?.message).toBeUndefined();
	expect(preview.account.spent.apiCredits).toBe(25);

	const crms = crmsOf(n8n);
	crms.hubspot.addPortal().contacts.set('a@b.example', { email: 'a@b.example', lastname: '<b>' });
	crms.google.addSpreadsheet([['email'], ['cell@b.example']], 'Shown');
	const page = await (await fetch(crms.page)).text();
	const shown = ['a@b.example', '&lt;b&gt;', 'cell@b.example'].map((text) => `<td>${text}</td>`);
	for (const text of [...shown, `<td>${preview.account.apiKey}</td><td>25</td>`])
		expect(page).toContain(text);
});

test.each([
	['preview-then-search', 'Excel file'],
	['search-with-credit-alert', 'CSV file'],
])('%s: what a spreadsheet would run is text in the %s', async (name, file) => {
	const account = n8n.service.admin.createAccount();
	const texts = ['=HYPERLINK("https://example.com")', '@SUM(1)', '-2+3', '+1555', 'Ann'];
	const fields = (text: string) => ({ job_title: text, company: text, personal_emails: [text] });
	const merge = { preview_data: texts.map((text) => ({ ...leadAt(0), ...fields(text) })) };
	n8n.service.admin.addFault({ account: account.id, kind: 'merge', merge });
	const parameters = { 'Search for leads': { limit: 5 } };
	const appended = [readingBack(file)];
	const { run } = await importWorkflow(n8n, name, { account, parameters, appended });
	const rows = (await run()).items(`Rows of ${file}`).map(({ json }) => json);
	for (const [at, text] of texts.entries()) {
		const safe = text === 'Ann' ? text : `'${text}`;
		expect(rows[at]).toMatchObject({ ...fields(safe), personal_emails: safe });
	}
});

const own = workflowNames().filter((name) => existsSync(join(__dirname, `${name}.ts`)));
describe.each(own)('%s', (name) => {
	// What several of them have in common stands in nights.test.ts.
	jest.requireActual<{ testWorkflow: (n8n: TestN8n) => void }>(`./${name}`).testWorkflow(n8n);
});
