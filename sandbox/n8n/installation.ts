import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { sandboxFolder } from '../paths';
import pinned from '../pinned.json';
import manifest from './package.json';

/** `n8n` is the newest one, `n8n-1` the last of the 1.x line. */
export type InstallationName = 'n8n' | 'n8n-1';

export type Installation = ReturnType<typeof findInstallation>;
/** Parts of n8n to leave out; it refuses to start with a name that it doesn't know. */
const disabledModules = {
	// The first of these fetches a list of servers at every start; the others are AI features.
	n8n: 'mcp-registry,instance-ai,agents,chat-hub',
	'n8n-1': 'chat-hub',
};

/**
 * The file of a pinned n8n to run with its `node`, and what else to start it with.
 * @throws Error when it is not installed.
 */
export function findInstallation(name: InstallationName = 'n8n') {
	const version = pinnedVersion(name);
	const folder = name === 'n8n' ? name : join('.home', name);
	const program = join(sandboxFolder, folder, 'node_modules', 'n8n', 'bin', 'n8n');
	if (existsSync(program))
		return { version, program, node: findNode(), disabledModules: disabledModules[name] };
	const command = name === 'n8n' ? 'test:n8n' : 'release:check';
	throw new Error(`n8n ${version} is not installed: \`npm run ${command}\` installs it`);
}

/** The Node that comes with the newest n8n, in a package for each system; else our own, perhaps too old. */
function findNode(): string {
	const system = `${process.platform}-${process.arch}`.replace('win32', 'win');
	const candidates = [`node-${system}`, `node-bin-${system}`].flatMap((name) =>
		['node', 'node.exe'].map((file) => join(sandboxFolder, 'n8n/node_modules', name, 'bin', file)),
	);
	return candidates.find((file) => existsSync(file)) ?? process.execPath;
}

export function pinnedVersion(name: InstallationName): string {
	return (name === 'n8n' ? manifest : pinned[name]).dependencies.n8n;
}
