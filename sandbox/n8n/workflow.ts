import type { ICredentialsDecrypted, IWorkflowBase } from 'n8n-workflow';

type Fields = Readonly<Record<string, unknown>>;

/** A node of a workflow, as in a workflow file. */
export interface WorkflowNode extends Fields {
	readonly name: string;
	readonly type: string;
	readonly typeVersion: number;
	readonly parameters: Fields;
	readonly credentials?: Readonly<Record<string, { readonly id: string; readonly name: string }>>;
}

/** A workflow, as in a workflow file. */
export interface Workflow extends Fields {
	readonly name: string;
	readonly nodes: readonly WorkflowNode[];
	readonly connections: Fields;
}

/** A workflow that n8n has saved. */
export type SavedWorkflow = Workflow & Required<Pick<IWorkflowBase, 'id' | 'versionId'>>;

/** A credential that n8n has saved. */
export type SavedCredential = Pick<ICredentialsDecrypted, 'id' | 'name' | 'type'>;

/**
 * A workflow that runs nodes one after the other, each on the first output of the one before.
 * Nodes without a position are laid out from left to right.
 */
export function chain(name: string, nodes: readonly WorkflowNode[]): Workflow {
	const connections: Record<string, unknown> = {};
	nodes.forEach((node, index) => {
		const next = nodes[index + 1];
		if (next !== undefined) {
			connections[node.name] = { main: [[{ node: next.name, type: 'main', index: 0 }]] };
		}
	});
	return {
		name,
		nodes: nodes.map((node, index) => ({ position: [index * 220, 0], ...node })),
		connections,
		settings: { executionOrder: 'v1' },
	};
}

/** The node that starts a workflow by hand. */
export const manualTrigger: WorkflowNode = {
	name: 'Start',
	type: 'n8n-nodes-base.manualTrigger',
	typeVersion: 1,
	parameters: {},
};
