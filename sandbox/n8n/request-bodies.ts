/** What n8n's API is sent about workflows, in a form that n8n 1.x and 2.x both take. */
import { randomUUID } from 'node:crypto';

import type { SavedWorkflow, Workflow } from './workflow';

/** Where a run starts and ends; both are found by themselves. */
export interface RunOptions {
	/** Name of the trigger to start from. */
	readonly trigger?: string;
	/** Name of the last node to run, as with "Execute step". */
	readonly upTo?: string;
	/**
	 * With `upTo`: id of the execution that the editor still shows. Of the nodes before, those that
	 * ran in it don't run again.
	 */
	readonly after?: string;
	/** When `upTo` names a tool: what an AI agent would call it with. */
	readonly toolInput?: Readonly<Record<string, unknown>>;
}

/** The parts of a workflow file that can be saved; nodes get the ids that the editor gives them. */
export function savable(workflow: Workflow): object {
	const { name, nodes, connections, settings, pinData } = workflow;
	return {
		name,
		nodes: nodes.map((node) => ({ id: randomUUID(), position: [0, 0], ...node })),
		connections,
		settings: settings ?? { executionOrder: 'v1' },
		// As the editor does: n8n stumbles over none when a step is executed by itself.
		pinData: pinData ?? {},
	};
}

/**
 * To run a saved workflow by hand.
 *
 * @param shown runs of nodes that the editor shows from an earlier execution.
 * @throws Error when no trigger is named, and the workflow has none.
 */
export function manualRun(
	workflow: SavedWorkflow,
	options: RunOptions,
	shown: Readonly<Record<string, unknown>> = {},
): object {
	const runData = Object.fromEntries(
		Object.entries(shown).filter(([name]) => name !== options.upTo),
	);
	// Models know tools by names without spaces.
	const tool = options.upTo?.replaceAll(' ', '_');
	return {
		// n8n 1.x runs the workflow that stands here; later ones run the saved one, and ignore this.
		workflowData: workflow,
		// Where a trigger is named, n8n starts there whatever has run.
		...(Object.keys(runData).length > 0
			? { runData, dirtyNodeNames: [] }
			: { triggerToStartFrom: { name: options.trigger ?? triggerOf(workflow) } }),
		...(options.upTo !== undefined && {
			destinationNode: { nodeName: options.upTo, mode: 'inclusive' },
		}),
		...(tool !== undefined &&
			options.toolInput !== undefined && {
				agentRequest: { query: { [tool]: options.toolInput }, tool: { name: tool } },
			}),
	};
}

function triggerOf(workflow: Workflow): string {
	const trigger = workflow.nodes.find((node) => /trigger$/i.test(node.type));
	if (trigger === undefined) throw new Error(`Workflow "${workflow.name}" has no trigger`);
	return trigger.name;
}
