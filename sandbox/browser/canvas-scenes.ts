/** What the pictures of the ready-made workflows show: each on the canvas, with all of its notes. */
import type { Workflow, WorkflowNode } from '../n8n/index';
import { readWorkflow, workflowNames } from '../workflow-files';
import type { Fixture } from './fixture';
import type { Scene } from './scenes';

/** By the name of the workflow's folder. */
export const canvasScenes: Readonly<Record<string, Scene>> = Object.fromEntries(
	workflowNames().map((name) => [name, canvasOf(name)]),
);

/** Without the buttons that lie over the canvas, and its grid, which makes for large files. */
const workflowAlone =
	'body { visibility: hidden } .vue-flow__viewport, marker { visibility: visible }';

function canvasOf(name: string): Scene {
	return async (fixture) => {
		const { client, editor } = fixture;
		const workflow = readWorkflow(name);
		await editor.page.setViewportSize({ width: 1_120, height: 770 });
		await editor.openWorkflow(await client.createWorkflow(await connected(fixture, workflow)));
		await editor.zoomToFit();
		const { page } = editor;
		const parts = ['canvas-node', 'sticky', 'canvas-handle-plus'].map((id) =>
			page.getByTestId(id),
		);
		const names = workflow.nodes
			.filter(({ type }) => type !== 'n8n-nodes-base.stickyNote')
			.map((node) => page.getByTestId('canvas-node').getByText(node.name, { exact: true }));
		const all = await Promise.all([...parts, ...names].map((part) => part.all()));
		return { elements: all.flat(), padding: 24, style: workflowAlone };
	};
}

/** The workflow with credentials chosen, without which n8n marks nodes as faulty. */
async function connected({ client, service }: Fixture, workflow: Workflow): Promise<Workflow> {
	const secrets: Readonly<Record<string, Readonly<Record<string, string>>>> = {
		leadSearchApi: { baseUrl: service.baseUrl, authentication: 'bearer', apiKey: 'none' },
		openAiApi: { apiKey: 'none' },
	};
	const connect = async (node: WorkflowNode): Promise<WorkflowNode> => {
		const saved = Object.entries(node.credentials ?? {}).map(async ([type, { name }]) => {
			const { id } = await client.createCredential(type, name, secrets[type] ?? {});
			return [type, { id, name }] as const;
		});
		return { ...node, credentials: Object.fromEntries(await Promise.all(saved)) };
	};
	return { ...workflow, nodes: await Promise.all(workflow.nodes.map(connect)) };
}
