import type { Locator, Page } from 'playwright-core';

import { firstLines } from './locators';
import { openedNode, type NodePanel } from './node-panel';

/** The list of nodes to add to a workflow. */
export type NodesPanel = ReturnType<typeof nodesPanel>;

/** The list that is open, or just opening. */
export function nodesPanel(page: Page) {
	const panel = page.getByTestId('node-creator');
	const names = panel.getByTestId('item-iterator-item').getByTestId('node-creator-item-name');

	/** An entry of the list, whether it is shown or not. */
	function entry(name: string): Locator {
		return names.getByText(name, { exact: true });
	}

	return {
		panel,
		entry,
		search: (text: string) => panel.getByTestId('node-creator-search-bar').fill(text),
		/** Opens the list of what a node can do. */
		async choose(nodeName: string): Promise<void> {
			await entry(nodeName).click();
			await panel.getByText(/^Actions \(\d+\)$/).waitFor();
			// The list before slides out.
			await entry(nodeName).waitFor({ state: 'hidden' });
		},
		/** Folds or unfolds a part of what a node can do. */
		toggle: (part: 'Actions' | 'Triggers') =>
			panel.getByText(new RegExp(`^${part} \\(\\d+\\)$`)).click(),
		/** Names of what the list shows now, from top to bottom. */
		entries: () => firstLines(names.filter({ visible: true })),
		/** Adds a node that does this, which opens it. */
		async add(action: string): Promise<NodePanel> {
			await entry(action).click();
			return await openedNode(page);
		},
	};
}
