/** A node of a workflow, as in a workflow file. */
export interface WorkflowNode {
	readonly id?: string;
	readonly name: string;
	readonly type: string;
	readonly typeVersion: number;
	readonly position?: readonly [number, number];
	readonly parameters: Readonly<Record<string, unknown>>;
	readonly credentials?: Readonly<Record<string, { readonly id: string; readonly name: string }>>;
	/** What happens after a failure: `stopWorkflow`, `continueRegularOutput`, `continueErrorOutput`. */
	readonly onError?: string;
	readonly [field: string]: unknown;
}

/** A workflow, as in a workflow file. */
export interface Workflow {
	readonly name: string;
	readonly nodes: readonly WorkflowNode[];
	readonly connections: Readonly<Record<string, unknown>>;
	readonly settings?: Readonly<Record<string, unknown>>;
	readonly [field: string]: unknown;
}

/** A credential that n8n has saved. */
export interface SavedCredential {
	readonly id: string;
	readonly name: string;
	readonly type: string;
}

/** A workflow that n8n has saved. */
export interface SavedWorkflow extends Workflow {
	readonly id: string;
	readonly versionId: string;
}

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
		nodes: nodes.map((node, index) => ({ position: [index * 220, 0] as const, ...node })),
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
