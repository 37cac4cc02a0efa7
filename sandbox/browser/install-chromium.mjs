/**
 * Installs Debian's Chromium where there is none, and prints the path of the one to use.
 *
 *     node sandbox/browser/install-chromium.mjs
 *
 * The environment variable CHROMIUM names one that is in an unusual place.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import process from 'node:process';

import { withLock } from '../lock.mjs';

const usualPlaces = [
	'/usr/bin/chromium',
	'/usr/bin/chromium-browser',
	'/usr/bin/google-chrome',
	'/usr/bin/google-chrome-stable',
	'/opt/google/chrome/chrome',
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
	'/Applications/Chromium.app/Contents/MacOS/Chromium',
];

const advice =
	'Install Chromium or Chrome (on Debian: apt-get install chromium), or name one in the ' +
	'environment variable CHROMIUM.';

const named = process.env.CHROMIUM;
if (named && !existsSync(named)) fail(`CHROMIUM names ${named}, and nothing is there.`);
if (findChromium() === undefined) {
	if (!isDebian()) fail('There is no Chromium on this machine.');
	if (process.getuid?.() !== 0) fail('There is no Chromium, and only root may install it.');
	await withLock('install-chromium', () => say('Waiting for another installation'), install);
}
process.stdout.write(`${findChromium() ?? fail('There is still no Chromium.')}\n`);

async function install() {
	if (findChromium() !== undefined) return;
	say('Installing Chromium with apt-get: about 100 MB to fetch, about 1 minute, once');
	aptGet(['update']);
	aptGet(['install', '--yes', '--no-install-recommends', 'chromium']);
}

/** @returns {string | undefined} */
function findChromium() {
	return [named, ...usualPlaces].find((path) => path && existsSync(path));
}

/** Derived systems may give a package that only fetches something else under this name. */
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
	fail(`"apt-get ${args.join(' ')}" ended with exit code ${status}:\n${said}`);
}

/** Standard output is for the path alone. */
function say(message) {
	process.stderr.write(`${message}\n`);
}

function fail(message) {
	process.stderr.write(`${message}\n${advice}\n`);
	process.exit(1);
}
