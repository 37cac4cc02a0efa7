/** Parts of the editor: the list of nodes, an open node, and a credential. Lists are from top to bottom. */
import type { Locator, Page, Response } from 'playwright-core';

import { until } from '../until';

export type NodesPanel = ReturnType<typeof nodesPanel>;

/** The list of nodes. */
export function nodesPanel(page: Page) {
	const panel = page.getByTestId('node-creator');
	const names = panel.getByTestId('item-iterator-item').getByTestId('node-creator-item-name');

	const entry = (name: string) => names.getByText(name, { exact: true });

	return {
		panel,
		entry,
		search: (text: string) => panel.getByTestId('node-creator-search-bar').fill(text),
		async choose(nodeName: string): Promise<void> {
			await entry(nodeName).click();
			await panel.getByText(/^Actions \(\d+\)$/).waitFor();
			// The previous list slides out.
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

/** An open node. */
export async function openedNode(page: Page) {
	const parameters = page.getByTestId('node-parameters');
	const credential = page.getByTestId('node-credentials-slot');
	const output = outputOf(page);
	await parameters.getByTestId('input-label').first().waitFor();

	const labelled = (label: string) =>
		page.getByTestId('input-label').filter({ has: page.getByText(label, { exact: true }) });
	const field = (label: string) => shown(labelled(label));
	const addButton = (collection: string) =>
		parameters
			.getByTestId('parameter-item')
			.filter({ has: labelled(collection) })
			.getByTestId('collection-parameter-add');

	async function startNode(): Promise<void> {
		const button = page.getByTestId('node-execute-button');
		let hasStarted = false;
		const onResponse = (response: Response) => {
			hasStarted ||= response.url().endsWith('/run') && response.ok();
		};
		page.on('response', onResponse);
		const started = (timeout?: number) =>
			until('n8n has started the node', () => Promise.resolve(hasStarted), { timeout });
		await button.click();
		// While a panel with a changed field is laid out again, a click can miss the button. A busy n8n can refuse.
		await started(10_000).catch(async () => {
			await button.filter({ hasText: /Execute|Fetch/ }).click({ timeout: 1_000 });
			await started();
		});
		page.off('response', onResponse);
	}

	return {
		middle: page.getByTestId('ndv').locator('.node-settings'),
		parameters,
		credential,
		output,
		field,
		addButton,
		/** In a tool: lets the model fill in the field of a filter or another parameter. */
		async letModelDefine(label: string): Promise<void> {
			await field(label).hover();
			await field(label).getByTestId('from-ai-override-button').click();
		},
		async close(): Promise<void> {
			await page.keyboard.press('Escape');
			await page.getByTestId('ndv').waitFor({ state: 'hidden' });
		},
		async editCredential(): Promise<CredentialDialog> {
			await credential.getByTestId('credential-edit-button').click();
			return await openedDialog(page);
		},
		async execute(): Promise<void> {
			await startNode();
			const hasRun = output.panel.getByTestId(/^node-run-status-(success|danger)$/);
			await hasRun.waitFor({ timeout: 10_000 }).catch(async () => {
				// The editor may apply a typed value only after the click. It then marks the output as stale.
				if (await output.panel.getByTestId('node-run-info-stale').isVisible()) await startNode();
				await hasRun.waitFor();
			});
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
		showTable: () => panel.getByTestId('radio-button-table').click(),
		showJson: () => panel.getByTestId('radio-button-json').click(),
		/** Texts of the boxes above the output, including n8n's own. */
		async boxes(): Promise<string[]> {
			const hints = panel.getByTestId('node-hint');
			await hints.first().waitFor();
			return (await hints.allInnerTexts()).map((text) => text.trim());
		},
		showBranch: (name: 'Success' | 'Error') =>
			panel.getByTestId('branches').getByText(name).click(),
	};
}

export type CredentialDialog = Awaited<ReturnType<typeof openedDialog>>;

/** The dialog of a credential. */
export async function openedDialog(page: Page) {
	const dialog = page.getByTestId('editCredential-modal');
	const fields = dialog.getByTestId('credential-connection-parameter');
	await fields.first().waitFor();

	const input = (name: string) => dialog.getByTestId(`parameter-input-${name}`).locator('input');

	return {
		dialog,
		input,
		labels: () => firstLines(fields.locator('label')),
		passed: () => shown(dialog.getByTestId('credentials-config-container-test-success')).waitFor(),
	};
}

/** Filters visible elements. */
export function shown(elements: Locator): Locator {
	return elements.filter({ visible: true });
}

/** Returns the first line of each element, without the star of required fields. */
export async function firstLines(elements: Locator): Promise<string[]> {
	const texts = await elements.allInnerTexts();
	return texts.map((text) => (text.trim().split('\n', 1)[0] ?? '').replace('*', '').trim());
}

/** Chooses an option of an open drop-down list. */
export async function chooseOption(page: Page, name: string): Promise<void> {
	const named = page.getByText(name, { exact: true });
	await shown(page.getByRole('option')).filter({ has: named }).click();
}
