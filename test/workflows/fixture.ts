/** Helpers that the tests of the ready-made workflows share. */
import { randomUUID } from 'node:crypto';

import { node as newNode, readWorkflow } from '../../sandbox/n8n/index';
import type { Execution, Fields, SavedCredential, SavedWorkflow } from '../../sandbox/n8n/index';
import type { RunOptions, Workflow, WorkflowNode } from '../../sandbox/n8n/index';
import type { Crms } from '../../sandbox/crms/index';
import type { Account } from '../../sandbox/service';
import { until } from '../../sandbox/until';
import { credentialOf, type RunningN8n, type TestN8n } from '../n8n/harness';

export { readWorkflow, workflowNames } from '../../sandbox/n8n/index';

export interface Changes {
	readonly credentials?: readonly SavedCredential[];
	/** Parameters to set, by the name of the node. The other parameters stay. */
	readonly parameters?: Readonly<Record<string, Fields>>;
	/** Appends a node after the named one. */
	readonly appended?: { readonly after: string; readonly node: WorkflowNode };
}

export function applyChanges(
	workflow: Workflow,
	{ credentials = [], parameters = {}, appended }: Changes,
): Workflow {
	for (const name of [...Object.keys(parameters), ...(appended ? [appended.after] : [])]) {
		if (!workflow.nodes.some((node) => node.name === name))
			throw new Error(`Workflow "${workflow.name}" has no node "${name}"`);
	}
	const nodes = workflow.nodes.map((node) => {
		const known = credentials.filter(({ type }) => type in (node.credentials ?? {}));
		const chosen = Object.fromEntries(known.map(({ id, name, type }) => [type, { id, name }]));
		return {
			...node,
			parameters: { ...node.parameters, ...parameters[node.name] },
			...(node.credentials && { credentials: { ...node.credentials, ...chosen } }),
		};
	});
	if (!appended) return { ...workflow, nodes };
	const { main: [first = []] = [] } = (workflow.connections[appended.after] ?? {}) as {
		main?: unknown[][];
	};
	const main = [[...first, { node: appended.node.name, type: 'main', index: 0 }]];
	const connections = { ...workflow.connections, [appended.after]: { main } };
	return { ...workflow, nodes: [...nodes, appended.node], connections };
}

export interface Import extends Changes {
	readonly account?: Account;
	readonly how?: RunOptions;
	readonly pinData?: Fields;
	/** Changes the workflow of the file before it is imported. */
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
	const read = { ...applyChanges(readWorkflow(name), { ...changes, credentials }), pinData };
	const file = change?.(read) ?? read;
	const workflow = await n8n.client.createWorkflow(file);
	// A restart replaces the client.
	const start = async () => await n8n.client.run(workflow, how);
	return {
		account,
		file,
		workflow,
		start,
		run: async () => await n8n.client.waitForExecution(await start()),
		requests: () => n8n.service.admin.requests({ account: account.id }),
		setCredits: (apiCredits: number) => n8n.service.admin.setCredits(account.id, { apiCredits }),
	};
}

/** Runs a workflow a number of times. Each run must succeed. */
export async function expectSuccess(run: () => Promise<Execution>, times = 1): Promise<void> {
	for (let time = 1; time <= times; time++)
		expect([time, (await run()).error?.message]).toEqual([time, undefined]);
}

export const messageOf = ({ error }: Execution): string =>
	`${error?.message ?? ''} ${error?.description ?? ''}`;

export const chatMessage = (chatInput: string) => ({
	'When chat message received': [{ json: { chatInput, sessionId: randomUUID() } }],
});

/** Returns a node that reads a spreadsheet file back. */
export function readBack(file: string): NonNullable<Changes['appended']> {
	const parameters = { operation: 'fromFile' };
	const type = 'n8n-nodes-base.spreadsheetFile';
	return { after: file, node: newNode(`Rows of ${file}`, type, 2, parameters) };
}

/** Returns the CRM stand-ins of a test's n8n. */
export function crmsOf({ crms }: TestN8n): Crms {
	if (crms) return crms;
	throw new Error('This n8n was started without CRMs');
}

/**
 * Publishes a workflow until its trigger has polled once. Resolves with the execution that the poll started.
 *
 * @param isNewSearch see `startPoll`
 */
export async function poll(
	n8n: Pick<RunningN8n, 'client'>,
	workflow: SavedWorkflow,
	isNewSearch?: boolean,
) {
	const execution = await n8n.client.waitForExecution(await startPoll(n8n, workflow, isNewSearch));
	await n8n.client.deactivate(workflow);
	return execution;
}

/**
 * Publishes a workflow. Resolves with the ID of the execution that a poll starts.
 *
 * @param isNewSearch whether the trigger polls when it is published. If it doesn't, it polls by the schedule, within
 * ten seconds
 */
export async function startPoll(
	{ client }: Pick<RunningN8n, 'client'>,
	workflow: SavedWorkflow,
	isNewSearch?: boolean,
) {
	const polls = async () =>
		(await client.executions(workflow)).flatMap(({ id, mode }) => (mode === 'trigger' ? id : []));
	const before = await polls();
	const soon = new Date(Date.now() + 2_000).getSeconds() % 10;
	const seconds = [0, 10, 20, 30, 40, 50].map((ten) => `${ten + soon} * * * * *`);
	const times = (isNewSearch ?? before.length === 0) ? ['0 0 1 1 *'] : seconds;
	const pollTimes = { item: times.map((cronExpression) => ({ mode: 'custom', cronExpression })) };
	const saved = await client.call<SavedWorkflow>('GET', `/workflows/${workflow.id}`);
	const triggers = saved.nodes.filter(({ type }) => type.endsWith('leadSearchTrigger'));
	const parameters = Object.fromEntries(triggers.map(({ name }) => [name, { pollTimes }]));
	await client.updateWorkflow(workflow.id, applyChanges(saved, { parameters }));
	await client.activate(workflow);
	return await until('the trigger has started an execution', async () =>
		(await polls()).find((id) => !before.includes(id)),
	);
}

/** Changes a workflow so that its runs reuse no results of earlier runs, like runs in different nights. */
export const atNight = ({ nodes, ...workflow }: Workflow): Workflow => ({
	...workflow,
	nodes: nodes.map((node) => {
		if (!node.type.startsWith('n8n-nodes-lead-search.')) return node;
		const options = { ...(node.parameters.options as Fields), reusePaidResults: 0 };
		return { ...node, parameters: { ...node.parameters, options } };
	}),
});
