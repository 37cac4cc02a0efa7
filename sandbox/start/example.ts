import { chain, manualTrigger, type N8nClient, type SavedWorkflow } from '../n8n/index';

/** Name of the node whose output is shown. */
export const searchNode = 'Lead Search';

const type = 'leadSearchApi';
const name = 'Lead Search (sandbox)';

/**
 * Saves the example workflow with a credential for the mock service. At a later start it is put back
 * to what it was, and the credential gets the new address.
 */
export async function saveExample(
	client: N8nClient,
	access: { readonly baseUrl: string; readonly apiKey: string },
): Promise<SavedWorkflow> {
	const data = { ...access, authentication: 'bearer' };
	const known = (await client.credentials()).find((one) => one.name === name && one.type === type);
	const { id } = known ?? (await client.createCredential(type, name, data));
	if (known !== undefined) await client.updateCredential(known, data);
	const workflow = chain('Find decision makers in Iceland', [
		manualTrigger,
		{
			name: searchNode,
			type: 'n8n-nodes-lead-search.leadSearch',
			typeVersion: 1,
			parameters: {
				resource: 'lead',
				operation: 'buyLeads',
				returnAll: true,
				filters: { personLocationCountry: 'Iceland', jobTitleSeniority: 'owner, cxo' },
				simplify: true,
			},
			credentials: { [type]: { id, name } },
		},
	]);
	const saved = (await client.workflows()).find((one) => one.name === workflow.name);
	return saved === undefined
		? client.createWorkflow(workflow)
		: client.updateWorkflow(saved.id, workflow);
}
