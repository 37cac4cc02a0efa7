/**
 * Installs a package of Debian's, on Debian and as root; does nothing elsewhere.
 *
 *     node sandbox/install-debian-package.mjs chromium
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import process from 'node:process';

import { withLock } from './lock.mjs';

const [name] = process.argv.slice(2);
if (isDebian() && process.getuid?.() === 0) {
	await withLock('apt-get', () => say('Waiting for another installation'), install);
}

async function install() {
	say(`Installing Debian's ${name}: about a minute, once`);
	aptGet(['update']);
	aptGet(['install', '--yes', '--no-install-recommends', name]);
}

/** Derived systems may give a package that only fetches something else under the same name. */
function isDebian() {
	try {
		return /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'));
	} catch {
		return false;
	}
}

function aptGet(args) {
	const { status, stdout, stderr } = spawnSync(
		'apt-get',
		['-o', 'DPkg::Lock::Timeout=300', ...args],
		{
			encoding: 'utf8',
			env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
			maxBuffer: 2 ** 26,
		},
	);
	if (status === 0) return;
	const said = `${stdout ?? ''}${stderr ?? ''}`.trimEnd().split('\n').slice(-15).join('\n');
	say(`"apt-get ${args.join(' ')}" ended with exit code ${status}:\n${said}`);
	process.exit(1);
}

function say(message) {
	process.stderr.write(`${message}\n`);
}
