import { selectors, type Browser, type Locator, type Page } from 'playwright-core';

import type { Login } from '../n8n/index';
import { until } from '../until';
import { Complaints } from './complaints';
import { NodePanel } from './node-panel';
import { NodesPanel } from './nodes-panel';

/** How a window of the editor looks. */
export interface WindowOptions {
	readonly width?: number;
	readonly height?: number;
	/** Pixels of a picture for each pixel of the window. */
	readonly scale?: number;
}

/** Milliseconds that anything may take to appear. */
const waitMilliseconds = 20_000;

/** n8n's editor in a browser window, in the light theme. */
export class Editor {
	readonly complaints: Complaints;

	private constructor(
		readonly page: Page,
		private readonly url: string,
	) {
		this.complaints = new Complaints(page);
	}

	/** Opens a window and logs in. */
	static async open(
		browser: Browser,
		url: string,
		login: Login,
		{ width = 1440, height = 900, scale = 1 }: WindowOptions = {},
	): Promise<Editor> {
		selectors.setTestIdAttribute('data-test-id');
		const context = await browser.newContext({
			viewport: { width, height },
			deviceScaleFactor: scale,
			colorScheme: 'light',
			reducedMotion: 'reduce',
			locale: 'en-US',
			timezoneId: 'UTC',
		});
		context.setDefaultTimeout(waitMilliseconds);
		const editor = new Editor(await context.newPage(), url);
		await editor.logIn(login);
		return editor;
	}

	/** Opens a workflow that is saved. */
	async openWorkflow({ id }: { readonly id: string }): Promise<void> {
		await this.page.goto(`${this.url}/workflow/${id}`);
		await this.page.getByTestId('canvas-node').first().waitFor();
	}

	/** Opens the list of nodes to add. */
	async openNodesPanel(): Promise<NodesPanel> {
		await this.page.getByTestId('node-creator-plus-button').click();
		return new NodesPanel(this.page);
	}

	/** Opens a node of the workflow, by its name. */
	async openNode(name: string): Promise<NodePanel> {
		await this.nodeOnCanvas(name).dblclick();
		return NodePanel.opened(this.page);
	}

	/** A node of the workflow that is open. */
	nodeOnCanvas(name: string): Locator {
		return this.page
			.getByTestId('canvas-node')
			.filter({ has: this.page.getByText(name, { exact: true }) });
	}

	/** Makes the window smaller or larger, in pixels. */
	async resize(width: number, height: number): Promise<void> {
		await this.page.setViewportSize({ width, height });
	}

	/** Closes the notices in the corner. */
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

	private async logIn({ email, password }: Login): Promise<void> {
		const { page } = this;
		await page.goto(`${this.url}/signin`);
		await page.locator('input[name=emailOrLdapLoginId]').fill(email);
		await page.locator('input[type=password]').fill(password);
		await page.getByRole('button', { name: 'Sign in' }).click();
		await page.waitForURL((address) => !address.pathname.startsWith('/signin'));
	}
}
