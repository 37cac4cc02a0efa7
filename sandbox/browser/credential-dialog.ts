import type { Locator, Page } from 'playwright-core';

import { chooseOption, firstLines, shown } from './locators';

/** The dialog in which a credential is made, changed and tested. */
export type CredentialDialog = Awaited<ReturnType<typeof openedDialog>>;

/** The dialog that is open, or just opening. */
export async function openedDialog(page: Page) {
	const dialog = page.getByTestId('editCredential-modal');
	const fields = dialog.getByTestId('credential-connection-parameter');
	await fields.first().waitFor();

	/** The input of a field, by the field's name. */
	function input(name: string): Locator {
		return dialog.getByTestId(`parameter-input-${name}`).locator('input');
	}

	return {
		dialog,
		/** Saves, upon which n8n tests; a new credential that passes closes the dialog. */
		saveButton: dialog
			.getByTestId('credential-save-button')
			.getByRole('button', { name: 'Save' }),
		input,
		/** Labels of the fields, from top to bottom; n8n adds one of its own at the end. */
		labels: () => firstLines(fields.locator('label')),
		/** Types into a field, by the field's name. */
		fill: (name: string, text: string) => input(name).fill(text),
		/** Chooses from the list Authentication. */
		async authenticateBy(option: string): Promise<void> {
			await dialog.getByTestId('parameter-input-authentication').click();
			await chooseOption(page, option);
		},
		/** Waits for the test to pass. */
		passed: () => shown(dialog, 'credentials-config-container-test-success').waitFor(),
		/** Waits for the test to fail, and unfolds what it says. */
		async refusal(): Promise<string> {
			const banner = dialog
				.locator('.el-tag--danger')
				.filter({ visible: true, hasText: 'Couldn’t connect with these settings' });
			await banner.getByText('More details').click();
			await banner.getByText('More details').waitFor({ state: 'hidden' });
			return (await banner.innerText()).trim();
		},
	};
}
