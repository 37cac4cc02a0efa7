import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { chromium } from 'playwright-core';

import { createUserFolder, N8nClient, packPackage, startN8n } from '../n8n/index';
import { temporaryFolder } from '../paths';
import { startService } from '../service/index';
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
 * Starts the mock of the lead service, a real n8n with the built package installed as a user would
 * have it, and a browser that is logged in to it.
 * @param scale pixels of a picture for each pixel of the window
 * @throws Error when the package is not built, n8n not installed, or no browser to be had
 */
export async function startFixture(scale?: number) {
	const closers: Array<() => Promise<unknown>> = [];
	const close = async () => {
		for (const closer of closers.splice(0).reverse()) await closer();
	};
	try {
		const folder = await temporaryFolder();
		closers.push(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
		const home = join(folder, 'browser');
		await mkdir(home);
		const { PATH = '', TMPDIR = '' } = process.env;
		const browser = await chromium.launch({
			executablePath: needProgram('chromium'),
			args: flags,
			env: { PATH, HOME: home, LANG: 'C.UTF-8', ...(TMPDIR !== '' && { TMPDIR }) },
		});
		closers.push(() => browser.close());
		const service = await startService();
		closers.push(() => service.close());
		const userFolder = join(folder, 'user');
		await createUserFolder(userFolder, await packPackage(folder));
		const n8n = await startN8n({ userFolder });
		closers.push(() => n8n.stop());
		const client = new N8nClient(n8n.url);
		await client.setupOwner();
		const editor = await openEditor(browser, n8n.url, scale);
		return { service, client, editor, close };
	} catch (error) {
		await close();
		throw error;
	}
}
