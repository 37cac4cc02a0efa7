/** The example workflows, imported into and run in a real n8n; those with tests of their own have a file of their name here. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';

import type { IBuilderHint } from 'n8n-workflow';

import { nodeBuilderHint, triggerBuilderHint } from '../../nodes/LeadSearch/builderHints';
import { chain, manualTrigger, node as newNode } from '../../sandbox/n8n/index';
import type { Fields, WorkflowNode } from '../../sandbox/n8n/index';
import { leadAt } from '../../sandbox/service';
import { credentialOf, useN8n, type TestN8n } from '../n8n/harness';
import { read } from '../release/project';
import { crmsOf, dropTable, importWorkflow, poll } from './fixture';
import { readingBack, readTable, readWorkflow, workflowNames } from './fixture';

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
	for (const workflow of [
		chain('Control', [manualTrigger, removed]),
		...workflowNames().map(readWorkflow),
	])
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

test('workflows with data tables write into their own, which they name by its id', () => {
	const tables = workflowNames().flatMap((name) =>
		readWorkflow(name).nodes.flatMap(({ parameters: { tableName } }) =>
			typeof tableName === 'string' ? [tableName.toLowerCase()] : [],
		),
	);
	expect(tables.length).toBeGreaterThanOrEqual(5);
	// n8n finds a name in any longer one.
	for (const one of tables) expect(tables.filter((other) => other.includes(one))).toEqual([one]);
	for (const { type, parameters } of workflowNames().flatMap((name) => readWorkflow(name).nodes)) {
		if (type !== 'n8n-nodes-base.dataTable' || parameters.resource !== 'row') continue;
		expect(parameters.dataTableId).toMatchObject({ mode: 'id' });
	}
});

/** What an example for n8n's workflow builder declares, its calls taken for what n8n's SDK makes of them. */
function nodesOf(hint: IBuilderHint, names: readonly string[]): WorkflowNode[] {
	const [example] = hint.extraTypeDefContent ?? [];
	const [, code = ''] =
		/<pattern [^>]+>[^]*?^(const [^]*)<\/pattern>/m.exec(example?.content ?? '') ?? [];
	interface Declared {
		readonly type: string;
		readonly version: number;
		readonly config: { readonly name: string; readonly parameters: Fields };
	}
	const declare = ({ type, version, config: { name, parameters, ...more } }: Declared) => ({
		...newNode(name, type, version, parameters),
		...more,
	});
	const expr = (text: string) => `=${text}`;
	const made: unknown = runInNewContext(`(() => { ${code}; return [${names.join(', ')}]; })()`, {
		...{ node: declare, trigger: declare, expr },
	});
	return JSON.parse(JSON.stringify(made)) as WorkflowNode[];
}

test.each(['search', 'newLeads'])(
	"the example of %s for n8n's workflow builder stores what was paid for",
	async (which) => {
		await dropTable(n8n, 'Stored leads');
		const account = n8n.service.admin.createAccount({ leads: 5 });
		const credential = await credentialOf(n8n, account);
		const isTrigger = which === 'newLeads';
		const hint = isTrigger ? triggerBuilderHint : nodeBuilderHint;
		const [source, table, store] = nodesOf(hint, [which, 'leadsTable', 'storeLead']);
		if (!source || !table || !store) throw new Error('There is no such example');
		// The mock has no CEOs.
		const parameters = { ...source.parameters, filters: { personLocationCountry: 'Iceland' } };
		const paid = { ...source, parameters, credentials: { leadSearchApi: credential } };
		const { connections, ...line } = chain(
			`Example ${which}`,
			isTrigger ? [paid, store, table] : [manualTrigger, table, paid, store],
		);
		// A trigger has two branches, the table first.
		const main = [[table, store].map(({ name }) => ({ node: name, type: 'main', index: 0 }))];
		const workflow = await n8n.client.createWorkflow({
			...line,
			connections: isTrigger ? { [paid.name]: { main } } : connections,
		});
		const execution = isTrigger
			? await poll(n8n, workflow)
			: await n8n.client.waitForExecution(await n8n.client.run(workflow));
		expect(execution.error?.message).toBeUndefined();
		expect(account.spent.apiCredits).toBe(5);
		expect(await readTable(n8n, 'Stored leads')).toHaveLength(5);
	},
);

describe.each(workflowNames())('%s', (name) => {
	const workflow = readWorkflow(name);

	test('uses only nodes that n8n has once our package is installed', async () => {
		const types = await n8n.client.nodeTypes();
		for (const { type, typeVersion } of workflow.nodes) {
			const known = types.filter(({ name: one }) => one === type);
			const versions = known.flatMap(({ version }) => version);
			expect(versions.map((version) => `${type} ${version}`)).toContain(`${type} ${typeVersion}`);
		}
	});

	test('is read in a minute, and relies on no setting that an import drops, and no memory that fills up', () => {
		const nodes = workflow.nodes.filter(({ type }) => !type.endsWith('stickyNote'));
		expect(nodes.length).toBeLessThanOrEqual(8);
		const linesOf = (text: unknown) =>
			typeof text === 'string' ? text.trimEnd().split('\n').length : 0;
		for (const { parameters } of nodes) {
			expect(linesOf(parameters.jsCode)).toBeLessThanOrEqual(10);
			expect(linesOf(parameters.query)).toBeLessThanOrEqual(15);
		}
		expect(nodes.map(({ type }) => type)).not.toContain('n8n-nodes-base.executeWorkflow');
		// It takes nothing more once it is full.
		expect(JSON.stringify(nodes)).not.toContain('removeItemsSeenInPreviousExecutions');
		expect(workflow.settings).toEqual({ executionOrder: 'v1' });
	});

	test('holds the name of each credential, and nothing else of it', () => {
		for (const { credentials = {} } of workflow.nodes)
			for (const placeholder of Object.values(credentials))
				expect(placeholder).toEqual({ id: null, name: expect.any(String) as string });
		expect(JSON.stringify(workflow)).not.toMatch(/apiKey|sessionToken|password|bearer/i);
		expect(workflow.pinData).toEqual({});
	});

	test('explains itself in notes, in a line for each question and in a picture', () => {
		const notes = workflow.nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote');
		expect(notes.length).toBeGreaterThanOrEqual(3);
		const [lines = '', picture, ...rest] = read(`workflows/${name}/README.md`).split('\n\n');
		const questions = ['What it does', 'What it costs', 'What to set up', "What it can't"];
		const asked = lines.split('\n').map((line) => /^- \*\*(.+?):\*\* /.exec(line)?.[1]);
		// Only those that somebody else's service takes part in have to answer the last one.
		expect(asked).toEqual(questions.slice(0, Math.max(asked.length, 3)));
		expect([picture, rest]).toEqual([expect.stringMatching(/^!\[.+\]\(canvas\.png\)\n$/), []]);
	});

	// What several of them have in common stands in nights.test.ts.
	if (existsSync(join(__dirname, `${name}.ts`)))
		jest.requireActual<{ testWorkflow: (n8n: TestN8n) => void }>(`./${name}`).testWorkflow(n8n);
});
