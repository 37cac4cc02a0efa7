import { openNewWorkflow } from '../../sandbox/browser/lead-workflow';
import type { NodePanel, NodesPanel } from '../../sandbox/browser/panels';
import { fixture } from './fixture';

/** The filters of a list that every search has. */
export const listFilters = [
	'Job Title Seniority',
	'Job Titles',
	'Other Filters (JSON)',
	'Person Country',
];

/** The options about how to fetch, which every list has. */
export const fetching = ['Max Retries', 'Page Size', 'Parallel Pages', 'Skip', 'Timeout (Seconds)'];

/** The same of a list that costs credits. */
export const fetchingPaid = [...fetching, 'Reuse Paid Results (Minutes)'].sort();

/** Finds Lead Search in the list of nodes, as a user does, and opens what it can do. */
export async function findNode(): Promise<NodesPanel> {
	await openNewWorkflow(fixture);
	const nodes = await fixture.editor.openNodesPanel();
	await nodes.search('Lead Search');
	await nodes.choose('Lead Search');
	return nodes;
}

/** Adds a node that does this, by way of the list of nodes. */
export async function addNode(action: string): Promise<NodePanel> {
	const nodes = await findNode();
	return await nodes.add(action);
}

/** Adds everything that a collection, such as Options, has to offer. */
export async function addAll(panel: NodePanel, collection: string): Promise<void> {
	for (const name of await panel.offers(collection)) await panel.add(collection, name);
}
