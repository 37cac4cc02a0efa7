import { chain, manualTrigger, type N8nClient } from '../n8n/index';
import type { SavedCredential, SavedWorkflow, Workflow } from '../n8n/index';

/** Name of the node whose output is shown. */
export const searchNode = 'Lead Search';

const credentialType = 'leadSearchApi';
const credentialName = 'Lead Search (sandbox)';

/** Creates the credential for the mock service; at a later start it gets the new address. */
export async function saveCredential(
	client: N8nClient,
	access: { readonly baseUrl: string; readonly apiKey: string },
): Promise<SavedCredential> {
	const data = { ...access, authentication: 'bearer' };
	const saved = (await client.credentials()).find(
		({ name, type }) => name === credentialName && type === credentialType,
	);
	return saved === undefined
		? client.createCredential(credentialType, credentialName, data)
		: client.updateCredential(saved, data);
}

/** Creates the example workflow; at a later start it is put back to what it was. */
export async function saveWorkflow(
	client: N8nClient,
	credential: SavedCredential,
): Promise<SavedWorkflow> {
	const workflow = exampleWorkflow(credential);
	const saved = (await client.workflows()).find(({ name }) => name === workflow.name);
	return saved === undefined
		? client.createWorkflow(workflow)
		: client.updateWorkflow(saved.id, workflow);
}

function exampleWorkflow({ id, name }: SavedCredential): Workflow {
	return chain('Find decision makers in Iceland', [
		manualTrigger,
		{
			name: searchNode,
			type: 'n8n-nodes-lead-search.leadSearch',
			typeVersion: 1,
			parameters: {
				resource: 'lead',
				operation: 'search',
				returnAll: true,
				filters: { personLocationCountry: 'Iceland', jobTitleSeniority: 'owner, cxo' },
				simplify: true,
			},
			credentials: { [credentialType]: { id, name } },
		},
	]);
}
