/** Starts the mock service and n8n together. */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { startCrms, type Crms } from '../crms/index';
import { temporaryFolder } from '../paths';
import { startService, type Account, type ServiceOptions } from '../service/index';
import { N8nClient } from './client';
import { startN8n, type LaunchOptions } from './launch';
import { createUserFolder, packPackage } from './package';
import { node, type Fields, type SavedCredential, type WorkflowNode } from './workflow';

/** Options of a sandbox. */
export interface SandboxOptions extends Pick<LaunchOptions, 'installation' | 'env'> {
	readonly cachesResponses?: ServiceOptions['cachesResponses'];
	/** Whether to start the mocks of CRMs, too. n8n reaches them under the addresses of the real ones. */
	readonly withCrms?: boolean;
	/** Installs the packed package in a folder that may not exist yet. By default, as a user would. */
	readonly install?: typeof createUserFolder;
}

export type Sandbox = Awaited<ReturnType<typeof startSandbox>>;

/**
 * Starts the mock of the lead service and a new n8n with the built package. The client is logged in as the owner.
 * `close` ends both and removes all data.
 *
 * @throws Error if the package isn't built, or n8n isn't installed
 */
export async function startSandbox({
	install = createUserFolder,
	withCrms = false,
	...options
}: SandboxOptions = {}) {
	const closers: Array<() => Promise<unknown>> = [];
	const close = async () => {
		for (const closer of closers.splice(0).reverse()) await closer();
	};
	try {
		const folder = await temporaryFolder();
		closers.push(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
		const service = await startService(options);
		closers.push(service.close);
		const userFolder = join(folder, 'user');
		await install(userFolder, await packPackage(folder));
		const crms: Crms | undefined = withCrms
			? await startCrms(folder, { leadService: service })
			: undefined;
		if (crms) closers.push(crms.close);
		const env = { ...crms?.env, ...options.env };
		const server = await startN8n({ ...options, env, userFolder });
		closers.push(server.stop);
		const client = new N8nClient(server.url);
		await client.setupOwner();
		return { folder, service, server, client, crms, close };
	} catch (error) {
		await close();
		throw error;
	}
}

/** Saves a credential for the lead service. By default, its name is unique. */
export function credentialOf(
	{ client, service: { baseUrl } }: Pick<Sandbox, 'client' | 'service'>,
	{
		apiKey,
		sessionToken,
		creditCeiling,
	}: Partial<Pick<Account, 'apiKey' | 'sessionToken'>> & { creditCeiling?: number },
	authentication = 'bearer',
	name = `Credential ${randomUUID()}`,
): Promise<SavedCredential> {
	const access = { baseUrl, authentication, apiKey, sessionToken, creditCeiling };
	return client.createCredential('leadSearchApi', name, access);
}

/** Returns a Lead Search node. Without other parameters, it searches leads (paid). */
export function leadSearch(
	parameters: Fields,
	credential?: SavedCredential,
	more: Partial<WorkflowNode> = {},
): WorkflowNode {
	const defaults = { resource: 'lead', operation: 'buyLeads', ...parameters };
	return {
		...node('Lead Search', 'n8n-nodes-lead-search.leadSearch', 1, defaults, credential),
		...more,
	};
}
