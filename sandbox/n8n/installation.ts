import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { sandboxFolder } from '../paths';

/** Each is a folder of the sandbox: `n8n` has the newest one, `n8n-1` the last of the 1.x line. */
export const installationNames = ['n8n', 'n8n-1'] as const;
export type InstallationName = (typeof installationNames)[number];

/** A pinned n8n that is installed. */
export type Installation = ReturnType<typeof findInstallation>;

/** Parts of n8n to leave out; it refuses to start with a name that it doesn't know. */
const disabledModules: Readonly<Record<InstallationName, readonly string[]>> = {
	// The first of these fetches a list of servers at every start; the others are AI features.
	n8n: ['mcp-registry', 'instance-ai', 'agents', 'chat-hub'],
	'n8n-1': ['chat-hub'],
};

/**
 * The file of a pinned n8n to run with its `node`, and what else to start it with.
 *
 * @throws Error when it is not installed.
 */
export function findInstallation(name: InstallationName = 'n8n') {
	const version = pinnedVersion(name);
	const program = join(sandboxFolder, name, 'node_modules', 'n8n', 'bin', 'n8n');
	if (existsSync(program))
		return { version, program, node: findNode(), disabledModules: disabledModules[name] };
	throw new Error(`n8n ${version} is not installed: \`npm run test:n8n\` installs it`);
}

/**
 * The Node that comes with the newest n8n, in a package for each system; else our own. n8n may need
 * a newer one than runs us.
 */
function findNode(): string {
	const packages = join(sandboxFolder, 'n8n', 'node_modules');
	const system = `${process.platform}-${process.arch}`.replace('win32', 'win');
	const candidates = [`node-${system}`, `node-bin-${system}`].flatMap((name) =>
		['node', 'node.exe'].map((file) => join(packages, name, 'bin', file)),
	);
	return candidates.find((file) => existsSync(file)) ?? process.execPath;
}

/** The version that an n8n is pinned to, installed or not. */
export function pinnedVersion(name: InstallationName): string {
	const manifest = readFileSync(join(sandboxFolder, name, 'package.json'), 'utf8');
	const { dependencies } = JSON.parse(manifest) as { readonly dependencies: { n8n: string } };
	return dependencies.n8n;
}
