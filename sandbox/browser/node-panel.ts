import type { Locator, Page } from 'playwright-core';

import { CredentialDialog } from './credential-dialog';
import { Output } from './output';

/** What an open node shows: its parameters in the middle, its output on the right. */
export class NodePanel {
	readonly panel: Locator;
	/** The part between input and output. */
	readonly middle: Locator;
	readonly parameters: Locator;
	readonly credential: Locator;
	readonly output: Output;

	private constructor(private readonly page: Page) {
		this.panel = page.getByTestId('ndv');
		this.middle = this.panel.locator('.node-settings');
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
		const texts = await labels.allInnerTexts();
		return texts.map((text) =>
			(text.trim().split('\n', 1)[0] ?? '').replace(/^Credential for .*/, 'Credential'),
		);
	}

	/** What the notices among the parameters say, from top to bottom. */
	async notices(): Promise<string[]> {
		const notices = this.parameters.locator('.notice').filter({ visible: true });
		return (await notices.allInnerTexts()).map((text) => text.trim());
	}

	/** A parameter with its label and its input. */
	field(label: string): Locator {
		return this.labelled(label).filter({ visible: true });
	}

	/** Chooses from a list. */
	async choose(label: string, option: string): Promise<void> {
		await this.field(label).getByTestId('parameter-input').click();
		await this.option(option).click();
	}

	/** What a list has to choose from, from top to bottom. */
	async choices(label: string): Promise<string[]> {
		await this.field(label).getByTestId('parameter-input').click();
		const names = await this.openOptions();
		await this.page.keyboard.press('Escape');
		return names;
	}

	/** What a switch or a list is set to, or an input holds. */
	async value(label: string): Promise<string | boolean> {
		const input = this.field(label).getByTestId('parameter-input');
		const toggle = input.getByRole('switch');
		return (await toggle.count()) > 0
			? await toggle.isChecked()
			: await input.locator('input, textarea').first().inputValue();
	}

	/** Turns a switch to the other side. */
	async toggle(label: string): Promise<void> {
		await this.field(label).locator('.el-switch').click();
	}

	/** Types into an input, in place of what it holds. */
	async fill(label: string, text: string): Promise<void> {
		const input = this.field(label).getByTestId('parameter-input');
		await input.locator('input, textarea').first().fill(text);
	}

	/** What a collection, such as Options, has to add, from top to bottom. */
	async offers(collection: string): Promise<string[]> {
		await this.addButton(collection).click();
		const names = await this.openOptions();
		await this.page.keyboard.press('Escape');
		return names;
	}

	/** Adds a filter or an option. */
	async add(collection: string, name: string): Promise<void> {
		await this.addButton(collection).click();
		await this.option(name).click();
		await this.field(name).waitFor();
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
			await this.page
				.getByTestId('node-credentials-select-item-new')
				.filter({ visible: true })
				.click();
		}
		return CredentialDialog.opened(this.page);
	}

	/** Opens the dialog of the credential that is chosen. */
	async editCredential(): Promise<CredentialDialog> {
		await this.credential.getByTestId('credential-edit-button').click();
		return CredentialDialog.opened(this.page);
	}

	/** Runs the workflow up to this node, and waits for its end. */
	async execute(): Promise<void> {
		await this.page.getByTestId('node-execute-button').click();
		await this.output.ended();
	}

	private labelled(label: string): Locator {
		return this.page
			.getByTestId('input-label')
			.filter({ has: this.page.getByText(label, { exact: true }) });
	}

	/** The button that adds to a collection. */
	addButton(collection: string): Locator {
		return this.parameters
			.getByTestId('parameter-item')
			.filter({ has: this.labelled(collection) })
			.getByTestId('collection-parameter-add');
	}

	private option(name: string): Locator {
		return this.page
			.getByRole('option')
			.filter({ visible: true })
			.filter({ has: this.page.getByText(name, { exact: true }) });
	}

	private async openOptions(): Promise<string[]> {
		const options = this.page.getByRole('option').filter({ visible: true });
		await options.first().waitFor();
		const texts = await options.allInnerTexts();
		return texts.map((text) => text.trim().split('\n', 1)[0] ?? '');
	}
}
