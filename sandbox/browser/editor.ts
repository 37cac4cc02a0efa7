import { selectors, type Browser, type Page } from 'playwright-core';

import type { Login } from '../n8n/index';
import { until } from '../until';
import { NodePanel } from './node-panel';
import { NodesPanel } from './nodes-panel';

/** Milliseconds that anything may take to appear. */
const waitMilliseconds = 20_000;

/** n8n's editor in a browser window, in the light theme. */
export class Editor {
	private complaints: string[] = [];

	private constructor(
		readonly page: Page,
		private readonly url: string,
	) {
		page.on('console', (message) => {
			const { url: source } = message.location();
			if (message.type() === 'error' && !isExpected(source, message.text()))
				this.complaints.push(`${message.text()} (${source})`);
		});
		page.on('pageerror', (error) => {
			this.complaints.push(`Uncaught: ${error.message}`);
		});
		page.on('response', (response) => {
			if (/^https?:\/\/(?!127\.0\.0\.1[:/])/.test(response.url()))
				this.complaints.push(`${response.url()} was reached`);
		});
	}

	/**
	 * Opens a window and logs in.
	 *
	 * @param scale pixels of a picture for each pixel of the window
	 */
	static async open(browser: Browser, url: string, login: Login, scale = 1): Promise<Editor> {
		selectors.setTestIdAttribute('data-test-id');
		const context = await browser.newContext({
			viewport: { width: 1440, height: 900 },
			deviceScaleFactor: scale,
			colorScheme: 'light',
			reducedMotion: 'reduce',
			locale: 'en-US',
			timezoneId: 'UTC',
		});
		context.setDefaultTimeout(waitMilliseconds);
		const page = await context.newPage();
		const editor = new Editor(page, url);
		await page.goto(`${url}/signin`);
		await page.locator('input[name=emailOrLdapLoginId]').fill(login.email);
		await page.locator('input[type=password]').fill(login.password);
		await page.getByRole('button', { name: 'Sign in' }).click();
		await page.waitForURL((address) => !address.pathname.startsWith('/signin'));
		return editor;
	}

	/**
	 * What the page has complained about since the last time: errors on the console, uncaught
	 * errors, and answers from anywhere but this machine.
	 */
	takeComplaints(): string[] {
		return this.complaints.splice(0);
	}

	/** Opens a workflow that is saved. */
	async openWorkflow({ id }: { readonly id: string }): Promise<void> {
		await this.page.goto(`${this.url}/workflow/${id}`);
		await this.page.getByTestId('canvas-node').first().waitFor();
	}

	/** Shows all of the workflow, as large as the window allows, and waits until it stands still. */
	async zoomToFit(): Promise<void> {
		await this.page.getByTestId('zoom-to-fit').click();
		const first = this.page.getByTestId('canvas-node').first();
		let before = '';
		await until('the canvas stands still', async () => {
			const box = JSON.stringify(await first.boundingBox());
			const isStill = box === before;
			before = box;
			return isStill;
		});
	}

	async openNodesPanel(): Promise<NodesPanel> {
		await this.page.getByTestId('node-creator-plus-button').click();
		return new NodesPanel(this.page);
	}

	/** Opens a node of the workflow, by its name. */
	async openNode(name: string): Promise<NodePanel> {
		await this.page
			.getByTestId('canvas-node')
			.filter({ has: this.page.getByText(name, { exact: true }) })
			.dblclick();
		return NodePanel.opened(this.page);
	}

	async closeNotices(): Promise<void> {
		const notices = this.page.locator('.el-notification');
		await until('no notice is left in the corner', async () => {
			if ((await notices.count()) === 0) return true;
			// It may go by itself meanwhile.
			await notices
				.first()
				.locator('.el-notification__closeBtn')
				.click({ timeout: 1_000 })
				.catch(() => undefined);
			return false;
		});
	}
}

/** Whether it is about a request of n8n's own that can't succeed here. */
function isExpected(url: string, text: string): boolean {
	if (!text.startsWith('Failed to load resource')) return false;
	// Before the login, n8n asks whether somebody is logged in.
	if (/^http:\/\/127\.0\.0\.1:\d+\/rest\/login$/.test(url)) return text.includes(' 401 ');
	// The details of an installed community node show what npm knows of it. Nothing but this
	// machine can be reached; the node itself asks for nothing from the editor.
	return /^https:\/\/(?!127\.0\.0\.1)/.test(url);
}
