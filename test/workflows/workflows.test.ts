/** The example workflows, imported into and run in a real n8n; each has a file of its name here. */
import { runInNewContext } from 'node:vm';

import type { IBuilderHint } from 'n8n-workflow';

import { nodeBuilderHint, triggerBuilderHint } from '../../nodes/LeadSearch/builderHints';
import { chain, manualTrigger, node as newNode } from '../../sandbox/n8n/index';
import type { Fields, WorkflowNode } from '../../sandbox/n8n/index';
import { credentialOf, useN8n, type TestN8n } from '../n8n/harness';
import { read } from '../release/project';
import { crmsOf, dataTables, dropTable, importWorkflow, poll } from './fixture';
import { readTable, readWorkflow, workflowNames } from './fixture';
import { testRenamedProfiles } from './renamedProfiles';

const n8n = useN8n(dataTables, { withCrms: true });

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
	const cost = `<td>${preview.account.apiKey}</td><td>25</td>`;
	for (const text of [
		'<td>a@b.example</td>',
		'<td>&lt;b&gt;</td>',
		'<td>cell@b.example</td>',
		cost,
	])
		expect(page).toContain(text);
});

test('all workflows with data tables in one n8n write into their own, twice', async () => {
	const names = workflowNames().flatMap((name) => {
		const made = readWorkflow(name).nodes.map(({ parameters }) => parameters.tableName);
		return made.filter((table) => typeof table === 'string').map((table) => [name, table] as const);
	});
	const tables = names.map(([, table]) => table);
	expect(new Set(names.map(([name]) => name)).size).toBeGreaterThanOrEqual(5);
	// n8n finds a name in any longer one.
	for (const one of tables)
		expect(tables.filter((other) => other.toLowerCase().includes(one.toLowerCase()))).toEqual([
			one,
		]);
	for (const [name] of names) {
		for (const { type, parameters } of readWorkflow(name).nodes) {
			if (type !== 'n8n-nodes-base.dataTable' || parameters.resource !== 'row') continue;
			expect([name, parameters.dataTableId]).toMatchObject([name, { mode: 'id' }]);
		}
	}

	const filters = { personLocationCountry: 'Iceland' };
	const trigger = { 'Next leads every day': { filters, leadsPerPoll: 3 } };
	const leads = await importWorkflow(n8n, 'new-leads-to-data-table', { parameters: trigger });
	const portal = crmsOf(n8n).hubspot.addPortal();
	const access = { appToken: portal.secret };
	const hubspot = await importWorkflow(n8n, 'hubspot-contacts', {
		credentials: [await n8n.client.createCredential('hubspotAppToken', portal.secret, access)],
		parameters: trigger,
	});
	const { secret } = crmsOf(n8n).pipedrive.addCompany();
	const pipedrive = await importWorkflow(n8n, 'pipedrive-persons', {
		credentials: [await n8n.client.createCredential('pipedriveApi', secret, { apiToken: secret })],
		parameters: trigger,
	});
	const pull = await importWorkflow(n8n, 'long-pull-in-batches', {
		account: n8n.service.admin.createAccount({ leads: 3 }),
		parameters: { 'Search for leads': { filters, limit: 2 } },
		how: { trigger: 'Start or go on' },
	});
	const { baseUrl } = n8n.service;
	const values = { baseUrl, jobTitles: '', countries: 'Iceland', leads: 3 };
	const assignments = Object.entries(values).map(([name, value]) => ({
		...{ id: name, name, value },
		type: typeof value,
	}));
	const profiles = await importWorkflow(n8n, 'only-new-leads', {
		parameters: { Audience: { assignments: { assignments } } },
		how: { trigger: 'Every Monday' },
	});
	for (const round of [1, 2]) {
		const runs = [
			await poll(n8n, leads.workflow),
			await poll(n8n, hubspot.workflow),
			await poll(n8n, pipedrive.workflow),
			await pull.run(),
			await profiles.run(),
		];
		expect([round, runs.map(({ error }) => error?.message)]).toEqual([
			round,
			Array(5).fill(undefined),
		]);
	}
	const lengths = async (table: string) => (await readTable(n8n, table)).length;
	expect(await lengths('Daily new leads')).toBe(6);
	expect(await lengths('HubSpot leads')).toBe(6);
	expect(await lengths('Pipedrive leads')).toBe(6);
	expect(await lengths('Leads in batches')).toBe(3);
	expect(await lengths('Profiles in reach')).toBe(6);
	for (const table of tables.filter((one) => one !== 'Credits spent')) await dropTable(n8n, table);
});

describe("the examples for n8n's workflow builder", () => {
	/** What an example declares, its calls taken for what n8n's SDK makes of them. */
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

	const branches = (...names: readonly string[]) => ({
		main: [names.map((node) => ({ node, type: 'main', index: 0 }))],
	});

	afterEach(() => dropTable(n8n, 'Stored leads'));

	test.each(['search', 'trigger'])(
		'of a %s store what was paid for, in a real n8n',
		async (which) => {
			const account = n8n.service.admin.createAccount({ leads: 5 });
			const credential = await credentialOf(n8n, account);
			const isTrigger = which === 'trigger';
			const hint = isTrigger ? triggerBuilderHint : nodeBuilderHint;
			const own = isTrigger ? 'newLeads' : 'search';
			const [source, ...others] = nodesOf(hint, [own, 'leadsTable', 'storeLead']);
			if (!source) throw new Error('There is no such example');
			// The mock has no CEOs.
			const parameters = { ...source.parameters, filters: { personLocationCountry: 'Iceland' } };
			const paid = { ...source, parameters, credentials: { leadSearchApi: credential } };
			const [made, store] = ['Leads Table', 'Store Lead'] as const;
			const workflow = await n8n.client.createWorkflow({
				...chain(`Example ${which}`, [manualTrigger, paid, ...others]),
				connections: isTrigger
					? { [source.name]: branches(made, store) }
					: {
							[manualTrigger.name]: branches(made),
							[made]: branches(source.name),
							[source.name]: branches(store),
						},
			});
			const execution = isTrigger
				? await poll(n8n, workflow)
				: await n8n.client.waitForExecution(await n8n.client.run(workflow));
			expect(execution.error?.message).toBeUndefined();
			expect(account.spent.apiCredits).toBe(5);
			expect(await readTable(n8n, 'Stored leads')).toHaveLength(5);
		},
	);
});

describe('Renamed profiles', () => {
	testRenamedProfiles(n8n);
});

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

	test('rests on no memory of Remove Duplicates, which takes nothing more once it is full', () => {
		expect(JSON.stringify(workflow.nodes)).not.toContain('removeItemsSeenInPreviousExecutions');
	});

	test('holds the name of each credential, and nothing else of it', () => {
		for (const { credentials = {} } of workflow.nodes) {
			for (const placeholder of Object.values(credentials)) {
				expect(placeholder).toEqual({ id: null, name: expect.any(String) as string });
			}
		}
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

	jest.requireActual<{ testWorkflow: (n8n: TestN8n) => void }>(`./${name}`).testWorkflow(n8n);
});
