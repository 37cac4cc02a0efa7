import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import type { Browser } from 'playwright-core';

import { createUserFolder, N8nClient, packPackage, startN8n, type N8n } from '../n8n/index';
import { temporaryFolder } from '../paths';
import { startService, type LeadService } from '../service/index';
import { launchChromium } from './chromium';
import { Editor, type WindowOptions } from './editor';

/** Everything that a user of the node has before them, running on this machine. */
export interface Fixture {
	readonly service: LeadService;
	/** Logged in as the same user as the editor. */
	readonly client: N8nClient;
	readonly editor: Editor;
	/** Ends all of it, and removes what it wrote. */
	close(): Promise<void>;
}

const login = { email: 'owner@example.com', password: 'Lead-search-1' };

/**
 * Starts the mock of the lead service, a real n8n with the built package installed as a user would
 * have it, and a browser that is logged in to it.
 *
 * @throws Error when the package is not built, n8n not installed, or no browser to be had
 */
export async function startFixture(window: WindowOptions = {}): Promise<Fixture> {
	const closers: Array<() => Promise<unknown>> = [];
	const close = async () => {
		for (const closer of closers.splice(0).reverse()) await closer();
	};
	try {
		const folder = await temporaryFolder();
		closers.push(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
		const browser = await launchChromium(folder);
		closers.push(() => browser.close());
		const service = await startService();
		closers.push(() => service.close());
		const n8n = await startWithPackage(folder);
		closers.push(() => n8n.stop());
		return { service, ...(await logIn(n8n, browser, window)), close };
	} catch (error) {
		await close();
		throw error;
	}
}

async function startWithPackage(folder: string): Promise<N8n> {
	const userFolder = join(folder, 'user');
	await createUserFolder(userFolder, await packPackage(folder));
	return startN8n({ userFolder });
}

async function logIn(n8n: N8n, browser: Browser, window: WindowOptions) {
	const client = new N8nClient(n8n.url);
	await client.setupOwner(login);
	return { client, editor: await Editor.open(browser, n8n.url, login, window) };
}
