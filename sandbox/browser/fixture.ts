import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { chromium } from 'playwright-core';

import { startPlace } from '../n8n/index';
import { needProgram } from '../system-program';
import { openEditor } from './editor';

export type Fixture = Awaited<ReturnType<typeof startFixture>>;

/** For a browser that can reach nothing but 127.0.0.1, not even by way of a proxy. */
const flags = [
	// Root, as in a container, has no sandbox; what is opened is our own.
	...['--no-sandbox', '--disable-gpu', '--disable-sync', '--no-first-run', '--no-proxy-server'],
	...['--disable-background-networking', '--disable-component-update'],
	'--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];

/**
 * Starts an n8n, and a browser that is logged in to it.
 * @param scale pixels of a picture for each pixel of the window
 * @throws Error when the package is not built, n8n not installed, or no browser to be had
 */
export async function startFixture(scale?: number) {
	const executablePath = needProgram('chromium');
	const place = await startPlace();
	try {
		const home = join(place.folder, 'browser');
		await mkdir(home);
		const { PATH = '', TMPDIR = '' } = process.env;
		const env = { PATH, HOME: home, LANG: 'C.UTF-8', ...(TMPDIR !== '' && { TMPDIR }) };
		const browser = await chromium.launch({ executablePath, args: flags, env });
		const editor = await openEditor(browser, place.server.url, scale);
		const close = async () => {
			await browser.close();
			await place.close();
		};
		return { ...place, editor, close };
	} catch (error) {
		await place.close();
		throw error;
	}
}
