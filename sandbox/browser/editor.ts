import { selectors, type Browser, type Page } from 'playwright-core';

import { testLogin } from '../n8n/index';
import { until } from '../until';
import { nodesPanel, openedNode, type NodePanel, type NodesPanel } from './panels';

/**
 * Opens a window and logs in as the owner of an n8n for tests.
 * @param scale pixels of a picture for each pixel of the window
 */
export async function openEditor(browser: Browser, url: string, scale = 1) {
	selectors.setTestIdAttribute('data-test-id');
	const context = await browser.newContext({
		viewport: { width: 1440, height: 900 },
		deviceScaleFactor: scale,
		colorScheme: 'light',
		reducedMotion: 'reduce',
		locale: 'en-US',
		timezoneId: 'UTC',
	});
	context.setDefaultTimeout(20_000);
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
		/** Shows all of the workflow, as large as the window allows; waits until it stands still. */
		async zoomToFit(): Promise<void> {
			await page.getByTestId('zoom-to-fit').click();
			let before = '';
			await until('the canvas stands still', async () => {
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
		async openNode(name: string): Promise<NodePanel> {
			await nodes.filter({ has: page.getByText(name, { exact: true }) }).dblclick();
			return await openedNode(page);
		},
	};
}

/**
 * Errors on the console, uncaught errors, and answers from anywhere but this machine. Left out are
 * requests of n8n's own that can't succeed here: whether somebody is logged in, and what npm knows.
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
			complaints.push(`${response.url()} was reached`);
	});
	return complaints;
}
