/** Workflows as n8n 1.x and 2.x both take them. */
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

/** A workflow, as in a workflow file. */
export interface Workflow extends Fields {
	readonly name: string;
	readonly nodes: readonly WorkflowNode[];
	readonly connections: Fields;
}

export type SavedWorkflow = Workflow & Required<Pick<IWorkflowBase, 'id' | 'versionId'>>;

export type SavedCredential = Pick<ICredentialsDecrypted, 'id' | 'name' | 'type'>;

/** A workflow that runs nodes one after the other, each on the first output of the one before. */
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

/** Where a run starts and ends, if not where its trigger and connections say. */
export interface RunOptions {
	readonly trigger?: string;
	/** Name of the last node to run, as with "Execute step". */
	readonly upTo?: string;
	/** With `upTo`: id of the execution that the editor still shows, whose nodes don't run again. */
	readonly after?: string;
}

/** The parts of a workflow file that can be saved; nodes get the ids that the editor gives them. */
export function toSavable(workflow: Workflow): object {
	const { name, nodes, connections, settings, pinData } = workflow;
	return {
		name,
		nodes: nodes.map((one) => ({ id: randomUUID(), position: [0, 0], ...one })),
		connections,
		settings: settings ?? { executionOrder: 'v1' },
		// As the editor does: n8n stumbles over none when a step is executed by itself.
		pinData: pinData ?? {},
	};
}

/**
 * To run a saved workflow by hand.
 * @param shownRuns runs of nodes that the editor shows from an earlier execution.
 */
export function manualRun(
	workflow: SavedWorkflow,
	{ trigger, upTo }: RunOptions,
	shownRuns: Fields = {},
): object {
	const runData = Object.fromEntries(Object.entries(shownRuns).filter(([name]) => name !== upTo));
	const first = workflow.nodes.find(({ type }) => /trigger$/i.test(type))?.name;
	return {
		// n8n 1.x runs the workflow that stands here; later ones run the saved one, and ignore this.
		workflowData: workflow,
		// Where a trigger is named, n8n starts there whatever has run.
		...(Object.keys(runData).length > 0
			? { runData, dirtyNodeNames: [] }
			: { triggerToStartFrom: { name: trigger ?? first } }),
		destinationNode: upTo && { nodeName: upTo, mode: 'inclusive' },
	};
}

const folder = join(projectFolder, 'workflows');

/** The ready-made workflows that come with the package, by the names of their folders. */
export function workflowNames(): string[] {
	const entries = readdirSync(folder, { withFileTypes: true });
	const folders = entries.filter((entry) => entry.isDirectory());
	return folders.map((entry) => entry.name).sort();
}

export function readWorkflow(name: string): Workflow {
	return JSON.parse(readFileSync(join(folder, name, 'workflow.json'), 'utf8')) as Workflow;
}
