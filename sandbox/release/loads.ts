import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';

import {
	createUserFolder,
	N8nClient,
	pinnedVersion,
	startN8n,
	type InstallationName,
} from '../n8n/index';
import type { Finding } from './finding';
import type { Manifest } from './manifest';

const login = { email: 'owner@example.com', password: 'Release-check-1' };

/** Names of the types that an n8n knows. */
export interface KnownTypes {
	readonly nodes: ReadonlySet<string>;
	readonly credentials: ReadonlySet<string>;
}

/**
 * Whether a real n8n with nothing else in it knows every node and credential of package.json.
 *
 * @param userFolder where n8n may keep its data; made anew
 */
export async function checkLoads(
	tarball: string,
	manifest: Manifest,
	installation: InstallationName,
	userFolder: string,
): Promise<Finding> {
	const name = loadsName(installation);
	try {
		await createUserFolder(userFolder, tarball);
		const n8n = await startN8n({ userFolder, installation });
		try {
			const missing = missingTypes(manifest, await knownTypes(n8n.url));
			if (missing.length === 0) return { name, problems: [] };
			return { name, problems: [...missing, ...(await complaints(n8n.logFile))] };
		} finally {
			await n8n.stop();
		}
	} catch (error) {
		return { name, problems: [error instanceof Error ? error.message : String(error)] };
	}
}

/** What `checkLoads` checks, as a sentence. */
export function loadsName(installation: InstallationName): string {
	return `n8n ${pinnedVersion(installation)} loads every node and credential`;
}

/** A sentence for each node and credential that package.json lists and n8n does not know. */
export function missingTypes({ name, n8n }: Manifest, known: KnownTypes): string[] {
	return [
		...n8n.nodes.filter((file) => !known.nodes.has(`${name}.${typeName(file)}`)),
		...n8n.credentials.filter((file) => !known.credentials.has(typeName(file))),
	].map(
		(file) =>
			`${file} was not loaded as ${typeName(file)}: see "n8n" in package.json, and the name in its class`,
	);
}

/** What n8n logged about loading; it names the file, or why a class could not be made. */
async function complaints(logFile: string): Promise<string[]> {
	const lines = (await readFile(logFile, 'utf8')).split('\n').map((line) => line.trim());
	const about = lines.filter((line) =>
		/error loading|cannot find module|could not be loaded/i.test(line),
	);
	return about.length > 0 ? [`n8n said:\n${about.join('\n')}`] : [];
}

async function knownTypes(url: string): Promise<KnownTypes> {
	const client = new N8nClient(url);
	await client.setupOwner(login);
	return {
		nodes: namesOf(await client.nodeTypes()),
		credentials: namesOf(await client.credentialTypes()),
	};
}

function namesOf(types: ReadonlyArray<{ readonly name: string }>): Set<string> {
	return new Set(types.map(({ name }) => name));
}

/** By n8n's convention, `LeadSearch.node.js` is the type `leadSearch`. */
function typeName(file: string): string {
	const [className = ''] = basename(file).split('.');
	return className.charAt(0).toLowerCase() + className.slice(1);
}
