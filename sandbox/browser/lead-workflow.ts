/** Workflows with the package's nodes in them, opened in the editor. */
import { chain, manualTrigger, type Fields, type WorkflowNode } from '../n8n/index';
import type { Account } from '../service/index';
import type { Fixture } from './fixture';
import type { NodePanel } from './panels';

export type Place = Pick<Fixture, 'client' | 'editor' | 'service'>;

export interface NodeSetup {
	/** Whose key and token are in its credential; without an account it has none. */
	readonly account?: Account;
	readonly authentication?: 'bearer' | 'xApiKey' | 'sessionToken';
	readonly onError?: string;
	readonly input?: readonly Fields[];
	readonly isTrigger?: boolean;
}

/** Opens a new workflow that has nothing but a trigger. */
export async function openNewWorkflow({ client, editor }: Place): Promise<void> {
	await editor.openWorkflow(await client.createWorkflow(chain('Leads', [manualTrigger])));
}

/** Opens Lead Search in a new workflow that is started by hand, or Lead Search Trigger in its own. */
export async function openLeadSearch(
	{ client, editor, service: { baseUrl } }: Place,
	parameters: Fields,
	{ account, authentication = 'bearer', onError, input = [{}], isTrigger }: NodeSetup = {},
): Promise<NodePanel> {
	const { apiKey, sessionToken } = account ?? {};
	const access = { baseUrl, authentication, apiKey, sessionToken };
	const name = isTrigger ? 'Lead Search Trigger' : 'Lead Search';
	const node: WorkflowNode = {
		...{ name, typeVersion: 1, parameters, onError },
		type: `n8n-nodes-lead-search.${isTrigger ? 'leadSearchTrigger' : 'leadSearch'}`,
		credentials: account && {
			leadSearchApi: await client.createCredential('leadSearchApi', 'Lead Search account', access),
		},
	};
	const pinData = { [manualTrigger.name]: input.map((json) => ({ json })) };
	const workflow = isTrigger
		? chain('Leads', [node])
		: { ...chain('Leads', [manualTrigger, node]), pinData };
	await editor.openWorkflow(await client.createWorkflow(workflow));
	return await editor.openNode(node.name);
}
