/** Workflows with the package's nodes in them, opened in the editor. */
import { chain, manualTrigger, type WorkflowNode } from '../n8n/index';
import type { Account } from '../service/index';
import type { NodePanel } from './node-panel';
import type { Fixture } from './fixture';

/** What it takes to open a workflow. */
export type Place = Pick<Fixture, 'client' | 'editor' | 'service'>;

/** How a node is set up besides its parameters. */
export interface NodeSetup {
	/** Whose key and token are in its credential; without an account it has none. */
	readonly account?: Account;
	/** The credential's kind; `bearer` unless given. */
	readonly authentication?: 'bearer' | 'xApiKey' | 'sessionToken';
	readonly onError?: string;
	/** The items that come in; one empty one unless given. */
	readonly input?: ReadonlyArray<Readonly<Record<string, unknown>>>;
}

/** A node's parameters, as in a workflow file. */
export type Parameters = Readonly<Record<string, unknown>>;

/** Opens a new workflow that has nothing but a trigger. */
export async function openNewWorkflow({ client, editor }: Place): Promise<void> {
	await editor.openWorkflow(await client.createWorkflow(chain('Leads', [manualTrigger])));
}

/** Opens the node Lead Search, in a new workflow that is started by hand. */
export async function openLeadSearch(
	place: Place,
	parameters: Parameters,
	{ input = [{}], onError, ...access }: NodeSetup = {},
): Promise<NodePanel> {
	const node = {
		...(await leadNode(place, 'leadSearch', parameters, access)),
		...(onError !== undefined && { onError }),
	};
	const workflow = await place.client.createWorkflow({
		...chain('Leads', [manualTrigger, node]),
		pinData: { [manualTrigger.name]: input.map((json) => ({ json })) },
	});
	await place.editor.openWorkflow(workflow);
	return await place.editor.openNode(node.name);
}

/** Opens Lead Search Trigger, in a new workflow. */
export async function openLeadSearchTrigger(
	place: Place,
	parameters: Parameters,
	access: Pick<NodeSetup, 'account' | 'authentication'> = {},
): Promise<NodePanel> {
	const node = await leadNode(place, 'leadSearchTrigger', parameters, access);
	await place.editor.openWorkflow(await place.client.createWorkflow(chain('Leads', [node])));
	return await place.editor.openNode(node.name);
}

async function leadNode(
	{ client, service }: Place,
	type: 'leadSearch' | 'leadSearchTrigger',
	parameters: Parameters,
	{ account, authentication = 'bearer' }: Pick<NodeSetup, 'account' | 'authentication'>,
): Promise<WorkflowNode> {
	const node = {
		name: type === 'leadSearch' ? 'Lead Search' : 'Lead Search Trigger',
		type: `n8n-nodes-lead-search.${type}`,
		typeVersion: 1,
		parameters,
	};
	if (account === undefined) return node;
	const { id, name } = await client.createCredential('leadSearchApi', 'Lead Search account', {
		baseUrl: service.baseUrl,
		authentication,
		...(authentication === 'sessionToken'
			? { sessionToken: account.sessionToken }
			: { apiKey: account.apiKey }),
	});
	return { ...node, credentials: { leadSearchApi: { id, name } } };
}
