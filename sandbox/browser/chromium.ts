import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { chromium, type Browser } from 'playwright-core';

import { needProgram } from '../system-program';

const flags = [
	// Root, as in a container, has no sandbox; what is opened is our own.
	'--no-sandbox',
	'--disable-gpu',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
	'--no-first-run',
	// Nothing but this machine can be reached, not even by way of a proxy.
	'--no-proxy-server',
	'--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];

/**
 * Starts a Chromium without a window, which can reach nothing but 127.0.0.1; installs it first
 * where it can be.
 *
 * It ends with this process, however this one ends.
 *
 * @param folder for what it writes to a home folder
 * @throws Error that says how to get a Chromium, where there is none
 */
export async function launchChromium(folder: string): Promise<Browser> {
	const home = join(folder, 'browser');
	mkdirSync(home, { recursive: true });
	const { PATH = '', TMPDIR = '' } = process.env;
	return chromium.launch({
		executablePath: await needProgram('chromium'),
		args: flags,
		env: { PATH, HOME: home, LANG: 'C.UTF-8', ...(TMPDIR !== '' && { TMPDIR }) },
	});
}
