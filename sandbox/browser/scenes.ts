/** The scenes of the documentation's images. */
import type { Locator } from 'playwright-core';

import { chain, credentialOf, leadSearch, manualTrigger, node } from '../n8n/index';
import { readWorkflow, type Fields, type SavedCredential } from '../n8n/index';
import type { Workflow, WorkflowNode } from '../n8n/index';
import { until } from '../until';
import { openLeadSearch, openNewWorkflow, type Fixture, type NodeSetup } from './fixture';
import { chooseOption, shown, type NodePanel } from './panels';

/** The part of the window that an image shows. */
export interface Subject {
	/** The image contains all of these. */
	readonly elements: readonly Locator[];
	/** Space around the elements, in pixels. */
	readonly padding?: number;
	/** The image ends slightly below this element, if that is higher. */
	readonly last?: Locator;
	/** CSS that applies only to the image. */
	readonly style?: string;
	/** Input with the mock's address, which the image replaces. */
	readonly address?: Locator;
}

/** Prepares the editor for an image. */
export type Scene = (fixture: Fixture) => Promise<Subject>;

/** Filters with fewer matches than the Limit of any image, because n8n shows a box if the Limit is reached. */
const filters = { jobTitles: 'Chief Marketing Officer', personLocationCountry: 'Iceland' };
const search = { resource: 'lead', operation: 'buyLeads', filters };

const agent = node('AI Agent', '@n8n/n8n-nodes-langchain.agent', 3.1);

/** Scenes by the name of the image. */
export const scenes: Readonly<Record<string, Scene>> = {
	async 'nodes-panel'(fixture) {
		await openNewWorkflow(fixture);
		const nodes = await fixture.editor.openNodesPanel();
		await nodes.search('Lead Search');
		await nodes.choose('Lead Search');
		await nodes.toggle('Triggers');
		const last = nodes.entry('On a schedule: next leads of a search (1 credit each)');
		await last.waitFor();
		return { elements: [nodes.panel], last };
	},

	async preview(fixture) {
		const { baseUrl } = fixture.service;
		const preview = { ...search, operation: 'preview', baseUrl, limit: 150 };
		await fixture.editor.page.setViewportSize({ width: 1_400, height: 1_300 });
		const panel = await openLeadSearch(fixture, preview);
		const elements = [panel.middle, ...(await tableOf(panel)).elements];
		const address = panel.field('Base URL').locator('input');
		return { elements, last: panel.addButton('Filters'), address };
	},

	async 'search-parameters'(fixture) {
		const verified = { ...search, filters: { ...filters, emailStatus: 'verified' } };
		const limited = { ...verified, maxCredits: 500, options: { includePhones: true } };
		return parametersOf(await openPaid(fixture, limited));
	},

	/** The canvas after a run, with the output below it. */
	async 'search-output'(fixture) {
		const { client, editor, service } = fixture;
		const { page } = editor;
		const account = service.admin.createAccount();
		const credential = await credentialOf(fixture, account, 'bearer', 'Lead Search account');
		const verified = { ...filters, emailStatus: 'verified' };
		const nodes = [
			manualTrigger,
			leadSearch({ ...search, filters: verified, limit: 100 }, credential),
			node('Convert to File', 'n8n-nodes-base.convertToFile', 1.1),
		];
		await page.setViewportSize({ width: 1_160, height: 860 });
		await editor.openWorkflow(await client.createWorkflow(chain('Leads', nodes)));
		await page.getByTestId('execute-workflow-button').click();
		await page.getByText('Workflow executed successfully').first().waitFor();
		const logs = page.getByTestId('logs-panel');
		await logs.getByTestId('logs-overview-header').click();
		await logs.getByTestId('logs-overview-body').getByText('Lead Search', { exact: true }).click();
		const output = logs.getByTestId('log-details-output');
		await output.getByTestId('radio-button-table').click();
		await output.locator('table').waitFor();
		const { x, y, width } = (await logs.boundingBox()) ?? { x: 0, y: 0, width: 0 };
		// Drag the upper edge of the logs up, so that the table shows some rows.
		await page.mouse.move(x + width / 2, y + 1);
		await page.mouse.down();
		await page.mouse.move(x + width / 2, y - 200, { steps: 5 });
		await page.mouse.up();
		await editor.zoomToFit();
		const nodesOfCanvas = await page.getByTestId('canvas-node').all();
		const style = `${workflowOnlyStyle} [data-test-id=logs-panel] { visibility: visible }`;
		return { elements: [...nodesOfCanvas, logs], padding: 24, style };
	},

	async 'not-enough-credits'(fixture) {
		const account = fixture.service.admin.createAccount({ apiCredits: 60 });
		const more = { ...search, limit: 100, options: { pageSize: 25 } };
		const panel = await openLeadSearch(fixture, more, { account, onError: 'continueErrorOutput' });
		const table = await tableOf(panel);
		await panel.output.showBranch('Error');
		return table;
	},

	/** Profiles that Look Up doesn't find go to another provider. */
	async waterfall(fixture) {
		const rows = { operation: 'get', dataTableId: chosen };
		const contacts = node('Contacts', 'n8n-nodes-base.dataTable', 1.1, rows);
		const parameters = {
			resource: 'linkedInProfile',
			operation: 'buyProfiles',
			linkedinUrls: '={{ $json.linkedin_url }}',
			includeInputFields: true,
			options: { unmatched: 'secondOutput' },
		};
		const lookUp = leadSearch(parameters, undefined, {
			name: 'Look up',
			credentials: { leadSearchApi: { id: '', name: 'Lead Search account' } },
		});
		const finder = { operation: 'emailFinder', domain: '={{ $json.domain }}' };
		const names = { firstname: '={{ $json.first_name }}', lastname: '={{ $json.last_name }}' };
		const hunter = {
			...node('Ask Hunter', 'n8n-nodes-base.hunter', 1, { ...finder, ...names }),
			credentials: { hunterApi: { id: '', name: 'Hunter account' } },
		};
		const save = node('Save', 'n8n-nodes-base.dataTable', 1.1, { dataTableId: chosen });
		const to = ({ name }: WorkflowNode) => [{ node: name, type: 'main', index: 0 }];
		return await subjectOf(fixture, {
			name: 'Another provider',
			nodes: [
				{ ...contacts, position: [0, 0] },
				{ ...lookUp, position: [200, 0] },
				{ ...hunter, position: [420, 120] },
				{ ...save, position: [620, 0] },
			],
			connections: {
				[contacts.name]: { main: [to(lookUp)] },
				[lookUp.name]: { main: [to(save), to(hunter)] },
				[hunter.name]: { main: [to(save)] },
			},
		});
	},

	/** An execution that failed, and the menu of its Retry. */
	async retry(fixture) {
		const { client, editor, server, service } = fixture;
		const { page } = editor;
		const account = service.admin.createAccount({ apiCredits: 60 });
		const parameters = { ...search, limit: 100, options: { pageSize: 25 } };
		const nodes = [manualTrigger, leadSearch(parameters, await credentialOf(fixture, account))];
		const workflow = await client.createWorkflow(chain('Leads', nodes));
		const { id } = await client.waitForExecution(await client.run(workflow));
		// Wide enough that the tabs don't cover the list of executions.
		await page.setViewportSize({ width: 1_000, height: 700 });
		await page.goto(`${server.url}/workflow/${workflow.id}/executions/${id}`);
		const menu = shown(page.getByRole('menu')).filter({ hasText: 'Retry with original workflow' });
		// While the execution is loading, n8n closes the menu.
		await until('the menu stays open', async () => {
			// The menu has the same ID as its button.
			await page.getByTestId('retry-execution-button').first().click();
			const wait = menu.waitFor({ timeout: 5_000 });
			return await wait.then(
				() => true,
				() => false,
			);
		});
		return { elements: [page.getByTestId('executions-sidebar'), menu], last: menu };
	},

	/** The node as a tool of an agent. The model fills in a filter. */
	async 'agent-tool'(fixture) {
		const { client, editor, service } = fixture;
		await credentialOf(fixture, service.admin.createAccount(), 'bearer', 'Lead Search account');
		await editor.openWorkflow(await client.createWorkflow(chain('Agent', [agent])));
		const nodes = await editor.openToolsPanel(agent.name);
		await nodes.search('Lead Search');
		const panel = await nodes.add('Lead Search Tool');
		await panel.addButton('Filters').click();
		await chooseOption(editor.page, 'Job Titles');
		await panel.letModelDefine('Job Titles');
		return { elements: [panel.middle], last: panel.field('Limit') };
	},

	async credential(fixture) {
		const panel = await openPaid(fixture, search);
		await fixture.editor.page.setViewportSize({ width: 1_060, height: 900 });
		const { dialog, input, passed } = await panel.editCredential();
		await passed();
		return { elements: [dialog], last: input('creditCeiling'), address: input('baseUrl') };
	},

	async trigger(fixture) {
		const pollTimes = { item: [{ mode: 'everyDay', hour: 7, minute: 0 }] };
		return parametersOf(await openPaid(fixture, { filters, pollTimes }, { isTrigger: true }));
	},
};

/** Returns the scene of a ready-made workflow: its canvas with all notes. */
export function canvasOf(name: string): Scene {
	return (fixture) => subjectOf(fixture, readWorkflow(name));
}

async function subjectOf(fixture: Fixture, workflow: Workflow): Promise<Subject> {
	const { client, editor } = fixture;
	const { page } = editor;
	await page.setViewportSize({ width: 1_120, height: 900 });
	await editor.openWorkflow(await client.createWorkflow(await complete(fixture, workflow)));
	await editor.zoomToFit();
	const nodes = page.getByTestId('canvas-node');
	const wires = page.locator('.vue-flow__edge-path');
	const parts = [nodes, wires, page.getByTestId(/^(sticky|canvas-handle-plus)$/)];
	const names = workflow.nodes
		.filter(({ type }) => type !== 'n8n-nodes-base.stickyNote')
		.map((node) => nodes.getByText(node.name, { exact: true }));
	const elements = await Promise.all([...parts, ...names].map((part) => part.all()));
	return { elements: elements.flat(), padding: 24, style: workflowOnlyStyle };
}

/** Hides the buttons over the canvas, and its grid, which makes image files large. */
const workflowOnlyStyle =
	'body { visibility: hidden } .vue-flow__viewport, marker { visibility: visible }';

/** A sheet or table that a user has chosen. */
const chosen = { __rl: true, mode: 'list', value: 'chosen', cachedResultName: 'Contacts' };

/** Returns a workflow as after a user has filled it in. n8n marks nodes without a credential or a table as faulty. */
async function complete({ client, service }: Fixture, workflow: Workflow): Promise<Workflow> {
	const secrets: Readonly<Record<string, Fields>> = {
		leadSearchApi: { baseUrl: service.baseUrl, authentication: 'bearer', apiKey: 'none' },
		openAiApi: { apiKey: 'none' },
		hunterApi: { apiKey: 'none' },
	};
	const fillIn = async (node: WorkflowNode): Promise<WorkflowNode> => {
		const credentials: Record<string, SavedCredential> = {};
		for (const [type, { name }] of Object.entries(node.credentials ?? {}))
			credentials[type] = await client.createCredential(type, name, secrets[type] ?? {});
		const parameters = Object.entries(node.parameters).map(([name, value]) => {
			const isEmpty = (value as { readonly value?: unknown } | undefined)?.value === '';
			return [name, isEmpty ? chosen : value] as const;
		});
		return { ...node, credentials, parameters: Object.fromEntries(parameters) };
	};
	return { ...workflow, nodes: await Promise.all(workflow.nodes.map(fillIn)) };
}

function openPaid(fixture: Fixture, parameters: Fields, setup?: NodeSetup): Promise<NodePanel> {
	const account = fixture.service.admin.createAccount();
	return openLeadSearch(fixture, parameters, { account, ...setup });
}

function parametersOf({ middle, addButton }: NodePanel): Subject {
	return { elements: [middle], last: addButton('Options') };
}

/** Runs an open node and shows its output as a table. */
async function tableOf(panel: NodePanel): Promise<Subject> {
	const { output } = panel;
	await panel.execute();
	await output.showTable();
	return { elements: [output.panel], last: output.table };
}
