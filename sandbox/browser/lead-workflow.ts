/** Workflows with the package's nodes in them, opened in the editor. */
import { chain, credentialOf, leadSearch, manualTrigger, type Fields } from '../n8n/index';
import type { Account } from '../service/index';
import type { Fixture } from './fixture';
import type { NodePanel } from './panels';

type Opened = Pick<Fixture, 'client' | 'editor' | 'service'>;

export interface NodeSetup {
	/** Whose key and token are in its credential; without an account it has none. */
	readonly account?: Account;
	readonly onError?: string;
	readonly input?: readonly Fields[];
	readonly isTrigger?: boolean;
}

/** Opens a new workflow that has nothing but a trigger. */
export async function openNewWorkflow({ client, editor }: Opened): Promise<void> {
	await editor.openWorkflow(await client.createWorkflow(chain('Leads', [manualTrigger])));
}

/** Opens Lead Search in a new workflow that is started by hand, or Lead Search Trigger in its own. */
export async function openLeadSearch(
	opened: Opened,
	parameters: Fields,
	{ account, onError, input = [{}], isTrigger }: NodeSetup = {},
): Promise<NodePanel> {
	const { client, editor } = opened;
	const credential =
		account && (await credentialOf(opened, account, 'bearer', 'Lead Search account'));
	const node = leadSearch(parameters, credential, { parameters, onError });
	const trigger = { name: 'Lead Search Trigger', type: `${node.type}Trigger` };
	const pinData = { [manualTrigger.name]: input.map((json) => ({ json })) };
	const workflow = isTrigger
		? chain('Leads', [{ ...node, ...trigger }])
		: { ...chain('Leads', [manualTrigger, node]), pinData };
	await editor.openWorkflow(await client.createWorkflow(workflow));
	return await editor.openNode(isTrigger ? trigger.name : node.name);
}
