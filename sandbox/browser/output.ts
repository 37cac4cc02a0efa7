import type { Locator, Page } from 'playwright-core';

/** The right side of an open node: what came of its last run. */
export class Output {
	readonly panel: Locator;
	/** What happened, of a run that failed. */
	readonly message: Locator;
	/** What to do about it. */
	readonly description: Locator;

	constructor(page: Page) {
		this.panel = page.getByTestId('output-panel');
		this.message = this.panel.getByTestId('node-error-message');
		this.description = this.panel.getByTestId('node-error-description');
	}

	/** Waits for the end of a run, good or bad. */
	async ended(): Promise<void> {
		const passed = this.panel.getByTestId('node-run-status-success');
		await passed.or(this.panel.getByTestId('node-run-status-danger')).waitFor();
	}

	/** Shows the items as `Schema`, `Table` or `JSON`. */
	async showAs(mode: 'Schema' | 'Table' | 'JSON'): Promise<void> {
		await this.panel.getByTestId(`radio-button-${mode.toLowerCase()}`).click();
	}

	/** Column headings of the table. */
	async columns(): Promise<string[]> {
		const texts = await this.table.locator('thead th').allInnerTexts();
		return texts.map((text) => text.trim()).filter((text) => text !== '');
	}

	/** The table of items. */
	get table(): Locator {
		return this.panel.locator('table');
	}

	/** Shows one of the outputs of a node that has an error output. */
	async showBranch(name: 'Success' | 'Error'): Promise<void> {
		await this.panel.getByTestId('branches').getByText(name).click();
	}
}
