/** What the tests of the example workflows have in common. */
import {
	chain,
	manualTrigger,
	node as newNode,
	type Fields,
	type SavedCredential,
	type Workflow,
	type WorkflowNode,
} from '../../sandbox/n8n/index';
import type { RunningN8n } from '../n8n/harness';

export { readWorkflow, workflowNames } from '../../sandbox/n8n/index';

/** What users do to an imported workflow in the editor. */
export interface Changes {
	readonly credentials?: readonly SavedCredential[];
	/** Parameters to set, by the name of the node; the others stay. */
	readonly parameters?: Readonly<Record<string, Fields>>;
	/** Nodes to put behind others. */
	readonly appended?: ReadonlyArray<{ readonly after: string; readonly node: WorkflowNode }>;
}

/** @throws Error when a node to change isn't there. */
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
		connections[after] = { main: [[{ node: node.name, type: 'main', index: 0 }]] };
	}
	return { ...workflow, nodes: [...nodes, ...appended.map(({ node }) => node)], connections };
}

function picked(
	placeholders: NonNullable<WorkflowNode['credentials']>,
	credentials: readonly SavedCredential[],
): NonNullable<WorkflowNode['credentials']> {
	const known = credentials.map(({ id, name, type }) => [type, { id, name }] as const);
	return {
		...placeholders,
		...Object.fromEntries(known.filter(([type]) => type in placeholders)),
	};
}

/** A node that reads a file's rows back, to see what is in it. */
export function readingBack(file: string): NonNullable<Changes['appended']>[number] {
	const parameters = { operation: 'fromFile' };
	const type = 'n8n-nodes-base.spreadsheetFile';
	return { after: file, node: newNode(`Rows of ${file}`, type, 2, parameters) };
}

/** Every row of an n8n data table, in the order in which they were added. */
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
