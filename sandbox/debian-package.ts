import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Installs a package of Debian's, where that is possible: on Debian and its kin, as root. Does
 * nothing elsewhere.
 *
 * @throws Error when apt-get can't install it.
 */
export async function installDebianPackage(name: string): Promise<void> {
	if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
	process.stdout.write(`Installing Debian's ${name}: half a minute, once\n`);
	await aptGet('update');
	await aptGet('install', '--yes', '--no-install-recommends', name);
}

async function aptGet(...args: string[]): Promise<void> {
	await run('apt-get', ['--quiet', ...args], {
		env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
		maxBuffer: 64 * 1024 * 1024,
		timeout: 300_000,
	});
}
