/** A real n8n and a browser that is logged in. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { chromium, selectors, type Browser, type Page } from 'playwright-core';

import { chain, credentialOf, leadSearch, manualTrigger, startSandbox } from '../n8n/index';
import { testLogin, type Fields } from '../n8n/index';
import type { Account } from '../service/index';
import { findProgram } from '../system-program';
import { until } from '../until';
import { nodesPanel, openedNode, type NodePanel, type NodesPanel } from './panels';

export type Fixture = Awaited<ReturnType<typeof startFixture>>;

/** Flags of a browser that can reach only 127.0.0.1, not even a proxy. */
const flags = [
	// Root, as in a container, can't use the browser's sandbox. The browser opens only our own pages.
	'--no-sandbox',
	'--disable-gpu',
	'--disable-sync',
	'--no-first-run',
	'--no-proxy-server',
	'--disable-background-networking',
	'--disable-component-update',
	'--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];

/**
 * Starts an n8n and a browser that is logged in to it.
 *
 * @param scale pixels of a picture for each pixel of the window
 */
export async function startFixture(scale?: number) {
	const executablePath = findProgram('chromium');
	const place = await startSandbox();
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

/** Opens a window and logs in as the owner. */
async function openEditor(browser: Browser, url: string, scale = 1) {
	selectors.setTestIdAttribute('data-test-id');
	const context = await browser.newContext({
		viewport: { width: 1440, height: 900 },
		deviceScaleFactor: scale,
		colorScheme: 'light',
		reducedMotion: 'reduce',
		locale: 'en-US',
		timezoneId: 'UTC',
	});
	// On a busy machine, a page loads slowly.
	context.setDefaultTimeout(180_000);
	const page = await context.newPage();
	const complaints = complaintsOf(page);
	await page.goto(`${url}/signin`);
	await page.locator('input[name=emailOrLdapLoginId]').fill(testLogin.email);
	await page.locator('input[type=password]').fill(testLogin.password);
	await page.getByRole('button', { name: 'Sign in' }).click();
	await page.waitForURL((address) => !address.pathname.startsWith('/signin'));
	const nodes = page.getByTestId('canvas-node');

	return {
		page,
		takeComplaints: () => complaints.splice(0),
		async openWorkflow({ id }: { readonly id: string }): Promise<void> {
			await page.goto(`${url}/workflow/${id}`);
			await nodes.first().waitFor();
		},
		/** Zooms so that the whole workflow fits, and waits for the end of the animation. */
		async zoomToFit(): Promise<void> {
			await page.getByTestId('zoom-to-fit').click();
			let before = '';
			await until('the canvas no longer moves', async () => {
				const box = JSON.stringify(await nodes.first().boundingBox());
				const isStill = box === before;
				before = box;
				return isStill;
			});
		},
		async openNodesPanel(): Promise<NodesPanel> {
			await page.getByTestId('node-creator-plus-button').click();
			return nodesPanel(page);
		},
		/** Opens the list of nodes that an agent can use as tools. */
		async openToolsPanel(agent: string): Promise<NodesPanel> {
			const node = nodes.filter({ has: page.getByText(agent, { exact: true }) });
			const tool = node.getByTestId('canvas-node-input-handle').filter({ hasText: 'Tool' });
			await tool.getByTestId('canvas-handle-plus').click();
			return nodesPanel(page);
		},
		async openNode(name: string): Promise<NodePanel> {
			await nodes.filter({ has: page.getByText(name, { exact: true }) }).dblclick();
			return await openedNode(page);
		},
	};
}

/**
 * Collects console errors, uncaught errors, and responses from other machines. Ignores n8n's own requests that fail
 * here: its check for a login, and its requests to npm.
 */
function complaintsOf(page: Page): string[] {
	const complaints: string[] = [];
	page.on('console', (message) => {
		const text = `${message.text()} (${message.location().url})`;
		const isExpected =
			/^Failed to load resource.*(\b401\b.*\/rest\/login\)$|\(https:\/\/(?!127\.0\.0\.1))/.test(
				text,
			);
		if (message.type() === 'error' && !isExpected) complaints.push(text);
	});
	page.on('pageerror', (error) => complaints.push(`Uncaught: ${error.message}`));
	page.on('response', (response) => {
		if (/^https?:\/\/(?!127\.0\.0\.1[:/])/.test(response.url()))
			complaints.push(`${response.url()} responded`);
	});
	return complaints;
}

type Opened = Pick<Fixture, 'client' | 'editor' | 'service'>;

/** How a node is set up. */
export interface NodeSetup {
	/** Account of the node's credential. Without it, the node has no credential. */
	readonly account?: Account;
	readonly onError?: string;
	readonly isTrigger?: boolean;
}

/** Opens a new workflow that contains only a trigger. */
export async function openNewWorkflow({ client, editor }: Opened): Promise<void> {
	await editor.openWorkflow(await client.createWorkflow(chain('Leads', [manualTrigger])));
}

/** Opens a Lead Search node in a new workflow with a manual trigger, or a Lead Search Trigger node. */
export async function openLeadSearch(
	opened: Opened,
	parameters: Fields,
	{ account, onError, isTrigger }: NodeSetup = {},
): Promise<NodePanel> {
	const { client, editor } = opened;
	const credential =
		account && (await credentialOf(opened, account, 'bearer', 'Lead Search account'));
	const node = leadSearch(parameters, credential, { parameters, onError });
	const trigger = { name: 'Lead Search Trigger', type: `${node.type}Trigger` };
	const pinData = { [manualTrigger.name]: [{ json: {} }] };
	const workflow = isTrigger
		? chain('Leads', [{ ...node, ...trigger }])
		: { ...chain('Leads', [manualTrigger, node]), pinData };
	await editor.openWorkflow(await client.createWorkflow(workflow));
	return await editor.openNode(isTrigger ? trigger.name : node.name);
}
