/** Workflows in a form that n8n 1.x and 2.x accept. */
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { ICredentialsDecrypted, IWorkflowBase } from 'n8n-workflow';

import { projectFolder } from '../paths';

export type Fields = Readonly<Record<string, unknown>>;

export interface WorkflowNode extends Fields {
	readonly name: string;
	readonly type: string;
	readonly typeVersion: number;
	readonly parameters: Fields;
	readonly credentials?: Readonly<Record<string, { readonly id: string; readonly name: string }>>;
}

/** A workflow as in a workflow file. */
export interface Workflow extends Fields {
	readonly name: string;
	readonly nodes: readonly WorkflowNode[];
	readonly connections: Fields;
}

export type SavedWorkflow = Workflow & Required<Pick<IWorkflowBase, 'id' | 'versionId'>>;

export type SavedCredential = Pick<ICredentialsDecrypted, 'id' | 'name' | 'type'>;

/** Creates a workflow of connected nodes. Each node gets the first output of the previous one. */
export function chain(name: string, nodes: readonly WorkflowNode[]): Workflow {
	const connections = nodes.slice(1).map((next, index) => {
		const main = [[{ node: next.name, type: 'main', index: 0 }]];
		return [nodes[index]?.name, { main }] as const;
	});
	return {
		name,
		nodes: nodes.map((one, index) => ({ position: [index * 220, 0], ...one })),
		connections: Object.fromEntries(connections) as Fields,
		settings: { executionOrder: 'v1' },
	};
}

/** Creates a node. */
export function node(
	name: string,
	type: string,
	typeVersion: number,
	parameters: Fields = {},
	credential?: SavedCredential,
): WorkflowNode {
	const { id = '', name: credentialName = '', type: credentialType = '' } = credential ?? {};
	const credentials = { [credentialType]: { id, name: credentialName } };
	return { name, type, typeVersion, parameters, ...(credential && { credentials }) };
}

export const manualTrigger = node('Start', 'n8n-nodes-base.manualTrigger', 1);

export interface RunOptions {
	/** Name of the trigger to start from. By default, it is the first one. */
	readonly trigger?: string;
}

/** Returns the parts of a workflow file that n8n can save. Nodes get IDs, as in the editor. */
export function toSavable(workflow: Workflow): object {
	const { name, nodes, connections, settings, pinData } = workflow;
	return {
		name,
		nodes: nodes.map((one) => ({ id: randomUUID(), position: [0, 0], ...one })),
		connections,
		settings: settings ?? { executionOrder: 'v1' },
		// Like the editor: without it, n8n fails when a single step is executed.
		pinData: pinData ?? {},
	};
}

/** Returns the body of a request that runs a saved workflow manually. */
export function manualRun(workflow: SavedWorkflow, { trigger }: RunOptions): object {
	const first = workflow.nodes.find(({ type }) => /trigger$/i.test(type))?.name;
	return {
		// n8n 1.x runs this workflow. Later versions ignore it and run the saved one.
		workflowData: workflow,
		triggerToStartFrom: { name: trigger ?? first },
	};
}

const folder = join(projectFolder, 'workflows');

/** Returns the folder names of the ready-made workflows. */
export function workflowNames(): string[] {
	const entries = readdirSync(folder, { withFileTypes: true });
	const folders = entries.filter((entry) => entry.isDirectory());
	return folders.map((entry) => entry.name).sort();
}

/** Reads a ready-made workflow by the name of its folder. */
export function readWorkflow(name: string): Workflow {
	return JSON.parse(readFileSync(join(folder, name, 'workflow.json'), 'utf8')) as Workflow;
}
