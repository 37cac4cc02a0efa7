import type { Locator, Page } from 'playwright-core';

import { CredentialDialog } from './credential-dialog';
import { chooseOption, firstLines, openOptions, shown } from './locators';

/** What an open node shows: its parameters in the middle, its output on the right. */
export class NodePanel {
	/** The part between input and output. */
	readonly middle: Locator;
	readonly parameters: Locator;
	readonly credential: Locator;
	readonly output: Output;

	private constructor(private readonly page: Page) {
		this.middle = page.getByTestId('ndv').locator('.node-settings');
		this.parameters = page.getByTestId('node-parameters');
		this.credential = page.getByTestId('node-credentials-slot');
		this.output = new Output(page);
	}

	/** The panel that is open, or just opening. */
	static async opened(page: Page): Promise<NodePanel> {
		const panel = new NodePanel(page);
		await panel.parameters.getByTestId('input-label').first().waitFor();
		return panel;
	}

	/**
	 * Labels that are shown, from top to bottom, those of chosen filters and options included. That
	 * of the credential is always "Credential".
	 */
	async labels(): Promise<string[]> {
		const labels = this.parameters
			.getByTestId('input-label')
			.or(this.credential.locator('label'))
			.filter({ visible: true });
		return (await firstLines(labels)).map((label) =>
			label.replace(/^Credential for .*/, 'Credential'),
		);
	}

	/** What the notices among the parameters say, from top to bottom. */
	notices(): Promise<string[]> {
		return firstLines(this.parameters.locator('.notice').filter({ visible: true }));
	}

	/** A parameter with its label and its input. */
	field(label: string): Locator {
		return this.labelled(label).filter({ visible: true });
	}

	/** Chooses from a list. */
	async choose(label: string, option: string): Promise<void> {
		await this.input(label).click();
		await chooseOption(this.page, option);
	}

	/** What a list has to choose from, from top to bottom. */
	choices(label: string): Promise<string[]> {
		return this.optionsBehind(this.input(label));
	}

	/** What a switch or a list is set to, or an input holds. */
	async value(label: string): Promise<string | boolean> {
		const toggle = this.input(label).getByRole('switch');
		return (await toggle.count()) > 0
			? await toggle.isChecked()
			: await this.text(label).inputValue();
	}

	/** Turns a switch to the other side. */
	async toggle(label: string): Promise<void> {
		await this.field(label).locator('.el-switch').click();
	}

	/** Types into an input, in place of what it holds. */
	async fill(label: string, text: string): Promise<void> {
		await this.text(label).fill(text);
	}

	/** What a collection, such as Options, has to add, from top to bottom. */
	offers(collection: string): Promise<string[]> {
		return this.optionsBehind(this.addButton(collection));
	}

	/** Adds a filter or an option. */
	async add(collection: string, name: string): Promise<void> {
		await this.addButton(collection).click();
		await chooseOption(this.page, name);
		await this.field(name).waitFor();
	}

	/** The button that adds to a collection. */
	addButton(collection: string): Locator {
		return this.parameters
			.getByTestId('parameter-item')
			.filter({ has: this.labelled(collection) })
			.getByTestId('collection-parameter-add');
	}

	/** Opens the dialog for a new credential. */
	async connect(): Promise<CredentialDialog> {
		const first = this.credential.getByTestId('node-credentials-empty-state');
		const select = this.credential.getByTestId('node-credentials-select');
		await first.or(select).waitFor();
		if (await first.isVisible()) {
			await first.getByRole('button').click();
		} else {
			await select.locator('input').click();
			await shown(this.page, 'node-credentials-select-item-new').click();
		}
		return CredentialDialog.opened(this.page);
	}

	/** Opens the dialog of the credential that is chosen. */
	async editCredential(): Promise<CredentialDialog> {
		await this.credential.getByTestId('credential-edit-button').click();
		return CredentialDialog.opened(this.page);
	}

	/** Runs the workflow up to this node, and waits for its end, good or bad. */
	async execute(): Promise<void> {
		await this.page.getByTestId('node-execute-button').click();
		const passed = this.output.panel.getByTestId('node-run-status-success');
		await passed.or(this.output.panel.getByTestId('node-run-status-danger')).waitFor();
	}

	private labelled(label: string): Locator {
		return this.page
			.getByTestId('input-label')
			.filter({ has: this.page.getByText(label, { exact: true }) });
	}

	private input(label: string): Locator {
		return this.field(label).getByTestId('parameter-input');
	}

	private text(label: string): Locator {
		return this.input(label).locator('input, textarea').first();
	}

	private async optionsBehind(button: Locator): Promise<string[]> {
		await button.click();
		const options = openOptions(this.page);
		await options.first().waitFor();
		const names = await firstLines(options);
		await this.page.keyboard.press('Escape');
		return names;
	}
}

/** The right side of an open node: what came of its last run. */
class Output {
	readonly panel: Locator;
	/** What happened, of a run that failed. */
	readonly message: Locator;
	/** What to do about it. */
	readonly description: Locator;
	/** The items, once they are shown as a table. */
	readonly table: Locator;
	readonly rows: Locator;

	constructor(page: Page) {
		this.panel = page.getByTestId('output-panel');
		this.message = this.panel.getByTestId('node-error-message');
		this.description = this.panel.getByTestId('node-error-description');
		this.table = this.panel.locator('table');
		this.rows = this.table.locator('tbody tr');
	}

	async showTable(): Promise<void> {
		await this.panel.getByTestId('radio-button-table').click();
	}

	async columns(): Promise<string[]> {
		return (await firstLines(this.table.locator('thead th'))).filter((text) => text !== '');
	}

	/** Shows one of the outputs of a node that has two. */
	async showBranch(name: 'Success' | 'Error' | 'Found' | 'Not Found'): Promise<void> {
		await this.panel.getByTestId('branches').getByText(name).click();
	}
}
