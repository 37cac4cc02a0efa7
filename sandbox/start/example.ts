/** What the user finds in n8n: a login, a credential, and a workflow that uses it. */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { chain, manualTrigger, testLogin } from '../n8n/index';
import type { Login, N8nClient, SavedCredential, SavedWorkflow } from '../n8n/index';

export const searchNode = 'Lead Search';

const type = 'leadSearchApi';
const name = 'Lead Search (sandbox)';

/**
 * Creates the owner of a new n8n, or logs in to one from an earlier start. `userFolder` keeps the
 * login, which is made up at the first start.
 */
export async function logIn(client: N8nClient, userFolder: string): Promise<Login> {
	const file = join(userFolder, 'login.json');
	if (!existsSync(file)) {
		// n8n wants a capital letter and a digit.
		const password = `Leads-1-${randomBytes(6).toString('hex')}`;
		await writeFile(file, JSON.stringify({ ...testLogin, password }), { mode: 0o600 });
	}
	try {
		const login = JSON.parse(await readFile(file, 'utf8')) as Login;
		if (!(await client.setupOwner(login))) await client.logIn(login);
		return login;
	} catch (cause) {
		const message = `Could not log in to n8n with ${file}. To begin anew, remove ${userFolder}`;
		throw new Error(message, { cause });
	}
}

/**
 * Saves the example workflow with a credential for the mock service. At a later start it is put
 * back to what it was, and the credential gets the new address.
 */
export async function saveExample(
	client: N8nClient,
	access: { readonly baseUrl: string; readonly apiKey: string },
): Promise<SavedWorkflow> {
	const data = { ...access, authentication: 'bearer' };
	const credentials = await client.call<SavedCredential[]>('GET', '/credentials');
	const known = credentials.find((one) => one.name === name && one.type === type);
	const { id } = known ?? (await client.createCredential(type, name, data));
	if (known) await client.call('PATCH', `/credentials/${id}`, { type, name, data });
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
	const workflows = await client.call<SavedWorkflow[]>('GET', '/workflows');
	const saved = workflows.find((one) => one.name === workflow.name);
	if (saved === undefined) return client.createWorkflow(workflow);
	return client.updateWorkflow(saved.id, workflow);
}
