import type { Locator, Page } from 'playwright-core';

import { chooseOption, firstLines, shown } from './locators';

/** The dialog in which a credential is made, changed and tested. */
export class CredentialDialog {
	readonly dialog: Locator;
	/** Saves, upon which n8n tests; a new credential that passes closes the dialog. */
	readonly saveButton: Locator;
	private readonly fields: Locator;

	private constructor(private readonly page: Page) {
		this.dialog = page.getByTestId('editCredential-modal');
		this.saveButton = this.dialog
			.getByTestId('credential-save-button')
			.getByRole('button', { name: 'Save' });
		this.fields = this.dialog.getByTestId('credential-connection-parameter');
	}

	/** The dialog that is open, or just opening. */
	static async opened(page: Page): Promise<CredentialDialog> {
		const opened = new CredentialDialog(page);
		await opened.fields.first().waitFor();
		return opened;
	}

	/** Labels of the fields, from top to bottom; n8n adds one of its own at the end. */
	labels(): Promise<string[]> {
		return firstLines(this.fields.locator('label'));
	}

	/** Types into a field, by the field's name. */
	async fill(name: string, text: string): Promise<void> {
		await this.input(name).fill(text);
	}

	/** The input of a field, by the field's name. */
	input(name: string): Locator {
		return this.dialog.getByTestId(`parameter-input-${name}`).locator('input');
	}

	/** Chooses from the list Authentication. */
	async authenticateBy(option: string): Promise<void> {
		await this.dialog.getByTestId('parameter-input-authentication').click();
		await chooseOption(this.page, option);
	}

	/** Waits for the test to pass. */
	async passed(): Promise<void> {
		await shown(this.dialog, 'credentials-config-container-test-success').waitFor();
	}

	/** Waits for the test to fail, and unfolds what it says. */
	async refusal(): Promise<string> {
		const banner = this.dialog
			.locator('.el-tag--danger')
			.filter({ visible: true, hasText: 'Couldn’t connect with these settings' });
		await banner.getByText('More details').click();
		await banner.getByText('More details').waitFor({ state: 'hidden' });
		return (await banner.innerText()).trim();
	}
}
