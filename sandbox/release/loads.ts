import { basename } from 'node:path';

import { createUserFolder, N8nClient, startN8n, type InstallationName } from '../n8n/index';
import { logTail } from '../server-process';
import type { Manifest } from './package';

/**
 * Whether a real n8n with nothing else in it knows every node and credential of package.json.
 *
 * @param userFolder where n8n may keep its data
 */
export async function loadProblems(
	tarball: string,
	manifest: Manifest,
	installation: InstallationName,
	userFolder: string,
): Promise<string[]> {
	await createUserFolder(userFolder, tarball);
	const n8n = await startN8n({ userFolder, installation });
	try {
		const client = new N8nClient(n8n.url);
		await client.setupOwner();
		const types = [...(await client.types('nodes')), ...(await client.types('credentials'))];
		const missing = missingTypes(manifest, new Set(types.map(({ name }) => name)));
		return missing.length === 0 ? [] : [...missing, `n8n's log:\n${logTail(n8n.logFile)}`];
	} finally {
		await n8n.stop();
	}
}

/** A sentence for each node and credential that package.json lists and n8n does not know. */
export function missingTypes({ name, n8n }: Manifest, known: ReadonlySet<string>): string[] {
	return [
		...n8n.nodes.filter((file) => !known.has(`${name}.${typeName(file)}`)),
		...n8n.credentials.filter((file) => !known.has(typeName(file))),
	].map(
		(file) =>
			`${file} was not loaded as ${typeName(file)}: see "n8n" in package.json, and the name in its class`,
	);
}

/** By n8n's convention, `LeadSearch.node.js` is the type `leadSearch`. */
function typeName(file: string): string {
	const [className = ''] = basename(file).split('.');
	return className.charAt(0).toLowerCase() + className.slice(1);
}
