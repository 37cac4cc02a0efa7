/** What opens in the editor: the list of nodes, a node, and a credential. Lists are from top to bottom. */
import type { Locator, Page } from 'playwright-core';

export type NodesPanel = ReturnType<typeof nodesPanel>;

export function nodesPanel(page: Page) {
	const panel = page.getByTestId('node-creator');
	const names = panel.getByTestId('item-iterator-item').getByTestId('node-creator-item-name');

	const entry = (name: string) => names.getByText(name, { exact: true });

	return {
		...{ panel, entry },
		search: (text: string) => panel.getByTestId('node-creator-search-bar').fill(text),
		async choose(nodeName: string): Promise<void> {
			await entry(nodeName).click();
			await panel.getByText(/^Actions \(\d+\)$/).waitFor();
			// The list before slides out.
			await entry(nodeName).waitFor({ state: 'hidden' });
		},
		toggle: (part: 'Actions' | 'Triggers') =>
			panel.getByText(new RegExp(`^${part} \\(\\d+\\)$`)).click(),
		entries: () => firstLines(shown(names)),
		async add(action: string): Promise<NodePanel> {
			await entry(action).click();
			return await openedNode(page);
		},
	};
}

export type NodePanel = Awaited<ReturnType<typeof openedNode>>;

export async function openedNode(page: Page) {
	const parameters = page.getByTestId('node-parameters');
	const credential = page.getByTestId('node-credentials-slot');
	const output = outputOf(page);
	await parameters.getByTestId('input-label').first().waitFor();

	const labelled = (label: string) =>
		page.getByTestId('input-label').filter({ has: page.getByText(label, { exact: true }) });
	const field = (label: string) => shown(labelled(label));
	const input = (label: string) => field(label).getByTestId('parameter-input');
	const textIn = (label: string) => input(label).locator('input, textarea').first();
	const addButton = (collection: string) =>
		parameters
			.getByTestId('parameter-item')
			.filter({ has: labelled(collection) })
			.getByTestId('collection-parameter-add');

	async function optionsBehind(button: Locator): Promise<string[]> {
		await button.click();
		const options = shown(page.getByRole('option'));
		await options.first().waitFor();
		const names = await firstLines(options);
		await page.keyboard.press('Escape');
		return names;
	}

	return {
		middle: page.getByTestId('ndv').locator('.node-settings'),
		...{ credential, output, field, addButton },
		/** Those of chosen filters and options too. That of the credential is always "Credential". */
		async labels(): Promise<string[]> {
			const labels = parameters.getByTestId('input-label').or(credential.locator('label'));
			const texts = await firstLines(shown(labels));
			return texts.map((label) => label.replace(/^Credential for .*/, 'Credential'));
		},
		notices: () => firstLines(shown(parameters.locator('.notice'))),
		async choose(label: string, option: string): Promise<void> {
			await input(label).click();
			await chooseOption(page, option);
		},
		choices: (label: string) => optionsBehind(input(label)),
		/** What a switch or a list is set to, or an input holds. */
		async value(label: string): Promise<string | boolean> {
			const toggle = input(label).getByRole('switch');
			// Neither is there while the editor draws the parameter anew.
			await toggle.or(textIn(label)).first().waitFor({ state: 'attached' });
			if ((await toggle.count()) > 0) return await toggle.isChecked();
			return await textIn(label).inputValue();
		},
		toggle: (label: string) => field(label).locator('.el-switch').click(),
		fill: (label: string, text: string) => textIn(label).fill(text),
		/** What a collection, such as Options, has to add, from top to bottom. */
		offers: (collection: string) => optionsBehind(addButton(collection)),
		async add(collection: string, name: string): Promise<void> {
			await addButton(collection).click();
			await chooseOption(page, name);
			await field(name).waitFor();
		},
		async connect(): Promise<CredentialDialog> {
			const first = credential.getByTestId('node-credentials-empty-state');
			const select = credential.getByTestId('node-credentials-select');
			await first.or(select).waitFor();
			if (await first.isVisible()) {
				await first.getByRole('button').click();
			} else {
				await select.locator('input').click();
				const another = page.getByTestId('node-credentials-select-item-new');
				await shown(another).click();
			}
			return await openedDialog(page);
		},
		async editCredential(): Promise<CredentialDialog> {
			await credential.getByTestId('credential-edit-button').click();
			return await openedDialog(page);
		},
		async execute(): Promise<void> {
			await page.getByTestId('node-execute-button').click();
			await output.panel.getByTestId(/^node-run-status-(success|danger)$/).waitFor();
		},
	};
}

function outputOf(page: Page) {
	const panel = page.getByTestId('output-panel');
	const table = panel.locator('table');
	return {
		panel,
		message: panel.getByTestId('node-error-message'),
		description: panel.getByTestId('node-error-description'),
		table,
		rows: table.locator('tbody tr'),
		showTable: () => panel.getByTestId('radio-button-table').click(),
		async columns(): Promise<string[]> {
			return (await firstLines(table.locator('thead th'))).filter((text) => text !== '');
		},
		showBranch: (name: 'Success' | 'Error' | 'Found' | 'Not Found') =>
			panel.getByTestId('branches').getByText(name).click(),
	};
}

export type CredentialDialog = Awaited<ReturnType<typeof openedDialog>>;

async function openedDialog(page: Page) {
	const dialog = page.getByTestId('editCredential-modal');
	const fields = dialog.getByTestId('credential-connection-parameter');
	await fields.first().waitFor();

	const input = (name: string) => dialog.getByTestId(`parameter-input-${name}`).locator('input');

	return {
		dialog,
		/** Saves, upon which n8n tests; a new credential that passes closes the dialog. */
		saveButton: dialog.getByTestId('credential-save-button').getByRole('button', { name: 'Save' }),
		input,
		labels: () => firstLines(fields.locator('label')),
		async authenticateBy(option: string): Promise<void> {
			await dialog.getByTestId('parameter-input-authentication').click();
			await chooseOption(page, option);
		},
		passed: () => shown(dialog.getByTestId('credentials-config-container-test-success')).waitFor(),
		/** Waits for the test to fail, and unfolds what it says. */
		async refusal(): Promise<string> {
			const banner = shown(dialog.locator('.el-tag--danger')).filter({
				hasText: 'Couldn’t connect with these settings',
			});
			await banner.getByText('More details').click();
			await banner.getByText('More details').waitFor({ state: 'hidden' });
			return (await banner.innerText()).trim();
		},
	};
}

function shown(elements: Locator): Locator {
	return elements.filter({ visible: true });
}

/** The first line of each element, without the star of what is required. */
async function firstLines(elements: Locator): Promise<string[]> {
	const texts = await elements.allInnerTexts();
	return texts.map((text) => (text.trim().split('\n', 1)[0] ?? '').replace('*', '').trim());
}

async function chooseOption(page: Page, name: string): Promise<void> {
	const named = page.getByText(name, { exact: true });
	await shown(page.getByRole('option')).filter({ has: named }).click();
}
