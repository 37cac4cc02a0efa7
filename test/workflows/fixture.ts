/** What the tests of the example workflows have in common. */
import { randomUUID } from 'node:crypto';

import { chain, manualTrigger, node as newNode } from '../../sandbox/n8n/index';
import type { Fields, SavedCredential, Workflow, WorkflowNode } from '../../sandbox/n8n/index';
import { readWorkflow, type RunOptions } from '../../sandbox/n8n/index';
import type { Crms } from '../../sandbox/crms/index';
import type { SavedWorkflow } from '../../sandbox/n8n/index';
import type { Account } from '../../sandbox/service';
import { query } from '../../sandbox/postgres';
import { until } from '../../sandbox/until';
import { credentialOf, type RunningN8n, type TestN8n } from '../n8n/harness';
import { publish } from '../n8n/production';

export { readWorkflow, workflowNames } from '../../sandbox/n8n/index';

export interface Changes {
	readonly credentials?: readonly SavedCredential[];
	/** Parameters to set, by the name of the node; the others stay. */
	readonly parameters?: Readonly<Record<string, Fields>>;
	readonly appended?: ReadonlyArray<{ readonly after: string; readonly node: WorkflowNode }>;
}

export function changed(
	workflow: Workflow,
	{ credentials = [], parameters = {}, appended = [] }: Changes,
): Workflow {
	for (const name of [...Object.keys(parameters), ...appended.map(({ after }) => after)]) {
		if (!workflow.nodes.some((node) => node.name === name))
			throw new Error(`Workflow "${workflow.name}" has no node "${name}"`);
	}
	const nodes = workflow.nodes.map((node) => ({
		...node,
		parameters: { ...node.parameters, ...parameters[node.name] },
		...(node.credentials && { credentials: picked(node.credentials, credentials) }),
	}));
	const connections = { ...workflow.connections };
	for (const { after, node } of appended) {
		const { main: [first = []] = [] } = (connections[after] ?? {}) as { main?: unknown[][] };
		connections[after] = { main: [[...first, { node: node.name, type: 'main', index: 0 }]] };
	}
	return { ...workflow, nodes: [...nodes, ...appended.map(({ node }) => node)], connections };
}

function picked(
	placeholders: NonNullable<WorkflowNode['credentials']>,
	credentials: readonly SavedCredential[],
): NonNullable<WorkflowNode['credentials']> {
	const known = credentials.map(({ id, name, type }) => [type, { id, name }] as const);
	return { ...placeholders, ...Object.fromEntries(known.filter(([type]) => type in placeholders)) };
}

interface Import extends Changes {
	readonly account?: Account;
	readonly how?: RunOptions;
	readonly pinData?: Fields;
	/** Makes another workflow of it. */
	readonly change?: (workflow: Workflow) => Workflow;
}

/** Imports a ready-made workflow, with the credential of an account unless `credentials` has another. */
export async function importWorkflow(
	n8n: Pick<RunningN8n, 'client' | 'service'>,
	name: string,
	{
		account = n8n.service.admin.createAccount(),
		how,
		pinData = {},
		change,
		...changes
	}: Import = {},
) {
	const own = await credentialOf(n8n, account);
	const credentials = [own, ...(changes.credentials ?? [])];
	const read = { ...changed(readWorkflow(name), { ...changes, credentials }), pinData };
	const file = change?.(read) ?? read;
	const workflow = await n8n.client.createWorkflow(file);
	// n8n may have been started anew meanwhile.
	const start = async () => await n8n.client.run(workflow, how);
	return {
		...{ account, file, workflow, start },
		run: async () => await n8n.client.waitForExecution(await start()),
		requests: () => n8n.service.admin.requests({ account: account.id }),
		setCredits: (apiCredits: number) => n8n.service.admin.setCredits(account.id, { apiCredits }),
	};
}

export const chatMessage = (chatInput: string) => ({
	'When chat message received': [{ json: { chatInput, sessionId: randomUUID() } }],
});

export function readingBack(file: string): NonNullable<Changes['appended']>[number] {
	const parameters = { operation: 'fromFile' };
	const type = 'n8n-nodes-base.spreadsheetFile';
	return { after: file, node: newNode(`Rows of ${file}`, type, 2, parameters) };
}

/** The stand-ins for CRMs of a test's n8n. */
export function crmsOf({ crms }: TestN8n): Crms {
	if (crms) return crms;
	throw new Error('This n8n was started without CRMs');
}

/** The parameters of a node of a ready-made workflow, with a text in them replaced. @throws Error where it is not there */
export function edited(workflow: string, name: string, from: string, to: string) {
	const { nodes } = readWorkflow(workflow);
	const text = JSON.stringify(nodes.find((node) => node.name === name)?.parameters ?? {});
	if (!text.includes(from)) throw new Error(`Node "${name}" of ${workflow} has no "${from}"`);
	return { [name]: JSON.parse(text.replace(from, to)) as Fields };
}

/** Publishes a workflow until its trigger has polled once. Resolves with the execution that this started. */
export async function poll({ client }: Pick<RunningN8n, 'client'>, workflow: SavedWorkflow) {
	// What fails starts others of the same workflow, where that has a trigger for it.
	const polls = async () =>
		(await client.executions(workflow)).flatMap(({ id, mode }) => (mode === 'trigger' ? id : []));
	const before = await polls();
	// Publishing polls where there is no place yet; elsewhere the schedule does, in some seconds.
	const second = new Date(Date.now() + 4_000).getSeconds();
	const cronExpression = before.length === 0 ? '0 0 1 1 *' : `${second} * * * * *`;
	const pollTimes = { item: [{ mode: 'custom', cronExpression }] };
	const saved = await client.call<SavedWorkflow>('GET', `/workflows/${workflow.id}`);
	const triggers = saved.nodes.filter(({ type }) => type.endsWith('leadSearchTrigger'));
	const parameters = Object.fromEntries(triggers.map(({ name }) => [name, { pollTimes }]));
	await client.updateWorkflow(workflow.id, changed(saved, { parameters }));
	await client.activate(workflow);
	const started = await until(
		'the trigger has started an execution',
		async () => (await polls()).find((id) => !before.includes(id)),
		{ timeout: 75_000 },
	);
	const execution = await client.waitForExecution(started);
	await client.deactivate(workflow);
	return execution;
}

/**
 * Imports a ready-made workflow as it runs at night: published, its trigger a web request of the test,
 * and a night later, when no memory of the node's reuses what was paid for. `night` runs it once, `start`
 * begins to.
 */
export async function importForNights(
	n8n: Pick<RunningN8n, 'client' | 'server' | 'service'>,
	name: string,
	trigger: string,
	options: Import = {},
) {
	const imported = await importWorkflow(n8n, name, options);
	const { file } = imported;
	const { run: night, start } = await publish(n8n, [], ({ nodes: [webhook] }) => ({
		...file,
		nodes: file.nodes.map((node) => {
			const { name: own, position } = node;
			return own === trigger ? { ...node, ...webhook, name: own, position } : asAtNight(node);
		}),
	}));
	return { ...imported, start, night };
}

function asAtNight(node: WorkflowNode): WorkflowNode {
	if (!node.type.startsWith('n8n-nodes-lead-search.')) return node;
	const options = { ...(node.parameters.options as Fields), reusePaidResults: 0 };
	return { ...node, parameters: { ...node.parameters, options } };
}

/** Removes a data table, so that the next test begins with none. */
export async function dropTable({ client }: Pick<RunningN8n, 'client'>, name: string) {
	const dataTableId = { __rl: true, mode: 'name', value: name };
	const parameters = { resource: 'table', operation: 'delete', dataTableId };
	const drop = newNode('Drop', 'n8n-nodes-base.dataTable', 1.1, parameters);
	await client.execute(chain(`Drop ${name}`, [manualTrigger, drop]));
}

/** The table of n8n's own database that holds the rows of a data table, to be named in a statement. */
export async function storageOf(
	{ server }: Pick<RunningN8n, 'server'>,
	name: string,
): Promise<string> {
	const rows = await query(server.database, `SELECT id FROM data_table WHERE name = '${name}'`);
	if (rows.length !== 1) throw new Error(`There are ${rows.length} data tables named ${name}`);
	return `"data_table_user_${String(rows[0]?.id)}"`;
}

/** The most that the data tables of this n8n may hold together, and how often it looks. */
export const dataTables = {
	N8N_DATA_TABLES_MAX_SIZE_BYTES: '20000000',
	N8N_DATA_TABLES_SIZE_CHECK_CACHE_DURATION_MS: '0',
};

/** Fills n8n's data tables, up to the last byte that it allows; resolves with a way to make room. */
export async function fillTables(n8n: Pick<RunningN8n, 'client' | 'server'>) {
	const name = `Ballast ${randomUUID()}`;
	const columns = { column: [{ name: 'text', type: 'string' }] };
	const parameters = { resource: 'table', operation: 'create', tableName: name, columns };
	const make = newNode('Make', 'n8n-nodes-base.dataTable', 1.1, parameters);
	await n8n.client.execute(chain(name, [manualTrigger, make]));
	const table = await storageOf(n8n, name);
	const rows = `SELECT repeat('x', 1000) FROM generate_series(1, 22000)`;
	await query(n8n.server.database, `INSERT INTO ${table} (text) ${rows}`);
	return async () => {
		await dropTable(n8n, name);
	};
}

export async function readTable(
	{ client }: Pick<RunningN8n, 'client'>,
	name: string,
): Promise<readonly Fields[]> {
	const dataTableId = { __rl: true, mode: 'name', value: name };
	const parameters = { resource: 'row', operation: 'get', dataTableId, returnAll: true };
	const rows = newNode('Rows', 'n8n-nodes-base.dataTable', 1.1, parameters);
	return (await client.execute(chain(`Read ${name}`, [manualTrigger, rows])))
		.items(rows.name)
		.map(({ json }) => json)
		.sort((one, other) => Number(one.id) - Number(other.id));
}
