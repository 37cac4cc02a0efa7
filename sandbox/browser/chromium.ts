import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { chromium, type Browser } from 'playwright-core';

import { findOrInstall } from '../debian-package';

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
		executablePath: await needChromium(),
		args: flags,
		env: { PATH, HOME: home, LANG: 'C.UTF-8', ...(TMPDIR !== '' && { TMPDIR }) },
	});
}

const usualPlaces = [
	'/usr/bin/chromium',
	'/usr/bin/chromium-browser',
	'/usr/bin/google-chrome',
	'/usr/bin/google-chrome-stable',
	'/opt/google/chrome/chrome',
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
	'/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** The path of a Chromium. The environment variable CHROMIUM names one that is in an unusual place. */
async function needChromium(): Promise<string> {
	const named = process.env.CHROMIUM ?? '';
	if (named === '') {
		const find = () => usualPlaces.find((path) => existsSync(path));
		return findOrInstall({ name: 'Chromium', debianPackage: 'chromium', find });
	}
	if (existsSync(named)) return named;
	throw new Error(`CHROMIUM names ${named}, and nothing is there.`);
}
