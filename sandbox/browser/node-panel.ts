import type { Locator, Page } from 'playwright-core';

import { openedDialog, type CredentialDialog } from './credential-dialog';
import { chooseOption, firstLines, openOptions, shown } from './locators';

/** What an open node shows: its parameters in the middle, its output on the right. */
export type NodePanel = Awaited<ReturnType<typeof openedNode>>;

/** The panel that is open, or just opening. */
export async function openedNode(page: Page) {
	const parameters = page.getByTestId('node-parameters');
	const credential = page.getByTestId('node-credentials-slot');
	const output = outputOf(page);
	await parameters.getByTestId('input-label').first().waitFor();

	function labelled(label: string): Locator {
		return page
			.getByTestId('input-label')
			.filter({ has: page.getByText(label, { exact: true }) });
	}

	/** A parameter with its label and its input. */
	function field(label: string): Locator {
		return labelled(label).filter({ visible: true });
	}

	function input(label: string): Locator {
		return field(label).getByTestId('parameter-input');
	}

	function textIn(label: string): Locator {
		return input(label).locator('input, textarea').first();
	}

	/** The button that adds to a collection. */
	function addButton(collection: string): Locator {
		return parameters
			.getByTestId('parameter-item')
			.filter({ has: labelled(collection) })
			.getByTestId('collection-parameter-add');
	}

	async function optionsBehind(button: Locator): Promise<string[]> {
		await button.click();
		const options = openOptions(page);
		await options.first().waitFor();
		const names = await firstLines(options);
		await page.keyboard.press('Escape');
		return names;
	}

	return {
		/** The part between input and output. */
		middle: page.getByTestId('ndv').locator('.node-settings'),
		credential,
		output,
		field,
		addButton,
		/**
		 * Labels that are shown, from top to bottom, those of chosen filters and options included.
		 * That of the credential is always "Credential".
		 */
		async labels(): Promise<string[]> {
			const labels = parameters
				.getByTestId('input-label')
				.or(credential.locator('label'))
				.filter({ visible: true });
			return (await firstLines(labels)).map((label) =>
				label.replace(/^Credential for .*/, 'Credential'),
			);
		},
		/** What the notices among the parameters say, from top to bottom. */
		notices: () => firstLines(parameters.locator('.notice').filter({ visible: true })),
		/** Chooses from a list. */
		async choose(label: string, option: string): Promise<void> {
			await input(label).click();
			await chooseOption(page, option);
		},
		/** What a list has to choose from, from top to bottom. */
		choices: (label: string) => optionsBehind(input(label)),
		/** What a switch or a list is set to, or an input holds. */
		async value(label: string): Promise<string | boolean> {
			const toggle = input(label).getByRole('switch');
			// Neither is there while the editor draws the parameter anew.
			await toggle.or(textIn(label)).first().waitFor({ state: 'attached' });
			return (await toggle.count()) > 0
				? await toggle.isChecked()
				: await textIn(label).inputValue();
		},
		/** Turns a switch to the other side. */
		toggle: (label: string) => field(label).locator('.el-switch').click(),
		/** Types into an input, in place of what it holds. */
		fill: (label: string, text: string) => textIn(label).fill(text),
		/** What a collection, such as Options, has to add, from top to bottom. */
		offers: (collection: string) => optionsBehind(addButton(collection)),
		/** Adds a filter or an option. */
		async add(collection: string, name: string): Promise<void> {
			await addButton(collection).click();
			await chooseOption(page, name);
			await field(name).waitFor();
		},
		/** Opens the dialog for a new credential. */
		async connect(): Promise<CredentialDialog> {
			const first = credential.getByTestId('node-credentials-empty-state');
			const select = credential.getByTestId('node-credentials-select');
			await first.or(select).waitFor();
			if (await first.isVisible()) {
				await first.getByRole('button').click();
			} else {
				await select.locator('input').click();
				await shown(page, 'node-credentials-select-item-new').click();
			}
			return await openedDialog(page);
		},
		/** Opens the dialog of the credential that is chosen. */
		async editCredential(): Promise<CredentialDialog> {
			await credential.getByTestId('credential-edit-button').click();
			return await openedDialog(page);
		},
		/** Runs the workflow up to this node, and waits for its end, good or bad. */
		async execute(): Promise<void> {
			await page.getByTestId('node-execute-button').click();
			const passed = output.panel.getByTestId('node-run-status-success');
			await passed.or(output.panel.getByTestId('node-run-status-danger')).waitFor();
		},
	};
}

/** The right side of an open node: what came of its last run. */
function outputOf(page: Page) {
	const panel = page.getByTestId('output-panel');
	const table = panel.locator('table');
	return {
		panel,
		/** What happened, of a run that failed. */
		message: panel.getByTestId('node-error-message'),
		/** What to do about it. */
		description: panel.getByTestId('node-error-description'),
		/** The items, once they are shown as a table. */
		table,
		rows: table.locator('tbody tr'),
		showTable: () => panel.getByTestId('radio-button-table').click(),
		async columns(): Promise<string[]> {
			return (await firstLines(table.locator('thead th'))).filter((text) => text !== '');
		},
		/** Shows one of the outputs of a node that has two. */
		showBranch: (name: 'Success' | 'Error' | 'Found' | 'Not Found') =>
			panel.getByTestId('branches').getByText(name).click(),
	};
}
